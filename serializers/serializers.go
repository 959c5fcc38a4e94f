// Package serializers turns data into text and back by the names of Salt's
// serializers, for slsutil.serialize and file.serialize.
//
//	text, err := serializers.Serialize("json", data, value.M("indent", int64(2)))
//	data, err := serializers.Deserialize("yaml", text, nil)
//
// The options are those of the Python library behind each one.
package serializers

import (
	"errors"
	"strings"

	"pinch/render/jinja/filters"
	"pinch/render/yaml"
	"pinch/salt"
	"pinch/value"
)

// A format is one serializer.
type format struct {
	dump func(data any, o *value.Map) (any, error)
	load func(text string, o *value.Map) (any, error)
}

// formats are the serializers by Salt's names.
var formats = map[string]format{
	"json":         {dumpJSON, loadJSON},
	"yaml":         {dumpYAML, loadYAML},
	"yamlex":       {dumpYAMLex, loadYAMLex},
	"plist":        {dumpPlist, loadPlist},
	"toml":         {dumpTOML, loadTOML},
	"msgpack":      {dumpMsgpack, loadMsgpack},
	"configparser": {dumpINI, loadINI},
	"keyvalue":     {dumpKeyvalue, loadKeyvalue},
	"python":       {func(v any, _ *value.Map) (any, error) { return filters.PFormat(v), nil }, nil},
}

// unknown says that there is no such serializer.
func unknown(name string) error { return salt.CommandError("Serializer '%s' not found.", name) }

// Serialize writes data in the named format: text, or bytes for msgpack. It
// fails with a SerializationError for data that the format cannot hold, and a
// CommandExecutionError for a format that is not there.
func Serialize(name string, data any, o *value.Map) (any, error) {
	f := formats[name]
	if f.dump == nil {
		return nil, unknown(name)
	}
	out, err := f.dump(data, o)
	if err != nil {
		return nil, value.Errorf("SerializationError", "%s", text(err))
	}
	return out, nil
}

// Deserialize reads text in the named format. It fails with a
// DeserializationError for text that is wrong.
func Deserialize(name, s string, o *value.Map) (any, error) {
	f := formats[name]
	if f.load == nil {
		return nil, unknown(name)
	}
	out, err := f.load(s, o)
	if err != nil {
		return nil, value.Errorf("DeserializationError", "%s", text(err))
	}
	return out, nil
}

func text(err error) string {
	var x *value.Exception
	if errors.As(err, &x) {
		return x.Msg
	}
	return err.Error()
}

func dumpJSON(v any, o *value.Map) (any, error) {
	opt := value.JSONOptions{SortKeys: o.Truth("sort_keys"), ASCII: o.Truth("ensure_ascii")}
	if n, ok := o.At("indent").(int64); ok {
		opt.Indent, opt.Lines = int(n), true
	}
	if sep, ok := o.At("separators").(*value.List); ok && sep.Len() == 2 {
		opt.Compact = sep.Items[0] == "," && !opt.Lines
	}
	return value.JSON(v, opt)
}

func loadJSON(s string, _ *value.Map) (any, error) { return value.ParseJSON(s) }

func dumpYAML(v any, o *value.Map) (any, error) {
	opt := yaml.DumpOptions{
		SortOrdered: true,
		Flow:        yaml.StyleOf(o.At("default_flow_style")), ASCII: !o.Truth("allow_unicode"), ExplicitStart: o.Truth("explicit_start"),
		ExplicitEnd: o.Truth("explicit_end"), Canonical: o.Truth("canonical"), LineBreak: o.Str("line_break"), Version: version(o.At("version")),
	}
	for key, to := range map[string]*int{"indent": &opt.Indent, "width": &opt.Width} {
		if n, ok := o.At(key).(int64); ok {
			*to = int(n)
		}
	}
	if sort, ok := o.Get("sort_keys"); ok {
		opt.KeepOrder = !value.Truth(sort)
	}
	if style := o.Str("default_style"); style != "" {
		opt.Style = style[0]
	}
	out, err := yaml.Dump(v, opt)
	if s, ok := strings.CutSuffix(out, "\n...\n"); ok {
		return s, err
	}
	return strings.TrimSuffix(out, "\n"), err
}

// version is the text of a directive that Python gives as (1, 1).
func version(v any) string {
	if l, ok := v.(*value.List); ok && l.Len() == 2 {
		return value.Str(l.Items[0]) + "." + value.Str(l.Items[1])
	}
	return ""
}

// dumpYAMLex is yaml without the order of keys.
func dumpYAMLex(v any, o *value.Map) (any, error) {
	if o == nil || !o.Has("sort_keys") {
		o = o.Shallow()
		o.Set("sort_keys", false)
	}
	return dumpYAML(v, o)
}

func loadYAMLex(s string, _ *value.Map) (any, error) {
	v, _, err := yaml.LoadEx(s)
	return v, err
}

func loadYAML(s string, _ *value.Map) (any, error) { return yaml.Load("<unicode string>", s) }

func dumpMsgpack(v any, _ *value.Map) (any, error) { return value.Msgpack(v) }

func loadMsgpack(s string, _ *value.Map) (any, error) { return value.ParseMsgpack([]byte(s)) }
