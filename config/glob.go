package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pinch/value"
)

// glob is Python's glob.glob, sorted: * does not match names that begin with a
// dot, ** is no more than *.
func glob(pattern string) []string {
	if !value.IsGlob(pattern) {
		if _, err := os.Lstat(pattern); err != nil {
			return nil
		}
		return []string{pattern}
	}
	dir, name := filepath.Split(pattern)
	var parents []string
	switch {
	case dir == "":
		parents = []string{""}
	case value.IsGlob(dir):
		parents = glob(strings.TrimRight(dir, "/"))
	default:
		parents = []string{dir}
	}
	var out []string
	for _, p := range parents {
		if !value.IsGlob(name) {
			if path := filepath.Join(p, name); exists(path) {
				out = append(out, path)
			}
			continue
		}
		at := p
		if at == "" {
			at = "."
		}
		entries, _ := os.ReadDir(at)
		for _, e := range entries {
			hidden := strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(name, ".")
			if !hidden && value.Fnmatch(e.Name(), name) {
				out = append(out, filepath.Join(p, e.Name()))
			}
		}
	}
	slices.Sort(out)
	return out
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
