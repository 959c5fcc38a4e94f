package file

import (
	"strings"

	"pinch/sys"
	"pinch/value"
)

// glob lists the paths that a pattern matches, as Python's glob.glob does:
// hidden names only for patterns that start with a dot, and ** is an ordinary star.
func glob(s sys.Reader, pattern string) []string {
	if !value.IsGlob(pattern) {
		if strings.HasSuffix(pattern, "/") {
			if sys.IsDir(s, pattern) {
				return []string{pattern}
			}
			return nil
		}
		if sys.LExists(s, pattern) {
			return []string{pattern}
		}
		return nil
	}
	dir, base := dirName(pattern), baseName(pattern)
	dirs := []string{dir}
	if value.IsGlob(dir) && dir != pattern {
		dirs = glob(s, dir)
	}
	var out []string
	for _, d := range dirs {
		if !value.IsGlob(base) {
			if p := joinPath(d, base); sys.LExists(s, p) && (base != "" || sys.IsDir(s, d)) {
				out = append(out, p)
			}
			continue
		}
		from := d
		if from == "" {
			from = "."
		}
		entries, err := s.ReadDir(from)
		if err != nil {
			continue
		}
		for _, e := range entries {
			n := e.Name()
			if strings.HasPrefix(n, ".") && !strings.HasPrefix(base, ".") || !value.Fnmatch(n, base) {
				continue
			}
			out = append(out, joinPath(d, n))
		}
	}
	return out
}
