package salt

import (
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
	return diag.DidYouMean(name, r.Names(c, kind))
}
