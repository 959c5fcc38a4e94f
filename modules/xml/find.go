package xml

import (
	"slices"
	"strconv"
	"strings"

	"pinch/value"
)

func invalid(what string) error { return value.Errorf("SyntaxError", "%s", what) }

// find gives the first element of a path, nil if there is none. Paths are
// those of Python's ElementTree: a/b, *, ., .., //, and in brackets @k, @k='v',
// tag, tag='text', .='text' or a number.
func (d *document) find(path string) (*node, error) {
	steps, err := split(path)
	if err != nil {
		return nil, err
	}
	root := d.root()
	parents := map[*node]*node{}
	var note func(n *node)
	note = func(n *node) {
		for _, k := range n.elements() {
			parents[k] = n
			note(k)
		}
	}
	note(root)
	nodes := []*node{root}
	for _, s := range steps {
		var next []*node
		for _, n := range nodes {
			for _, m := range s.from(n, parents) {
				if !slices.Contains(next, m) {
					next = append(next, m)
				}
			}
		}
		nodes = next
	}
	if len(nodes) == 0 {
		return nil, nil
	}
	return nodes[0], nil
}

// A step is one part of a path.
type step struct {
	deep  bool // at any depth
	name  string
	tests []string // what stands in brackets
}

// split cuts a path at its slashes; {…} and […] may hold some.
func split(path string) ([]step, error) {
	if strings.HasPrefix(path, "/") {
		path = "." + path
	}
	var steps []step
	deep := false
	for path != "" {
		if rest, ok := strings.CutPrefix(path, "//"); ok {
			path, deep = rest, true
		} else {
			path = strings.TrimPrefix(path, "/")
		}
		if path == "" {
			return nil, invalid("invalid descendant")
		}
		s := step{deep: deep}
		deep = false
		n := 0
		if path[0] == '{' {
			n = strings.IndexByte(path, '}') + 1
		}
		for n < len(path) && path[n] != '/' && path[n] != '[' {
			n++
		}
		s.name, path = path[:n], path[n:]
		for strings.HasPrefix(path, "[") {
			end := closing(path)
			if end < 0 {
				return nil, invalid("invalid predicate")
			}
			s.tests = append(s.tests, strings.TrimSpace(path[1:end]))
			path = path[end+1:]
		}
		if path != "" && path[0] != '/' {
			return nil, invalid("invalid path")
		}
		if s.name == "" {
			return nil, invalid("invalid path")
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// closing finds the bracket that ends a predicate, outside of quotes.
func closing(s string) int {
	quote := byte(0)
	for i := range len(s) {
		switch b := s[i]; {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case b == '\'' || b == '"':
			quote = b
		case b == ']':
			return i
		}
	}
	return -1
}

// from are the elements that the step leads to.
func (s step) from(n *node, parents map[*node]*node) []*node {
	var found []*node
	switch {
	case s.name == "." && !s.deep:
		found = []*node{n}
	case s.name == "..":
		if p := parents[n]; p != nil {
			found = []*node{p}
		}
	default:
		found = s.below(n)
	}
	for _, t := range s.tests {
		found = filter(found, t, parents)
	}
	return found
}

func (s step) below(n *node) []*node {
	var out []*node
	for _, k := range n.elements() {
		if s.name == "*" || s.name == "." || k.name == s.name {
			out = append(out, k)
		}
		if s.deep {
			out = append(out, s.below(k)...)
		}
	}
	return out
}

// filter keeps the elements that a predicate holds for.
func filter(nodes []*node, test string, parents map[*node]*node) []*node {
	if n, ok := position(test); ok {
		return slices.DeleteFunc(nodes, func(k *node) bool {
			p := parents[k]
			if p == nil {
				return true
			}
			same := slices.DeleteFunc(p.elements(), func(x *node) bool { return x.name != k.name })
			i := n
			if n <= 0 {
				i = len(same) - 1 + n
			} else {
				i--
			}
			return i < 0 || i >= len(same) || same[i] != k
		})
	}
	left, right, compare := strings.Cut(test, "=")
	left, right = strings.TrimSpace(left), strings.Trim(strings.TrimSpace(right), `'"`)
	differ := compare && strings.HasSuffix(left, "!")
	left = strings.TrimSpace(strings.TrimSuffix(left, "!"))
	return slices.DeleteFunc(nodes, func(k *node) bool { return !k.holds(left, right, compare, differ) })
}

// position reads [2], [last()] and [last()-1]: from the front counted from 1,
// from the back 0 and below.
func position(test string) (int, bool) {
	if n, err := strconv.Atoi(test); err == nil {
		return n, true
	}
	if rest, ok := strings.CutPrefix(test, "last()"); ok {
		if rest == "" {
			return 0, true
		}
		n, err := strconv.Atoi(strings.ReplaceAll(rest, " ", ""))
		return n, err == nil && n < 0
	}
	return 0, false
}

func (n *node) holds(left, right string, compare, differ bool) bool {
	if name, ok := strings.CutPrefix(left, "@"); ok {
		i := slices.IndexFunc(n.attrs, func(a attr) bool { return a.name == name && !a.namespace() })
		return i >= 0 && (!compare || (n.attrs[i].value == right) != differ)
	}
	if left == "." {
		return (n.all() == right) != differ
	}
	return slices.ContainsFunc(n.elements(), func(k *node) bool {
		return k.name == left && (!compare || (k.all() == right) != differ)
	})
}

// all is the whole text of an element.
func (n *node) all() string {
	var b strings.Builder
	for _, k := range n.kids {
		if k.isText {
			b.WriteString(k.text)
		}
		b.WriteString(k.all())
	}
	return b.String()
}
