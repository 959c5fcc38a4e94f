package saltclass

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"pinch/value"
)

// merge puts b into a: lists are joined, unless b's starts with ^; maps are
// merged, other values replaced. As in Salt the parts of b are not copied, so
// that what is joined to them later shows in the classes that follow.
func merge(a, b *value.Map) {
	for k, v := range b.All() {
		old, have := a.GetKey(k)
		if la, ok := old.(*value.List); ok && have {
			if lb, ok := v.(*value.List); ok {
				if lb.Len() > 0 && lb.Items[0] == "^" {
					lb.Items = slices.Delete(lb.Items, 0, 1)
					_ = a.SetKey(k, lb)
				} else {
					la.Items = append(la.Items, lb.Items...)
				}
				continue
			}
		}
		if ma, ok := old.(*value.Map); ok && have {
			if mb, ok := v.(*value.Map); ok {
				merge(ma, mb)
				continue
			}
		}
		if have && value.Equal(old, v) {
			continue
		}
		_ = a.SetKey(k, v)
	}
}

// clone copies maps and lists.
func clone(v any) any {
	switch v := v.(type) {
	case *value.Map:
		out := new(value.Map)
		for k, x := range v.All() {
			_ = out.SetKey(k, clone(x))
		}
		return out
	case *value.List:
		out := new(value.List)
		for _, x := range v.Items {
			out.Append(clone(x))
		}
		return out
	}
	return v
}

// An expander follows references ${a:b} in b, the map they are looked up in.
type expander struct {
	b  *value.Map
	re *regexp.Regexp
}

func expand(a *value.Map) (*value.Map, error) {
	x := &expander{a.Shallow(), regexp.MustCompile(`(^|.)\$\{.*?\}`)}
	return x.b, x.walk(a)
}

func (x *expander) walk(a *value.Map) error {
	for _, k := range a.Keys() {
		v, _ := a.GetKey(k)
		switch v := v.(type) {
		case *value.Map:
			if err := x.walk(v); err != nil {
				return err
			}
		case *value.List:
			for i := range v.Items { // the items change on the way
				switch it := v.Items[i].(type) {
				case *value.Map:
					if err := x.walk(it); err != nil {
						return err
					}
				case string:
					if err := x.text(it, false); err != nil {
						return err
					}
				}
			}
		case string:
			if err := x.text(v, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// text follows the references of one text and puts the result wherever that
// text stands. Salt keeps two copies: a reference at the start of a map's value
// is followed in the copy that other references do not change.
func (x *expander) text(now string, whole bool) error {
	kept := now
	for _, ref := range x.re.FindAllString(now, -1) {
		first := strings.HasPrefix(ref, "$")
		if strings.HasPrefix(ref, `\`) {
			replace(x.b, now, strings.ReplaceAll(now, ref, strings.TrimLeft(ref, `\`)))
			continue
		}
		from := now
		if !first {
			_, size := utf8.DecodeRuneInString(ref)
			ref = ref[size:]
		} else if whole {
			from = kept
		}
		v := x.lookup(ref)
		to, ok := v.(string)
		if !ok {
			return value.Errorf("TypeError", "replace() argument 2 must be str, not %s", value.TypeName(v))
		}
		next := strings.ReplaceAll(from, ref, to)
		replace(x.b, now, next)
		if now = next; first {
			kept, whole = next, true
		}
	}
	return nil
}

// lookup is the value of ${a:b}, or the reference itself.
func (x *expander) lookup(ref string) any {
	var v any = x.b
	for part := range strings.SplitSeq(ref[2:len(ref)-1], ":") {
		m, ok := v.(*value.Map)
		if !ok || !m.Has(part) {
			return ref
		}
		v = m.At(part)
	}
	return v
}

// replace puts next wherever the text old stands.
func replace(m *value.Map, old, next string) {
	for _, k := range m.Keys() {
		v, _ := m.GetKey(k)
		switch v := v.(type) {
		case *value.Map:
			replace(v, old, next)
		case *value.List:
			for i, it := range v.Items {
				switch it := it.(type) {
				case *value.Map:
					replace(it, old, next)
				case string:
					if it == old {
						v.Items[i] = next
					}
				}
			}
		case string:
			if v == old {
				_ = m.SetKey(k, next)
			}
		}
	}
}
