package salt

import "pinch/value"

// Provider is the name of Salt's file that the option providers, or the state's
// own argument provider, puts in the place of a module: aptpkg for pkg. It is ""
// when nothing is said.
//
//	providers: {service: runit}
func Provider(c *Ctx, mod string) string {
	if c == nil {
		return ""
	}
	if c.Low != nil {
		switch p := c.Low.At("provider").(type) {
		case string:
			if c.Low.Str("state") == mod {
				return p
			}
		case *value.List:
			for _, it := range p.Items {
				if m, ok := it.(*value.Map); ok && m.Has(mod) {
					return m.Str(mod)
				}
			}
		}
	}
	if c.Opts == nil {
		return ""
	}
	return c.Opts.Map("providers").Str(mod)
}

type unknownProvider struct{ mod, file string }

// UnknownProvider warns once that a module does not know its provider: it goes
// on as without, as Salt does. One that is a module of its own only has
// functions to offer: see OtherProvider.
func UnknownProvider(c *Ctx, mod, file string) {
	if OtherProvider(c, mod) != nil && c.Low == nil {
		return
	}
	_, _ = Once(c.Run, unknownProvider{mod, file}, func() (bool, error) {
		c.Log.Warn("providers: " + mod + ": " + file + " is none that is known here; the one for this machine is used")
		return true, nil
	})
}

// OtherProvider is the reason why the states of a module cannot be used when its
// provider is another built-in module, such as pip for pkg; nil when it is none.
func OtherProvider(c *Ctx, mod string) error {
	file := Provider(c, mod)
	if file == "" || file == mod || c.Host == nil || c.Registry().Module(file) == nil {
		return nil
	}
	return value.Errorf("CommandExecutionError", "the states of %s do not work with the provider %s: use those of %[2]s", mod, file)
}

// provided is the function of the module that stands in the place of mod, nil
// when it has none of this name. That module is not asked whether it can be
// used here.
func (r *Registry) provided(c *Ctx, mod, fun string) (*Func, *Module) {
	other := Provider(c, mod)
	if other == "" || other == mod {
		return nil, nil
	}
	if f, m, _ := r.findCustom(c, other, fun, "exec", new(LookupError)); f != nil {
		return f, m
	}
	if m := r.Module(other); m != nil && m.Name == other {
		return m.Functions("exec")[fun], m
	}
	return nil, nil
}
