package kmod

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type presentArgs struct {
	Name    string `py:"name"`          // the module, if mods is not given
	Persist bool   `py:"persist=False"` // load it at the start, too
	Mods    any    `py:"mods=None"`     // a list of modules
}

// present makes sure that modules are in the kernel.
//
//	tunnels:
//	  kmod.present:
//	    - mods: [ipip, sit]
//	    - persist: True
func present(c *salt.Ctx, a presentArgs) salt.Result {
	mods := list(a.Mods, a.Name)
	now, err := running(c)
	if err != nil {
		return salt.Raised(err)
	}
	there := names(now)
	if a.Persist {
		kept := persistent(c)
		there = slices.DeleteFunc(there, func(s string) bool { return !slices.Contains(kept, s) })
	}
	missing := without(mods, there)
	already := without(mods, missing)
	var says []string
	say := func(one, many string, names []string) {
		switch len(names) {
		case 0:
		case 1:
			says = append(says, strings.Replace(one, "%", names[0], 1))
		default:
			says = append(says, strings.Replace(many, "%", strings.Join(names, ", "), 1))
		}
	}
	say("Kernel module % is already present", "Kernel modules % are already present", already)
	if len(missing) == 0 {
		return salt.Correct("%s", strings.Join(says, "\n"))
	}
	if c.Test {
		say("Kernel module % is set to be loaded", "Kernel modules % are set to be loaded", missing)
		return salt.Would(nil, "%s", strings.Join(says, "\n"))
	}
	unavailable := without(missing, found(c))
	say("Kernel module % is unavailable", "Kernel modules % are unavailable", unavailable)
	o, err := each(without(missing, unavailable), "loaded", func(mod string) (any, error) { return load(c, loadArgs{mod, a.Persist}) })
	if err != nil {
		return salt.Raised(err)
	}
	say("Loaded kernel module %", "Loaded kernel modules %", o.yes)
	say("Failed to load kernel module %", "Failed to load kernel modules %", o.no)
	for _, f := range o.failed {
		says = append(says, "Failed to load kernel module "+f)
	}
	return o.result(says, len(unavailable) > 0)
}

// list are the modules that a state is about.
func list(mods any, name string) []string {
	var items []any
	switch v := mods.(type) {
	case *value.List:
		items = v.Items
	case value.Tuple:
		items = v
	default:
		return []string{name}
	}
	out := make([]string, 0, len(items))
	for _, it := range items {
		if s := value.Str(it); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// An outcome is what became of several modules.
type outcome struct {
	changes         *value.Map
	yes, no, failed []string
}

// each does something with each module, unless it was done with an earlier one.
func each(mods []string, done string, do func(mod string) (any, error)) (o outcome, err error) {
	o.changes = new(value.Map)
	for _, mod := range mods {
		if o.changes.Has(mod) {
			o.yes = append(o.yes, mod)
			continue
		}
		v, err := do(mod)
		if err != nil {
			return o, err
		}
		switch l, ok := v.(*value.List); {
		case !ok:
			o.failed = append(o.failed, mod+": "+value.Str(v))
		case l.Len() == 0:
			o.no = append(o.no, mod)
		default:
			o.yes = append(o.yes, mod)
			for _, it := range l.Items {
				o.changes.Set(value.Str(it), done)
			}
		}
	}
	return o, nil
}

func (o *outcome) result(says []string, bad bool) salt.Result {
	r := salt.Changed(o.changes, "%s", strings.Join(says, "\n"))
	if bad || len(o.no)+len(o.failed) > 0 {
		r.Result = salt.False()
	}
	return r
}

type absentArgs struct {
	Name    string `py:"name"`          // the module, if mods is not given
	Persist bool   `py:"persist=False"` // don't load it at the start, either
	Comment bool   `py:"comment=True"`  // comment its line out instead of removing it
	Mods    any    `py:"mods=None"`     // a list of modules
}

// absent makes sure that modules are not in the kernel.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	mods := list(a.Mods, a.Name)
	now, err := running(c)
	if err != nil {
		return salt.Raised(err)
	}
	there := names(now)
	if a.Persist {
		there = append(there, persistent(c)...)
	}
	gone := without(mods, there)
	unload := without(mods, gone)
	text := func(one, many string, names []string) string {
		if len(names) == 1 {
			return strings.Replace(one, "%", names[0], 1)
		}
		return strings.Replace(many, "%", strings.Join(names, ", "), 1)
	}
	switch {
	case len(unload) == 0:
		return salt.Correct("%s", text("Kernel module % is already removed", "Kernel modules % are already removed", mods))
	case c.Test:
		return salt.Would(nil, "%s", text("Kernel module % is set to be removed", "Kernel modules % are set to be removed", unload))
	}
	o, err := each(unload, "removed", func(mod string) (any, error) { return remove(c, removeArgs{mod, a.Persist, a.Comment}) })
	if err != nil {
		return salt.Raised(err)
	}
	var says []string
	if len(o.yes) > 0 {
		says = append(says, text("Removed kernel module %", "Removed kernel modules %", o.yes))
	}
	if len(o.no) > 0 {
		says = append(says, text("Failed to remove kernel module %", "Failed to remove kernel modules %", o.no))
	}
	for _, f := range o.failed {
		says = append(says, "Failed to remove kernel module "+f)
	}
	return o.result(says, false)
}
