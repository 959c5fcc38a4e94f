package config

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"pinch/value"
)

// A kind is a type that an option may have.
type kind int

const (
	none kind = iota
	text
	boolean
	integer
	decimal
	sequence
	tuple
	mapping
	other
)

var kindNames = [...]string{"NoneType", "str", "bool", "int", "float", "list", "tuple", "dict", "object"}

func (k kind) String() string { return kindNames[k] }

func kindOf(v any) kind {
	switch v.(type) {
	case nil:
		return none
	case string:
		return text
	case bool:
		return boolean
	case int64, *big.Int:
		return integer
	case float64:
		return decimal
	case *value.List:
		return sequence
	case value.Tuple:
		return tuple
	case *value.Map:
		return mapping
	}
	return other
}

// kindsFor are the types of an option; nil for one that Salt does not know.
func kindsFor(name string) []kind {
	if name == "" || strings.ContainsAny(name, " \n") {
		return nil
	}
	for _, k := range known {
		for word := range strings.FieldsSeq(k.names) {
			if word == name {
				return k.kinds
			}
		}
	}
	return nil
}

// validate warns about options with a value of the wrong type, in Salt's words.
func (c *Config) validate() {
	for k := range c.set.All() {
		name, ok := k.(string)
		if !ok {
			continue
		}
		v := c.Opts.At(name) // as it is in force
		kinds := kindsFor(name)
		if s, ok := v.(string); kinds == nil || ok && strings.HasPrefix(s, "sdb://") || fits(v, kinds) {
			continue
		}
		c.log.Warn(fmt.Sprintf("Config option '%s' with value %s has an invalid type of %s, a %s is required for this option",
			name, value.Str(v), value.TypeName(v), joinKinds(kinds)))
	}
	if l, ok := c.Opts.At("return").(*value.List); ok {
		c.Opts.Set("return", strings.Join(words(l), ","))
	}
}

func joinKinds(kinds []kind) string {
	s := make([]string, len(kinds))
	for i, k := range kinds {
		s[i] = k.String()
	}
	if len(s) == 1 {
		return s[0]
	}
	return strings.Join(s[:len(s)-1], ", ") + " or " + s[len(s)-1]
}

// fits reports whether Salt takes v for an option of these types: a value of
// one of them, or one that Python's type(v) accepts and Salt does not rule out.
func fits(v any, kinds []kind) bool {
	k := kindOf(v)
	if slices.Contains(kinds, k) || k == boolean && len(kinds) == 1 && kinds[0] == text {
		return true
	}
	for _, want := range kinds {
		if want == mapping && len(kinds) > 1 {
			continue
		}
		if converts(v, k, want) && !ruledOut(k, want, kinds) {
			return true
		}
	}
	return false
}

// converts reports whether Python's want(v) succeeds.
func converts(v any, k, want kind) bool {
	switch want {
	case text, boolean:
		return true
	case integer:
		return k == boolean || k == decimal || k == integer || k == text && isInt(v.(string))
	case decimal:
		return k == boolean || k == decimal || k == integer || k == text && isFloat(v.(string))
	case sequence, tuple:
		return k == text || k == sequence || k == tuple || k == mapping
	case mapping:
		l, ok := v.(*value.List)
		return value.Equal(v, "") || ok && !slices.ContainsFunc(l.Items, func(it any) bool { n, ok := value.Len(it); return !ok || n != 2 })
	}
	return false
}

// ruledOut are conversions that succeed in Python and mean nothing.
func ruledOut(k, want kind, kinds []kind) bool {
	not := map[kind][]kind{
		text: {sequence, tuple, mapping}, sequence: {mapping, text}, tuple: {mapping, text},
		boolean: {sequence, tuple, text, integer, decimal, mapping, none}, integer: {boolean, decimal}, decimal: {boolean},
	}[want]
	return slices.Contains(not, k) && !(len(kinds) > 1 && slices.Contains(kinds, k))
}

func isInt(s string) bool {
	_, err := strconv.ParseInt(strings.ReplaceAll(strings.TrimSpace(s), "_", ""), 10, 64)
	return err == nil
}

func isFloat(s string) bool {
	_, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return err == nil
}
