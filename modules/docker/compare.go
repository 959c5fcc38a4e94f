package docker

import (
	"cmp"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type compareArgs struct {
	First  string `py:"first"`       // name or ID of a container
	Second string `py:"second"`      // and of another one
	Ignore any    `py:"ignore=None"` // settings that do not matter
}

// compareContainers returns what differs in the configuration of two
// containers.
//
//	salt-call docker.compare_containers foo bar ignore=Hostname
func compareContainers(c *salt.Ctx, a compareArgs) (*value.Map, error) {
	return ask(c, func(d daemon) (*value.Map, error) {
		first, err := d.container(a.First)
		if err != nil {
			return nil, err
		}
		second, err := d.container(a.Second)
		if err != nil {
			return nil, err
		}
		out, ignore := new(value.Map), splitInput(a.Ignore)
		for _, part := range []string{"Config", "HostConfig"} {
			one, two := first.Map(part), second.Map(part)
			keys := one.Keys()
			for _, k := range two.Keys() {
				if !one.HasKey(k) {
					keys = append(keys, k)
				}
			}
			found := new(value.Map)
			for _, k := range keys {
				key := value.Str(k)
				if slices.Contains(ignore, key) {
					continue
				}
				old, now, differ, err := d.compare(key, a, one.At(key), two.At(key))
				if err != nil {
					return nil, err
				}
				if differ {
					found.Set(key, value.M("old", old, "new", now))
				}
			}
			if found.Len() > 0 {
				out.Set(part, found)
			}
		}
		return out, nil
	})
}

// compare looks at one setting, in the order that does not matter.
func (d daemon) compare(key string, a compareArgs, old, now any) (any, any, bool, error) {
	if key == "OomKillDisable" || old == nil || now == nil {
		return old, now, value.Truth(old) != value.Truth(now), nil
	}
	switch key {
	case "Image":
		m, err := d.image(value.Str(old))
		if err != nil {
			return nil, nil, false, err
		}
		n, err := d.image(value.Str(now))
		if err != nil {
			return nil, nil, false, err
		}
		old, now = m.At("Id"), n.At("Id")
	case "Links":
		old, now = ordered(scrubbed(old, a.First)), ordered(scrubbed(now, a.Second))
	case "Env":
		old, now = ordered(old), ordered(now)
	case "Ulimits":
		old, now = ordered(old), ordered(now)
	}
	return old, now, !value.Equal(old, now), nil
}

// scrubbed are links without the name of the container that has them.
func scrubbed(v any, name string) any {
	l, ok := v.(*value.List)
	if !ok {
		return v
	}
	out := value.L()
	for _, it := range l.Items {
		out.Append(strings.Replace(value.Str(it), "/"+name+"/", "/", 1))
	}
	return out
}

// ordered is a list in its order; maps go by Name, Hard and Soft.
func ordered(v any) any {
	l, ok := v.(*value.List)
	if !ok {
		return v
	}
	items := slices.Clone(l.Items)
	slices.SortStableFunc(items, func(a, b any) int {
		m, ok := a.(*value.Map)
		n, ok2 := b.(*value.Map)
		if !ok || !ok2 {
			return cmp.Compare(value.Str(a), value.Str(b))
		}
		number := func(m *value.Map, key string) int64 {
			i, _ := m.At(key).(int64)
			return i
		}
		return cmp.Or(cmp.Compare(m.Str("Name"), n.Str("Name")), cmp.Compare(number(m, "Hard"), number(n, "Hard")), cmp.Compare(number(m, "Soft"), number(n, "Soft")))
	})
	return value.L(items...)
}
