package salt

import (
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"pinch/value"
)

// bind fills the argument struct as Python binds a call. Names that begin with
// two underscores are the engine's and reach only functions with **kwargs.
func bind[A any](fn *Func, args []any, kw *value.Map) (a A, err error) {
	s := fn.Signature()
	if err := s.check(fn.Name, args, kw); err != nil {
		return a, err
	}
	a = s.blank.(A)
	v := reflect.ValueOf(&a).Elem()
	pos := 0
	for i := range s.Params {
		p := &s.Params[i]
		var x any
		switch w, given := kw.Get(p.Name); {
		case !p.KeywordOnly && pos < len(args):
			x = args[pos]
			pos++
		case given:
			x = w
		case !p.fresh:
			continue
		default:
			x = value.Copy(p.value)
		}
		f := v.Field(p.index)
		f.SetZero() // None leaves what is there
		if err := Assign(f, x); err != nil {
			return a, value.Errorf("TypeError", "%s: %s", p.Name, err)
		}
	}
	if s.Kwargs != "" {
		v.Field(s.kwargsField).Set(reflect.ValueOf(s.rest(kw)))
	}
	if s.VarArgs != "" {
		v.Field(s.restField).Set(reflect.ValueOf(args[pos:]))
	}
	return a, nil
}

func (s *Signature) rest(kw *value.Map) *value.Map {
	rest := new(value.Map)
	for k, x := range kw.All() {
		if name, ok := k.(string); !ok || s.Param(name) == nil {
			rest.SetKey(k, x)
		}
	}
	return rest
}

// Param finds a parameter by name, nil if there is none.
func (s *Signature) Param(name string) *Param {
	for i := range s.Params {
		if s.Params[i].Name == name {
			return &s.Params[i]
		}
	}
	return nil
}

// Unknown are the keywords that the function does not take, in their order;
// those of the engine (two underscores) are never unknown.
func (s *Signature) Unknown(kw *value.Map) []string {
	if s.Kwargs != "" {
		return nil
	}
	var bad []string
	for k := range kw.Items() {
		if !strings.HasPrefix(k, "__") && s.Param(k) == nil {
			bad = append(bad, k)
		}
	}
	return bad
}

// check gives Python's TypeError for a call that cannot be bound.
func (s *Signature) check(name func() string, args []any, kw *value.Map) error {
	if bad := s.Unknown(kw); len(bad) > 0 {
		return value.Errorf("TypeError", "%s() got an unexpected keyword argument '%s'", name(), bad[0])
	}
	var positional, required int
	for i := range s.Params {
		p := &s.Params[i]
		if p.KeywordOnly {
			continue
		}
		if positional < len(args) && kw.Has(p.Name) {
			return value.Errorf("TypeError", "%s() got multiple values for argument '%s'", name(), p.Name)
		}
		positional++
		if p.Required {
			required++
		}
	}
	if len(args) > positional && s.VarArgs == "" {
		takes, were := fmt.Sprint(positional), "were"
		if required < positional {
			takes = fmt.Sprintf("from %d to %d", required, positional)
		}
		plural := "s"
		if positional == 1 && required == positional {
			plural = ""
		}
		if len(args) == 1 {
			were = "was"
		}
		return value.Errorf("TypeError", "%s() takes %s positional argument%s but %d %s given", name(), takes, plural, len(args), were)
	}
	var missing, missingOnly []string
	for i := range s.Params {
		p := &s.Params[i]
		if !p.Required || kw.Has(p.Name) {
			continue
		}
		if p.KeywordOnly {
			missingOnly = append(missingOnly, p.Name)
		} else if i >= len(args) {
			missing = append(missing, p.Name)
		}
	}
	for kind, names := range map[string][]string{"positional": missing, "keyword-only": missingOnly} {
		if kind == "keyword-only" && len(missing) > 0 || len(names) == 0 {
			continue
		}
		return value.Errorf("TypeError", "%s() missing %d required %s argument%s: %s", name(), len(names), kind, plural(len(names)), enumerate(names))
	}
	return nil
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// enumerate joins names as Python does: 'a', 'b', and 'c'.
func enumerate(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = "'" + n + "'"
	}
	switch len(q) {
	case 1:
		return q[0]
	case 2:
		return q[0] + " and " + q[1]
	}
	return strings.Join(q[:len(q)-1], ", ") + ", and " + q[len(q)-1]
}

// Assign sets a struct field from a value. A field of type any takes it as it
// is; string takes Python's str() (None gives ""), bool its truth; pointers are
// nil for None, and those to maps and lists for everything that is false, as
// Python's "if context:" has it; numbers are read from numeric text too.
func Assign(f reflect.Value, x any) error {
	switch f.Kind() {
	case reflect.Interface:
		if x != nil {
			f.Set(reflect.ValueOf(x))
		}
		return nil
	case reflect.String:
		if x != nil {
			f.SetString(value.Str(x))
		}
		return nil
	case reflect.Bool:
		f.SetBool(value.Truth(x))
		return nil
	case reflect.Int64, reflect.Int:
		n, err := integer(x)
		f.SetInt(n)
		return err
	case reflect.Float64:
		n, err := float(x)
		f.SetFloat(n)
		return err
	case reflect.Slice:
		return assignStrings(f, x)
	case reflect.Pointer:
		if x == nil {
			return nil
		}
		if reflect.TypeOf(x) == f.Type() {
			f.Set(reflect.ValueOf(x))
			return nil
		}
		switch f.Type().Elem() {
		case reflect.TypeFor[value.Map]():
			if !value.Truth(x) {
				return nil
			}
			return fmt.Errorf("want a mapping, not %s", value.Repr(x))
		case reflect.TypeFor[value.List]():
			if t, ok := x.(value.Tuple); ok {
				f.Set(reflect.ValueOf(value.L(t...)))
				return nil
			}
			if !value.Truth(x) {
				return nil
			}
			return fmt.Errorf("want a list, not %s", value.Repr(x))
		}
		f.Set(reflect.New(f.Type().Elem()))
		return Assign(f.Elem(), x)
	}
	return fmt.Errorf("salt: no rule for a %s argument", f.Type())
}

// assignStrings fills a []string from a list, or from one text.
func assignStrings(f reflect.Value, x any) error {
	var out []string
	switch x := x.(type) {
	case nil:
		return nil
	case *value.List:
		for _, it := range x.Items {
			out = append(out, value.Str(it))
		}
	case value.Tuple:
		for _, it := range x {
			out = append(out, value.Str(it))
		}
	default:
		out = []string{value.Str(x)}
	}
	f.Set(reflect.ValueOf(out))
	return nil
}

func integer(x any) (int64, error) {
	switch x := x.(type) {
	case nil:
		return 0, nil
	case int64:
		return x, nil
	case bool:
		if x {
			return 1, nil
		}
		return 0, nil
	case float64:
		return int64(x), nil
	case string:
		n, err := strconv.ParseInt(strings.TrimSpace(x), 10, 64)
		if err != nil {
			return 0, fmt.Errorf("invalid literal for int() with base 10: %s", value.Repr(x))
		}
		return n, nil
	case *big.Int:
		return 0, fmt.Errorf("%s is too large", x)
	}
	return 0, fmt.Errorf("want a number, not %s", value.Repr(x))
}

func float(x any) (float64, error) {
	if s, ok := x.(string); ok {
		f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil {
			return 0, fmt.Errorf("could not convert string to float: %s", value.Repr(s))
		}
		return f, nil
	}
	if f, ok := x.(float64); ok {
		return f, nil
	}
	n, err := integer(x)
	return float64(n), err
}
