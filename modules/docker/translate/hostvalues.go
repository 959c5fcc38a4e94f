package translate

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"pinch/value"
	"pinch/value/py"
)

// bytesOf reads a size such as 512m; the units are b, k, m and g.
func bytesOf(v any) (any, error) {
	s, ok := v.(string)
	_, float := v.(float64)
	switch {
	case float || isInt(v):
		return v, nil
	case !ok:
		return nil, typeError("memory must be a number or text, not %s", value.TypeName(v))
	case s == "":
		return int64(0), nil
	}
	r := []rune(s)
	if n := len(r); n > 1 && unicode.IsLetter(r[n-2]) && (r[n-1] == 'b' || r[n-1] == 'B') {
		r = r[:n-1]
	}
	s = string(r)
	suffix := unicode.ToLower(r[len(r)-1])
	digits := string(r[:len(r)-1])
	if unicode.IsDigit(suffix) {
		digits, suffix = s, 'b'
	}
	at := strings.IndexRune("bkmg", suffix)
	if at < 0 {
		return nil, clientErrorf("The specified value for memory (%s) should specify the units. The postfix should be one of the `b` `k` `m` `g` characters", s)
	}
	f, err := py.Float(digits)
	if err != nil {
		return nil, clientErrorf("Failed converting the string value for memory (%s) to an integer.", digits)
	}
	return py.Int(f * math.Pow(1024, float64(at)))
}

func shmSize(v any) (any, error) {
	if _, ok := v.(string); ok {
		return bytesOf(v)
	}
	return v, nil
}

// devices reads HOST[:CONTAINER[:PERMISSIONS]].
func devices(v any) (any, error) {
	items, err := py.Items(v)
	out := value.L()
	for _, it := range items {
		switch it := it.(type) {
		case *value.Map:
			out.Append(it)
		case string:
			parts := strings.Split(it, ":")
			d := value.M("PathOnHost", parts[0], "PathInContainer", parts[0], "CgroupPermissions", "rwm")
			if len(parts) > 1 {
				d.Set("PathInContainer", parts[1])
			}
			if len(parts) > 2 {
				d.Set("CgroupPermissions", parts[2])
			}
			out.Append(d)
		default:
			return nil, clientErrorf("Invalid device type <class '%s'>", value.TypeName(it))
		}
	}
	return out, err
}

func strs(v any) (any, error) {
	items, err := py.Items(v)
	out := value.L()
	for _, it := range items {
		out.Append(value.Str(it))
	}
	return out, err
}

func strValues(v any) (any, error) {
	out := new(value.Map)
	for k, it := range v.(*value.Map).Items() {
		out.Set(k, value.Str(it))
	}
	return out, nil
}

func commas(v any) (any, error) {
	if s, ok := v.(string); ok {
		return value.Strings(strings.Split(s, ",")), nil
	}
	return v, nil
}

// bindList writes bind mounts as HOST:CONTAINER:MODE.
func bindList(v any) (any, error) {
	if l, ok := v.(*value.List); ok {
		return l, nil
	}
	m, ok := v.(*value.Map)
	if !ok {
		return nil, value.Errorf("AttributeError", "'%s' object has no attribute 'items'", value.TypeName(v))
	}
	out := value.L()
	for host, it := range m.Items() {
		b, ok := it.(*value.Map)
		if !ok {
			out.Append(host + ":" + value.Str(it) + ":rw")
			continue
		}
		mode := "rw"
		ro, hasRO := b.Get("ro")
		set, hasMode := b.Get("mode")
		target, hasBind := b.Get("bind")
		switch {
		case hasRO && hasMode:
			return nil, valueError(`Binding cannot contain both "ro" and "mode": %s`, value.Repr(b))
		case !hasBind:
			return nil, py.KeyError("bind")
		case hasRO && value.Truth(ro):
			mode = "ro"
		case hasMode:
			mode = value.Str(set)
		}
		if p, ok := b.At("propagation").(string); ok && slices.Contains([]string{"rshared", "shared", "rslave", "slave", "rprivate", "private"}, p) {
			if hasMode && !value.Truth(set) {
				mode = p
			} else {
				mode += "," + p
			}
		}
		out.Append(host + ":" + value.Str(target) + ":" + mode)
	}
	return out, nil
}

// bindingMap writes port bindings as PORT/PROTO: [{HostIp, HostPort}].
func bindingMap(v any) (any, error) {
	m, ok := v.(*value.Map)
	if !ok {
		return nil, value.Errorf("AttributeError", "'%s' object has no attribute 'items'", value.TypeName(v))
	}
	out := new(value.Map)
	for port, it := range m.Items() {
		if !strings.Contains(port, "/") {
			port += "/tcp"
		}
		all := value.L()
		items := []any{it}
		if l, ok := it.(*value.List); ok {
			items = l.Items
		}
		for _, one := range items {
			b, err := hostPort(one)
			if err != nil {
				return nil, err
			}
			all.Append(b)
		}
		out.Set(port, all)
	}
	return out, nil
}

func hostPort(v any) (*value.Map, error) {
	var ip, port any = "", v
	switch b := v.(type) {
	case value.Tuple:
		switch first, text := b[0].(string); {
		case len(b) == 2:
			ip, port = b[0], b[1]
		case text:
			ip, port = first, nil
		default:
			port = b[0]
		}
	case *value.Map:
		var ok bool
		if port, ok = b.Get("HostPort"); !ok {
			return nil, valueError("%s", value.Repr(b))
		}
		if b.Has("HostIp") {
			ip = b.At("HostIp")
		}
	}
	text := ""
	if port != nil {
		text = value.Str(port)
	}
	return value.M("HostIp", ip, "HostPort", text), nil
}

