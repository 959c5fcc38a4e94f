package sysmod

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type specArgs struct {
	Module string `py:"module=''"` // a module, a function or a glob
}

// argspec tells what execution functions take.
func argspec(c *salt.Ctx, a specArgs) (*value.Map, error) { return specs(c, "exec", a.Module), nil }

// stateArgspec tells what state functions take.
func stateArgspec(c *salt.Ctx, a specArgs) (*value.Map, error) {
	return specs(c, "states", a.Module), nil
}

// runnerArgspec is empty: runners belong to a master.
func runnerArgspec(_ *salt.Ctx, _ specArgs) (*value.Map, error) { return new(value.Map), nil }

// returnerArgspec is empty: returners are no functions here.
func returnerArgspec(_ *salt.Ctx, _ specArgs) (*value.Map, error) { return new(value.Map), nil }

func specs(c *salt.Ctx, kind, word string) *value.Map {
	out := new(value.Map)
	for _, name := range names(c, kind, []any{word}) {
		if f := find(c, kind, name); f != nil {
			out.Set(name, spec(f.Signature()))
		}
	}
	return out
}

func spec(s *salt.Signature) *value.Map {
	args, defaults := new(value.List), new(value.List)
	for _, p := range s.Params {
		if p.KeywordOnly {
			continue
		}
		args.Append(p.Name)
		if !p.Required {
			defaults.Append(literal(p))
		}
	}
	return value.M("args", orNone(args), "defaults", orNone(defaults), "varargs", yes(s.VarArgs), "kwargs", yes(s.Kwargs))
}

func literal(p salt.Param) any {
	v, err := salt.Literal(p.Default)
	if err != nil || v == salt.NotSet {
		return p.Default
	}
	return v
}

func orNone(l *value.List) any {
	if l.Len() == 0 {
		return nil
	}
	return l
}

func yes(name string) any {
	if name == "" {
		return nil
	}
	return true
}

// stateSchema gives JSON schemas for the arguments of states.
func stateSchema(c *salt.Ctx, a specArgs) (*value.List, error) {
	out := new(value.List)
	for _, name := range names(c, "states", []any{a.Module}) {
		f := find(c, "states", name)
		if f == nil {
			continue
		}
		props, order := new(value.Map), new(value.List)
		for _, p := range f.Signature().Params {
			props.Set(p.Name, value.M("oneOf", value.L(value.M("type", kind(p), "title", p.Name, "description", ""))))
			order.Append(p.Name)
		}
		text := ""
		if d := manual(c, "states", name); d != nil {
			text, _, _ = strings.Cut(value.Str(d), "\n")
		}
		out.Append(value.M("$schema", "http://json-schema.org/draft-07/schema#", "title", name, "description", text,
			"type", "object", "properties", props, "x-ordering", order, "additionalProperties", f.Signature().Kwargs != ""))
	}
	return out, nil
}

// kind is the JSON type of a default.
func kind(p salt.Param) string {
	if p.Required {
		return "string"
	}
	switch literal(p).(type) {
	case bool:
		return "boolean"
	case int64:
		return "integer"
	case float64:
		return "number"
	case *value.List, value.Tuple:
		return "array"
	case *value.Map:
		return "object"
	}
	return "string"
}
