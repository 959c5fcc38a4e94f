// Package translate turns the arguments of Salt's docker functions, which know
// the words of the docker command and those of the Python client, into what
// the Docker Engine API takes.
//
//	kw, err := translate.Container(value.M("publish", "8080:80"), translate.Options{ValidateIP: true})
//	// kw: port_bindings {80: 8080}, ports [80]
//	c, err := translate.Create("nginx", kw, nil, "1.47", nil)
//	// c.Body: {"Image": "nginx", "ExposedPorts": {"80/tcp": {}}, "HostConfig": {…}, …}
//
// What comes out of Container and Network are the arguments of docker-py's
// create_container and create_network, so that skip_translate lets through
// what Salt lets through.
package translate

import (
	"errors"

	"pinch/value"
	"pinch/value/py"
)

// Options say how arguments are read.
type Options struct {
	Skip             any  // skip_translate: True, a list of names, or names with commas
	IgnoreCollisions bool // of two names of one argument the client's wins
	ValidateIP       bool // addresses and networks must be some
	// Log takes what is odd but no error; nil: nobody hears it.
	Log func(text string)
}

// skipped are the names that Skip holds.
func (o Options) skipped() map[string]bool {
	names := map[string]bool{}
	if !value.Truth(o.Skip) {
		return names
	}
	items := o.Skip
	if s, ok := o.Skip.(string); ok {
		for _, name := range split(s, ",") {
			names[name] = true
		}
		return names
	}
	list, err := py.Items(items)
	if err != nil {
		o.log("skip_translate is not an iterable, ignoring")
	}
	for _, it := range list {
		if s, ok := it.(string); ok {
			names[s] = true
		}
	}
	return names
}

func (o Options) log(text string) {
	if o.Log != nil {
		o.Log(text)
	}
}

// A reader is the translation of one argument.
type reader func(v any, a *args) (any, error)

// args is a translation that is under way.
type args struct {
	Options
	kw      *value.Map
	skip    map[string]bool
	invalid *value.Map
}

// A kind is what is translated: containers or networks.
type kind struct {
	readers map[string]reader
	aliases [][2]string // an alias, and the client's name, in order
	merge   func(*args)
	finish  func(*args) error
	// single is the one argument whose list of maps stays one.
	single string
}

func (k *kind) alias(name string) string {
	for _, a := range k.aliases {
		if a[0] == name {
			return a[1]
		}
	}
	return name
}

// aliasOf is the alias that a collision names: the last one of a name.
func (k *kind) aliasOf(name string) string {
	found := ""
	for _, a := range k.aliases {
		if a[1] == name {
			found = a[0]
		}
	}
	return found
}

// errAsIs says that a value stays as it is: Python's has none of the methods
// that reading it takes.
var errAsIs = errors.New("as it is")

// translate reads all arguments. The given map stays as it is.
func (k *kind) translate(kw *value.Map, o Options) (*value.Map, error) {
	a := &args{Options: o, kw: new(value.Map), invalid: new(value.Map)}
	for name, v := range kw.Items() {
		if len(name) < 2 || name[:2] != "__" {
			a.kw.Set(name, value.Copy(v))
		}
	}
	if o.Skip == true {
		return a.kw, nil
	}
	a.skip = o.skipped()
	collisions, err := k.read(a)
	info := new(value.Map)
	if err != nil {
		info.Set("error_message", err.Error())
	}
	if a.invalid.Len() > 0 {
		info.Set("invalid", a.invalid)
	}
	if len(collisions) > 0 && !o.IgnoreCollisions {
		texts := value.L()
		for _, name := range collisions {
			texts.Append("'" + k.aliasOf(name) + "' is an alias for '" + name + "', they cannot both be used")
		}
		info.Set("collisions", texts)
	}
	if info.Len() > 0 {
		return nil, &Error{Msg: "Failed to translate input", Info: info}
	}
	return a.kw, nil
}

func (k *kind) read(a *args) (collisions []string, err error) {
	for _, key := range a.kw.Keys() {
		name := key.(string)
		real := k.alias(name)
		if a.skip[real] {
			continue
		}
		if name != k.single && isDictlist(a.kw.At(name)) {
			a.kw.Set(name, repack(a.kw.At(name)))
		}
		read := k.readers[real]
		if read == nil {
			continue
		}
		v, err := read(a.kw.At(name), a)
		var bad *invalid
		switch {
		case errors.As(err, &bad):
			a.kw.Pop(name)
			a.invalid.Set(name, bad.text)
		case errors.Is(err, errAsIs):
		case err != nil:
			return nil, err
		default:
			a.kw.Set(name, v)
		}
	}
	if k.merge != nil {
		k.merge(a)
	}
	for _, al := range k.aliases {
		v, ok := a.kw.Pop(al[0])
		switch {
		case !ok:
		case a.kw.Has(al[1]):
			collisions = append(collisions, al[1])
		default:
			a.kw.Set(al[1], v)
		}
	}
	if err := k.finish(a); err != nil && !errors.Is(err, errAsIs) {
		return collisions, err
	}
	return collisions, nil
}
