package sysmod

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

// doc gives the manuals of execution functions.
func doc(c *salt.Ctx, a wordsArgs) (*value.Map, error) {
	return manuals(c, "exec", a.Names), nil
}

// stateDoc gives the manuals of states; for a module its own text, too.
func stateDoc(c *salt.Ctx, a wordsArgs) (*value.Map, error) {
	out := new(value.Map)
	for _, it := range modules(c, "states", a.Names).Items {
		mod := it.(string)
		if len(a.Names) == 0 || has(a.Names, mod) {
			out.Set(mod, intro(page(c, mod)))
		}
	}
	out.Update(manuals(c, "states", a.Names))
	return out, nil
}

func has(words []any, mod string) bool {
	for _, w := range words {
		if value.Str(w) == mod {
			return true
		}
	}
	return false
}

func manuals(c *salt.Ctx, kind string, words []any) *value.Map {
	out := new(value.Map)
	var set []any
	for _, w := range words {
		set = append(set, strings.TrimSuffix(value.Str(w), "."))
	}
	for _, name := range names(c, kind, set) {
		out.Set(name, manual(c, kind, name))
	}
	return out
}

func page(c *salt.Ctx, mod string) string {
	if f := c.Registry().Manual; f != nil {
		return f(mod)
	}
	return ""
}

// intro is the text of a module's page before its functions.
func intro(page string) any {
	text, _, _ := strings.Cut(page, "\n## ")
	_, text, ok := strings.Cut(text, "\n")
	if !ok {
		return nil
	}
	return strings.TrimSpace(text) + "\n"
}

// manual is the section of one function in its module's page, nil if there is
// none: a function of a custom module.
func manual(c *salt.Ctx, kind, name string) any {
	mod, _, _ := strings.Cut(name, ".")
	var f *salt.Func
	if kind == "states" {
		f, _, _ = c.Registry().State(c, name)
	} else {
		f, _ = c.Registry().Exec(c, name)
	}
	if f != nil && f.Origin != nil { // of a custom module
		return f.Doc
	}
	title := "\n## Execution functions\n"
	if kind == "states" {
		title = "\n## States\n"
	}
	_, part, ok := strings.Cut(page(c, mod), title)
	if !ok {
		return nil
	}
	part, _, _ = strings.Cut("\n"+part, "\n## ")
	_, text, ok := strings.Cut(part, "\n### "+name+"\n")
	if !ok {
		return nil
	}
	text, _, _ = strings.Cut(text, "\n### ")
	return strings.TrimSpace(text) + "\n"
}
