package value

// A Slab hands out maps and lists that are cut from larger pieces of memory,
// for readers that make very many small ones which live equally long. The
// zero value is ready.
type Slab struct {
	maps    []Map
	lists   []List
	entries []entry
	items   []any
}

const (
	slabHeads = 64
	slabParts = 256
)

// Map returns an empty map with room for n entries.
func (s *Slab) Map(n int) *Map {
	if len(s.maps) == 0 {
		s.maps = make([]Map, slabHeads)
	}
	m := &s.maps[0]
	s.maps = s.maps[1:]
	switch {
	case n > slabParts/4:
		m.entries = make([]entry, 0, n)
	case n > 0:
		if n > len(s.entries) {
			s.entries = make([]entry, slabParts)
		}
		m.entries, s.entries = s.entries[:0:n], s.entries[n:]
	}
	return m
}

// List returns an empty list with room for n items.
func (s *Slab) List(n int) *List {
	if len(s.lists) == 0 {
		s.lists = make([]List, slabHeads)
	}
	l := &s.lists[0]
	s.lists = s.lists[1:]
	switch {
	case n > slabParts/4:
		l.Items = make([]any, 0, n)
	case n > 0:
		if n > len(s.items) {
			s.items = make([]any, slabParts)
		}
		l.Items, s.items = s.items[:0:n], s.items[n:]
	}
	return l
}
