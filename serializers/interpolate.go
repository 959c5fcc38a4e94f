package serializers

import (
	"fmt"
	"strings"

	"pinch/value"
)

// interpolated reports whether %(name)s in values stands for another value:
// always, unless the options say "interpolation: null".
func interpolated(o *value.Map) bool { v, ok := o.Get("interpolation"); return !ok || v != nil }

// iniDefaults are the values of the option "defaults", under names in lower case.
func iniDefaults(o *value.Map) *value.Map {
	out := new(value.Map)
	for k, v := range o.Map("defaults").All() {
		out.Set(strings.ToLower(value.Str(k)), v)
	}
	return out
}

// An interpolation expands the references in one section's values, with the
// errors of Python's configparser.
type interpolation struct {
	section string
	values  *value.Map
}

const maxInterpolation = 10

func (p *interpolation) expand(option, text string) (string, error) {
	var b strings.Builder
	err := p.into(&b, option, text, text, 1)
	return b.String(), err
}

// into writes text, expanded; raw is what the section has for the option.
func (p *interpolation) into(b *strings.Builder, option, text, raw string, depth int) error {
	if depth > maxInterpolation {
		return fmt.Errorf("Recursion limit exceeded in value substitution: option %s in section %s contains an interpolation key which cannot be substituted in %d steps. Raw value: %s",
			value.Repr(option), value.Repr(p.section), maxInterpolation, value.Repr(raw))
	}
	for {
		before, rest, found := strings.Cut(text, "%")
		b.WriteString(before)
		switch {
		case !found:
			return nil
		case strings.HasPrefix(rest, "%"):
			b.WriteByte('%')
			text = rest[1:]
		case strings.HasPrefix(rest, "("):
			name, after, ok := reference(rest)
			if !ok {
				return fmt.Errorf("bad interpolation variable reference %s", value.Repr("%"+rest))
			}
			name = strings.ToLower(name)
			v, ok := p.values.Get(name)
			if !ok {
				return fmt.Errorf("Bad value substitution: option %s in section %s contains an interpolation key %s which is not a valid option name. Raw value: %s",
					value.Repr(option), value.Repr(p.section), value.Repr(name), value.Repr(raw))
			}
			if err := p.into(b, option, value.Str(v), raw, depth+1); err != nil {
				return err
			}
			text = after
		default:
			return fmt.Errorf("'%%' must be followed by '%%' or '(', found: %s", value.Repr("%"+rest))
		}
	}
}

// reference splits "(name)s…", which stood behind a percent sign.
func reference(s string) (name, after string, ok bool) {
	name, after, ok = strings.Cut(s[1:], ")")
	return name, strings.TrimPrefix(after, "s"), ok && name != "" && strings.HasPrefix(after, "s")
}

// checkReferences refuses a value that could not be read again.
func checkReferences(s string) error {
	var rest strings.Builder
	text := strings.ReplaceAll(s, "%%", "")
	for i := 0; i < len(text); {
		if strings.HasPrefix(text[i:], "%(") {
			if _, after, ok := reference(text[i+1:]); ok {
				i = len(text) - len(after)
				continue
			}
		}
		rest.WriteByte(text[i])
		i++
	}
	if at := strings.IndexByte(rest.String(), '%'); at >= 0 {
		return fmt.Errorf("invalid interpolation syntax in %s at position %d", value.Repr(s), len([]rune(rest.String()[:at])))
	}
	return nil
}
