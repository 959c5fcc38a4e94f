package docker

import (
	"io"

	"github.com/dsnet/compress/bzip2"
)

func newBzip2(w io.Writer) (io.WriteCloser, error) {
	return bzip2.NewWriter(w, &bzip2.WriterConfig{Level: bzip2.BestCompression})
}
