package value

import (
	"iter"
	"maps"
	"slices"
	"sync"
)

// A Map is a Python dict: a reference that keeps the order of insertion.
// Most keys in Salt's data are strings, so those have the short method names
// (Get, Set, Has, Pop) and are found without an allocation; the methods with
// Key in their name take any hashable value. A nil *Map reads as empty.
//
// Values may be lazy (see SetLazy). Several goroutines may read a map at the
// same time, lazy values, too; whoever changes it must be alone.
type Map struct {
	entries []entry
	strs    map[string]int32 // index of string keys, made when the map grows
	others  map[any]int32    // index of all other keys, by their hash key
	lazies  int32            // entries that have been lazy: absent ones among them do not count
	ordered bool             // an OrderedDict of Python: see Ordered
	whole   *whole           // makes all the entries at the first use
}

type entry struct {
	key  any
	val  any
	lazy *lazy
}

// small is the number of entries up to which a scan beats an index.
const small = 14

// NewMap returns an empty map with room for n entries.
func NewMap(n int) *Map { return &Map{entries: make([]entry, 0, n)} }

// M builds a Map from alternating keys and values.
func M(kv ...any) *Map {
	m := NewMap(len(kv) / 2)
	for i := 0; i+1 < len(kv); i += 2 {
		m.put(kv[i], kv[i+1])
	}
	return m
}

// Order makes the map what Python calls an OrderedDict, and gives it back. All
// maps keep their order; of one that says so, texts keep it, too (YAML sorts
// the keys of others). Copies are of the same kind.
func (m *Map) Order() *Map { m.ordered = true; return m }

// Ordered reports whether the map is an OrderedDict, as data of SLS and pillar
// files are in Salt.
func (m *Map) Ordered() bool {
	if m != nil && m.whole != nil {
		m.whole.load(m)
	}
	return m != nil && m.ordered
}

// put is SetKey for keys known to be hashable.
func (m *Map) put(key, v any) {
	if err := m.SetKey(key, v); err != nil {
		panic(err)
	}
}

// Len returns the number of keys.
func (m *Map) Len() int {
	if m == nil {
		return 0
	}
	if m.whole != nil {
		m.whole.load(m)
	}
	n := len(m.entries)
	if m.lazies > 0 {
		for i := range m.entries {
			if _, ok := m.at(i); !ok {
				n--
			}
		}
	}
	return n
}

// find returns the place of a string key, or -1.
func (m *Map) find(key string) int {
	if m == nil {
		return -1
	}
	if m.whole != nil {
		m.whole.load(m)
	}
	if m.strs != nil {
		if i, ok := m.strs[key]; ok {
			return int(i)
		}
		return -1
	}
	for i := range m.entries {
		if s, ok := m.entries[i].key.(string); ok && s == key {
			return i
		}
	}
	return -1
}

// findKey returns the place of any key, or -1, and its hash key.
func (m *Map) findKey(key any) (int, any, error) {
	if s, ok := key.(string); ok {
		return m.find(s), nil, nil
	}
	h, err := HashKey(key)
	if s, ok := h.(string); ok { // a text of another kind
		return m.find(s), h, nil
	}
	if err != nil || m == nil {
		return -1, h, err
	}
	if m.whole != nil {
		m.whole.load(m)
	}
	if m.strs != nil {
		if i, ok := m.others[h]; ok {
			return int(i), h, nil
		}
		return -1, h, nil
	}
	for i := range m.entries {
		if _, str := m.entries[i].key.(string); str {
			continue
		}
		if k, _ := HashKey(m.entries[i].key); k == h {
			return i, h, nil
		}
	}
	return -1, h, nil
}

func (m *Map) reindex() {
	m.strs = make(map[string]int32, 2*len(m.entries))
	m.others = nil
	for i := range m.entries {
		m.index(i)
	}
}

func (m *Map) index(i int) {
	if s, ok := m.entries[i].key.(string); ok {
		m.strs[s] = int32(i)
		return
	}
	h, _ := HashKey(m.entries[i].key)
	if m.others == nil {
		m.others = map[any]int32{}
	}
	m.others[h] = int32(i)
}

func (m *Map) add(e entry) {
	m.entries = append(m.entries, e)
	switch {
	case m.strs != nil:
		m.index(len(m.entries) - 1)
	case len(m.entries) > small:
		m.reindex()
	}
}

// Get returns the value under key and whether there is one.
func (m *Map) Get(key string) (any, bool) { return m.at(m.find(key)) }

// At returns the value under key, or nil.
func (m *Map) At(key string) any { v, _ := m.at(m.find(key)); return v }

// Has reports whether there is a value under key.
func (m *Map) Has(key string) bool { _, ok := m.at(m.find(key)); return ok }

// GetKey returns the value under any key; one that cannot be hashed is absent.
func (m *Map) GetKey(key any) (any, bool) {
	i, _, err := m.findKey(key)
	if err != nil {
		return nil, false
	}
	return m.at(i)
}

// HasKey reports whether there is a value under any key.
func (m *Map) HasKey(key any) bool { _, ok := m.GetKey(key); return ok }

func (m *Map) at(i int) (any, bool) {
	if i < 0 {
		return nil, false
	}
	if l := m.entries[i].lazy; l != nil {
		return l.get()
	}
	return m.entries[i].val, true
}

