package apply

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"pinch/sys"
	"pinch/value"
)

// flights are the states that run beside the chunk whose turn it is (the
// option parallel_states: auto). Chunks are started in their order, as in a
// serial run; one is only left to itself while later ones start if its
// function declares what it touches (salt.Func.Touching), nothing of that is
// touched by another that still runs, and nothing about the chunk reaches
// further: conditions, slots, retries and the like. Every other chunk waits
// until all are done, and a chunk with requisites for those it names. So the
// results, their numbers and their order are those of the serial run.
type flights struct {
	r     *runner
	on    bool
	limit int
	list  []*flight
	done  chan *flight
	roots []string // what any state may read: the trees, accounts and names
}

type flight struct {
	ch          *Chunk
	paths       []string
	num         int64
	start, end  time.Time
	ret, result *value.Map // as it is seen meanwhile, and what came of it
}

// shared are files that any state may read without saying so.
var shared = [...]string{"/etc/passwd", "/etc/group", "/etc/shadow", "/etc/gshadow", "/etc/nsswitch.conf", "/etc/hosts", "/etc/resolv.conf", "/etc/localtime", "/etc/ssl", "/etc/pki", "/dev", "/proc", "/sys"}

func newFlights(r *runner) *flights {
	mode := r.c.Opts.At("parallel_states")
	if mode != true && mode != "auto" || r.failed || r.o.Mock {
		return &flights{r: r}
	}
	f := &flights{r: r, limit: max(4, 2*runtime.GOMAXPROCS(0))}
	if n := int(number64(r.c.Opts.At("state_max_parallel"))); n > 0 {
		f.limit = n
	}
	f.done = make(chan *flight, f.limit)
	f.roots = append(f.roots, shared[:]...)
	for _, k := range [...]string{"cachedir", "pki_dir", "sock_dir", "extension_modules"} {
		f.root(r.c.Opts.Str(k))
	}
	for _, k := range [...]string{"file_roots", "pillar_roots"} {
		for _, dirs := range r.c.Opts.Map(k).Items() {
			for _, d := range items(dirs) {
				f.root(value.Str(d))
			}
		}
	}
	return f
}

func (f *flights) root(path string) {
	if path == "" {
		return
	}
	f.roots = append(f.roots, filepath.Clean(path))
	if p, err := f.r.c.Sys.EvalSymlinks(path); err == nil {
		f.roots = append(f.roots, p)
	}
}

// alone are the arguments of a state that reach beyond what it touches.
var alone = [...]string{"parallel", "onlyif", "unless", "creates", "check_cmd", "retry", "failhard", "reload_modules", "reload_grains", "reload_pillar",
	"force_reload_modules", "__umask__", "umask", "runas", "provider", "saltenv", "env"}

// simple reports whether a chunk does no more than call its function.
func (f *flights) simple(ch *Chunk) bool {
	if !f.on || ch.prereq || ch.Fun == "mod_watch" {
		return false
	}
	for _, k := range alone {
		if ch.Low.Has(k) {
			return false
		}
	}
	k := f.r.p.lookup(ch.State, ch.Fun)
	return k.err == nil && k.fn.Touches != nil && k.mod.Init == nil && !brings(ch) &&
		!f.r.p.mayAggregate(ch, f.r.c.Opts.At("state_aggregate")) && !hasSlot(ch.Low)
}

func hasSlot(v any) bool {
	switch v := v.(type) {
	case string:
		return strings.HasPrefix(v, slotMark)
	case *value.Map:
		for _, x := range v.All() {
			if hasSlot(x) {
				return true
			}
		}
	case *value.List:
		return slices.ContainsFunc(v.Items, hasSlot)
	}
	return false
}

// before waits for what must be done before a chunk is looked at.
func (f *flights) before(ch *Chunk, deps []dep) {
	if len(f.list) == 0 {
		return
	}
	if !f.simple(ch) {
		f.wait(func(*flight) bool { return true })
		return
	}
	f.wait(func(fl *flight) bool { return slices.ContainsFunc(deps, func(d dep) bool { return d.ch == fl.ch }) })
}

// launch starts a chunk and leaves it to itself, if that is possible.
func (f *flights) launch(ch *Chunk) bool {
	if !f.simple(ch) {
		f.wait(func(*flight) bool { return true })
		return false
	}
	r := f.r
	fn, errs := r.p.verify(ch)
	if len(errs) > 0 {
		return false
	}
	kw := kwargs(fn, ch.Low)
	c := r.ctx(ch)
	wanted, ok := fn.Touches(c, kw)
	paths, plain := f.resolve(wanted)
	if !ok || !plain || overlap(paths, f.roots) || !r.allowed(ch) {
		f.wait(func(*flight) bool { return true })
		return false
	}
	f.wait(func(fl *flight) bool { return overlap(fl.paths, paths) })
	for len(f.list) >= f.limit {
		f.land(<-f.done)
	}
	fl := &flight{ch: ch, paths: paths, start: r.c.Sys.Now(), ret: new(value.Map), num: r.number()}
	r.announce(ch, fl.start)
	r.executing(ch)
	r.running.Set(ch.Tag, fl.ret)
	f.list = append(f.list, fl)
	go func() {
		fl.result = r.guarded(c, ch, fn, kw)
		fl.end = r.c.Sys.Now()
		f.done <- fl
	}()
	return true
}

// wait waits until none of those that are meant runs.
func (f *flights) wait(meant func(*flight) bool) {
	for slices.ContainsFunc(f.list, meant) {
		f.land(<-f.done)
	}
}

// land notes the result of a state that is done.
func (f *flights) land(fl *flight) {
	r := f.r
	f.list = slices.DeleteFunc(f.list, func(x *flight) bool { return x == fl })
	*fl.ret = *fl.result
	if !leavesCode(fl.ch.State) {
		r.c.Run.SetRetcode(0)
	}
	r.finish(fl.ch, fl.ret, fl.num, fl.start, fl.end)
	unify(fl.ret)
	r.after(fl.ch)
}

// resolve are the paths with all links followed besides as they are. What does
// not exist yet stands for the folders that would be made, too. plain is false
// when something has a second name that no path tells.
func (f *flights) resolve(paths []string) (out []string, plain bool) {
	s := f.r.c.Sys
	for _, p := range paths {
		if !filepath.IsAbs(p) {
			return nil, false
		}
		p = filepath.Clean(p)
		i, err := s.Lstat(p)
		if err != nil {
			for up := filepath.Dir(p); !sys.LExists(s, up); up = filepath.Dir(up) {
				p = up
			}
			dir, err := s.EvalSymlinks(filepath.Dir(p))
			if err != nil {
				return nil, false
			}
			out = append(out, p, filepath.Join(dir, filepath.Base(p)))
			continue
		}
		real, err := s.EvalSymlinks(p)
		if err != nil || i.Mode().IsRegular() && sys.Links(i) > 1 {
			return nil, false
		}
		dir, err := s.EvalSymlinks(filepath.Dir(p))
		if err != nil {
			return nil, false
		}
		out = append(out, p, real, filepath.Join(dir, filepath.Base(p)))
	}
	return out, true
}

// overlap reports whether a path of one list is one of the other or lies
// below it, or the other way round.
func overlap(a, b []string) bool {
	for _, x := range a {
		for _, y := range b {
			if within(x, y) || within(y, x) {
				return true
			}
		}
	}
	return false
}

func within(path, dir string) bool {
	return strings.HasPrefix(path, dir) && (len(path) == len(dir) || dir == "/" || path[len(dir)] == '/')
}
