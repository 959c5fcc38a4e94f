package apply

import (
	"path"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// reload does what reload_grains, reload_pillar and reload_modules ask for
// after a state, and looks for new modules after a state that may have
// brought some.
func (r *runner) reload(ch *Chunk, ret *value.Map) {
	low := ch.Low
	modules := false
	if low.Truth("reload_grains") {
		r.quietly("saltutil.refresh_grains", value.M("refresh_pillar", false))
		modules = true
	}
	if low.Truth("reload_pillar") {
		p, err := r.c.CompilePillar(r.c, salt.PillarOptions{Env: r.c.Opts.Str("pillarenv"), SaltEnv: r.c.Opts.Str("saltenv"), Override: r.o.Pillar})
		if err != nil {
			r.c.Log.Error("Failed to refresh pillar: " + err.Error())
		} else {
			r.c.Pillar.Clear()
			r.c.Pillar.Update(p)
			if cu := r.c.Run.Custom; cu != nil {
				cu.Forget("pillar")
			}
		}
		modules = true
	}
	changed := ret.Truth("changes")
	switch {
	case !changed && !low.Truth("force_reload_modules"):
		return
	case modules, !changed, low.Truth("reload_modules"), brings(ch):
		r.quietly("saltutil.refresh_modules", nil)
		r.p.forget()
	}
}

// brings reports whether a state may have brought new modules, or what modules
// need that did not load before: packages, programs, files with the ending of a
// module (salt.state.State.check_refresh).
func brings(ch *Chunk) bool {
	switch ch.State + "." + ch.Fun {
	case "file.recurse":
		return true
	case "file.symlink":
		return strings.Contains(ch.Name, "bin")
	case "file.managed":
		return slices.Contains([]string{".py", ".pyx", ".pyo", ".pyc", ".so"}, path.Ext(ch.Name))
	}
	return ch.State == "pkg" || ch.State == "ports" || ch.State == "pip"
}

// quietly calls a function if there is one of that name.
func (r *runner) quietly(fun string, kw *value.Map) {
	if _, err := r.c.Registry().Exec(r.c, fun); err != nil {
		return
	}
	if _, err := r.c.CallFunc(r.looking(), fun, nil, kw); err != nil {
		r.c.Log.Error(fun + ": " + err.Error())
	}
}