func sortedNames(m *value.Map) []string {
	var names []string
	for k := range m.Items() {
		names = append(names, k)
	}
	slices.Sort(names)
	return names
}

func hostList(v any) (any, error) {
	m, ok := v.(*value.Map)
	if !ok {
		return v, nil
	}
	out := value.L()
	for _, name := range sortedNames(m) {
		out.Append(name + ":" + value.Str(m.At(name)))
	}
	return out, nil
}

// linkList writes links as CONTAINER:ALIAS; pairs are such, too.
func linkList(v any) (any, error) {
	m, ok := v.(*value.Map)
	if !ok {
		m = new(value.Map)
		items, err := py.Items(v)
		if err != nil {
			return nil, err
		}
		for _, it := range items {
			pair, err := py.Items(it)
			switch n := len(pair); {
			case err != nil:
				return nil, err
			case n > 2:
				return nil, valueError("too many values to unpack (expected 2)")
			case n < 2:
				return nil, valueError("not enough values to unpack (expected 2, got %d)", n)
			}
			m.Set(value.Str(pair[0]), pair[1])
		}
	}
	out := value.L()
	for _, name := range sortedNames(m) {
		if a := m.At(name); value.Truth(a) {
			name += ":" + value.Str(a)
		}
		out.Append(name)
	}
	return out, nil
}

func lxcList(v any) (any, error) {
	m, ok := v.(*value.Map)
	if !ok {
		return v, nil
	}
	out := value.L()
	for k, it := range m.Items() {
		out.Append(value.M("Key", k, "Value", value.Str(it)))
	}
	return out, nil
}

// either is the value under one of two names, as the API and as the client
// write it.
func either(m *value.Map, a, b string) any {
	if v, ok := m.Get(a); ok {
		return v
	}
	return m.At(b)
}

func limitList(v any) (any, error) {
	out := value.L()
	for _, it := range v.(*value.List).Items {
		m, ok := it.(*value.Map)
		if !ok {
			return nil, typeError("docker.types.containers.Ulimit() argument after ** must be a mapping, not %s", value.TypeName(it))
		}
		name, soft, hard := either(m, "name", "Name"), either(m, "soft", "Soft"), either(m, "hard", "Hard")
		switch {
		case !isA(name, "str"):
			return nil, valueError("Ulimit.name must be a string")
		case value.Truth(soft) && !isInt(soft):
			return nil, valueError("Ulimit.soft must be an integer")
		case value.Truth(hard) && !isInt(hard):
			return nil, valueError("Ulimit.hard must be an integer")
		}
		out.Append(value.M("Name", name, "Soft", soft, "Hard", hard))
	}
	return out, nil
}

func logConfig(v any) (any, error) {
	m, ok := v.(*value.Map)
	if !ok {
		return nil, typeError("Invalid type for log_config param: expected LogConfig but found <class '%s'>", value.TypeName(v))
	}
	conf := either(m, "config", "Config")
	if !value.Truth(conf) {
		conf = new(value.Map)
	}
	if !isA(conf, "dict") {
		return nil, valueError("LogConfig.config must be a dictionary")
	}
	return value.M("Type", either(m, "type", "Type"), "Config", conf), nil
}

// mountMap reads tmpfs mounts: a map, or a list of PATH[:OPTIONS].
func mountMap(v any) (any, error) {
	if isA(v, "dict") {
		return v, nil
	}
	l, ok := v.(*value.List)
	if !ok {
		return nil, valueError("Expected tmpfs value to be either a list or a dict, found: %s", value.TypeName(v))
	}
	out := new(value.Map)
	for _, it := range l.Items {
		s, ok := it.(string)
		if !ok {
			return nil, valueError("Expected item in tmpfs list to be a string, found: %s", value.TypeName(it))
		}
		path, options, _ := strings.Cut(s, ":")
		out.Set(path, options)
	}
	return out, nil
}

func onlyHost(arg string) func(any) (any, error) {
	return func(v any) (any, error) {
		if !value.Equal(v, "host") {
			return nil, valueError("Invalid value for %s param: %s", arg, value.Str(v))
		}
		return v, nil
	}
}

// requestList reads device requests (GPUs).
func requestList(v any) (any, error) {
	out := value.L()
	for _, it := range v.(*value.List).Items {
		m, ok := it.(*value.Map)
		if !ok {
			return nil, typeError("docker.types.containers.DeviceRequest() argument after ** must be a mapping, not %s", value.TypeName(it))
		}
		r := new(value.Map)
		for _, f := range []struct {
			arg, name, takes, text string
			def                    any
		}{
			{"driver", "Driver", "str", "a string", ""},
			{"count", "Count", "int", "an integer", int64(0)},
			{"device_ids", "DeviceIDs", "list", "a list", value.L()},
			{"capabilities", "Capabilities", "list", "a list", value.L()},
			{"options", "Options", "dict", "a dict", new(value.Map)},
		} {
			v := either(m, f.arg, f.name)
			if v == nil {
				v = f.def
			}
			if !isA(v, f.takes) {
				return nil, valueError("DeviceRequest.%s must be %s", f.arg, f.text)
			}
			r.Set(f.name, v)
		}
		out.Append(r)
	}
	return out, nil
}
