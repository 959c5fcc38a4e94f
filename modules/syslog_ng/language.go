package syslog_ng

import (
	"fmt"
	"strings"

	"pinch/value"
)

// A node is a part of syslog-ng's language with others inside, or a plain text.
type node struct {
	head, tail string // "source s_local {", "};"
	between    string // what stands between the parts
	last       string // and behind the last one
	parts      []*node
	text       string
}

const step = "    "

func (n *node) write(b *strings.Builder, indent string) {
	if n.head == "" {
		b.WriteString(indent + n.text)
		return
	}
	b.WriteString(indent + n.head + "\n")
	for i, p := range n.parts {
		if i > 0 {
			b.WriteString(n.between)
		}
		p.write(b, indent+step)
	}
	if len(n.parts) > 0 {
		b.WriteString(n.last)
	}
	b.WriteString(indent + n.tail)
}

func plain(v any) *node { return &node{text: value.Str(v)} }

func block(head string) *node { return &node{head: head + " {", tail: "};\n"} }

// option ends in a line of its own, parameters are separated by commas.
func option(name string) *node {
	return &node{head: name + "(", tail: ");\n", between: ",\n", last: "\n"}
}

func simple(v any) bool {
	switch v.(type) {
	case string, int64, float64, bool:
		return true
	}
	return false
}

// only is the one entry of a mapping.
func only(v any) (key string, in any, err error) {
	m, ok := v.(*value.Map)
	if !ok || m.Len() == 0 {
		return "", nil, fmt.Errorf("syslog_ng: want a mapping of one key, not %s", value.Repr(v))
	}
	for k, x := range m.All() {
		return value.Str(k), x, nil
	}
	return "", nil, nil
}

func items(v any) []any {
	if l, ok := v.(*value.List); ok {
		return l.Items
	}
	return nil
}

// statement is the text of a statement.
func statement(name string, conf any) (string, error) {
	kind, id, options := "", name, conf
	if before, after, ok := strings.Cut(name, "."); ok {
		kind, id = before, after
	} else {
		var err error
		if kind, options, err = only(conf); err != nil {
			return "", err
		}
	}
	var top *node
	var err error
	switch kind {
	case "config":
		return value.Str(options) + "\n", nil
	case "log":
		top = block("log")
		err = logPath(top, items(options))
	case "channel", "junction", "options":
		top = block(kind)
		err = addOptions(top, items(options))
	default:
		top = block(kind + " " + id)
		err = addOptions(top, items(options))
	}
	var b strings.Builder
	top.write(&b, "")
	return b.String(), err
}

func addOptions(to *node, options []any) error {
	for _, o := range options {
		name, params, err := only(o)
		if err != nil {
			return err
		}
		n := option(name)
		if simple(params) {
			n.parts = append(n.parts, plain(params))
		}
		for _, p := range items(params) {
			part, err := parameter(p)
			if err != nil {
				return err
			}
			n.parts = append(n.parts, part)
		}
		to.parts = append(to.parts, n)
	}
	return nil
}

// parameter is a text, or a name with values.
func parameter(p any) (*node, error) {
	if simple(p) {
		return plain(p), nil
	}
	name, in, err := only(p)
	if err != nil {
		return nil, err
	}
	n := &node{head: name + "(", tail: ")", between: ",\n", last: "\n"}
	if simple(in) && in != "" {
		n.parts = append(n.parts, plain(in))
	}
	for _, v := range items(in) {
		if simple(v) {
			n.parts = append(n.parts, plain(v))
			continue
		}
		name, args, err := only(v)
		if err != nil {
			return nil, err
		}
		typed := &node{head: name + "(", tail: ")", between: "\n", last: "\n"}
		if simple(args) {
			typed.parts = append(typed.parts, plain(args))
		}
		for _, a := range items(args) {
			typed.parts = append(typed.parts, plain(a))
		}
		n.parts = append(n.parts, typed)
	}
	return n, nil
}

// logPath fills a log statement: references, junctions, definitions in place.
func logPath(to *node, list []any) error {
	for _, it := range list {
		kind, in, err := only(it)
		if err != nil {
			return err
		}
		if kind != "junction" {
			if err := reference(to, kind, in); err != nil {
				return err
			}
			continue
		}
		junction := block("junction")
		for _, ch := range items(in) {
			_, list, err := only(ch)
			if err != nil {
				return err
			}
			channel := block("channel")
			for _, v := range items(list) {
				kind, in, err := only(v)
				if err != nil {
					return err
				}
				if err := reference(channel, kind, in); err != nil {
					return err
				}
			}
			junction.parts = append(junction.parts, channel)
		}
		to.parts = append(to.parts, junction)
	}
	return nil
}

// reference adds source(s_local); or a definition in place.
func reference(to *node, kind string, in any) error {
	switch in := in.(type) {
	case string:
		n := option(kind)
		n.parts = append(n.parts, plain(in))
		to.parts = append(to.parts, n)
	case *value.List:
		n := block(kind)
		if err := addOptions(n, in.Items); err != nil {
			return err
		}
		to.parts = append(to.parts, n)
	}
	return nil
}
