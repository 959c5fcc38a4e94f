// Package decompress undoes the compression of archives, told by how the
// content begins and not by a name:
//
//	head, _ := in.Peek(6)
//	r, err := decompress.Reader(head, in)
package decompress

import (
	"bytes"
	"compress/bzip2"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// maxMemory bounds what a zstd stream may ask for, in bytes.
const maxMemory = 1 << 30

// Reader reads what a stream holds that begins with head (six bytes tell):
// gzip, bzip2, xz or zstd. It is nil for everything else. Close gives its
// memory back and leaves the stream open.
func Reader(head []byte, in io.Reader) (io.ReadCloser, error) {
	var r io.Reader
	var err error
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		r, err = gzip.NewReader(in)
	case bytes.HasPrefix(head, []byte("BZh")):
		r = bzip2.NewReader(in)
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		r, err = xz.NewReader(in)
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		z, err := zstd.NewReader(in, zstd.WithDecoderMaxMemory(maxMemory))
		if err != nil {
			return nil, err
		}
		return z.IOReadCloser(), nil
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return io.NopCloser(r), nil
}
