package apply

import "pinch/salt"

type funcKey struct{ state, fun string }

// A known function was looked up in the registry before.
type known struct {
	fn  *salt.Func
	mod *salt.Module
	err error
}

// lookup finds a state function, once for all chunks that call it. One that is
// not there may come with a state that runs before.
func (p *Compiler) lookup(state, fun string) *known {
	key := funcKey{state, fun}
	if k := p.funcs[key]; k != nil {
		return k
	}
	fn, mod, err := p.c.Registry().State(p.c, state+"."+fun)
	k := &known{fn, mod, err}
	if err == nil {
		p.funcs[key] = k
	}
	return k
}

// forget makes the next look-ups see modules that came meanwhile.
func (p *Compiler) forget() { clear(p.funcs) }

// watcher is the mod_watch of a chunk's module, nil if it has none.
func (p *Compiler) watcher(ch *Chunk) *salt.Func {
	if k := p.lookup(ch.State, "mod_watch"); k.err == nil {
		return k.fn
	}
	if k := p.lookup(ch.State, ch.Fun); k.err == nil && k.mod.Watch != nil {
		return k.mod.Watch
	}
	return p.c.Registry().Watch(p.c, ch.State)
}

// function finds the state function of a chunk, which may be its module's
// mod_watch.
func (p *Compiler) function(ch *Chunk) (*salt.Func, error) {
	if ch.Fun == "mod_watch" {
		if fn := p.watcher(ch); fn != nil {
			return fn, nil
		}
	}
	k := p.lookup(ch.State, ch.Fun)
	return k.fn, k.err
}
