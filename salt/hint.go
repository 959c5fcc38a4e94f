package salt

import (
	"slices"
	"strings"

	"pinch/diag"
)

// Hint says what to do about a function ("exec") or state function ("states")
// that is not there: where Salt has its module, or the name that was probably
// meant. It is "" when there is nothing to say.
func (r *Registry) Hint(c *Ctx, kind, name string) string {
	mod, _, _ := strings.Cut(name, ".")
	if r.Elsewhere != nil && len(r.mods[mod]) == 0 {
		if where := r.Elsewhere(kind, mod); where != "" {
			return where
		}
	}
	if _, fun, _ := strings.Cut(name, "."); slices.ContainsFunc(r.mods[mod], func(m *Module) bool { return m.Functions(kind)[fun] != nil }) {
		return "" // it is there, but its module does not load here
	}
	return diag.DidYouMean(name, r.Names(c, kind))
}
