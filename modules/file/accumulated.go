package file

import (
	"slices"

	"pinch/salt"
	"pinch/value"
)

// accumulatorKey is where a run keeps its accumulators.
type accumulatorKey struct{}

// accumulatorSet is what file.accumulated collected, by file and accumulator.
type accumulatorSet struct {
	text map[string]*value.Map          // file → accumulator → list of texts
	deps map[string]map[string][]string // file → accumulator → IDs of states
}

func accumulators(c *salt.Ctx) *accumulatorSet {
	if c.Run == nil {
		return &accumulatorSet{}
	}
	s, _ := salt.Once(c.Run, accumulatorKey{}, func() (*accumulatorSet, error) {
		return &accumulatorSet{map[string]*value.Map{}, map[string]map[string][]string{}}, nil
	})
	return s
}

// texts are the accumulators for a file, nil when there are none.
func (s *accumulatorSet) texts(file string) any {
	if m := s.text[file]; m != nil {
		return m
	}
	return nil
}

// forState are the texts for a file from those accumulators that name the
// state, or from all when none does.
func (s *accumulatorSet) forState(file, id string) []string {
	var named, every []string
	for name, v := range s.text[file].Items() {
		texts := stringList(v)
		every = append(every, texts...)
		if slices.Contains(s.deps[file][name], id) {
			named = append(named, texts...)
		}
	}
	if named != nil {
		return named
	}
	return every
}

type accumulatedArgs struct {
	Name     string     `py:"name"`     // the accumulator
	Filename string     `py:"filename"` // the file it is for
	Text     any        `py:"text"`     // a text, or a list of them
	Kwargs   *value.Map `py:"**kwargs"` // Salt takes and ignores any other
}

// accumulated collects texts for a file that a later state writes: file.blockreplace
// puts them into its block, a template of file.managed sees them as accumulator.
// It must have require_in or watch_in to that state.
//
//	ntp servers:
//	  file.accumulated:
//	    - filename: /etc/ntp.conf
//	    - text: server 0.example.org
//	    - require_in:
//	      - file: /etc/ntp.conf
func accumulated(c *salt.Ctx, a accumulatedArgs) salt.Result {
	if a.Name == "" {
		return salt.Failed("Must provide name to file.accumulated")
	}
	if a.Text == nil {
		return salt.Failed("No text supplied for accumulator")
	}
	ids, ok := fileDependents(c.Low)
	if !ok {
		return salt.Failed("Orphaned accumulator %s in %s:%s", a.Name, c.Low.Str("__sls__"), c.Low.Str("__id__"))
	}
	s := accumulators(c)
	if s.text[a.Filename] == nil {
		s.text[a.Filename], s.deps[a.Filename] = new(value.Map), map[string][]string{}
	}
	s.deps[a.Filename][a.Name] = append(s.deps[a.Filename][a.Name], ids...)
	list := s.text[a.Filename].List(a.Name)
	if list == nil {
		list = new(value.List)
		s.text[a.Filename].Set(a.Name, list)
	}
	r := salt.Correct("")
	for _, chunk := range chunks(a.Text) {
		if !slices.ContainsFunc(list.Items, func(v any) bool { return value.Equal(v, chunk) }) {
			list.Append(chunk)
			r.Comment = "Accumulator " + a.Name + " for file " + a.Filename + " was charged by text"
		}
	}
	return r
}

func chunks(v any) []any {
	switch v := v.(type) {
	case *value.List:
		return v.Items
	case value.Tuple:
		return v
	}
	return []any{v}
}

// fileDependents are the IDs in a state's require_in and watch_in; ok says
// that one of them is a file state.
func fileDependents(low *value.Map) (ids []string, ok bool) {
	for _, key := range []string{"require_in", "watch_in"} {
		for _, it := range chunks(low.At(key)) {
			switch it := it.(type) {
			case *value.Map:
				ok = ok || it.Has("file")
				for _, id := range it.All() {
					ids = append(ids, value.Str(id))
				}
			case string: // an ID alone
				ok = true
				ids = append(ids, it)
			}
		}
	}
	return ids, ok
}
