package pkg

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// groupSections are the headings of what dnf lists.
var groupSections = [...][2]string{
	{"installed groups:", "installed"},
	{"available groups:", "available"},
	{"installed environment groups:", "installed environments"},
	{"available environment groups:", "available environments"},
	{"available language groups:", "available languages"},
}

func (d dnf) groups() (*value.Map, error) {
	ret := value.M("installed", value.L(), "available", value.L(), "installed environments", value.L(), "available environments", value.L(),
		"available languages", new(value.Map))
	if d.program() == "dnf5" {
		out, err := d.run(true, "dnf5", "group", "list", "--hidden")
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(out.stdout) { // ID, name, yes or no
			switch f := strings.Fields(line); {
			case len(f) < 3:
			case strings.EqualFold(f[len(f)-1], "yes"):
				ret.List("installed").Append(f[0])
			case strings.EqualFold(f[len(f)-1], "no"):
				ret.List("available").Append(f[0])
			}
		}
		return ret, nil
	}
	out, err := d.run(true, d.program(), "grouplist", "hidden")
	if err != nil {
		return nil, err
	}
	key := ""
	for line := range strings.SplitSeq(out.stdout, "\n") {
		lower := strings.ToLower(line)
		if lower == "done" {
			break
		}
		if i := slices.IndexFunc(groupSections[:], func(s [2]string) bool { return s[0] == lower }); i >= 0 && groupSections[i][1] != key {
			key = groupSections[i][1]
			continue
		}
		line = strings.TrimSpace(line)
		switch key {
		case "":
		case "available languages":
			if i := strings.LastIndex(line, " ["); i > 0 && strings.HasSuffix(line, "]") {
				ret.Map(key).Set(line, value.M("name", line[:i], "language", line[i+2:len(line)-1]))
			}
		default:
			ret.List(key).Append(line)
		}
	}
	return ret, nil
}

func (d dnf) group(name string, expand bool, seen *[]string, kw *value.Map) (*value.Map, error) {
	limits := new(value.Map)
	for _, key := range []string{"fromrepo", "enablerepo", "disablerepo"} {
		if v, ok := kw.Get(key); ok {
			limits.Set(key, v)
		}
	}
	argv := append([]string{d.program(), "--quiet"}, d.options(limits, nil)...)
	if d.program() == "dnf5" {
		argv = append(argv, "group", "info", name)
	} else {
		argv = append(argv, "groupinfo", name)
	}
	out, err := d.run(true, argv...)
	if err != nil {
		return nil, err
	}
	facts := map[string]string{}
	for line := range strings.Lines(out.stdout) {
		if f := strings.Split(line, ":"); len(f) == 2 {
			facts[strings.ToLower(strings.TrimSpace(f[0]))] = strings.TrimSpace(f[1])
		}
	}
	fact := func(keys ...string) any {
		for i, k := range keys {
			if v, ok := facts[k]; v != "" || ok && i == len(keys)-1 {
				return v
			}
		}
		return nil
	}
	ret, title, id := new(value.Map), fact("environment group", "group", "name"), fact("environment-id", "group-id", "id")
	_, environment := facts["environment group"]
	if !value.Truth(title) && !value.Truth(id) {
		return nil, salt.CommandError("Group '%s' not found", name)
	}
	members := map[string][]string{}
	for _, kind := range groupKinds {
		for _, m := range groupMembers(out.stdout, kind) {
			if !expand || !environment {
				members[kind] = append(members[kind], m)
				continue
			}
			if slices.Contains(*seen, m) {
				continue
			}
			*seen = append(*seen, m)
			below, err := d.group("@"+m, true, seen, new(value.Map))
			if err != nil {
				if below, err = d.group(m, true, seen, new(value.Map)); err != nil {
					return nil, err
				}
			}
			for _, k := range groupKinds {
				members[k] = append(members[k], versions(below, k)...)
			}
		}
	}
	for _, kind := range groupKinds {
		slices.Sort(members[kind])
		ret.Set(kind, value.Strings(slices.Compact(members[kind])))
	}
	if environment {
		ret.Set("type", "environment group")
	} else if title != nil {
		ret.Set("type", "package group")
	}
	ret.Set("group", title)
	ret.Set("id", id)
	ret.Set("description", facts["description"])
	return ret, nil
}

// groupMembers are the lines below the heading of a kind, " Mandatory
// Packages:"; dnf5 has the first one behind it.
func groupMembers(text, kind string) []string {
	var out []string
	found := false
	for line := range strings.SplitSeq(text, "\n") {
		member := strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"))
		if heading, rest, ok := strings.Cut(member, ":"); ok {
			which, what, _ := strings.Cut(strings.TrimSpace(strings.ToLower(heading)), " ")
			if slices.Contains(groupKinds[:], which) && (what == "groups" || what == "packages") {
				if found {
					break
				}
				if found = which == kind; !found {
					continue
				}
				member = strings.TrimSpace(rest)
			}
		}
		if found && member != "" {
			out = append(out, member)
		}
	}
	return out
}
