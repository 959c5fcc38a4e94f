package pkg

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

// A problem is Salt's CommandExecutionError with information: what went wrong,
// and what was changed all the same.
type problem struct {
	msg  string
	info *value.Map // "errors", "changes", "result"
}

// Error is the text with all of the information.
func (p *problem) Error() string { return p.text(p.info) }

// Unwrap is the exception that a caller outside of a state sees.
func (p *problem) Unwrap() error { return salt.CommandError("%s", p.Error()) }

func (p *problem) changes() *value.Map {
	if m := p.info.Map("changes"); m != nil {
		return m
	}
	return new(value.Map)
}

// withoutChanges is the comment of a state, which has its changes elsewhere.
func (p *problem) withoutChanges() string {
	rest := p.info.Shallow()
	rest.Pop("changes")
	if rest.Len() == 0 {
		return p.msg
	}
	return p.text(rest)
}

func (p *problem) text(info *value.Map) string {
	msg := p.msg
	if msg != "" && !strings.ContainsAny(msg[len(msg)-1:], ".?!") {
		msg += "."
	}
	return msg + " Additional info follows:\n\n" + strings.TrimRight(nested(info), " \n")
}

// nested shows data as Salt's nested outputter does without colours.
func nested(v any) string {
	var out []string
	nest(v, 0, "", &out)
	return strings.Join(out, "\n")
}

func nest(v any, indent int, prefix string, out *[]string) {
	add := func(prefix, text string) { *out = append(*out, strings.Repeat(" ", indent)+prefix+text) }
	switch v := v.(type) {
	case *value.Map:
		if indent > 0 {
			add("", "----------")
		}
		for _, k := range sortedKeys(v) {
			add(prefix, k+":")
			nest(v.At(k), indent+4, "", out)
		}
	case *value.List:
		for _, it := range v.Items {
			switch it.(type) {
			case *value.Map:
				add("", "|_")
				nest(it, indent+2, "", out)
			case *value.List, value.Tuple:
				add("", "|_")
				nest(it, indent+2, "- ", out)
			default:
				nest(it, indent, "- ", out)
			}
		}
	case string:
		if v == "" {
			return
		}
		for i, line := range strings.Split(strings.TrimRight(v, "\n"), "\n") {
			if i > 0 {
				prefix = strings.Repeat(" ", len(prefix))
			}
			add(prefix, line)
		}
	default:
		add(prefix, value.Str(v))
	}
}
