package archive

import (
	"bufio"
	"errors"
	"io"
	"io/fs"

	"github.com/nwaples/rardecode/v2"

	"pinch/salt"
)

// rarSource reads rar archives of one volume.
type rarSource struct {
	*rardecode.Reader
	file io.Closer
}

func openRar(c *salt.Ctx, name, password string) (source, error) {
	f, err := c.Sys.Open(name)
	if err != nil {
		return nil, err
	}
	o := []rardecode.Option{rardecode.MaxDictionarySize(1 << 30)}
	if password != "" {
		o = append(o, rardecode.Password(password))
	}
	r, err := rardecode.NewReader(bufio.NewReaderSize(f, 256<<10), o...)
	if err != nil {
		f.Close()
		if errors.Is(err, rardecode.ErrNoSig) {
			err = errFormat
		}
		return nil, err
	}
	return &rarSource{r, f}, nil
}

func (r *rarSource) next() (*entry, error) {
	h, err := r.Next()
	if err != nil {
		return nil, err
	}
	if h.UnKnownSize {
		return nil, errors.New("the archive does not say how long its files are")
	}
	e := &entry{name: h.Name, size: h.UnPackedSize, mtime: h.ModificationTime, mode: h.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)}
	switch {
	case h.IsDir:
		e.kind, e.size = folder, 0
	case h.Mode()&fs.ModeSymlink != 0:
		e.kind, e.size, e.link = symlink, 0, h.LinkTarget
		if e.link == "" { // before version 5 the link's target is the content
			b, err := io.ReadAll(io.LimitReader(r, 4096))
			if err != nil {
				return nil, err
			}
			e.link = string(b)
		}
	case h.LinkType == 4:
		e.kind, e.size, e.link = hardlink, 0, h.LinkTarget
	}
	return e, nil
}

func (r *rarSource) Close() error { return r.file.Close() }
