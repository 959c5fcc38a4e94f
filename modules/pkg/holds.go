package pkg

import (
	"pinch/salt"
	"pinch/value"
)

// holds are what pkg.hold or pkg.unhold answered, sorted.
type holds struct{ modified, same, failed []*value.Map }

func (s *installation) holdThese(a holdArgs, on bool) (*holds, error) {
	h, ok := s.m.(holder)
	if !ok {
		return new(holds), nil
	}
	if m, ok := a.Pkgs.(*value.Map); ok {
		a.Pkgs = value.Strings(keys(m)) // a hold is of any version
	}
	ret, err := h.hold(a, on)
	if err != nil {
		return nil, err
	}
	out := new(holds)
	for _, v := range ret.Items() {
		m := v.(*value.Map)
		switch changed, good := m.Truth("changes"), m.Truth("result"); {
		case changed:
			out.modified = append(out.modified, m)
		case good:
			out.same = append(out.same, m)
		}
		if !m.Truth("result") {
			out.failed = append(out.failed, m)
		}
	}
	return out, nil
}

// holdOnly holds packages that need no installation, and adds that to the answer.
func (s *installation) holdOnly(r salt.Result) salt.Result {
	on, ok := s.a.Kwargs.Get("hold")
	if !ok {
		return r
	}
	h, err := s.holdThese(holdArgs{Name: s.a.Name, Pkgs: s.a.Pkgs, Sources: s.a.Sources}, value.Truth(on))
	if err != nil {
		return salt.Failed("%s", err)
	}
	add := func(list []*value.Map, changes bool) {
		for _, m := range list {
			r.Comment += ".\n" + m.Str("comment")
			r.Result = result(m.At("result"))
			if changes {
				r.Changes.Set(m.Str("name"), m.At("changes"))
			}
		}
	}
	add(h.modified, true)
	add(h.same, false)
	add(h.failed, false)
	return r
}

func result(v any) *bool {
	switch v {
	case true:
		return salt.True()
	case false:
		return salt.False()
	}
	return nil
}

// tellHolds adds what was held to comment and changes.
func (s *installation) tellHolds(h *holds) {
	for _, m := range h.modified {
		s.comment = append(s.comment, m.Str("comment"))
		name, hold := m.Str("name"), m.Map("changes")
		change := s.changes.Map(name)
		if change == nil {
			s.changes.Set(name, value.M("new", value.Str(hold.At("new"))))
			continue
		}
		for _, k := range []string{"new", "old"} {
			v := change.Str(k)
			if v != "" {
				v += "\n"
			}
			change.Set(k, v+value.Str(hold.At(k)))
		}
	}
}
