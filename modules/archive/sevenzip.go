package archive

import (
	"errors"
	"io"
	"io/fs"

	"github.com/bodgit/sevenzip"

	"pinch/salt"
)

// sevenSource reads 7z archives, which Salt does not know.
type sevenSource struct {
	zip  *sevenzip.Reader
	file io.Closer
	at   int // the next file
	now  io.ReadCloser
}

func open7z(c *salt.Ctx, name, password string) (source, error) {
	r, size, f, err := openRandom(c, name)
	if err != nil {
		return nil, err
	}
	z, err := sevenzip.NewReaderWithPassword(r, size, password)
	if err != nil {
		f.Close()
		var bad *sevenzip.ReadError
		if !errors.As(err, &bad) {
			err = errFormat
		}
		return nil, err
	}
	return &sevenSource{zip: z, file: f}, nil
}

func (s *sevenSource) next() (*entry, error) {
	s.shut()
	if s.at == len(s.zip.File) {
		return nil, io.EOF
	}
	f := s.zip.File[s.at]
	s.at++
	i := f.FileInfo()
	e := &entry{name: f.Name, size: int64(f.UncompressedSize), mtime: f.Modified, mode: i.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)}
	switch {
	case i.IsDir():
		e.kind, e.size = folder, 0
	case i.Mode()&fs.ModeSymlink != 0:
		b, err := io.ReadAll(io.LimitReader(s, 4096))
		if err != nil {
			return nil, err
		}
		e.kind, e.size, e.link = symlink, 0, string(b)
	}
	return e, nil
}

func (s *sevenSource) shut() {
	if s.now != nil {
		s.now.Close()
		s.now = nil
	}
}

// Read reads the file that next gave.
func (s *sevenSource) Read(p []byte) (int, error) {
	if s.now == nil {
		r, err := s.zip.File[s.at-1].Open()
		if err != nil {
			return 0, err
		}
		s.now = r
	}
	return s.now.Read(p)
}

func (s *sevenSource) Close() error {
	s.shut()
	return s.file.Close()
}
