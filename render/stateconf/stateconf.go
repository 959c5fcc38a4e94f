// Package stateconf is what Salt's renderer of that name makes of an SLS's
// data: IDs that begin with a dot belong to the SLS (".x" of a.b is "a.b::x"),
// includes and requisites may be relative, a state goal requires all others,
// and what stateconf.set holds is a variable for the rest of the SLS and for
// later ones.
//
//	var k stateconf.Confs
//	renamed, err := k.Process(data, stateconf.SLS{Name: "a.b", Env: "base"})
//
// Malformed states stay as they are: the compiler says what is wrong with them.
package stateconf

import (
	"fmt"
	"strings"
	"sync"

	"pinch/value"
)

// An SLS is the file whose data are processed, and what was asked for.
type SLS struct {
	Name, Env string
	Start     bool // -s: make the state .start, before all others
	NoGoal    bool // -G: make no state .goal
	Chain     bool // -o: each state requires the one before
	Data      bool // -p: the pipe brings data, not a template
	First     bool // only what stands above the end marker
}

// Confs are what the SLS of one run set; the zero value is ready to use.
type Confs struct {
	mu       sync.Mutex
	set      *value.Map          // state ID → name → value
	extended *value.Map          // the same, of those under extend
	require  map[string][]string // state → what an extend makes it require
	requires map[string][]string // state → what an extend makes it required in
}

// Moves are where things of the data were before, for positions.
type Moves struct {
	names map[named]string // keys with a new name: the old one
	front map[any]int      // lists that got items in front: how many
}

type named struct {
	in  any
	key any
}

// Before is the key, or index, under which the container held the item before.
func (m *Moves) Before(container, key any) any {
	if old, ok := m.names[named{container, key}]; ok {
		return old
	}
	if i, ok := key.(int); ok {
		return i - m.front[container]
	}
	return key
}

// Arguments reads the letters after the renderer's name; rest are the two
// engines, "yaml . jinja" when none are named.
func Arguments(words string) (s SLS, rest string, err error) {
	w := strings.Fields(words)
	for len(w) > 0 && len(w[0]) > 1 && w[0][0] == '-' {
		for _, l := range w[0][1:] {
			switch l {
			case 'G':
				s.NoGoal = true
			case 'o':
				s.Chain = true
			case 's':
				s.Start = true
			case 'p':
				s.Data = true
			default:
				return s, "", fmt.Errorf("option -%c not recognized", l)
			}
		}
		w = w[1:]
	}
	if len(w) == 0 {
		return s, "yaml . jinja", nil
	}
	return s, strings.Join(w, " "), nil
}

// EndMarker is where "# --- end of state config ---" begins in a text, -1
// when it has none.
func EndMarker(text string) int {
	const words = "end of state config"
	for at := 0; ; {
		i := strings.Index(text[at:], words)
		if i < 0 {
			return -1
		}
		i += at
		at = i + len(words)
		head := strings.TrimRight(text[:i], " \t\n")
		dashes := strings.TrimRight(head, "-")
		hash := strings.TrimRight(dashes, " \t\n")
		if strings.HasPrefix(strings.TrimLeft(text[at:], " \t\n"), "-") && len(dashes) < len(head) && strings.HasSuffix(hash, "#") {
			return len(hash) - 1
		}
	}
}

// Context is what was set so far; the names of the SLS's own states are short.
func (k *Confs) Context(sls string) *value.Map {
	k.mu.Lock()
	defer k.mu.Unlock()
	out := new(value.Map)
	for id, conf := range k.set.Items() {
		out.Set(strings.TrimPrefix(id, sls+"::"), conf)
	}
	return out
}

// Process rewrites high data in place.
func (k *Confs) Process(data *value.Map, s SLS) (*Moves, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for id, v := range data.Items() {
		if text, ok := v.(string); ok {
			data.Set(id, value.M(text, new(value.List)))
		}
	}
	if err := absoluteIncludes(data, s); err != nil {
		return nil, err
	}
	moves := &Moves{names: map[named]string{}, front: map[any]int{}}
	if s.Chain && !s.First {
		if err := k.chain(data, moves); err != nil {
			return nil, err
		}
	}
	if err := addStart(data, s); err != nil {
		return nil, err
	}
	if err := addGoal(data, s); err != nil {
		return nil, err
	}
	if err := rename(data, s.Name, moves); err != nil {
		return nil, err
	}
	k.extract(data, false)
	return moves, nil
}

// addStart makes the state .start, which the first state of the SLS requires.
func addStart(data *value.Map, s SLS) error {
	if !s.Start || data.Len() == 0 {
		return nil
	}
	if data.Has(".start") {
		return fmt.Errorf("Can't generate start state(.start)! The same state id already exists!")
	}
	for id, v := range data.Items() {
		states, _ := v.(*value.Map)
		if id == "include" || id == "exclude" || id == "extend" || strings.HasPrefix(id, "__") || states.Len() == 0 {
			continue
		}
		if sls, ok := states.Get("__sls__"); ok && sls != s.Name {
			continue
		}
		first := value.M(stateName(value.Str(states.Keys()[0])), id)
		data.Set(".start", value.M("stateconf.set", value.L(value.M("require_in", value.L(first)))))
		return nil
	}
	return fmt.Errorf("Can't determine the first state in the sls file!")
}

// addGoal makes the state .goal, which requires all states of the SLS.
func addGoal(data *value.Map, s SLS) error {
	if s.NoGoal || s.First {
		return nil
	}
	if data.Has(".goal") {
		return fmt.Errorf("Can't generate goal state(.goal)! The same state id already exists!")
	}
	reqs := new(value.List)
	for _, d := range declarations(data) {
		if d.id != "extend" && !d.states.Has("__sls__") {
			reqs.Append(value.M(stateName(d.name), d.id))
		}
	}
	data.Set(".goal", value.M("stateconf.set", value.L(value.M("require", reqs))))
	return nil
}

// extract keeps the arguments of the stateconf states for those who render later.
func (k *Confs) extract(data *value.Map, extended bool) {
	if k.set == nil {
		k.set, k.extended = new(value.Map), new(value.Map)
	}
	to := k.set
	if extended {
		to = k.extended
	}
	for id, v := range data.Items() {
		states, ok := v.(*value.Map)
		if !ok {
			continue
		}
		if id == "extend" && !extended {
			k.extract(states, true)
			continue
		}
		args := states.List("stateconf")
		if args == nil {
			if args = states.List("stateconf.set"); args == nil {
				continue
			}
		}
		conf := to.Map(id)
		if conf == nil {
			conf = new(value.Map)
			to.Set(id, conf)
		}
		for _, p := range pairs(args) {
			conf.Set(p.key, p.in.At(p.key))
		}
		if !extended {
			override(conf, k.extended.Map(id))
		}
	}
}

// override puts what an extend says over conf; requisites are joined.
func override(conf, ext *value.Map) {
	for _, req := range requires {
		if l, own := ext.List(req), conf.List(req); l != nil && own != nil {
			l.Append(own.Items...)
		}
	}
	conf.Update(ext)
}
