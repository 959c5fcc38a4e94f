package jinja

import (
	"maps"
	"slices"
)

// A ref is where a variable lives: a slot of the function that is up functions
// out from the one that uses it.
type ref struct {
	fn   *function
	slot int
}

// A loadKind is how a slot gets its value when its scope is entered.
type loadKind uint8

const (
	loadParam   loadKind = iota // somebody else sets it
	loadResolve                 // looked up by name in the context
	loadAlias                   // the value of an outer scope's variable
	loadMissing
)

type load struct {
	kind loadKind
	name string // of loadResolve
	from ref    // of loadAlias
}

// symbols are the variables of one scope. As in Jinja, a name has one meaning
// in all of a scope: what is assigned anywhere in it is local from its
// beginning on, where it has the outer value if there is one.
type symbols struct {
	parent *symbols
	fn     *function
	slots  map[string]int // shared by the branches of an if
	refs   map[string]int
	loads  map[int]load
	stores map[string]bool
	order  *[]string // stored names in the order of the text
}

func newSymbols(parent *symbols, fn *function) *symbols {
	return &symbols{parent: parent, fn: fn, slots: map[string]int{}, refs: map[string]int{},
		loads: map[int]load{}, stores: map[string]bool{}, order: new([]string)}
}

func (s *symbols) branch() *symbols {
	b := *s
	b.refs, b.loads, b.stores = maps.Clone(s.refs), maps.Clone(s.loads), maps.Clone(s.stores)
	return &b
}

func (s *symbols) define(name string, l load) int {
	slot, ok := s.slots[name]
	if !ok {
		slot = s.fn.newSlot()
		s.slots[name] = slot
	}
	s.refs[name] = slot
	s.loads[slot] = l
	return slot
}

// find looks for a variable in this scope and those around it.
func (s *symbols) find(name string) (ref, bool) {
	for ; s != nil; s = s.parent {
		if slot, ok := s.refs[name]; ok {
			return ref{s.fn, slot}, true
		}
	}
	return ref{}, false
}

func (s *symbols) param(name string) int {
	s.stored(name)
	return s.define(name, load{kind: loadParam})
}

func (s *symbols) stored(name string) {
	if !s.stores[name] && !slices.Contains(*s.order, name) {
		*s.order = append(*s.order, name)
	}
	s.stores[name] = true
}

func (s *symbols) store(name string) {
	s.stored(name)
	if _, ok := s.refs[name]; ok {
		return
	}
	if s.parent != nil {
		if outer, ok := s.parent.find(name); ok {
			s.define(name, load{kind: loadAlias, from: outer})
			return
		}
	}
	s.define(name, load{kind: loadMissing})
}

func (s *symbols) load(name string) {
	if _, ok := s.find(name); !ok {
		s.define(name, load{kind: loadResolve, name: name})
	}
}

// merge takes over what the branches of an if defined. What only some of them
// assign has the outer value at the beginning.
func (s *symbols) merge(branches []*symbols) {
	var names []string
	for _, b := range branches {
		for name := range b.stores {
			if !s.stores[name] {
				names = append(names, name)
			}
		}
	}
	for _, b := range branches {
		maps.Copy(s.refs, b.refs)
		maps.Copy(s.loads, b.loads)
		maps.Copy(s.stores, b.stores)
	}
	for _, name := range names {
		slot := s.refs[name]
		if s.parent != nil {
			if outer, ok := s.parent.find(name); ok {
				s.loads[slot] = load{kind: loadAlias, from: outer}
				continue
			}
		}
		s.loads[slot] = load{kind: loadResolve, name: name}
	}
}

// A local is a variable as an included template gets it.
type local struct {
	name string
	ref  ref
}

// locals lists all variables that are assigned in this scope or around it.
func (s *symbols) locals() []local {
	var out []local
	seen := map[string]bool{}
	for sc := s; sc != nil; sc = sc.parent {
		for _, name := range *sc.order {
			if sc.stores[name] && !seen[name] {
				seen[name] = true
				r, _ := s.find(name)
				out = append(out, local{name, r})
			}
		}
	}
	return out
}

// scan finds the variables of the statements of one scope; it stops at inner scopes.
func (s *symbols) scan(n node) {
	switch n := n.(type) {
	case *nameExpr:
		if n.store {
			s.store(n.name)
		} else {
			s.load(n.name)
		}
	case *nsRef:
		s.load(n.name)
	case *setStmt:
		s.scan(n.value)
		s.scan(n.target)
	case *setBlock:
		s.scan(n.target)
	case *ifStmt:
		s.scanIf(n)
	case *forStmt:
		s.scan(n.iter)
	case *macroStmt:
		s.store(n.name)
	case *callStmt:
		s.scan(n.call)
	case *filterStmt:
		s.scan(n.filter)
	case *withStmt:
		eachNode(n.values, s.scan)
	case *importStmt:
		s.scan(n.template)
		s.store(n.target)
	case *fromStmt:
		s.scan(n.template)
		for _, a := range n.aliases {
			s.store(a)
		}
	case *blockStmt:
	case *autoescapeStmt:
	case *tagStmt:
		for _, a := range n.tag.Args {
			s.scan(a.n)
		}
		visitIf(n.tag.Import.n, s.scan)
		visitIf(n.tag.Target.n, s.scan)
		if n.tag.Print && n.tag.Body != nil {
			eachNode(n.tag.Body.nodes, s.scan)
		}
	default:
		children(n, s.scan)
	}
}

func (s *symbols) scanIf(n *ifStmt) {
	s.scan(n.test)
	branch := func(body []node) *symbols {
		b := s.branch()
		eachNode(body, b.scan)
		return b
	}
	branches := []*symbols{branch(n.body)}
	if len(n.elifs) > 0 {
		b := s.branch()
		for _, e := range n.elifs {
			b.scanIf(e)
		}
		branches = append(branches, b)
	}
	branches = append(branches, branch(n.els))
	s.merge(branches)
}

// scanParams declares the targets of a loop or the parameters of a macro.
func (s *symbols) scanParams(n node) {
	walk(n, func(n node) bool {
		switch n := n.(type) {
		case *nameExpr:
			s.param(n.name)
		case *nsRef:
			s.load(n.name)
		}
		return true
	})
}

// undeclared reports which of the names are read in the nodes without being
// assigned there first; blocks are not looked into.
func undeclared(nodes []node, names ...string) map[string]bool {
	found, open := map[string]bool{}, map[string]bool{}
	for _, n := range names {
		open[n] = true
	}
	for _, n := range nodes {
		walk(n, func(n node) bool {
			switch n := n.(type) {
			case *nameExpr:
				if !n.store && open[n.name] {
					found[n.name] = true
				} else {
					delete(open, n.name)
				}
			case *blockStmt:
				return false
			}
			return true
		})
	}
	return found
}
