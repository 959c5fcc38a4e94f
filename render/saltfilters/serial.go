package saltfilters

import (
	"errors"
	"strings"

	"pinch/render/jinja"
	"pinch/render/jinja/filters"
	"pinch/render/yaml"
	"pinch/value"
	"pinch/value/py"
)

func serialFilters() []filters.Entry {
	method := func(name, python string, do func(*jinja.Call, []any) (any, error), optional ...any) filters.Entry {
		s := sig("SerializerExtension."+python, "value", optional...)
		s.Hidden = 1
		return entry(name, s, strict(do))
	}
	return []filters.Entry{
		method("json", "format_json", formatJSON, "sort_keys", true, "indent", nil),
		method("yaml", "format_yaml", formatYAML, "flow_style", true),
		method("xml", "format_xml", formatXML),
		method("python", "format_python", func(_ *jinja.Call, a []any) (any, error) { return py.Markup(filters.PFormat(a[0])), nil }),
		method("load_yaml", "load_yaml", loadYAML),
		method("load_json", "load_json", loadJSON),
		method("load_text", "load_text", func(_ *jinja.Call, a []any) (any, error) { return moduleText(a[0]), nil }),
		method("dict_to_sls_yaml_params", "dict_to_sls_yaml_params", slsParams, "flow_style", false),
		entry("tojson", sig("tojson", "val", "indent", nil, "**"), strict(toJSON)),
		entry("yaml_dquote", sig("yaml_dquote", "text"), func(c *jinja.Call, a []any) (any, error) {
			s, err := c.State.Str(a[0])
			return yaml.Dquote(s), err
		}),
		entry("yaml_squote", sig("yaml_squote", "text"), func(c *jinja.Call, a []any) (any, error) {
			s, err := c.State.Str(a[0])
			return yaml.Squote(s), err
		}),
		entry("yaml_encode", sig("yaml_encode", "data"), yamlEncode),
	}
}

func jsonIndent(o *value.JSONOptions, v any) {
	if s, ok := py.Text(v); ok {
		o.Tab, o.Lines = s, true
	} else if n, err := py.AsIndex(v); err == nil {
		o.Indent, o.Lines = int(max(n, 0)), true
	}
}

func formatJSON(_ *jinja.Call, a []any) (any, error) {
	o := value.JSONOptions{SortKeys: value.Truth(a[1])}
	jsonIndent(&o, a[2])
	s, err := value.JSON(py.Plain(a[0]), o)
	return py.Markup(strings.TrimSpace(s)), err
}

// toJSON takes json.dumps' own options too.
func toJSON(_ *jinja.Call, a []any) (any, error) {
	o := value.JSONOptions{ASCII: true}
	jsonIndent(&o, a[1])
	for k, v := range a[2].(*value.Map).Items() {
		switch k {
		case "sort_keys":
			o.SortKeys = value.Truth(v)
		case "ensure_ascii":
			o.ASCII = value.Truth(v)
		case "separators":
			items, err := py.Items(v)
			if err != nil {
				return nil, err
			}
			o.Compact = len(items) == 2 && items[0] == "," && items[1] == ":"
		case "default", "cls", "check_circular", "allow_nan", "skipkeys":
		default:
			return nil, typeError("JSONEncoder.__init__() got an unexpected keyword argument '%s'", k)
		}
	}
	s, err := value.JSON(py.Plain(a[0]), o)
	return string(filters.HTMLSafe(s)), err
}

func formatYAML(_ *jinja.Call, a []any) (any, error) {
	s, err := yaml.Filter(py.Plain(a[0]), yaml.StyleOf(a[1]))
	return py.Markup(s), err
}

// slsParams lists each key of a dict as a dict of its own, as states take them.
func slsParams(c *jinja.Call, a []any) (any, error) {
	m, ok := a[0].(*value.Map)
	if !ok {
		_, err := py.Attr(a[0], "items")
		return nil, err
	}
	l := new(value.List)
	for k, v := range m.All() {
		one := value.NewMap(1)
		if err := one.SetKey(k, v); err != nil {
			return nil, err
		}
		l.Append(one)
	}
	return formatYAML(c, []any{l, a[1]})
}

func yamlEncode(_ *jinja.Call, a []any) (any, error) {
	if u, ok := a[0].(*jinja.Undefined); ok {
		return nil, value.Errorf("RepresenterError", "('cannot represent an object', %s)", u.Repr())
	}
	s, err := yaml.Encode(py.Plain(a[0]))
	return s, err
}

// moduleText gives the text of an imported template.
func moduleText(v any) any {
	if m, ok := v.(*jinja.Module); ok {
		return value.Str(m)
	}
	return v
}

func runtimeError(format string, a ...any) error {
	return value.Errorf("TemplateRuntimeError", format, a...)
}

func loadYAML(_ *jinja.Call, a []any) (any, error) {
	v := moduleText(a[0])
	s, ok := py.Text(v)
	if b, is := v.([]byte); is {
		s, ok = string(b), true
	}
	if !ok {
		return nil, typeError("a string or stream input is required")
	}
	return LoadYAML(s)
}

// LoadYAML is the filter load_yaml on a text; the tags load_yaml and
// import_yaml do the same.
func LoadYAML(text string) (any, error) {
	out, err := yaml.Load("<unicode string>", text)
	var e *yaml.Error
	if errors.As(err, &e) && strings.HasSuffix(e.Class, "Error") && e.Class != "ValueError" {
		return nil, runtimeError("Encountered error loading yaml: %s", e.Message)
	}
	return out, err
}

func loadJSON(c *jinja.Call, a []any) (any, error) {
	v := moduleText(a[0])
	s, ok := py.Text(v)
	if b, is := v.([]byte); is {
		s, ok = string(b), true
	}
	if ok {
		return LoadJSON(s)
	}
	s, err := c.State.Str(v)
	if err != nil {
		return nil, err
	}
	return nil, noJSON(s)
}

// LoadJSON is the filter load_json on a text; the tags load_json and
// import_json do the same.
func LoadJSON(text string) (any, error) {
	out, err := value.ParseJSON(text)
	if err != nil {
		return nil, noJSON(text)
	}
	return out, nil
}

func noJSON(text string) error { return runtimeError("Unable to load json from %s", text) }
