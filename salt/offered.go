package salt

import (
	"slices"
	"strings"

	"pinch/value"
)

// Offered finds an execution function for those who name it from outside: an
// SLS file, a slot, a job, a command. The option whitelist_modules holds for
// them; modules call each other with Exec, whatever it says.
func (r *Registry) Offered(c *Ctx, name string) (*Func, error) {
	mod, _, _ := strings.Cut(name, ".")
	if !Offers(c, mod) {
		refuse(c, name, mod, c.Opts.At("whitelist_modules"))
		return nil, &LookupError{Name: name}
	}
	return r.Exec(c, name)
}

// Offers reports whether whitelist_modules leaves a module to those outside.
func Offers(c *Ctx, mod string) bool { return listed(c, "whitelist_modules", mod) }

// listed reports whether a whitelist names a module; an empty one names all.
func listed(c *Ctx, option, mod string) bool {
	if c == nil || c.Opts == nil {
		return true
	}
	l := c.Opts.List(option)
	return l.Len() == 0 || slices.Contains(l.Items, any(mod))
}

func refuse(c *Ctx, name, mod string, list any) {
	c.Log.Error("Failed to load function " + name + " because its module (" + mod + ") is not in the whitelist: " + value.Repr(list))
}

// Disabled reports whether disable_modules, disable_states and so on name a
// module of a kind ("modules", "states", "grains", "returners" …).
func Disabled(opts *value.Map, kind, name string) bool {
	if opts == nil {
		return false
	}
	l := opts.List("disable_" + kind)
	return l.Len() > 0 && slices.Contains(l.Items, any(name))
}

// disabled is Disabled for a kind of functions.
func disabled(c *Ctx, name, kind string) bool {
	return c != nil && Disabled(c.Opts, kindOf(kind), name)
}
