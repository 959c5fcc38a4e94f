package ipset

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type setPresentArgs struct {
	Name    string     `py:"name"`          // the set
	SetType string     `py:"set_type"`      // its type: hash:ip, hash:net, bitmap:port, list:set …
	Family  string     `py:"family='ipv4'"` // ipv4 or ipv6
	Kwargs  *value.Map `py:"**kwargs"`      // comment: True; options of ipset(8) for the type: range, timeout, maxelem …
}

// setPresent makes sure that there is a set. One that is there is left as it
// is.
func setPresent(c *salt.Ctx, a setPresentArgs) salt.Result {
	m, err := info(c, a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case m.Len() > 0:
		return salt.Correct("ipset set %s already exists for %s", a.Name, a.Family)
	case c.Test:
		return salt.Would(nil, "ipset set %s would be added for %s", a.Name, a.Family)
	}
	kw := a.Kwargs.Shallow()
	comment, _ := kw.Pop("comment")
	done, err := newSet(c, newSetArgs{a.Name, a.SetType, a.Family, comment, kw})
	switch {
	case err != nil:
		return salt.Raised(err)
	case done != true:
		return salt.Failed("Failed to create set %s for %s: %s", a.Name, a.Family, strings.TrimSpace(value.Str(done)))
	}
	return salt.Changed(value.M("locale", a.Name), "ipset set %s created successfully for %s", a.Name, a.Family)
}

type setStateArgs struct {
	Name   string     `py:"name"`          // the set
	Family string     `py:"family='ipv4'"` // for the comments
	Kwargs *value.Map `py:"**kwargs"`      // Salt takes and ignores any other
}

// setAbsent makes sure that there is no such set: its entries are removed with
// it.
func setAbsent(c *salt.Ctx, a setStateArgs) salt.Result {
	m, err := info(c, a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case m.Len() == 0:
		return salt.Correct("ipset set %s for %s is already absent", a.Name, a.Family)
	case c.Test:
		return salt.Would(nil, "ipset set %s for %s would be removed", a.Name, a.Family)
	}
	done, err := do(c, "flush", a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case done != true:
		return salt.Failed("Failed to flush set %s for %s: %s", a.Name, a.Family, strings.TrimSpace(value.Str(done)))
	}
	done, err = do(c, "destroy", a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case done != true:
		return salt.Failed("Failed to delete set %s for %s: %s", a.Name, a.Family, strings.TrimSpace(value.Str(done)))
	}
	return salt.Changed(value.M("locale", a.Name), "ipset set %s deleted successfully for family %s", a.Name, a.Family)
}

// flushState removes all entries of a set, each time it runs.
func flushState(c *salt.Ctx, a setStateArgs) salt.Result {
	m, err := info(c, a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case m.Len() == 0:
		return salt.Failed("ipset set %s does not exist for %s", a.Name, a.Family)
	case c.Test:
		return salt.Would(nil, "ipset entries in set %s for %s would be flushed", a.Name, a.Family)
	}
	done, err := flush(c, setArgs{a.Name, a.Family})
	switch {
	case err != nil:
		return salt.Raised(err)
	case !done:
		return salt.Failed("Failed to flush ipset entries from set %s for %s", a.Name, a.Family)
	}
	return salt.Changed(value.M("locale", a.Name), "Flushed ipset entries from set %s for %s", a.Name, a.Family)
}

type presentArgs struct {
	Name   string     `py:"name"`          // a name for the state
	Entry  any        `py:"entry=None"`    // an entry, or a list of them
	Family string     `py:"family='ipv4'"` // for the comments
	Kwargs *value.Map `py:"**kwargs"`      // set_name: the set; timeout, comment and other options of ipset.add
}

type absentArgs struct {
	Name    string     `py:"name"`          // a name for the state
	Entry   any        `py:"entry=None"`    // an entry, or a list of them
	Entries any        `py:"entries=None"`  // not used
	Family  string     `py:"family='ipv4'"` // for the comments
	Kwargs  *value.Map `py:"**kwargs"`      // set_name: the set; timeout, comment as they stand behind the entry
}

// each calls do with every entry: its first word, and all of it with the
// options of the state. The results are put together.
func (a *presentArgs) each(do func(set, entry, whole string, r *salt.Result) error) salt.Result {
	if !value.Truth(a.Entry) {
		return salt.Failed("ipset entry must be specified")
	}
	set, ok := a.Kwargs.Get("set_name")
	if !ok {
		return salt.Raised(value.Errorf("KeyError", "'set_name'"))
	}
	entries := value.L(a.Entry)
	if l, ok := a.Entry.(*value.List); ok {
		entries = l
	}
	out := salt.Correct("")
	for _, it := range entries.Items {
		entry, options, _ := strings.Cut(value.Str(it), " ")
		if v, ok := a.Kwargs.Get("timeout"); ok && !strings.Contains(options, "timeout") {
			options = "timeout " + value.Str(v) + " " + options
		}
		if v, ok := a.Kwargs.Get("comment"); ok && !strings.Contains(options, "comment") {
			options += " comment " + value.Str(v)
		}
		r := salt.Correct("")
		if err := do(value.Str(set), entry, strings.TrimSpace(entry+" "+strings.TrimLeft(options, " ")), &r); err != nil {
			return salt.Raised(err)
		}
		out.Comment += r.Comment
		out.Changes.Update(r.Changes)
		if r.Bad() || r.Result == nil && out.OK() {
			out.Result = r.Result
		}
	}
	return out
}

// present makes sure that entries are in a set.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	return a.each(func(set, entry, whole string, r *salt.Result) error {
		there, err := check(c, checkArgs{set, whole, a.Family})
		switch {
		case err != nil:
			return err
		case there == true:
			r.Comment = "entry for " + entry + " already in set " + set + " for " + a.Family + "\n"
			return nil
		case c.Test:
			*r = salt.Would(nil, "entry %s would be added to set %s for family %s\n", entry, set, a.Family)
			return nil
		}
		text, err := add(c, entryArgs{set, whole, a.Family, a.Kwargs})
		if strings.Contains(text, "Error") {
			*r = salt.Failed("Failed to add to entry %s to set %s for family %s.\n%s", whole, set, a.Family, text)
		} else {
			*r = salt.Changed(value.M("locale", a.Name), "entry %s added to set %s for family %s\n", whole, set, a.Family)
		}
		return err
	})
}

// absent makes sure that entries are not in a set.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	p := presentArgs{a.Name, a.Entry, a.Family, a.Kwargs}
	return p.each(func(set, entry, whole string, r *salt.Result) error {
		there, err := check(c, checkArgs{set, whole, a.Family})
		switch {
		case err != nil:
			return err
		case there != true:
			r.Comment = "ipset entry for " + whole + " not present in set " + set + " for " + a.Family + "\n"
			return nil
		case c.Test:
			*r = salt.Would(nil, "ipset entry %s would be removed from set %s for %s\n", entry, set, a.Family)
			return nil
		}
		text, err := remove(c, entryArgs{Name: set, Entry: entry, Family: a.Family})
		if strings.Contains(text, "Error") {
			*r = salt.Failed("Failed to delete ipset entry from set %s for %s. Attempted entry was %s.\n%s\n", set, a.Family, whole, text)
		} else {
			*r = salt.Changed(value.M("locale", a.Name), "ipset entry %s removed from set %s for %s\n", whole, set, a.Family)
		}
		return err
	})
}
