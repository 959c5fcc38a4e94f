package archive

import (
	"archive/tar"
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/ulikunitz/xz/lzma"
	"golang.org/x/sys/unix"

	"pinch/decompress"
	"pinch/salt"
	"pinch/sys"
)

// errFormat says that a file is no archive of its format.
var errFormat = errors.New("not an archive of this format")

// tarSource reads tar archives, compressed or not.
type tarSource struct {
	*tar.Reader
	rest    io.Reader // what follows the archive in the stream
	closers []func() error
}

// openTar opens a tar archive. Its compression is found by its first bytes,
// else by command, which must write the tar to its standard output.
func openTar(c *salt.Ctx, name string, command []string) (source, error) {
	f, err := c.Sys.Open(name)
	if err != nil {
		return nil, err
	}
	t := &tarSource{closers: []func() error{f.Close}}
	t.rest, err = uncompressed(t, f)
	if err != nil {
		t.Close()
		if len(command) == 0 {
			return nil, err
		}
		return openBy(c, name, command)
	}
	t.Reader = tar.NewReader(t.rest)
	return t, nil
}

// uncompressed undoes a compression that is known. What it does not know must
// look like the start of a tar archive.
func uncompressed(t *tarSource, f io.ReadSeeker) (io.Reader, error) {
	var head [1024]byte
	n, err := io.ReadFull(f, head[:])
	if err != nil && n == 0 {
		return nil, errFormat
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	start, b := head[:n], bufio.NewReaderSize(f, 256<<10)
	if r, err := decompress.Reader(start, b); err != nil {
		return nil, err
	} else if r != nil {
		t.closers = append(t.closers, r.Close)
		return r, nil
	}
	switch {
	case isTar(start):
		return f, nil // seekable: contents need not be read to be skipped
	case n > 13 && start[0] == 0x5d && start[1] == 0 && start[2] == 0:
		return lzma.NewReader(b)
	}
	return nil, errFormat
}

// isTar reports whether a file can be a tar archive: its first header is
// readable, or it is an empty archive.
func isTar(start []byte) bool {
	_, err := tar.NewReader(bytes.NewReader(start)).Next()
	return err == nil || len(start) >= 512 && !errors.Is(err, tar.ErrHeader)
}

// openBy has a command decompress the archive.
func openBy(c *salt.Ctx, name string, command []string) (source, error) {
	ctx, cancel := context.WithCancel(c)
	r, w := io.Pipe()
	go func() {
		res, err := c.Sys.Run(ctx, sys.Cmd{Argv: append(command, name), Query: true, Stdout: w})
		if err == nil && res.Code != 0 {
			err = &decompressError{strings.TrimSpace(string(res.Stderr))}
		}
		w.CloseWithError(err)
	}()
	t := &tarSource{rest: r, closers: []func() error{r.Close, func() error { cancel(); return nil }}}
	t.Reader = tar.NewReader(r)
	return t, nil
}

// A decompressError is what the user's command said.
type decompressError struct{ text string }

func (e *decompressError) Error() string { return e.text }

func (t *tarSource) next() (*entry, error) {
	h, err := t.Next()
	for err == nil && h.Typeflag == tar.TypeXGlobalHeader {
		h, err = t.Next()
	}
	if errors.Is(err, io.EOF) {
		return nil, t.drain()
	}
	if err != nil {
		return nil, err
	}
	e := &entry{name: h.Name, size: h.Size, mode: sys.Mode(uint32(h.Mode)), link: h.Linkname, mtime: h.ModTime,
		owned: true, uid: h.Uid, gid: h.Gid, uname: h.Uname, gname: h.Gname}
	switch h.Typeflag {
	case tar.TypeDir:
		e.kind = folder
	case tar.TypeSymlink:
		e.kind = symlink
	case tar.TypeLink:
		e.kind = hardlink
	case tar.TypeFifo:
		e.kind, e.node = device, unix.S_IFIFO
	case tar.TypeChar:
		e.kind, e.node = device, unix.S_IFCHR
	case tar.TypeBlock:
		e.kind, e.node = device, unix.S_IFBLK
	}
	if e.kind != regular {
		e.size = 0
	}
	e.dev = unix.Mkdev(uint32(h.Devmajor), uint32(h.Devminor))
	return e, nil
}

// drain reads to the end of the compressed stream, so that its checksum is
// verified. What follows the stream in the file does not matter.
func (t *tarSource) drain() error {
	if _, ok := t.rest.(io.Seeker); ok {
		return io.EOF
	}
	if _, err := io.Copy(io.Discard, t.rest); err != nil && !errors.Is(err, gzip.ErrHeader) {
		return err
	}
	return io.EOF
}

func (t *tarSource) Close() error {
	var err error
	for i := len(t.closers) - 1; i >= 0; i-- {
		if e := t.closers[i](); err == nil {
			err = e
		}
	}
	return err
}
