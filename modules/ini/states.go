package ini

import (
	"pinch/salt"
	"pinch/value"
)

type presentArgs struct {
	Name     string     `py:"name"`            // the path of the file
	Sections *value.Map `py:"sections=None"`   // options by section; a text sets an option outside of sections
	Sep      string     `py:"separator='='"`   // what stands between names and values
	Strict   bool       `py:"strict=False"`    // remove all other options and sections
	Encoding any        `py:"encoding=None"`   // the file's encoding, UTF-8 by default
	Compact  bool       `py:"no_spaces=False"` // write no spaces around separators, in the whole file
}

// optionsPresent makes sure that options have the given values.
func optionsPresent(c *salt.Ctx, a presentArgs) salt.Result {
	cur, err := load(c, a.Name, a.Sep, a.Encoding)
	if err != nil {
		return salt.Raised(err)
	}
	out := salt.Correct("No anomaly detected")
	if c.Test {
		out.Comment = ""
	}
	would := func(text string) { out.Comment, out.Result = out.Comment+text+".\n", nil }
	changes := new(value.Map)
	tops, subs := new(value.Map), new(value.Map)
	for k, v := range a.Sections.Items() {
		if _, ok := v.(*value.Map); ok {
			subs.Set(k, v)
		} else {
			tops.Set(k, v)
		}
	}
	set := func(what *value.Map) (*value.Map, error) {
		v, err := c.Call("ini.set_option", a.Name, what, a.Sep, a.Encoding, a.Compact)
		m, _ := v.(*value.Map)
		return m, err
	}
	check := func(old, want *value.Map, where string) {
		for k, v := range want.Items() {
			if now, ok := old.Get(k); ok && value.Str(now) == value.Str(v) {
				out.Comment += "Unchanged key " + k + where + ".\n"
			} else {
				would("Changed key " + k + where)
			}
		}
	}
	if c.Test {
		check(cur, tops, "")
	} else if done, err := set(tops); err != nil {
		return salt.Raised(err)
	} else {
		changes.Update(done)
	}
	if a.Strict && a.Sections.Len() > 0 {
		for k, v := range cur.Items() {
			_, sub := v.(*value.Map)
			if sub && subs.Has(k) || !sub && tops.Has(k) {
				continue
			}
			fun, args, what := "ini.remove_option", []any{a.Name, nil, k, a.Sep, a.Encoding}, "Removed key "
			if sub {
				fun, args, what = "ini.remove_section", []any{a.Name, k, a.Sep, a.Encoding}, "Removed section "
			}
			if c.Test {
				would(what + k)
			} else if _, err := c.Call(fun, args...); err != nil {
				return salt.Raised(err)
			} else {
				changes.Set(k, value.M("before", v, "after", nil))
			}
		}
	}
	for name, v := range subs.Items() {
		body, old, where := v.(*value.Map), cur.Map(name), ""
		if old == nil {
			old = new(value.Map)
		}
		if name != "" {
			where = " in section " + name
		}
		mine := new(value.Map)
		for k, was := range old.Items() {
			if !a.Strict || body.Has(k) {
				continue
			}
			if c.Test {
				would("Deleted key " + k + where)
			} else if _, err := c.Call("ini.remove_option", a.Name, name, k, a.Sep, a.Encoding); err != nil {
				return salt.Raised(err)
			} else {
				mine.Set(k, value.M("before", was, "after", nil))
			}
		}
		if c.Test {
			check(old, body, where)
			continue
		}
		done, err := set(value.M(name, body))
		if err != nil {
			return salt.Raised(err)
		}
		if m := done.Map(name); m != nil {
			mine.Update(m)
		}
		changes.Set(name, mine)
	}
	for k, v := range changes.Items() {
		if value.Truth(v) {
			out.Comment = "Changes take effect"
			out.Changes.Set(k, v)
		}
	}
	return out
}

// load is the file as ini.get_ini gives it.
func load(c *salt.Ctx, name, sep string, enc any) (*value.Map, error) {
	v, err := c.Call("ini.get_ini", name, sep, enc)
	m, _ := v.(*value.Map)
	return m, err
}

