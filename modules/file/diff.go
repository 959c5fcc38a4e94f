package file

import (
	"slices"
	"strings"

	"pinch/value"
	"pinch/value/py"
)

// lineDiff is the diff of two lists of lines as Salt shows it.
func lineDiff(a, b []string) string { return strings.Join(diffList(a, b, "", ""), "") }

func diffList(a, b []string, from, to string) []string {
	return py.UnifiedDiff(decodeAll(a), decodeAll(b), from, to, "\n")
}

func decodeAll(lines []string) []string {
	for i, l := range lines {
		if d := decode(l); d != l {
			out := slices.Clone(lines)
			for ; i < len(out); i++ {
				out[i] = decode(out[i])
			}
			return out
		}
	}
	return lines
}

// binaryReplace names the change when one of two files is binary, else "".
func binaryReplace(old, new []byte) string {
	switch oldText, newText := isText(old), isText(new); {
	case !oldText && !newText:
		return "Replace binary file"
	case !oldText:
		return "Replace binary file with text file"
	case !newText:
		return "Replace text file with binary file"
	}
	return ""
}

// ignoring is what a comparison of two versions leaves out of account.
type ignoring struct {
	ordering, whitespace bool
	comments             any // a text or a list of texts that start a comment
}

func (g ignoring) any() bool { return g.ordering || g.whitespace || value.Truth(g.comments) }

// matters reports whether a diff changes more than what is ignored.
func (g ignoring) matters(diff []string) bool {
	var adds, subs []string
	for _, line := range diff {
		if strings.HasPrefix(line, "+++") || strings.HasPrefix(line, "---") || line == "" {
			continue
		}
		mark, rest := line[0], line[1:]
		if mark != '+' && mark != '-' {
			continue
		}
		for _, c := range stringList(g.comments) {
			if before, _, ok := strings.Cut(rest, c); ok {
				rest = before
			}
		}
		if g.whitespace {
			rest = strings.TrimSpace(rest)
		}
		switch {
		case rest == "":
		case mark == '+':
			adds = append(adds, rest)
		default:
			subs = append(subs, rest)
		}
	}
	slices.Sort(adds)
	slices.Sort(subs)
	return !slices.Equal(adds, subs)
}

// stringList are the texts of an argument that is one text or a list of them.
func stringList(v any) []string {
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		return []string{v}
	case []byte:
		return []string{string(v)}
	case *value.List:
		return strs(v.Items)
	case value.Tuple:
		return strs(v)
	case *value.Set:
		return strs(v.Items())
	}
	return []string{value.Str(v)}
}

func strs(items []any) []string {
	out := make([]string, len(items))
	for i, it := range items {
		out[i] = value.Str(it)
	}
	return out
}
