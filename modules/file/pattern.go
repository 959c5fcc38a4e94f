package file

import (
	"strings"

	"pinch/value"
	"pinch/value/pyre"
)

// selection is include_pat and exclude_pat: globs, or regular expressions
// behind E@; one or a list of them.
type selection struct {
	include, exclude any
}

// admits reports whether a path, relative to the top, is selected. A pattern
// that is no regular expression is an error.
func (s selection) admits(path string) (bool, error) {
	if value.Truth(s.include) {
		ok, err := anyPattern(path, s.include)
		if !ok || err != nil {
			return false, err
		}
	}
	if value.Truth(s.exclude) {
		out, err := anyPattern(path, s.exclude)
		return !out, err
	}
	return true, nil
}

func anyPattern(path string, pats any) (bool, error) {
	for _, p := range stringList(pats) {
		ok, err := pathMatches(path, p)
		if ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

func pathMatches(path, pat string) (bool, error) {
	re, ok := strings.CutPrefix(pat, "E@")
	if !ok {
		return value.Fnmatch(path, pat), nil
	}
	r, err := compile(re, 0)
	if err != nil {
		return false, err
	}
	return r.Search(path) != nil, nil
}

// compile compiles a pattern; a bad one is Python's re.error.
func compile(pattern string, flags pyre.Flags) (*pyre.Regexp, error) {
	r, err := pyre.Compile(pattern, flags)
	if err != nil {
		return nil, value.Errorf("error", "%s", err)
	}
	return r, nil
}

func compileBytes(pattern string, flags pyre.Flags) (*pyre.Regexp, error) {
	r, err := pyre.CompileBytes(pattern, flags)
	if err != nil {
		return nil, value.Errorf("error", "%s", err)
	}
	return r, nil
}