// Set stores v under key; a new key goes last.
func (m *Map) Set(key string, v any) {
	if i := m.find(key); i >= 0 {
		m.entries[i].val, m.entries[i].lazy = v, nil
		return
	}
	m.add(entry{key: key, val: v})
}

// SetKey stores v under any key; it fails for a key that cannot be hashed.
// As in Python an equal key that is there already stays (True for 1).
func (m *Map) SetKey(key, v any) error {
	i, h, err := m.findKey(key)
	if err != nil {
		return err
	}
	if i >= 0 {
		m.entries[i].val, m.entries[i].lazy = v, nil
		return nil
	}
	if s, ok := h.(string); ok {
		key = s
	}
	m.add(entry{key: key, val: v})
	return nil
}

// Pop takes the value under key out and returns it.
func (m *Map) Pop(key string) (any, bool) { return m.pop(m.find(key)) }

// PopKey takes the value under any key out and returns it.
func (m *Map) PopKey(key any) (any, bool) {
	i, _, err := m.findKey(key)
	if err != nil {
		return nil, false
	}
	return m.pop(i)
}

func (m *Map) pop(i int) (any, bool) {
	v, ok := m.at(i)
	if i < 0 {
		return nil, false
	}
	last := i == len(m.entries)-1
	if last && m.strs != nil {
		if s, str := m.entries[i].key.(string); str {
			delete(m.strs, s)
		} else {
			h, _ := HashKey(m.entries[i].key)
			delete(m.others, h)
		}
	}
	m.entries = slices.Delete(m.entries, i, i+1)
	if !last && m.strs != nil {
		m.reindex()
	}
	return v, ok
}

// Clear takes everything out.
func (m *Map) Clear() { *m = Map{ordered: m.ordered} }

// All iterates over keys and values in order of insertion. The map may be
// read, not changed, meanwhile; a value may be replaced.
func (m *Map) All() iter.Seq2[any, any] {
	return func(yield func(any, any) bool) {
		if m == nil {
			return
		}
		if m.whole != nil {
			m.whole.load(m)
		}
		for i := 0; i < len(m.entries); i++ {
			if v, ok := m.at(i); ok && !yield(m.entries[i].key, v) {
				return
			}
		}
	}
}

// Items iterates as All does, with every key as its Python str().
func (m *Map) Items() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for k, v := range m.All() {
			s, ok := k.(string)
			if !ok {
				s = Str(k)
			}
			if !yield(s, v) {
				return
			}
		}
	}
}

// Keys returns the keys in order.
func (m *Map) Keys() []any {
	keys := make([]any, 0, m.Len())
	for k := range m.All() {
		keys = append(keys, k)
	}
	return keys
}

// Update stores all of o's values, as dict.update does.
func (m *Map) Update(o *Map) {
	for k, v := range o.All() {
		m.put(k, v)
	}
}

// Shallow returns a copy that shares the values.
func (m *Map) Shallow() *Map {
	n := NewMap(m.Len())
	n.Update(m)
	n.ordered = m.Ordered()
	return n
}

// Map returns the map under key, or nil when there is none.
func (m *Map) Map(key string) *Map { v, _ := m.At(key).(*Map); return v }

// List returns the list under key, or nil when there is none.
func (m *Map) List(key string) *List { v, _ := m.At(key).(*List); return v }

// Str returns the string under key, "" when there is none or None, and
// Python's str() of anything else.
func (m *Map) Str(key string) string {
	switch v := m.At(key).(type) {
	case nil:
		return ""
	case string:
		return v
	default:
		return Str(v)
	}
}

// Truth reports whether the value under key is there and true.
func (m *Map) Truth(key string) bool { return Truth(m.At(key)) }

// A lazy value is worked out at its first reading.
type lazy struct {
	mu   sync.Mutex
	make func() (any, bool)
	val  any
	ok   bool
}

func (l *lazy) get() (any, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.make != nil {
		f := l.make
		l.val, l.ok = f()
		l.make = nil
	}
	return l.val, l.ok
}

// SetLazy stores a value that is worked out when it is first read. When f says
// false the key is as good as absent. Len and iteration read every value.
func (m *Map) SetLazy(key string, f func() (any, bool)) {
	l := &lazy{make: f}
	if i := m.find(key); i >= 0 {
		m.entries[i].val, m.entries[i].lazy = nil, l
	} else {
		m.add(entry{key: key, lazy: l})
	}
	m.lazies++
}

// whole makes the entries of a LazyMap once.
type whole struct {
	once sync.Once
	make func() *Map
}

func (w *whole) load(m *Map) {
	w.once.Do(func() {
		made := w.make()
		if made.whole != nil {
			made.whole.load(made)
		}
		// Lazy values stay so.
		m.entries, m.strs, m.others, m.lazies, m.ordered = made.entries, made.strs, made.others, made.lazies, made.ordered
	})
}

// LazyMap returns a map whose entries f makes when the map is first looked
// at. f must not look at the map itself.
func LazyMap(f func() *Map) *Map { return &Map{whole: &whole{make: f}} }

// Reset empties the map and has f make its entries when it is next looked at,
// as LazyMap does.
func (m *Map) Reset(f func() *Map) { *m = Map{whole: &whole{make: f}} }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
