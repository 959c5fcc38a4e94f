package render

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"pinch/diag"
	"pinch/render/jinja"
	"pinch/salt"
	"pinch/value"
)

// hint says what was probably meant, or what is there instead; "" when nothing is known.
func (s *stage) hint(c *salt.Ctx, e *jinja.Error, vars *value.Map) string {
	if e.Class == "TemplateNotFound" {
		return s.fileHint(c, e)
	}
	var missing *jinja.MissingError
	if errors.As(e, &missing) {
		return missingHint(c, missing.Of, vars)
	}
	for _, known := range []struct {
		prefix string
		names  []string
	}{
		{"No filter named '", slices.Sorted(maps.Keys(filterTable()))},
		{"No test named '", slices.Sorted(maps.Keys(testTable()))},
	} {
		if rest, ok := strings.CutPrefix(e.Message, known.prefix); ok {
			name, _, _ := strings.Cut(rest, "'")
			return diag.DidYouMean(name, known.names)
		}
	}
	return ""
}

// fileHint names the file that an import probably means: one whose path ends
// so, one whose path is the end of what was asked for, or one spelt alike.
func (s *stage) fileHint(c *salt.Ctx, e *jinja.Error) string {
	fallback := "the path counts from the top of file_roots; begin with ./ for a file beside this one"
	files := s.t.Files
	if files == nil {
		files = c.Files()
	}
	all, err := files.List(c, s.t.Env, "")
	if err != nil {
		return fallback
	}
	want := strings.TrimPrefix(e.Message, "salt://")
	for strings.HasPrefix(want, "./") || strings.HasPrefix(want, "../") {
		_, want, _ = strings.Cut(want, "/")
	}
	best := ""
	for _, f := range all {
		longer := strings.HasSuffix(f, "/"+want)
		shorter := strings.HasSuffix(want, "/"+f) && strings.Contains(f, "/")
		if (f == want || longer || shorter) && (best == "" || len(f) < len(best)) {
			best = f
		}
	}
	if best = cmp.Or(best, diag.Nearest(want, all)); best == "" {
		return fallback
	}
	if dir := path.Dir(strings.TrimPrefix(s.t.Name, "salt://")); dir != "." && path.Dir(best) == dir && e.Pos.File == s.t.Place() {
		return fmt.Sprintf("did you mean %q, or %q?", best, "./"+path.Base(best))
	}
	return fmt.Sprintf("did you mean %q?", best)
}

// missingHint tells of a variable or key that is not there what is.
func missingHint(c *salt.Ctx, u *jinja.Undefined, vars *value.Map) string {
	name, ok := u.Name.(string)
	if !ok || u.Hint != "" {
		return ""
	}
	if !u.HasObj {
		return diag.DidYouMean(name, keys(vars))
	}
	switch obj := u.Obj.(type) {
	case nil:
		return "it is None here: a key without a value, or a look-up that found nothing"
	case *functions:
		return c.Registry().Hint(c, "exec", name)
	case *moduleFunctions:
		return c.Registry().Hint(c, "exec", obj.name+"."+name)
	case *value.Map:
		return mapHint(name, obj, vars)
	}
	return ""
}

// mapHint is missingHint for a key of a mapping: one spelt alike, the few that
// it has, or for the pillar and the grains where the key is to be set.
func mapHint(name string, m, vars *value.Map) string {
	if hint := diag.DidYouMean(name, keys(m)); hint != "" {
		return hint
	}
	for _, of := range []string{"pillar", "grains"} {
		if all, ok := vars.Get(of); ok && all == any(m) {
			return fmt.Sprintf("no such key in the %s: set it, or give a default: salt['%s.get']('%s', …)", of, of, name)
		}
	}
	switch n := m.Len(); {
	case n == 0:
		return "the mapping is empty"
	case n <= 8:
		return "the mapping has: " + strings.Join(keys(m), ", ")
	}
	return ""
}

// keys are the keys of a mapping that are text.
func keys(m *value.Map) []string {
	var names []string
	for k := range m.All() {
		if name, ok := k.(string); ok {
			names = append(names, name)
		}
	}
	return names
}
