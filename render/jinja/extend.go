package jinja

// Autoescape reports whether HTML escaping is on where the call stands.
func (c *Call) Autoescape() bool { return c.Context != nil && c.Context.autoescape }

// Compare works out a comparison: "==", "!=", "<", "<=", ">", ">=", "in" or
// "not in". Undefined values fail as the engine's own operators do.
func (s *State) Compare(op string, a, b any) (bool, error) { return s.compare(op, a, b) }
