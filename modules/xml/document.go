package xml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"pinch/value/py"
)

// A document is a file as it is: comments, instructions and prefixes stay.
type document struct{ top []*node }

// A node is an element, or something else that is written as it was read.
type node struct {
	name   string // as find knows it: {namespace}local; "" if this is no element
	raw    string // as it is written: prefix:local
	attrs  []attr
	kids   []*node
	text   string // of character data
	isText bool
	other  string // a comment, instruction or declaration
}

type attr struct{ name, raw, value string }

func (a attr) namespace() bool { return a.raw == "xmlns" || strings.HasPrefix(a.raw, "xmlns:") }

// parse reads a document.
func parse(file string, b []byte) (*document, error) {
	dec := xml.NewDecoder(bytes.NewReader(b))
	dec.CharsetReader = func(enc string, in io.Reader) (io.Reader, error) {
		rest, err := io.ReadAll(in)
		if err != nil {
			return nil, err
		}
		s, err := py.Decode(rest, enc, "strict")
		return strings.NewReader(s), err
	}
	d := new(document)
	root := &node{}
	open := []*node{root}
	spaces := []map[string]string{{"xml": "http://www.w3.org/XML/1998/namespace"}}
	bad := func(err error) error {
		line, col := dec.InputPos()
		var s *xml.SyntaxError
		if errors.As(err, &s) {
			err = errors.New(s.Msg)
		}
		return fmt.Errorf("%s: line %d, column %d: %w", file, line, col, err)
	}
	for {
		tok, err := dec.RawToken()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, bad(err)
		}
		up := open[len(open)-1]
		switch t := tok.(type) {
		case xml.StartElement:
			n, scope := element(t, spaces[len(spaces)-1])
			up.kids = append(up.kids, n)
			open, spaces = append(open, n), append(spaces, scope)
		case xml.EndElement:
			if len(open) == 1 || open[len(open)-1].raw != join(t.Name) {
				return nil, bad(fmt.Errorf("mismatched tag </%s>", join(t.Name)))
			}
			open, spaces = open[:len(open)-1], spaces[:len(spaces)-1]
		case xml.CharData:
			up.kids = append(up.kids, &node{text: string(t), isText: true})
		case xml.Comment:
			up.kids = append(up.kids, &node{other: "<!--" + string(t) + "-->"})
		case xml.ProcInst:
			inst := strings.TrimSpace(t.Target + " " + string(t.Inst))
			up.kids = append(up.kids, &node{other: "<?" + inst + "?>"})
		case xml.Directive:
			up.kids = append(up.kids, &node{other: "<!" + string(t) + ">"})
		}
	}
	if len(open) > 1 {
		return nil, bad(fmt.Errorf("<%s> is not closed", open[len(open)-1].raw))
	}
	d.top = root.kids
	if d.root() == nil {
		return nil, bad(errors.New("no element found"))
	}
	return d, nil
}

func join(n xml.Name) string {
	if n.Space != "" {
		return n.Space + ":" + n.Local
	}
	return n.Local
}

// element resolves the prefixes of a start tag.
func element(t xml.StartElement, scope map[string]string) (*node, map[string]string) {
	own := false
	for _, a := range t.Attr {
		if a.Name.Space != "xmlns" && join(a.Name) != "xmlns" {
			continue
		}
		if !own {
			wider := map[string]string{}
			for k, v := range scope {
				wider[k] = v
			}
			scope, own = wider, true
		}
		prefix := a.Name.Local
		if a.Name.Space == "" {
			prefix = ""
		}
		scope[prefix] = a.Value
	}
	full := func(n xml.Name, attr bool) string {
		if uri := scope[n.Space]; uri != "" && (n.Space != "" || !attr) {
			return "{" + uri + "}" + n.Local
		}
		return join(n)
	}
	n := &node{name: full(t.Name, false), raw: join(t.Name)}
	for _, a := range t.Attr {
		n.attrs = append(n.attrs, attr{full(a.Name, true), join(a.Name), a.Value})
	}
	return n, scope
}

func (d *document) root() *node {
	for _, n := range d.top {
		if n.name != "" {
			return n
		}
	}
	return nil
}

// elements are the children that are elements.
func (n *node) elements() []*node {
	var out []*node
	for _, k := range n.kids {
		if k.name != "" {
			out = append(out, k)
		}
	}
	return out
}

// value is the text in front of the first child element.
func (n *node) value() (string, bool) {
	var b strings.Builder
	found := false
	for _, k := range n.kids {
		if k.name != "" {
			break
		}
		if k.isText {
			b.WriteString(k.text)
			found = true
		}
	}
	return b.String(), found
}

// set replaces the text in front of the first child element.
func (n *node) set(text string) {
	kids := []*node{{text: text, isText: true}}
	front := true
	for _, k := range n.kids {
		front = front && k.name == ""
		if !front || !k.isText {
			kids = append(kids, k)
		}
	}
	n.kids = kids
}

func (n *node) setAttr(name, v string) {
	for i := range n.attrs {
		if n.attrs[i].name == name {
			n.attrs[i].value = v
			return
		}
	}
	n.attrs = append(n.attrs, attr{name, name, v})
}

// bytes writes the document in ASCII, as Python's ElementTree does.
func (d *document) bytes() []byte {
	var b bytes.Buffer
	for _, n := range d.top {
		n.write(&b)
	}
	return b.Bytes()
}

func (n *node) write(b *bytes.Buffer) {
	switch {
	case n.isText:
		escape(b, n.text, false)
		return
	case n.name == "":
		b.WriteString(n.other)
		return
	}
	b.WriteString("<" + n.raw)
	for _, a := range n.attrs {
		b.WriteString(" " + a.raw + `="`)
		escape(b, a.value, true)
		b.WriteByte('"')
	}
	if len(n.kids) == 0 || len(n.kids) == 1 && n.kids[0].isText && n.kids[0].text == "" {
		b.WriteString(" />")
		return
	}
	b.WriteByte('>')
	for _, k := range n.kids {
		k.write(b)
	}
	b.WriteString("</" + n.raw + ">")
}

func escape(b *bytes.Buffer, s string, quoted bool) {
	for _, r := range s {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case quoted && r == '"':
			b.WriteString("&quot;")
		case quoted && r == '\t':
			b.WriteString("&#09;")
		case quoted && (r == '\n' || r == '\r'), r > 126:
			b.WriteString("&#" + strconv.Itoa(int(r)) + ";")
		default:
			b.WriteRune(r)
		}
	}
}
