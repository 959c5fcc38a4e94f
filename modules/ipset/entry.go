package ipset

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type entryArgs struct {
	Name   any        `py:"name=None"`     // the set
	Entry  any        `py:"entry=None"`    // the entry, with options behind it
	Family string     `py:"family='ipv4'"` // not used
	Kwargs *value.Map `py:"**kwargs"`      // options of ipset(8): timeout, comment, packets, bytes, skbmark, skbprio, skbqueue, nomatch
}

// set looks for the set; mistake is what a function returns without one.
func (a *entryArgs) set(c *salt.Ctx) (set *value.Map, mistake string, err error) {
	switch {
	case !value.Truth(a.Name):
		return nil, noSet, nil
	case !value.Truth(a.Entry):
		return nil, noEntry, nil
	}
	if set, err = info(c, value.Str(a.Name)); err == nil && set == nil {
		mistake = "Error: Set " + value.Str(a.Name) + " does not exist"
	}
	return set, mistake, err
}

// lacks says which option the set was not made for.
func (a *entryArgs) lacks(header string) string {
	for _, need := range []struct{ support, options string }{
		{"timeout", "timeout"}, {"counters", "packets bytes"}, {"comment", "comment"}, {"skbinfo", "skbmark skbprio skbqueue"},
	} {
		for o := range strings.FieldsSeq(need.options) {
			if a.Kwargs.Has(o) && !strings.Contains(header, need.support) {
				return "Error: Set " + value.Str(a.Name) + " not created with " + need.support + " support"
			}
		}
	}
	return ""
}

// add adds an entry. It returns Success, or a text that begins with Error or
// Warn.
//
//	salt-call ipset.add blocked 192.0.2.7 timeout=600
func add(c *salt.Ctx, a entryArgs) (string, error) {
	set, mistake, err := a.set(c)
	if err != nil || mistake != "" {
		return mistake, err
	}
	entry, name := value.Str(a.Entry), value.Str(a.Name)
	if mistake = a.lacks(set.Str("Header")); mistake != "" {
		return mistake, nil
	}
	words := append([]string{"add", "-exist", name}, entryWords(entry)...)
	if a.Kwargs.Has("comment") && !strings.Contains(entry, "comment") {
		words = append(words, "comment", a.Kwargs.Str("comment"))
	}
	for _, o := range []string{"timeout", "nomatch", "packets", "bytes", "skbmark", "skbprio", "skbqueue"} {
		if v, ok := a.Kwargs.Get(o); ok && !slices.Contains(words, o) {
			words = append(words, o)
			if o != "nomatch" {
				words = append(words, value.Str(v))
			}
		}
	}
	members, err := members(c, name)
	if err != nil || slices.Contains(members, entry) {
		return "Warn: Entry " + entry + " already exists in set " + name, err
	}
	return outcome(do(c, words...))
}

// entryWords splits an entry from its options; a comment is one word.
func entryWords(entry string) []string {
	var words []string
	comment := -1
	for _, w := range strings.Fields(entry) {
		switch {
		case comment >= 0 && !entryOptions(w):
			if len(words) == comment {
				words = append(words, w)
			} else {
				words[comment] += " " + w
			}
			continue
		case w == "comment":
			comment = len(words) + 1
		default:
			comment = -1
		}
		words = append(words, w)
	}
	for i := range words {
		if i > 0 && words[i-1] == "comment" {
			words[i] = strings.Trim(words[i], `"`)
		}
	}
	return words
}

func outcome(done any, err error) (string, error) {
	if done == true {
		return "Success", err
	}
	return "Error: " + value.Str(done), err
}

// remove removes an entry. It returns Success, or a text that begins with
// Error.
func remove(c *salt.Ctx, a entryArgs) (string, error) {
	_, mistake, err := a.set(c)
	if err != nil || mistake != "" {
		return mistake, err
	}
	return outcome(do(c, "del", value.Str(a.Name), value.Str(a.Entry)))
}

// test reports whether ipset finds an entry in a set, in its networks too.
func test(c *salt.Ctx, a entryArgs) (any, error) {
	_, mistake, err := a.set(c)
	if err != nil || mistake != "" {
		return mistake, err
	}
	r, err := ask(c, "test", value.Str(a.Name), value.Str(a.Entry))
	return r.Code <= 0, err
}

// members are the entries of a set, as ipset writes them.
func members(c *salt.Ctx, name string) ([]string, error) {
	a, err := ask(c, "list", name)
	_, rest, found := strings.Cut(a.Out, "Members:\n")
	if err != nil || a.Code > 0 || !found || rest == "" {
		return nil, err
	}
	return strings.Split(rest, "\n"), nil
}

type checkArgs struct {
	Name   any    `py:"name=None"`     // the set
	Entry  any    `py:"entry=None"`    // the entry, or a list of them
	Family string `py:"family='ipv4'"` // not used
}

// check reports whether an entry is in a set; one of a list is enough. An
// address is also in a set that holds its network.
func check(c *salt.Ctx, a checkArgs) (any, error) {
	set, mistake, err := (&entryArgs{Name: a.Name, Entry: a.Entry}).set(c)
	if err != nil || mistake != "" {
		return mistake, err
	}
	now, err := members(c, value.Str(a.Name))
	if err != nil {
		return nil, err
	}
	entries := value.L(a.Entry)
	if l, ok := a.Entry.(*value.List); ok {
		entries = l
	}
	for _, text := range now {
		m := parse(set.Str("Type"), text)
		for _, it := range entries.Items {
			if m.contains(parse(set.Str("Type"), value.Str(it))) {
				return true, nil
			}
		}
	}
	return false, nil
}
