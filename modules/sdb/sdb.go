// Package sdb holds Salt's sdb module: values that live in a store of their
// own, addressed as sdb://PROFILE/KEY. A profile is an option (or pillar key)
// with the store's driver: env (environment variables) and yaml (files) are
// built in. Its main variable is Module.
//
//	# minion.d/secrets.conf
//	secrets:
//	  driver: yaml
//	  files: [/etc/salt/secrets.yaml]
//
//	{{ salt['sdb.get']('sdb://secrets/db:password') }}
package sdb

import (
	"crypto/rand"
	"fmt"
	"math/big"
	"os"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's sdb module.
var Module = salt.Module{
	Name: "sdb",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"delete":          salt.Exec(delete_),
			"get":             salt.Exec(get),
			"get_or_set_hash": salt.Exec(getOrSetHash),
			"set":             salt.Exec(set).Named("set_"),
		}
	},
}

const scheme = "sdb://"

// An address is what a URI names.
type address struct {
	driver  string
	key     string
	profile *value.Map
}

// parse takes a URI apart; the error says what is wrong with it.
func parse(c *salt.Ctx, uri any) (a address, err error) {
	s, _ := uri.(string)
	s, ok := strings.CutPrefix(s, scheme)
	if !ok {
		return a, salt.InvocationError(`SDB uri must start with "sdb://"`)
	}
	name, key, _ := strings.Cut(s, "/")
	if key == "" {
		return a, salt.InvocationError("SDB uri must have a profile name as a first part of the uri before the /")
	}
	profile, _ := c.Opts.At(name).(*value.Map)
	if profile.Len() == 0 && c.Pillar != nil {
		profile, _ = c.Pillar.At(name).(*value.Map)
	}
	if !profile.Has("driver") {
		return a, salt.InvocationError(`SDB profile "%s" wasnt found in the minion configuration`, name)
	}
	return address{profile.Str("driver"), key, profile}, nil
}

// custom calls the driver of a custom module. found is false when there is
// none of that name.
func (a address) custom(c *salt.Ctx, verb string, args ...any) (v any, found bool, err error) {
	cu := c.Run.Custom
	if cu == nil {
		return nil, false, nil
	}
	file := a.driver
	if !cu.Has(c, "sdb", file) {
		if file == "env" || file == "yaml" {
			return nil, false, nil
		}
		if file = cu.FileOf(c, "sdb", a.driver); file == "" {
			return nil, false, nil
		}
	}
	v, err = cu.Call(c, "sdb", file, verb, args, value.M("profile", a.profile))
	return v, true, err
}

func (a address) unknown(verb string) error {
	return value.Errorf("KeyError", "'%s.%s'", a.driver, verb)
}

type getArgs struct {
	URI    any  `py:"uri"`          // sdb://PROFILE/KEY
	Strict bool `py:"strict=False"` // an address without a store is an error, not a plain text
}

// get returns the value at an address. A text that is no address of a
// configured store is returned as it is, unless strict.
func get(c *salt.Ctx, a getArgs) (any, error) {
	at, err := parse(c, a.URI)
	if err != nil {
		if a.Strict {
			return nil, err
		}
		return a.URI, nil
	}
	if v, ok, err := at.custom(c, "get", at.key); ok {
		return v, err
	}
	switch at.driver {
	case "env":
		if v, ok := os.LookupEnv(at.key); ok {
			return v, nil
		}
		return nil, nil
	case "yaml":
		return fromYAML(c, at)
	}
	return nil, at.unknown("get")
}

// fromYAML looks a path up in the files of a profile, merged.
func fromYAML(c *salt.Ctx, at address) (any, error) {
	all := new(value.Map)
	how := at.profile.Map("merge")
	strategy, renderer := "smart", "yaml"
	if s := how.Str("strategy"); s != "" {
		strategy = s
	}
	if s := how.Str("renderer"); s != "" {
		renderer = s
	}
	pipe := "yaml"
	if at.profile.Truth("gpg") {
		pipe = "yaml|gpg"
	}
	if l := at.profile.List("files"); l != nil {
		for _, it := range l.Items {
			name := value.Str(it)
			b, err := c.Sys.ReadFile(name)
			if err != nil {
				c.Log.Error("File '" + name + "' not found ")
				continue
			}
			d, err := c.RenderData(c, salt.Template{Text: string(b), Name: name, File: name, Engine: pipe})
			if err != nil {
				return nil, err
			}
			m, ok := d.Value.(*value.Map)
			if !ok {
				c.Log.Error("Error deserializing sdb file '" + name + "': want a mapping, not " + value.TypeName(d.Value))
				continue
			}
			all = value.Merge(all, m, strategy, renderer, how.Truth("merge_lists"))
		}
	}
	v, _ := value.Traverse(all, at.key, ":")
	return v, nil
}

type setArgs struct {
	URI   any `py:"uri"`   // sdb://PROFILE/KEY
	Value any `py:"value"` // the new value
}

// set sets the value at an address; False when that is none. The driver env
// keeps a variable that is set already, and returns it.
func set(c *salt.Ctx, a setArgs) (any, error) {
	at, err := parse(c, a.URI)
	if err != nil {
		return false, nil
	}
	if v, ok, err := at.custom(c, "set", at.key, a.Value); ok {
		return v, err
	}
	switch at.driver {
	case "env":
		if v, ok := os.LookupEnv(at.key); ok {
			return v, nil
		}
		return a.Value, os.Setenv(at.key, value.Str(a.Value))
	case "yaml":
		return nil, fmt.Errorf("sdb: the driver yaml cannot set values")
	}
	return nil, at.unknown("set")
}

type deleteArgs struct {
	URI any `py:"uri"` // sdb://PROFILE/KEY
}

// delete_ removes the value at an address; False when that is none.
func delete_(c *salt.Ctx, a deleteArgs) (any, error) {
	at, err := parse(c, a.URI)
	if err != nil {
		return false, nil
	}
	if v, ok, err := at.custom(c, "delete", at.key); ok {
		return v, err
	}
	return nil, at.unknown("delete")
}

type hashArgs struct {
	URI    any    `py:"uri"`                                                        // sdb://PROFILE/KEY
	Length int    `py:"length=8"`                                                   // characters
	Chars  string `py:"chars='abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)'"` // the characters to choose from
}

// getOrSetHash returns the value at an address; where there is none, it stores
// and returns a random one.
func getOrSetHash(c *salt.Ctx, a hashArgs) (any, error) {
	if s, ok := a.URI.(string); !ok || !strings.HasPrefix(s, scheme) {
		return false, nil
	}
	v, err := get(c, getArgs{URI: a.URI})
	if v != nil || err != nil {
		return v, err
	}
	chars := []rune(a.Chars)
	if len(chars) == 0 {
		return nil, salt.InvocationError("get_or_set_hash: no characters to choose from")
	}
	var b strings.Builder
	for range a.Length {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(chars))))
		if err != nil {
			return nil, err
		}
		b.WriteRune(chars[n.Int64()])
	}
	_, err = set(c, setArgs{a.URI, b.String()})
	return b.String(), err
}
