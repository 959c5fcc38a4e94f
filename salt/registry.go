package salt

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"pinch/value"
)

// A Registry finds functions by name: those built in, and those that a custom
// module adds on top.
type Registry struct {
	mods map[string][]*Module // later ones win, function by function

	// Manual is the page of a module, in the form of modules/NAME/README.md; ""
	// when it has none. It may be nil.
	Manual func(module string) string
	// Elsewhere tells where Salt has a module of a kind that is not built in,
	// "" when nobody knows it. It may be nil.
	Elsewhere func(kind, module string) string

	mu      sync.Mutex
	virtual map[virtualKey]error
}

type virtualKey struct {
	m    *Module
	kind string
}

// NewRegistry makes a registry of the given modules.
func NewRegistry(mods ...*Module) *Registry {
	r := &Registry{mods: make(map[string][]*Module, len(mods)), virtual: map[virtualKey]error{}}
	for _, m := range mods {
		r.Add(m)
	}
	return r
}

// Add puts a module on top of those of the same names.
func (r *Registry) Add(m *Module) {
	r.mods[m.Name] = append(r.mods[m.Name], m)
	for _, name := range m.Aliases {
		r.mods[name] = append(r.mods[name], m)
	}
}

// A LookupError says that a function is not there, or cannot be used here.
type LookupError struct {
	Name   string // pkg.installed
	Reason string // why its module does not load; "" when there is no such function
	// Refused says that a custom module of that name does not load, for
	// whatever reason.
	Refused bool
}

// Error is Salt's text for a function that is missing.
func (e *LookupError) Error() string {
	mod, _, _ := strings.Cut(e.Name, ".")
	switch {
	case e.Reason == "" && e.Refused:
		return "'" + mod + "' __virtual__ returned False"
	case e.Reason == "":
		return "'" + e.Name + "' is not available."
	}
	return "'" + mod + "' __virtual__ returned False: " + e.Reason
}

// Exec finds an execution function ("file.chown").
func (r *Registry) Exec(c *Ctx, name string) (*Func, error) {
	f, _, err := r.find(c, name, "exec")
	return f, err
}

// State finds a state function ("file.managed") and its module.
func (r *Registry) State(c *Ctx, name string) (*Func, *Module, error) {
	if mod, _, _ := strings.Cut(name, "."); !listed(c, "whitelist_state_modules", mod) {
		refuse(c, name, mod, c.Opts.At("whitelist_state_modules"))
		return nil, nil, &LookupError{Name: name}
	}
	return r.find(c, name, "states")
}

// Functions are those of a kind, "states" or "exec".
func (m *Module) Functions(kind string) Funcs {
	declare, d := m.Exec, &m.exec
	if kind == "states" {
		declare, d = m.States, &m.states
	}
	d.once.Do(func() {
		if declare != nil {
			d.funcs = declare()
			for name, f := range d.funcs {
				if f.def == "" {
					f.def = name
				}
			}
		}
	})
	return d.funcs
}

// has is whether the module declares functions of a kind.
func (m *Module) has(kind string) bool {
	if kind == "states" {
		return m.States != nil
	}
	return m.Exec != nil
}

// named is whether the module goes by a name here.
func (m *Module) named(c *Ctx, name string) bool {
	return name == m.Name || m.Named == nil || m.Named(c, name)
}

func (r *Registry) find(c *Ctx, name, kind string) (*Func, *Module, error) {
	mod, fun, _ := strings.Cut(name, ".")
	bad := &LookupError{Name: name}
	if kind == "exec" {
		if f, m := r.provided(c, mod, fun); f != nil {
			return f, m, nil
		}
	}
	f, m, hides := r.findCustom(c, mod, fun, kind, bad)
	if f != nil {
		return f, m, nil
	}
	for _, m := range slices.Backward(r.mods[mod]) {
		f := m.Functions(kind)[fun]
		if f == nil || hides || disabled(c, mod, kind) || !m.named(c, mod) {
			continue
		}
		if err := r.usable(c, m, kind); err != nil {
			bad.Reason = err.Error()
			continue
		}
		return f, m, nil
	}
	if f, m := r.findNamed(c, mod, fun, kind, bad); f != nil {
		return f, m, nil
	}
	return nil, nil, bad
}

