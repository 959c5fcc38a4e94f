package args

import (
	"fmt"
	"math/big"
	"strings"

	"pinch/value"
)

// A Signature is what a function takes, as far as the command line must know.
type Signature struct {
	Names  []string // positional and keyword-only parameters
	Kwargs bool     // it has **kwargs
}

func (s Signature) takes(name string) bool { return s.Kwargs || contains(s.Names, name) }

// Wire is the list of arguments as a job carries it: the positional ones, and
// behind them a map of the named ones that is marked with __kwarg__. A job id
// that was read as a number is text again.
func Wire(pos []any, kw *value.Map) []any {
	out := make([]any, 0, len(pos)+1)
	for _, v := range pos {
		switch v.(type) {
		case int64, *big.Int:
			if s := value.Str(v); isJID(s) {
				v = s
			}
		}
		out = append(out, v)
	}
	if kw.Len() > 0 {
		m := value.M("__kwarg__", true)
		m.Update(kw)
		out = append(out, m)
	}
	return out
}

func isJID(s string) bool {
	if len(s) != 20 && (len(s) <= 21 || s[20] != '_') {
		return false
	}
	return strings.Trim(s[:20], "0123456789") == ""
}

// Load sorts a job's list of arguments for a call of a function of this
// signature. Text such as "a=1" becomes a named argument here, too. Names that
// the function does not take are an error, a SaltInvocationError of Salt's.
func Load(sig Signature, wire []any) ([]any, *value.Map, error) {
	var pos []any
	kw := new(value.Map)
	var bad []string
	set := func(k, v any) {
		name, ok := k.(string)
		if !ok || !sig.takes(name) {
			bad = append(bad, value.Str(k)+"="+value.Str(v))
			return
		}
		kw.Set(name, v)
	}
	for _, v := range wire {
		switch v := v.(type) {
		case *value.Map:
			if v.At("__kwarg__") == true {
				for k, it := range v.All() {
					if k != "__kwarg__" {
						set(k, it)
					}
				}
				continue
			}
			if v.Has("__kwarg__") { // a mark that is not True says nothing
				v = v.Shallow()
				v.Pop("__kwarg__")
			}
			pos = append(pos, v)
		case string:
			if name, text, ok := Named(v); ok {
				set(name, Typed(text))
				continue
			}
			pos = append(pos, v)
		default:
			pos = append(pos, v)
		}
	}
	if len(bad) > 0 {
		return nil, nil, value.Errorf("SaltInvocationError", "%s", fmt.Sprintf("The following keyword arguments are not valid: %s", strings.Join(bad, ", ")))
	}
	return pos, kw, nil
}
