package salt

import (
	"reflect"
	"strings"
	"sync"

	"pinch/sys"
	"pinch/value"
)

// A Func is one declared function.
type Func struct {
	Go   any  // the Go function, for its name and doc comment
	Bare bool // an execution function that changes nothing even when it is called under test=True
	Doc  any  // the manual of a custom function, nil if it has none; built-in ones have theirs in the module's page
	// Origin is what the loader of a custom module knows its function by.
	Origin any
	// Touches says which paths a call reads or writes, with all below them, and
	// that it does nothing else to the machine: while it runs other states may
	// run that touch none of these (option parallel_states). Not ok: this call
	// must run alone. nil: every call must.
	Touches func(c *Ctx, kw *value.Map) (paths []string, ok bool)
	def     string // see Named
	args    reflect.Type
	once    sync.Once
	sig     *Signature
	call    func(*Ctx, []any, *value.Map) (any, error)
}

// A Signature is what a function takes, in Python's terms.
type Signature struct {
	Params  []Param // in order; those after VarArgs or "*" are keyword-only
	VarArgs string  // the name behind *, "" if there is none
	Kwargs  string  // the name behind **, "" if there is none

	restField, kwargsField int // the fields for VarArgs and Kwargs
	blank                  any // the argument struct of a call that gives nothing
}

// A Param is one parameter, read from a field of the argument struct: its py
// tag is the Python declaration ("mode=None"), its comment the manual.
type Param struct {
	Name        string
	Default     string // Python literal
	Required    bool
	KeywordOnly bool
	Field       string // the Go field
	index       int
	value       any  // the literal, parsed
	fresh       bool // each call needs a value of its own: blank has none
}

// Signature is worked out at the first use: a start of the program pays for no
// function but the one it calls.
func (f *Func) Signature() *Signature {
	f.once.Do(func() {
		if f.sig == nil {
			f.sig = signature(f.args)
		}
	})
	return f.sig
}

// State declares a state function. Its arguments come by name. Under
// test=True it gets a Sys that refuses changes.
func State[A any](f func(*Ctx, A) Result) *Func {
	fn := declare[A](f)
	fn.call = func(c *Ctx, args []any, kw *value.Map) (any, error) {
		a, err := bind[A](fn, args, kw)
		if err != nil {
			return nil, err
		}
		if c.Test {
			c = c.With(true)
		}
		r := f(c, a)
		if r.err != nil {
			return nil, r.err
		}
		return r, nil
	}
	return fn
}

// Named declares what Python's def calls the function, where that is not the
// name that it is called by: "set_" for "set", and the other one for an alias.
func (f *Func) Named(def string) *Func {
	f.def = def
	return f
}

// Name is what Python's argument errors call the function.
func (f *Func) Name() string {
	if f.def == "" {
		return "function"
	}
	return f.def
}

// Touching declares what calls of the function touch, see Touches.
func (f *Func) Touching(what func(c *Ctx, kw *value.Map) (paths []string, ok bool)) *Func {
	f.Touches = what
	return f
}

// TouchesNothing is Touches of functions that look at nothing but their arguments.
func TouchesNothing(*Ctx, *value.Map) ([]string, bool) { return nil, true }

// Exec declares an execution function.
func Exec[A, R any](f func(*Ctx, A) (R, error)) *Func {
	fn := declare[A](f)
	fn.call = func(c *Ctx, args []any, kw *value.Map) (any, error) {
		a, err := bind[A](fn, args, kw)
		if err != nil {
			return nil, err
		}
		r, err := f(c, a)
		if err != nil {
			return nil, err
		}
		return value.Of(r), nil
	}
	return fn
}

// Dynamic declares a function whose signature is known at run time only, such
// as one of a custom module.
func Dynamic(sig Signature, call func(*Ctx, []any, *value.Map) (any, error)) *Func {
	return &Func{sig: &sig, call: call}
}

// Call checks the arguments against the signature and calls the function. An
// argument error is a value.Exception of class TypeError with Python's text.
func (f *Func) Call(c *Ctx, args []any, kw *value.Map) (any, error) { return f.call(c, args, kw) }

// NoArgs is the argument struct of a function without arguments.
type NoArgs struct{}

var _ sys.Sys = sys.Real{}

func declare[A any](f any) *Func {
	return &Func{Go: f, args: reflect.TypeFor[A]()}
}

// signature reads the py tags. A field tagged "*" (of type struct{}) starts the
// keyword-only ones. An unset tag is the literal that the function receives
// when the caller gives nothing, where Salt's own default depends on the
// machine (the user's shell): Default stays what manuals show.
func signature(t reflect.Type) *Signature {
	s := new(Signature)
	blank := reflect.New(t).Elem()
	only := false
	for i := range t.NumField() {
		f := t.Field(i)
		tag, ok := f.Tag.Lookup("py")
		switch {
		case !ok:
			continue
		case strings.HasPrefix(tag, "**"):
			s.Kwargs, s.kwargsField = tag[2:], i
			continue
		case tag == "*":
			only = true
			continue
		case strings.HasPrefix(tag, "*"):
			s.VarArgs, s.restField, only = tag[1:], i, true
			continue
		}
		name, def, has := strings.Cut(tag, "=")
		p := Param{Name: name, Default: def, Required: !has, KeywordOnly: only, Field: f.Name, index: i}
		if has {
			v, err := Literal(def)
			if err != nil {
				panic("salt: " + t.String() + "." + f.Name + ": " + err.Error())
			}
			p.value = v
		}
		if unset, ok := f.Tag.Lookup("unset"); ok {
			v, err := Literal(unset)
			if err != nil {
				panic("salt: " + t.String() + "." + f.Name + ": " + err.Error())
			}
			p.value = v
		}
		p.fresh = !share(blank.Field(i), p.value)
		s.Params = append(s.Params, p)
	}
	s.blank = blank.Interface()
	return s
}

// share puts a default into the blank struct, if calls can share it: a plain
// value that nobody can change.
func share(f reflect.Value, def any) bool {
	switch f.Kind() {
	case reflect.Interface, reflect.String, reflect.Bool, reflect.Int, reflect.Int64, reflect.Float64:
	default:
		return false
	}
	switch def.(type) {
	case nil, bool, string, int64, float64:
		return Assign(f, def) == nil
	}
	return false
}
