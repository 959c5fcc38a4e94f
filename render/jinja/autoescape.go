package jinja

// Autoescape reports whether HTML escaping is on where the call stands.
func (c *Call) Autoescape() bool { return c.Context != nil && c.Context.autoescape }
