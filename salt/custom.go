package salt

import "pinch/value"

// Custom are the modules that came with the trees (_modules, _states,
// _grains …) or with module_dirs, in whatever language they are written. Kinds
// are the names of their folders: modules, states, grains, renderers …
// Looking for one costs a directory listing a run, and starts nothing.
type Custom interface {
	// Has reports whether there is a custom module in a file of that name.
	Has(c *Ctx, kind, name string) bool
	// File is the module in the file of that name, nil if there is none.
	File(c *Ctx, kind, name string) *Module
	// Named are the modules of other files that take a name by __virtual__.
	Named(c *Ctx, kind, name string) []*Module
	// All are all modules of a kind.
	All(c *Ctx, kind string) []*Module
	// Call calls a function of the module in the file of that name.
	Call(c *Ctx, kind, name, fun string, args []any, kw *value.Map) (any, error)
	// FileOf is the file of the module that takes a name by __virtual__, "" if
	// none does.
	FileOf(c *Ctx, kind, name string) string
	// Execute runs a function through a custom executor; nil: it leaves it to
	// the next.
	Execute(c *Ctx, name, fun string, data *value.Map, args []any, kw *value.Map) (any, error)
	// Render calls a custom renderer, or renders with py or mako.
	Render(c *Ctx, engine string, t Template, arg string) (any, error)
	// Forget drops what was read: "modules" all files and what they hold,
	// "grains", "pillar" and "opts" the values that modules have seen.
	Forget(what ...string)
}

// custom are the custom modules of the run, nil if there are none.
func (c *Ctx) custom() Custom {
	if c == nil || c.Run == nil {
		return nil
	}
	return c.Run.Custom
}

// kindOf is the folder of the modules that have functions of a kind.
func kindOf(kind string) string {
	if kind == "exec" {
		return "modules"
	}
	return kind
}

// elsewhere are execution modules of Salt whose file has another name than the
// module: a custom file of the module's name adds to these, and hides the
// others.
func elsewhere(mod string) bool {
	switch mod {
	case "cmd", "pkg", "service", "user", "group", "shadow", "sysctl", "sys", "lowpkg", "virtualenv", "lvm", "acl", "ip", "timezone", "ssh", "x509":
		return true
	}
	return false
}

// findCustom looks a function up in the custom modules whose file has the
// module's name. hides says that a built-in module must not be asked.
func (r *Registry) findCustom(c *Ctx, mod, fun, kind string, bad *LookupError) (f *Func, m *Module, hides bool) {
	cu := c.custom()
	if cu == nil || !cu.Has(c, kindOf(kind), mod) {
		return nil, nil, false
	}
	m = cu.File(c, kindOf(kind), mod)
	if m == nil {
		return nil, nil, false
	}
	hides = kind != "exec" || !elsewhere(mod)
	if m.Name != mod && m.Virtual == nil {
		return nil, nil, hides
	}
	if err := r.usable(c, m, kind); err != nil {
		bad.Refused, bad.Reason = true, err.Error()
		return nil, nil, hides
	}
	return m.Functions(kind)[fun], m, hides
}

// findNamed looks a function up in the custom modules of other files.
func (r *Registry) findNamed(c *Ctx, mod, fun, kind string, bad *LookupError) (*Func, *Module) {
	cu := c.custom()
	if cu == nil {
		return nil, nil
	}
	for _, m := range cu.Named(c, kindOf(kind), mod) {
		if err := r.usable(c, m, kind); err != nil {
			bad.Refused, bad.Reason = true, err.Error()
			continue
		}
		if f := m.Functions(kind)[fun]; f != nil {
			return f, m
		}
	}
	return nil, nil
}

// customNames adds the functions of custom modules to a set, and takes out
// those of built-in ones that a custom file hides.
func (r *Registry) customNames(c *Ctx, kind string, add func(*Module)) {
	cu := c.custom()
	if cu == nil {
		return
	}
	for _, m := range cu.All(c, kindOf(kind)) {
		if r.usable(c, m, kind) == nil {
			add(m)
		}
	}
}

// hidden reports whether a custom file hides a built-in module.
func (r *Registry) hidden(c *Ctx, mod, kind string) bool {
	cu := c.custom()
	return cu != nil && (kind != "exec" || !elsewhere(mod)) && cu.Has(c, kindOf(kind), mod)
}

// Matcher asks the custom matchers of the run, for matcher.Minion; nil when
// there are no custom modules.
func (c *Ctx) Matcher() func(kind string, expr any) (ok, found bool, err error) {
	cu := c.custom()
	if cu == nil {
		return nil
	}
	return func(kind string, expr any) (bool, bool, error) {
		if !cu.Has(c, "matchers", kind+"_match") {
			return false, false, nil
		}
		v, err := cu.Call(c, "matchers", kind+"_match", "match", []any{expr}, nil)
		return value.Truth(v), true, err
	}
}
