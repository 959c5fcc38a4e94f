package grains

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type getArgs struct {
	Key       string `py:"key"`           // the path, its parts joined by the delimiter
	Default   any    `py:"default=''"`    // what to give when the path leads nowhere
	Delimiter string `py:"delimiter=':'"` // what stands between the parts of the path
	Ordered   bool   `py:"ordered=True"`  // False: a plain copy
}

// get returns a grain by its path: "os", "ip_interfaces:eth0:0".
func get(c *salt.Ctx, a getArgs) (any, error) {
	v := lookup(c, a.Key, a.Default, a.Delimiter)
	if !a.Ordered {
		v = value.Copy(v)
	}
	return v, nil
}

func lookup(c *salt.Ctx, key string, def any, delimiter string) any {
	return value.TraverseOr(c.Grains, key, def, delimiter)
}

type hasArgs struct {
	Key string `py:"key"` // the path
}

// hasValue reports whether there is such a grain, even without a value.
func hasValue(c *salt.Ctx, a hasArgs) (bool, error) {
	_, ok := value.Traverse(c.Grains, a.Key, ":")
	return ok, nil
}

type itemsArgs struct {
	Sanitize any `py:"sanitize=False"` // hide names and serial numbers
}

// items returns all grains.
func items(c *salt.Ctx, a itemsArgs) (any, error) {
	out := c.Grains.Shallow()
	if isTrue(a.Sanitize) {
		sanitize(out)
	}
	return out, nil
}

type itemArgs struct {
	Args   []any      `py:"*args"`    // the paths
	Kwargs *value.Map `py:"**kwargs"` // default, delimiter, sanitize
}

// item returns one or more grains by their paths.
func item(c *salt.Ctx, a itemArgs) (any, error) {
	def, ok := a.Kwargs.Get("default")
	if !ok {
		def = ""
	}
	delimiter := ":"
	if d, ok := a.Kwargs.At("delimiter").(string); ok {
		delimiter = d
	}
	out := new(value.Map)
	for _, key := range a.Args {
		if err := out.SetKey(key, value.TraverseOr(c.Grains, key, def, delimiter)); err != nil {
			return nil, err
		}
	}
	if isTrue(a.Kwargs.At("sanitize")) {
		sanitize(out)
	}
	return out, nil
}

// ls lists the names of all grains, sorted.
func ls(c *salt.Ctx, _ salt.NoArgs) ([]string, error) {
	var names []string
	for k := range c.Grains.Items() {
		names = append(names, k)
	}
	slices.Sort(names)
	return names, nil
}

type equalsArgs struct {
	Key   string `py:"key"`   // the path
	Value any    `py:"value"` // compared as text
}

// equals reports whether a grain has a value.
func equals(c *salt.Ctx, a equalsArgs) (bool, error) {
	return value.Str(a.Value) == value.Str(lookup(c, a.Key, "", ":")), nil
}

// isTrue is Salt's reading of a word for yes: "true" in any case, a positive
// number, or any other true value.
func isTrue(v any) bool {
	switch v := v.(type) {
	case string:
		return strings.EqualFold(v, "true")
	case int64:
		return v > 0
	case float64:
		return v > 0
	}
	return value.Truth(v)
}

// sanitize hides what tells one machine from another.
func sanitize(m *value.Map) {
	for key, hidden := range map[string]string{"domain": "DOMAINNAME", "fqdn": "MINION.DOMAINNAME", "id": "MINION.DOMAINNAME",
		"host": "MINION", "localhost": "MINION", "nodename": "MINION"} {
		if m.Has(key) {
			m.Set(key, hidden)
		}
	}
	if m.Has("serialnumber") {
		r := []rune(m.Str("serialnumber"))
		keep := len(r) * 3 / 4
		m.Set("serialnumber", string(r[:keep])+strings.Repeat("X", len(r)-keep))
	}
}