type absentArgs struct {
	Name     string `py:"name"`          // the path of the file
	Sections any    `py:"sections=None"` // sections; for options, lists of them by section
	Sep      string `py:"separator='='"` // what stands between names and values
	Encoding any    `py:"encoding=None"` // the file's encoding, UTF-8 by default
}

// optionsAbsent makes sure that options are not there.
func optionsAbsent(c *salt.Ctx, a absentArgs) salt.Result {
	out := salt.Correct("No anomaly detected")
	said := ""
	cur, err := load(c, a.Name, a.Sep, a.Encoding)
	if err != nil {
		return salt.Raised(err)
	}
	sections, _ := a.Sections.(*value.Map)
	for name, v := range sections.Items() {
		list, isList := v.(*value.List)
		where, from := " in section "+name, cur.Map(name)
		if !isList {
			list, where, from = value.L(name), "", cur
		}
		for _, it := range list.Items {
			k := value.Str(it)
			if c.Test {
				if from == nil || !value.Truth(from.At(k)) {
					said += "Key " + k + where + " does not exist.\n"
				} else {
					said, out.Result = said+"Deleted key "+k+where+".\n", nil
				}
				continue
			}
			was, err := c.Call("ini.remove_option", a.Name, name, k, a.Sep, a.Encoding)
			if err != nil {
				return salt.Raised(err)
			}
			if !value.Truth(was) {
				continue
			}
			out.Comment = "Changes take effect"
			if !isList {
				out.Changes.Set(name, was)
				continue
			}
			if out.Changes.Map(name) == nil {
				out.Changes.Set(name, new(value.Map))
			}
			out.Changes.Map(name).Set(k, was)
		}
	}
	return tested(c, out, said)
}

// tested puts the comment of a test=True run.
func tested(c *salt.Ctx, r salt.Result, said string) salt.Result {
	if c.Test {
		if r.Comment = said; said == "" {
			r.Comment = "No changes detected."
		}
	}
	return r
}

// names are the sections of a list or the keys of a mapping.
func names(v any) (out []string) {
	switch v := v.(type) {
	case *value.List:
		for _, it := range v.Items {
			out = append(out, value.Str(it))
		}
	case *value.Map:
		for k := range v.Items() {
			out = append(out, k)
		}
	}
	return out
}

// sectionsPresent makes sure that sections are there, empty if they are new.
func sectionsPresent(c *salt.Ctx, a absentArgs) salt.Result {
	cur, err := load(c, a.Name, a.Sep, a.Encoding)
	if err != nil {
		return salt.Raised(err)
	}
	out, said, want := salt.Correct("Changes take effect"), "", new(value.Map)
	for _, s := range names(a.Sections) {
		want.Set(s, new(value.Map))
		if cur.Has(s) {
			said += "Section unchanged " + s + ".\n"
		} else if said += "Created new section " + s + ".\n"; c.Test {
			out.Result = nil
		}
	}
	if !c.Test {
		v, err := c.Call("ini.set_option", a.Name, want, a.Sep, a.Encoding)
		if err != nil {
			return salt.Raised(err)
		}
		out.Changes, _ = v.(*value.Map)
	}
	return tested(c, out, said)
}

// sectionsAbsent makes sure that sections are not there.
func sectionsAbsent(c *salt.Ctx, a absentArgs) salt.Result {
	cur, err := load(c, a.Name, a.Sep, a.Encoding)
	if err != nil {
		return salt.Raised(err)
	}
	out, said := salt.Correct("No anomaly detected"), ""
	for _, s := range names(a.Sections) {
		if c.Test {
			if !cur.Has(s) {
				said += "Section " + s + " does not exist.\n"
			} else {
				said, out.Result = said+"Deleted section "+s+".\n", nil
			}
			continue
		}
		was, err := c.Call("ini.remove_section", a.Name, s, a.Sep, a.Encoding)
		if err != nil {
			return salt.Raised(err)
		}
		if value.Truth(was) {
			out.Changes.Set(s, was)
			out.Comment = "Changes take effect"
		}
	}
	return tested(c, out, said)
}
