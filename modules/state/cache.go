package state

import (
	"io/fs"
	"path/filepath"
	"strings"

	"pinch/apply"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

var privateMode = fs.FileMode(0o600)

// cacheFile is where the high data of the last run is kept for cache=True.
func (s *session) cacheFile() string {
	name := s.kw.Str("cache_name")
	if name == "" {
		name = "highstate"
	}
	return filepath.Join(s.c.Opts.Str("cachedir"), name+".cache.p")
}

// keep saves high data.
func (s *session) keep(h *apply.High) {
	dir := s.c.Opts.Str("cachedir")
	if dir == "" || !sys.IsDir(s.c.Sys, dir) {
		return
	}
	writePrivate(s.c, s.cacheFile(), h.Map())
}

// cached is the high data of the last run, nil if there is none.
func (s *session) cached() *value.Map {
	b, err := s.c.Sys.ReadFile(s.cacheFile())
	if err != nil {
		return nil
	}
	v, _ := value.ParseMsgpack(b)
	m, _ := v.(*value.Map)
	return m
}

// clearCache removes the cached high data and tells which files those were.
//
//	pinch state.clear_cache
func clearCache(c *salt.Ctx, _ salt.NoArgs) (any, error) {
	out := new(value.List)
	dir := c.Opts.Str("cachedir")
	entries, err := c.Sys.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if !strings.HasSuffix(e.Name(), ".cache.p") || !sys.IsFile(c.Sys, path) {
			continue
		}
		if err := c.With(false).Sys.Remove(path); err != nil {
			return nil, err
		}
		out.Append(e.Name())
	}
	return out, nil
}