// BuiltIn finds a function among those that are built in, whatever custom
// modules there are.
func (r *Registry) BuiltIn(c *Ctx, name, kind string) *Func {
	mod, fun, _ := strings.Cut(name, ".")
	for _, m := range slices.Backward(r.mods[mod]) {
		if f := m.Functions(kind)[fun]; f != nil && r.usable(c, m, kind) == nil {
			return f
		}
	}
	return nil
}

func (r *Registry) usable(c *Ctx, m *Module, kind string) error {
	if m.Virtual == nil {
		return nil
	}
	k := virtualKey{m, kind}
	r.mu.Lock()
	err, ok := r.virtual[k]
	r.mu.Unlock()
	if !ok {
		err = m.Virtual(c, kind)
		r.mu.Lock()
		r.virtual[k] = err
		r.mu.Unlock()
	}
	return err
}

// Forget has the modules asked anew whether they load here: what they need may
// have been installed.
func (r *Registry) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.virtual)
}

// Module is the module of that name on top, nil if there is none.
func (r *Registry) Module(name string) *Module {
	if ms := r.mods[name]; len(ms) > 0 {
		return ms[len(ms)-1]
	}
	return nil
}

// Watch is the mod_watch of the usable state modules of that name, nil if
// none of them has one.
func (r *Registry) Watch(c *Ctx, name string) *Func {
	for _, m := range slices.Backward(r.mods[name]) {
		if m.Watch != nil && r.usable(c, m, "states") == nil {
			return m.Watch
		}
	}
	return nil
}

// Outputter says how the result of an execution function is shown, "" if it
// does not matter.
func (r *Registry) Outputter(c *Ctx, name string) string {
	_, m, err := r.find(c, name, "exec")
	if err != nil {
		return ""
	}
	_, fun, _ := strings.Cut(name, ".")
	return m.Outputter[fun]
}

// HasModule reports whether there is a module of that name with execution
// functions, built in or custom.
func (r *Registry) HasModule(c *Ctx, name string) bool {
	if r.Module(name) != nil && !disabled(c, name, "exec") {
		return true
	}
	cu := c.custom()
	return cu != nil && (cu.Has(c, "modules", name) || len(cu.Named(c, "modules", name)) > 0)
}

// Names are all usable functions of a kind ("exec" or "states"), sorted.
func (r *Registry) Names(c *Ctx, kind string) []string {
	set := map[string]bool{}
	r.customNames(c, kind, func(m *Module) {
		for f := range m.Functions(kind) {
			set[m.Name+"."+f] = true
		}
	})
	for name, ms := range r.mods {
		for _, m := range ms {
			if !m.has(kind) || disabled(c, name, kind) || !m.named(c, name) || r.hidden(c, name, kind) || r.usable(c, m, kind) != nil {
				continue
			}
			for f := range m.Functions(kind) {
				set[name+"."+f] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// All are all functions of a kind, usable here or not.
func (r *Registry) All(kind string) []string {
	set := map[string]bool{}
	for name, ms := range r.mods {
		for _, m := range ms {
			for f := range m.Functions(kind) {
				set[name+"."+f] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// Modules are the names of all modules that have a usable function of a kind, sorted.
func (r *Registry) Modules(c *Ctx, kind string) []string {
	var names []string
	r.customNames(c, kind, func(m *Module) { names = append(names, m.Name) })
	for name, ms := range r.mods {
		if slices.ContainsFunc(ms, func(m *Module) bool {
			return m.has(kind) && !disabled(c, name, kind) && m.named(c, name) && r.usable(c, m, kind) == nil
		}) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Known are the names of all modules that have a function of a kind, usable or
// not, sorted.
func (r *Registry) Known(kind string) []string {
	var names []string
	for name, ms := range r.mods {
		if slices.ContainsFunc(ms, func(m *Module) bool { return m.has(kind) }) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Of builds the map that a state's return is, from a Result.
func (r Result) Map(name string) *value.Map {
	var result any
	if r.Result != nil {
		result = *r.Result
	}
	ch := r.Changes
	if ch == nil {
		ch = new(value.Map)
	}
	m := value.M("name", name, "changes", ch, "result", result, "comment", r.Comment)
	if len(r.Warnings) > 0 {
		m.Set("warnings", value.Strings(r.Warnings))
	}
	m.Update(r.Extra)
	return m
}
