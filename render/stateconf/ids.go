package stateconf

import (
	"fmt"
	"slices"
	"strings"

	"pinch/value"
)

// A declaration is one state of high data: an ID, the function with a dot or
// without, and its arguments (nil when they are no list).
type declaration struct {
	id, name string
	states   *value.Map
	args     *value.List
}

// declarations are the states in their order, those under extend as if extend
// were an ID.
func declarations(data *value.Map) []declaration {
	var out []declaration
	for id, v := range data.Items() {
		states, ok := v.(*value.Map)
		if !ok || id == "include" || id == "exclude" || strings.HasPrefix(id, "__") {
			continue
		}
		for name, args := range states.Items() {
			if strings.HasPrefix(name, "__") {
				continue
			}
			l, _ := args.(*value.List)
			out = append(out, declaration{id, name, states, l})
		}
	}
	return out
}

// A pair is an item of a list that is a map: its first key.
type pair struct {
	in  *value.Map
	key string
}

// pairs are the maps of a list of arguments, those of the given keys only if
// some are given.
func pairs(l *value.List, keys ...string) []pair {
	var out []pair
	for i := range l.Len() {
		m, ok := l.Items[i].(*value.Map)
		if !ok || m.Len() == 0 {
			continue
		}
		if key, ok := m.Keys()[0].(string); ok && (len(keys) == 0 || slices.Contains(keys, key)) {
			out = append(out, pair{m, key})
		}
	}
	return out
}

// references are the {state: id} items of the requisites with the given names.
func references(args *value.List, names []string) []pair {
	var out []pair
	for _, p := range pairs(args, names...) {
		if l := p.in.List(p.key); l != nil {
			out = append(out, pairs(l)...)
		}
	}
	return out
}

var (
	requires   = []string{"require", "watch", "listen", "onchanges", "onfail"}
	requiresIn = []string{"require_in", "watch_in", "listen_in", "onchanges_in", "onfail_in"}
	requisites = append(append([]string{"use", "use_in"}, requires...), requiresIn...)
)

// stateName is the module of "module.function".
func stateName(s string) string {
	name, _, _ := strings.Cut(s, ".")
	return name
}

// absoluteIncludes makes relative names under include and exclude absolute.
func absoluteIncludes(data *value.Map, s SLS) error {
	if l := data.List("include"); l != nil {
		for i, it := range l.Items {
			env, name := s.Env, ""
			switch it := it.(type) {
			case string:
				name = it
			case *value.Map:
				for k := range it.Items() {
					env, name = k, it.Str(k)
				}
			}
			if strings.HasPrefix(name, ".") {
				abs, err := absolute(name, s.Name)
				if err != nil {
					return err
				}
				l.Items[i] = value.M(env, abs)
			}
		}
	}
	if l := data.List("exclude"); l != nil {
		for _, it := range l.Items {
			m, _ := it.(*value.Map)
			if name := m.Str("sls"); strings.HasPrefix(name, ".") {
				abs, err := absolute(name, s.Name)
				if err != nil {
					return err
				}
				m.Set("sls", abs)
			}
		}
	}
	return nil
}

// absolute makes "..x" a name that counts from the top.
func absolute(relative, sls string) (string, error) {
	rest := strings.TrimLeft(relative, ".")
	parts := strings.Split(sls, ".")
	up := len(relative) - len(rest)
	if up > len(parts) {
		return "", fmt.Errorf("Attempted relative include goes beyond top level package")
	}
	return strings.Join(append(slices.Clone(parts[:len(parts)-up]), rest), "."), nil
}

// absoluteID makes an ID with a dot in front one of the SLS that it names.
func absoluteID(id, sls string) (string, error) {
	if strings.Contains(id, "::") {
		return absolute(id, sls)
	}
	abs, err := absolute(id, sls+".")
	if i := strings.LastIndexByte(abs, '.'); i >= 0 {
		abs = abs[:i] + "::" + abs[i+1:]
	}
	return abs, err
}

// rename gives IDs with a dot in front, and what refers to them, their full
// names. A state without a name gets the short one.
func rename(data *value.Map, sls string, m *Moves) error {
	if ext := data.Map("extend"); ext != nil {
		if err := rename(ext, sls, m); err != nil {
			return err
		}
	}
	for _, d := range declarations(data) {
		for _, ref := range references(d.args, requisites) {
			id, ok := ref.in.At(ref.key).(string)
			if !ok || !strings.HasPrefix(id, ".") {
				continue
			}
			abs, err := absoluteID(id, sls)
			if err != nil {
				return err
			}
			ref.in.Set(ref.key, abs)
		}
	}
	for _, key := range data.Keys() {
		id, ok := key.(string)
		if !ok || !strings.HasPrefix(id, ".") {
			continue
		}
		abs, err := absoluteID(id, sls)
		if err != nil {
			return err
		}
		if data.Has(abs) {
			return fmt.Errorf("Can't rename state id(%s) into %s because the later already exists!", id, abs)
		}
		states, _ := data.Pop(id)
		if byFunction, ok := states.(*value.Map); ok {
			nameStates(byFunction, id[1:], m)
		}
		data.Set(abs, states)
		m.names[named{data, abs}] = id
	}
	return nil
}

// nameStates puts "- name: id" in front of the arguments of states without a name.
func nameStates(states *value.Map, name string, m *Moves) {
	for fun := range states.Items() {
		args := states.List(fun)
		if stateName(fun) == "stateconf" || args == nil || len(pairs(args, "name")) > 0 {
			continue
		}
		m.prepend(args, value.M("name", name))
	}
}

func (m *Moves) prepend(l *value.List, v any) {
	l.Items = append([]any{v}, l.Items...)
	m.front[l]++
}
