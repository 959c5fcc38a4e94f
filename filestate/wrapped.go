package filestate

import (
	"pinch/salt"
	"pinch/value"
)

// Wrapped is the result that a wrapper of salt-ssh hands to its state, and the
// file that the state goes on with, nil when the wrapper failed.
func Wrapped(c *salt.Ctx, name string, result, comment, changes any, kw *value.Map) (*State, salt.Result) {
	ch, _ := changes.(*value.Map)
	said := ""
	if comment != nil {
		said = value.Str(comment)
	}
	r := salt.Changed(ch, "%s", said)
	if b, ok := result.(bool); !ok {
		r.Result = nil
	} else if !b {
		r.Result = salt.False()
	}
	if !value.Truth(result) {
		return nil, r
	}
	file, rest := Split(kw)
	file.Update(rest)
	return &State{Ctx: c, Name: name, Args: file}, r
}
