package apply

import (
	"strings"

	"pinch/value"
)

const slotMark = "__slot__:"

// slots replaces the slots in arguments by what their functions answer: in
// strings, in the values of maps, and in lists of both.
func (r *runner) slots(kw *value.Map) error {
	for k, v := range kw.All() {
		n, err := r.slotArg(v)
		if err != nil {
			return err
		}
		if n != nil {
			_ = kw.SetKey(k, *n)
		}
	}
	return nil
}

func (r *runner) slotList(l *value.List) error {
	for i, v := range l.Items {
		n, err := r.slotArg(v)
		if err != nil {
			return err
		}
		if n != nil {
			l.Items[i] = *n
		}
	}
	return nil
}

// slotArg gives the value to take instead, nil when there is no slot in it.
// What holds a slot is copied, because a chunk may be called again.
func (r *runner) slotArg(v any) (*any, error) {
	switch v := v.(type) {
	case string:
		if strings.HasPrefix(v, slotMark) {
			n, err := r.slot(v)
			return &n, err
		}
	case *value.Map:
		return r.slotMap(v)
	case *value.List:
		var out *value.List
		for i, it := range v.Items {
			var n *any
			var err error
			switch it := it.(type) {
			case string:
				n, err = r.slotArg(it)
			case *value.Map:
				n, err = r.slotMap(it)
			}
			if err != nil {
				return nil, err
			}
			if n == nil {
				continue
			}
			if out == nil {
				out = &value.List{Items: append([]any{}, v.Items...)}
			}
			out.Items[i] = *n
		}
		if out != nil {
			a := any(out)
			return &a, nil
		}
	}
	return nil, nil
}

func (r *runner) slotMap(m *value.Map) (*any, error) {
	var out *value.Map
	for k, v := range m.All() {
		s, ok := v.(string)
		if !ok || !strings.HasPrefix(s, slotMark) {
			continue
		}
		n, err := r.slot(s)
		if err != nil {
			return nil, err
		}
		if out == nil {
			out = m.Shallow()
		}
		_ = out.SetKey(k, n)
	}
	if out == nil {
		return nil, nil
	}
	a := any(out)
	return &a, nil
}

// slot works one out: __slot__:salt:mod.fun(arg, k=v).part.of.it ~ appended.
func (r *runner) slot(text string) (any, error) {
	parts := strings.SplitN(text, ":", 3)
	if len(parts) != 3 || parts[1] != "salt" {
		r.c.Log.Warn("Malformed slot: " + text)
		if len(parts) == 3 {
			r.c.Log.Warn(`Only execution modules are currently supported in slots. This means slot should start with "__slot__:salt:"`)
		}
		return text, nil
	}
	fun, args, kw, ok := parseCall(parts[2])
	if ok {
		_, err := r.c.Registry().Offered(r.c, fun)
		ok = err == nil
	}
	if !ok {
		r.c.Log.Warn("Malformed slot: " + text)
		r.c.Log.Warn("Execution module should be specified in a function call format: test.arg('arg', kw='kwarg')")
		return text, nil
	}
	v, err := r.c.CallFunc(r.looking(), fun, args, kw)
	if err != nil {
		return nil, err
	}
	call, tail, more := strings.Cut(parts[2], "~")
	if i := strings.LastIndexByte(call, ')'); i >= 0 {
		if _, path, ok := strings.Cut(call[i+1:], "."); ok {
			v = value.TraverseOr(v, strings.TrimSpace(path), nil, ".")
		}
	}
	if !more {
		return v, nil
	}
	s, str := v.(string)
	if !str {
		r.c.Log.Error("Ignoring slot append, slot result is not a string")
		return v, nil
	}
	tail = strings.TrimSpace(tail)
	if n := len(tail); n >= 2 && tail[0] == tail[n-1] && (tail[0] == '"' || tail[0] == '\'') {
		tail = tail[1 : n-1]
	}
	return s + tail, nil
}
