package pillar

import (
	"fmt"
	"slices"

	"pinch/value"
)

func stackStrategy(v any) (string, error) {
	s, _ := v.(string)
	if !slices.Contains([]string{"overwrite", "merge-first", "merge-last", "remove"}, s) {
		return "", fmt.Errorf("Unknown strategy \"%s\", should be one of ('overwrite', 'merge-first', 'merge-last', 'remove')", value.Str(v))
	}
	return s, nil
}

// stackMaps merges obj into stack by the strategy under its key "__".
func stackMaps(stack, obj *value.Map) (*value.Map, error) {
	strategy := "merge-last"
	if v, ok := obj.Pop("__"); ok {
		var err error
		if strategy, err = stackStrategy(v); err != nil {
			return nil, err
		}
	}
	if strategy == "overwrite" {
		return stackClean(obj).(*value.Map), nil
	}
	for k, v := range obj.All() {
		old, there := stack.GetKey(k)
		switch {
		case strategy == "remove":
			stack.PopKey(k)
			continue
		case !there:
			v = stackClean(v)
		default:
			if strategy == "merge-first" {
				old, v = stackClean(v), old
			}
			var err error
			if v, err = stackValue(old, v); err != nil {
				return nil, err
			}
		}
		if err := stack.SetKey(k, v); err != nil {
			return nil, err
		}
	}
	return stack, nil
}

func stackValue(old, v any) (any, error) {
	if value.TypeName(old) != value.TypeName(v) {
		return stackClean(v), nil
	}
	switch v := v.(type) {
	case *value.Map:
		return stackMaps(old.(*value.Map), v)
	case *value.List:
		return stackLists(old.(*value.List), v)
	}
	return v, nil
}

// stackLists merges lists by the strategy in obj's first item.
func stackLists(stack, obj *value.List) (any, error) {
	strategy := "merge-last"
	if m, ok := first(obj).(*value.Map); ok && m.Has("__") {
		var err error
		if strategy, err = stackStrategy(m.At("__")); err != nil {
			return nil, err
		}
		obj = &value.List{Items: obj.Items[1:]}
	}
	switch strategy {
	case "overwrite":
		return obj, nil
	case "remove":
		out := new(value.List)
		for _, it := range stack.Items {
			if !slices.ContainsFunc(obj.Items, func(x any) bool { return value.Equal(x, it) }) {
				out.Append(it)
			}
		}
		return out, nil
	case "merge-first":
		stack, obj = obj, stack
	}
	return &value.List{Items: append(slices.Clone(stack.Items), obj.Items...)}, nil
}

func first(l *value.List) any {
	if l.Len() == 0 {
		return nil
	}
	return l.Items[0]
}

// stackClean takes the strategies out of a value that is not merged.
func stackClean(v any) any {
	switch v := v.(type) {
	case *value.Map:
		v.Pop("__")
		for k, it := range v.All() {
			v.SetKey(k, stackClean(it))
		}
	case *value.List:
		if m, ok := first(v).(*value.Map); ok && m.Has("__") {
			v.Items = v.Items[1:]
		}
	}
	return v
}
