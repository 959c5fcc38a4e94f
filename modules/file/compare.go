package file

import (
	"bytes"
	"io"
	"io/fs"
	"strings"
	"sync"

	"pinch/salt"
)

var buffers = sync.Pool{New: func() any { return new([64 << 10]byte) }}

// sameContent reports whether the file at path holds the content: it reads and
// compares, and stops at the first difference. size is the size of the file.
func sameContent(c *salt.Ctx, path string, size int64, t *content) (bool, error) {
	if t.sum.hex != "" {
		have, err := hashFile(c, path, t.sum.form)
		return have == t.sum.hex, err
	}
	inHand := t.path == "" || t.data != nil
	if inHand && size != int64(len(t.data)) {
		return false, nil
	}
	f, err := c.Sys.Open(path)
	if err != nil {
		return false, osError(err)
	}
	defer f.Close()
	if inHand {
		return equalTo(f, t.data)
	}
	g, err := c.Sys.Open(t.path)
	if err != nil {
		return false, osError(err)
	}
	defer g.Close()
	return equalReaders(f, g)
}

func equalTo(r io.Reader, want []byte) (bool, error) {
	buf := buffers.Get().(*[64 << 10]byte)
	defer buffers.Put(buf)
	for len(want) > 0 {
		n, err := r.Read(buf[:])
		if n > len(want) || !bytes.Equal(buf[:n], want[:n]) {
			return false, nil
		}
		want = want[n:]
		if err != nil {
			return len(want) == 0, notEOF(err)
		}
	}
	return true, nil // the size was the same
}

func equalReaders(a, b io.Reader) (bool, error) {
	buf := buffers.Get().(*[64 << 10]byte)
	defer buffers.Put(buf)
	x, y := buf[:32<<10], buf[32<<10:]
	for {
		n, err := io.ReadFull(a, x)
		m, err2 := io.ReadFull(b, y)
		if n != m || !bytes.Equal(x[:n], y[:m]) {
			return false, nil
		}
		if err != nil || err2 != nil {
			return true, notEOF(err)
		}
	}
}

func notEOF(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil
	}
	return osError(err)
}

// showing is how a difference is shown.
type showing struct {
	hide   bool // show_changes: False
	secret bool // the minion's obfuscate_templates counts
	ignore ignoring
}

// difference describes how new differs from the file at old ("" for none).
// matters is false when only what is to be ignored differs.
func difference(c *salt.Ctx, old string, t *content, s showing) (diff string, matters bool, err error) {
	switch {
	case s.secret && c.Opts.Truth("obfuscate_templates"):
		return "<Obfuscated Template>", true, nil
	case s.hide:
		return "<show_changes=False>", true, nil
	}
	var a []byte
	if old != "" {
		// A glance at the start spares reading a large binary file.
		if msg, err := binaryStart(c, old, t); msg != "" || err != nil {
			return msg, true, err
		}
		if a, err = c.Sys.ReadFile(old); err != nil {
			return "", false, osError(err)
		}
	}
	b, err := t.read(c)
	if err != nil {
		return "", false, err
	}
	if old == "" {
		if msg := binaryReplace(nil, b); msg != "" {
			return msg, true, nil
		}
	}
	diff, matters = textDiff(string(a), string(b), "", "", s)
	return diff, matters, nil
}

func textDiff(a, b, from, to string, s showing) (string, bool) {
	lines := diffList(splitNewline(a), splitNewline(b), from, to)
	matters := len(lines) > 0
	if s.ignore.any() {
		matters = s.ignore.matters(lines)
	}
	return strings.Join(lines, ""), matters
}

func binaryStart(c *salt.Ctx, old string, t *content) (string, error) {
	a, err := start(c, old)
	if err != nil {
		return "", err
	}
	b := t.data
	if t.path != "" && t.data == nil {
		if b, err = start(c, t.path); err != nil {
			return "", err
		}
	}
	return binaryReplace(a, b), nil
}

// start is the first block of a file, which tells text from binary.
func start(c *salt.Ctx, path string) ([]byte, error) {
	f, err := c.Sys.Open(path)
	if err != nil {
		return nil, osError(err)
	}
	defer f.Close()
	b := make([]byte, 512)
	n, err := io.ReadFull(f, b)
	return b[:n], notEOF(err)
}

func isRegularOrLink(i fs.FileInfo) bool {
	return i.Mode().IsRegular() || i.Mode()&fs.ModeSymlink != 0
}
