package sys

import (
	"io/fs"
	"os"
)

// A Root is a folder that nothing leads out of: names are relative to it, and
// neither .. nor a link gets beyond it. Close it.
type Root struct{ *os.Root }

// OpenRoot opens a folder; dir itself may be a link.
func (Real) OpenRoot(dir string) (Root, error) {
	r, err := os.OpenRoot(dir)
	return Root{r}, err
}

// Sub opens a folder below.
func (r Root) Sub(dir string) (Root, error) {
	sub, err := r.OpenRoot(dir)
	return Root{sub}, err
}

// ReadDir lists a folder below, in no order.
func (r Root) ReadDir(dir string) ([]fs.DirEntry, error) {
	f, err := r.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}
