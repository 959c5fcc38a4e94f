package output

import (
	"strings"

	"pinch/value"
)

// key prints the lists of a master's keys by their state, or their
// fingerprints: {minions: [..], minions_pre: {id: finger}, …}.
func key(data any, o *Options) (string, error) {
	m, ok := data.(*value.Map)
	if !ok {
		return "", value.Errorf("TypeError", "'%s' object is not a key list", value.TypeName(data))
	}
	c := o.colors()
	pad := ""
	if o.MultiKey {
		pad = "    "
	}
	states, err := sortedKeys(m)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	line := func(parts ...string) { b.WriteString(pad + strings.Join(parts, "") + c[endc] + "\n") }
	for _, state := range states {
		title, head, color, ok := keyState(state, c)
		if !ok {
			return "", value.Errorf("KeyError", "%s", value.Repr(state))
		}
		line(head, title+" Keys:")
		v, _ := m.GetKey(state)
		var names []any
		fingers, _ := v.(*value.Map)
		switch v := v.(type) {
		case *value.Map:
			names, err = sortedKeys(v)
		case *value.List:
			names = append(names, v.Items...)
			err = sortValues(names, func(v any) any { return v })
		default:
			err = value.Errorf("TypeError", "'%s' object is not iterable", value.TypeName(v))
		}
		if err != nil {
			return "", err
		}
		for _, k := range names {
			name := value.Str(k)
			if o.StripColors {
				name = noEscapes(name)
			}
			if fingers == nil {
				line(color, name)
				continue
			}
			finger, _ := fingers.GetKey(k)
			line(color, name, ":  ", value.Str(finger))
		}
	}
	return b.String(), nil
}

func keyState(state any, c *palette) (title, head, color string, ok bool) {
	switch state {
	case "minions":
		return "Accepted", c[lightGreen], c[green], true
	case "minions_pre":
		return "Unaccepted", c[lightRed], c[red], true
	case "minions_denied":
		return "Denied", c[lightMagenta], c[magenta], true
	case "minions_rejected":
		return "Rejected", c[lightBlue], c[blue], true
	case "local":
		return "Local", c[lightMagenta], c[magenta], true
	}
	return "", "", "", false
}
