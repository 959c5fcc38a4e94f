// Package yaml reads and writes YAML 1.1 exactly as Salt does: Load is
// salt.utils.yaml.safe_load (PyYAML's resolver over libyaml's grammar, with
// Salt's rules for octals, dates and duplicate keys), Dump is its safe_dump.
// Values are those of package value; errors have libyaml's words and places.
//
//	v, err := yaml.Load("", "port: 0644\n") // {'port': 644}
//	var e *yaml.Error
//	errors.As(err, &e)                      // e.Line, e.Col, e.Problem, e.Hint()
package yaml

import (
	"errors"
	"strings"
	"sync"

	"pinch/value"
)

// Load reads one document; an empty text is None. name is what errors call
// the text; empty, it is "<unicode string>", as for every text that Salt has
// in memory. It fails with an *Error.
func Load(name, text string) (any, error) {
	p := newParser(name, text)
	v, err := p.load()
	if err != nil {
		return nil, err
	}
	return v, nil
}

// LoadAll reads all documents of a text, as PyYAML's safe_load_all.
func LoadAll(name, text string) ([]any, error) {
	var docs []any
	p := newParser(name, text)
	err := p.guard(text, func() {
		for first := true; ; first = false {
			root, ok := p.document(first)
			if !ok {
				return
			}
			docs = append(docs, p.construct(root))
		}
	})
	if err != nil {
		return docs, err
	}
	return docs, nil
}

// A Doc is a loaded document that knows where its parts stand.
type Doc struct {
	Value any

	p     *parser
	once  sync.Once
	table map[any]*container
}

// container is where the parts of one map or list stand.
type container struct {
	node int32
	keys map[any]int32 // hash key of a map's keys: place in the node's kids
}

// LoadDoc reads one document as Load does, and remembers places. Its maps are
// OrderedDicts, as those of Salt's YAML renderer.
func LoadDoc(name, text string) (*Doc, error) {
	p := newParser(name, text)
	p.ordered = true
	v, err := p.load()
	if err != nil {
		return nil, err
	}
	return &Doc{Value: v, p: p}, nil
}

// Pos is where a key of a map, or an item of a list (by its index, an int),
// stands in the text, from 1. Line 0 means that it is not of this document.
func (d *Doc) Pos(c any, key any) (line, col int) { return d.pos(c, key, 0) }

// ValuePos is where the value of a map's key stands.
func (d *Doc) ValuePos(c any, key any) (line, col int) { return d.pos(c, key, 1) }

// Start is where a map or list begins.
func (d *Doc) Start(c any) (line, col int) {
	d.once.Do(d.index)
	if t := d.table[c]; t != nil {
		return d.place(t.node)
	}
	return 0, 0
}

func (d *Doc) place(i int32) (line, col int) { return d.p.place(d.p.nodes[i].at) }

func (d *Doc) pos(c, key any, part int) (line, col int) {
	d.once.Do(d.index)
	t := d.table[c]
	if t == nil {
		return 0, 0
	}
	kids := d.p.children(t.node)
	if _, list := c.(*value.List); list {
		i := -1
		switch k := key.(type) {
		case int:
			i = k
		case int64:
			i = int(k)
		}
		if i < 0 || i >= len(kids) {
			return 0, 0
		}
		return d.place(kids[i])
	}
	h, err := value.HashKey(key)
	if err != nil {
		return 0, 0
	}
	if i, ok := t.keys[h]; ok {
		return d.place(kids[int(i)+part])
	}
	return 0, 0
}

// index makes the table of places, once and only when one is asked for.
func (d *Doc) index() {
	d.p.place(0) // finds the lines, before several goroutines may ask
	d.table = make(map[any]*container, len(d.p.b.queue))
	for _, m := range d.p.b.queue {
		t := &container{node: m.node}
		d.table[m.value] = t
		if c, ok := m.value.(*value.Map); ok {
			// The keys are those of the text: the map may have changed since.
			kids := d.p.children(m.node)
			t.keys = make(map[any]int32, c.Len())
			for i := 0; i+1 < len(kids); i += 2 {
				if d.p.nodes[kids[i]].kind != scalarNode {
					continue
				}
				if h, err := value.HashKey(d.p.build(kids[i])); err == nil {
					t.keys[h] = int32(i)
				}
			}
		}
	}
}

func newParser(name, text string) *parser {
	p := &parser{}
	p.name, p.text = name, text
	if strings.HasPrefix(text, bom) {
		p.pos, p.bol, p.idxPos = len(bom), len(bom), len(bom)
	}
	n := min(2*strings.Count(text, ":")+strings.Count(text, "\n")+strings.Count(text, ","), len(text)/4) + 8
	p.nodes = make([]node, 0, n)
	p.kids = make([]int32, 0, n)
	return p
}

// load reads the single document of the stream.
func (p *parser) load() (v any, err error) {
	err = p.guard(p.text, func() {
		root, ok := p.document(true)
		if !ok {
			return
		}
		if second, more := p.startDocument(false); more {
			panic(p.fail("ComposerError", "expected a single document in the stream", p.nodes[root].at, "but found another document", second))
		}
		v = p.construct(root)
	})
	return v, err
}

// guard runs f and turns its panics with an *Error into an error. A text with
// a forbidden character is read only up to it.
func (p *parser) guard(text string, f func()) (err error) {
	bad, wide := checkText(text)
	p.wide = wide
	if bad >= 0 {
		p.text = text[:bad]
	}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			err = e
		}
		if bad >= 0 && (err == nil || p.pos+4 > bad/block*block || errors.As(err, new(*Error)) && p.pos >= len(p.text)) {
			err = p.readerError(text, bad)
		}
	}()
	f()
	return nil
}
