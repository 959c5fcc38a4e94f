package config

import (
	"fmt"
	"strings"

	"pinch/value"
)

// ResolveSDB replaces the texts that begin with sdb:// in the options of the
// files, however deep, by what get gives for them. It stops at the first error.
func (c *Config) ResolveSDB(get func(uri string) (any, error)) error {
	for k := range c.set.Items() {
		v, err := resolve(c.Opts.At(k), get, 0)
		if err != nil {
			return fmt.Errorf("option %s: %w", k, err)
		}
		c.Opts.Set(k, v)
	}
	return nil
}

// HasSDB reports whether an option waits for ResolveSDB.
func (c *Config) HasSDB() bool {
	found := false
	for _, v := range c.set.All() {
		resolve(v, func(uri string) (any, error) { found = true; return uri, nil }, 0)
	}
	return found
}

func resolve(v any, get func(string) (any, error), depth int) (any, error) {
	if depth > 100 { // data that hold themselves
		return v, nil
	}
	switch v := v.(type) {
	case string:
		if strings.HasPrefix(v, "sdb://") {
			return get(v)
		}
	case *value.List:
		for i, it := range v.Items {
			n, err := resolve(it, get, depth+1)
			if err != nil {
				return nil, err
			}
			v.Items[i] = n
		}
	case *value.Map:
		for k, it := range v.All() {
			n, err := resolve(it, get, depth+1)
			if err != nil {
				return nil, err
			}
			v.SetKey(k, n) // k is a key already
		}
	}
	return v, nil
}

// Known reports whether Salt has an option of this name.
func Known(name string) bool {
	if kindsFor(name) != nil {
		return true
	}
	for i := range defaults {
		if defaults[i].name == name {
			return true
		}
	}
	return false
}
