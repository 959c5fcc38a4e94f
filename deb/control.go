package deb

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

var errNoPackage = errors.New("not a Debian format archive")

// maxControl bounds the control file of a package file.
const maxControl = 16 << 20

// ReadControl reads the control file of a package file (deb(5)): an ar archive
// with a compressed tar of control files.
func ReadControl(r io.Reader) (Stanza, error) {
	magic := make([]byte, 8)
	if _, err := io.ReadFull(r, magic); err != nil || string(magic) != "!<arch>\n" {
		return nil, errNoPackage
	}
	head := make([]byte, 60)
	for {
		if _, err := io.ReadFull(r, head); err != nil {
			return nil, errNoPackage
		}
		size, err := strconv.ParseInt(strings.TrimSpace(string(head[48:58])), 10, 64)
		if err != nil || size < 0 || string(head[58:]) != "`\n" {
			return nil, errNoPackage
		}
		name := strings.TrimRight(strings.TrimSpace(string(head[:16])), "/")
		if kind, ok := strings.CutPrefix(name, "control.tar"); ok {
			return fromTar(io.LimitReader(r, size), kind)
		}
		if _, err := io.CopyN(io.Discard, r, size+size%2); err != nil {
			return nil, errNoPackage
		}
	}
}

func fromTar(r io.Reader, kind string) (Stanza, error) {
	r, err := Decompress(r, kind)
	if err != nil {
		return nil, err
	}
	for t := tar.NewReader(r); ; {
		h, err := t.Next()
		if err != nil {
			return nil, errors.New("package has no control file")
		}
		if strings.TrimPrefix(h.Name, "./") != "control" {
			continue
		}
		b, err := io.ReadAll(io.LimitReader(t, maxControl))
		return Stanza(bytes.TrimRight(b, "\n")), err
	}
}

// Decompress reads what a file of that kind holds: ".gz", ".xz", ".zst", or ""
// for one that is not compressed.
func Decompress(r io.Reader, kind string) (io.Reader, error) {
	switch kind {
	case "":
		return r, nil
	case ".gz":
		return gzip.NewReader(r)
	case ".xz":
		return xz.NewReader(r)
	case ".zst":
		return zstd.NewReader(r)
	}
	return nil, errors.New("unknown compression " + kind)
}
