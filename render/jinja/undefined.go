package jinja

import (
	"fmt"

	"pinch/value"
)

// A Policy is what an undefined value may be used for.
type Policy int

const (
	// Lenient undefined values print as nothing, are false and empty; anything
	// more fails. Jinja's Undefined.
	Lenient Policy = iota
	// Strict undefined values can be tested with "is defined" and take a
	// default; anything else fails. Jinja's StrictUndefined.
	Strict
	// Chainable is Lenient, and attributes and items of it are undefined again.
	Chainable
	// Debug is Lenient, but prints as {{ name }}.
	Debug
)

// An Undefined is the value of a missing variable, attribute or item.
type Undefined struct {
	Hint   string // the whole message, or ""
	Name   any    // the name or index that was looked up
	Obj    any    // where it was looked up
	HasObj bool   // false: Name is a variable
	Class  string // of the error; "" is UndefinedError
	Policy Policy

	types func(any) string // Input.Types
}

// Message is the text of the error that a wrong use gives.
func (u *Undefined) Message() string {
	if u.Hint != "" {
		return u.Hint
	}
	if !u.HasObj {
		return value.Repr(u.Name) + " is undefined"
	}
	if name, ok := u.Name.(string); ok {
		return value.Quote(u.typeText()) + " has no attribute " + value.Quote(name)
	}
	return u.typeText() + " has no element " + value.Repr(u.Name)
}

// UndefinedError is the error of a wrong use.
func (u *Undefined) UndefinedError() error {
	class := u.Class
	if class == "" {
		class = "UndefinedError"
	}
	return &MissingError{&value.Exception{Class: class, Msg: u.Message()}, u}
}

// A MissingError is the error of a wrong use of an undefined value.
type MissingError struct {
	*value.Exception
	Of *Undefined
}

// Unwrap gives the exception that Python has for it.
func (e *MissingError) Unwrap() error { return e.Exception }

// StrictErr is UndefinedError under Strict, else nil: for uses that the other policies
// allow (printing, looping, truth, length, comparing).
func (u *Undefined) StrictErr() error {
	if u.Policy == Strict {
		return u.UndefinedError()
	}
	return nil
}

// Text is what it prints as where that is allowed.
func (u *Undefined) Text() string {
	if u.Policy != Debug {
		return ""
	}
	switch {
	case u.Hint != "":
		return "{{ undefined value printed: " + u.Hint + " }}"
	case !u.HasObj:
		return "{{ " + value.Str(u.Name) + " }}"
	}
	return fmt.Sprintf("{{ no such element: %s[%s] }}", u.typeText(), value.Repr(u.Name))
}

// Repr is Python's repr of it, as inside a printed list.
func (u *Undefined) Repr() string { return "Undefined" }

// String is Text.
func (u *Undefined) String() string { return u.Text() }

// Truth is always false; see State.Truth for the policy.
func (u *Undefined) Truth() bool { return false }

// Len is always 0.
func (u *Undefined) Len() int { return 0 }

// Equal reports whether v is undefined too.
func (u *Undefined) Equal(v any) bool { _, ok := v.(*Undefined); return ok }

// TypeName is the Python class.
func (u *Undefined) TypeName() string {
	return [...]string{"Undefined", "StrictUndefined", "ChainableUndefined", "DebugUndefined"}[u.Policy]
}

// Undef makes the undefined value of a missing variable.
func (e *Env) Undef(name string) *Undefined { return &Undefined{Name: name, Policy: e.Undefined} }

// UndefAttr makes the undefined value of a missing attribute or item of obj.
func (s *State) UndefAttr(obj, name any) *Undefined {
	return &Undefined{Name: name, Obj: obj, HasObj: true, Policy: s.Env.Undefined, types: s.types}
}

// UndefHint makes an undefined value with its own message.
func (e *Env) UndefHint(hint, name string) *Undefined {
	return &Undefined{Hint: hint, Name: name, Policy: e.Undefined}
}

// TypeName is Python's type(v).__name__, also for host objects and what the
// engine makes itself.
func TypeName(v any) string {
	if o, ok := v.(interface{ TypeName() string }); ok {
		name := o.TypeName()
		for i := len(name) - 1; i >= 0; i-- {
			if name[i] == '.' {
				return name[i+1:]
			}
		}
		return name
	}
	return value.TypeName(v)
}

// typeText names the type of the object in the message, as "dict object".
func (u *Undefined) typeText() string {
	if u.types != nil {
		if name := u.types(u.Obj); name != "" {
			return name + " object"
		}
	}
	return typeText(u.Obj)
}

// typeText names the type of v in messages.
func typeText(v any) string {
	switch v.(type) {
	case nil:
		return "None"
	}
	if o, ok := v.(interface{ TypeName() string }); ok {
		return o.TypeName() + " object"
	}
	switch name := value.TypeName(v); name {
	case "datetime", "date":
		return "datetime." + name + " object"
	default:
		return name + " object"
	}
}
