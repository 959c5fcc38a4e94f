package bridge

import (
	"embed"
	"io/fs"
	"strings"
	"sync"

	"pinch/value"
)

//go:embed all:python
var python embed.FS

// sources are the Python files by their path below python/.
var sources = sync.OnceValue(func() *value.Map {
	m := new(value.Map)
	_ = fs.WalkDir(python, "python", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".py") {
			return err
		}
		b, err := python.ReadFile(path)
		m.Set(strings.TrimPrefix(path, "python/"), string(b))
		return err
	})
	return m
})
