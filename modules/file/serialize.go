package file

import (
	"errors"
	"strings"

	"pinch/render/yaml"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type serializeArgs struct {
	Name        string     `py:"name"`                     // the file
	Dataset     any        `py:"dataset=None"`             // the data
	Pillar      any        `py:"dataset_pillar=None"`      // the pillar key that holds them
	User        any        `py:"user=None"`                // the owner
	Group       any        `py:"group=None"`               // the group
	Mode        any        `py:"mode=None"`                // the mode
	Backup      string     `py:"backup=''"`                // minion: the old file is saved in cachedir/file_backup
	Makedirs    bool       `py:"makedirs=False"`           // makes the missing folders above
	ShowChanges bool       `py:"show_changes=True"`        // False keeps the diff out of the result
	Create      bool       `py:"create=True"`              // False manages only a file that is there
	Merge       bool       `py:"merge_if_exists=False"`    // lays the data over those of the file that is there
	Encoding    string     `py:"encoding=None"`            // how the file is encoded
	EncErrors   string     `py:"encoding_errors='strict'"` // what becomes of characters that the encoding lacks
	Serializer  any        `py:"serializer=None"`          // yaml, json, toml, configparser, msgpack …; yaml by default
	Opts        any        `py:"serializer_opts=None"`     // options for it, such as indent
	DeOpts      any        `py:"deserializer_opts=None"`   // options for reading the file that is there
	CheckCmd    string     `py:"check_cmd=None"`           // a command that gets the path of the new file and must succeed
	TmpDir      any        `py:"tmp_dir=None"`             // where the file for check_cmd lies
	TmpExt      string     `py:"tmp_ext=''"`               // what its name ends in
	Kwargs      *value.Map `py:"**kwargs"`                 // formatter: the old name of serializer
}

// serialize writes data to a file, in YAML, JSON or another form.
//
//	/etc/app.json:
//	  file.serialize:
//	    - serializer: json
//	    - dataset:
//	        port: 8080
func serialize(c *salt.Ctx, a serializeArgs) salt.Result {
	name := expandUser(c, a.Name)
	s := &serializing{serializeArgs: a, name: name}
	r := s.run(c)
	r.Warnings = append(r.Warnings, s.warnings...)
	return renamed(a.Name, name, r)
}

// serializing is one run of file.serialize.
type serializing struct {
	serializeArgs
	name             string
	format           string
	existing, merged *value.Map // of merge_if_exists
	warnings         []string
}

func (s *serializing) run(c *salt.Ctx) salt.Result {
	if s.name == "" {
		return salt.Failed("Must provide name to file.serialize")
	}
	there := sys.IsFile(c.Sys, s.name)
	if !s.Create && !there {
		return salt.Correct("File %s is not present and is not set for creation", s.name)
	}
	formatter := s.Kwargs.At("formatter")
	if value.Truth(s.Serializer) && value.Truth(formatter) {
		return salt.Failed("Only one of serializer and formatter are allowed")
	}
	s.format = "yaml"
	for _, v := range []any{formatter, s.Serializer} {
		if value.Truth(v) {
			s.format = strings.ToLower(value.Str(v))
		}
	}
	data, bad := s.data(c)
	if bad != nil {
		return *bad
	}
	if s.Merge && there {
		var done *salt.Result
		if data, done = s.merge(c, data); done != nil {
			return *done
		}
	} else if !s.Merge && value.Truth(s.DeOpts) {
		s.warnings = append(s.warnings, "The 'deserializer_opts' option is ignored unless merge_if_exists is set to True.")
	}
	out, err := s.encode(c, data)
	if err != nil {
		return s.unserializable(err)
	}
	return s.write(c, out)
}

func (s *serializing) data(c *salt.Ctx) (any, *salt.Result) {
	fail := func(msg string) (any, *salt.Result) {
		r := salt.Failed("%s", msg)
		return nil, &r
	}
	if value.Truth(s.Dataset) && value.Truth(s.Pillar) {
		return fail("Only one of 'dataset' and 'dataset_pillar' is permitted")
	}
	data := s.Dataset
	if value.Truth(s.Pillar) {
		v, ok := value.Traverse(c.Pillar, s.Pillar, ":")
		if data = v; !ok {
			data = ""
		}
	}
	if data == nil {
		return fail("Neither 'dataset' nor 'dataset_pillar' was defined")
	}
	return data, nil
}

// merge lays the data over those of the file. The result is final.
func (s *serializing) merge(c *salt.Ctx, data any) (any, *salt.Result) {
	b, err := c.Sys.ReadFile(s.name)
	var old any
	if err == nil {
		old, err = s.decode(c, b)
	}
	if err != nil {
		if noSerializer(err) {
			r := s.unserializable(err)
			return nil, &r
		}
		r := salt.Failed("Failed to deserialize existing data: %s: %s", s.name, text(err))
		return nil, &r
	}
	if old == nil {
		return data, nil
	}
	oldMap, ok1 := old.(*value.Map)
	newMap, ok2 := data.(*value.Map)
	if !ok1 || !ok2 {
		return s.mergeOther(old, data)
	}
	s.existing = oldMap
	s.merged = overlay(value.Copy(oldMap).(*value.Map), newMap)
	if value.Equal(oldMap, s.merged) {
		r := salt.Correct("The file %s is in the correct state", s.name)
		return nil, &r
	}
	return s.merged, nil
}

// mergeOther merges two lists: what the file lacks goes behind what it has.
// Other data cannot be merged. (Salt ends in a TypeError for both.)
func (s *serializing) mergeOther(old, data any) (any, *salt.Result) {
	a, ok1 := old.(*value.List)
	b, ok2 := data.(*value.List)
	if !ok1 || !ok2 {
		r := salt.Failed("Failed to merge existing data: %s holds a %s, the dataset is a %s", s.name, value.TypeName(old), value.TypeName(data))
		return nil, &r
	}
	out := value.L(a.Items...)
	for _, v := range b.Items {
		if !contains(out, v) {
			out.Append(v)
		}
	}
	if out.Len() == a.Len() {
		r := salt.Correct("The file %s is in the correct state", s.name)
		return nil, &r
	}
	return out, nil
}

func contains(l *value.List, v any) bool {
	for _, x := range l.Items {
		if value.Equal(x, v) {
			return true
		}
	}
	return false
}

// overlay puts top over m, map by map; lists are replaced.
func overlay(m, top *value.Map) *value.Map {
	for k, v := range top.All() {
		old, _ := m.GetKey(k)
		sub, ok1 := old.(*value.Map)
		with, ok2 := v.(*value.Map)
		if ok1 && ok2 {
			v = overlay(sub, with)
		}
		m.SetKey(k, v)
	}
	return m
}

// dataDiff tells what differs between two maps, key by key.
func dataDiff(old, now *value.Map) *value.Map {
	out := new(value.Map)
	for k, v := range now.All() {
		w, ok := old.GetKey(k)
		switch {
		case !ok:
			out.SetKey(k, value.M("new", v, "old", "<_null_>"))
		case value.Equal(v, w):
		default:
			a, ok1 := w.(*value.Map)
			b, ok2 := v.(*value.Map)
			if !ok1 || !ok2 {
				out.SetKey(k, value.M("new", v, "old", w))
			} else if d := dataDiff(a, b); d.Len() > 0 {
				out.SetKey(k, d)
			}
		}
	}
	return out
}

// options are the defaults of a serializer under what the state says.
func options(defaults *value.Map, given any) *value.Map {
	switch g := given.(type) {
	case *value.Map:
		defaults.Update(g)
	case *value.List:
		for _, it := range g.Items {
			if m, ok := it.(*value.Map); ok {
				defaults.Update(m)
			}
		}
	}
	return defaults
}

// encode gives the text of the file, with a newline at the end.
func (s *serializing) encode(c *salt.Ctx, data any) (any, error) {
	switch s.format {
	case "json":
		o := options(value.M("indent", int64(2), "sort_keys", true, "ensure_ascii", s.Encoding == ""), s.Opts)
		out, err := jsonText(data, o)
		return out + "\n", err
	case "yaml":
		o := options(value.M("default_flow_style", false, "allow_unicode", s.Encoding != ""), s.Opts)
		out, err := yamlText(data, o)
		return out + "\n", err
	}
	v, err := c.CallKw("slsutil.serialize", options(new(value.Map), s.Opts), s.format, data)
	if text, ok := v.(string); ok {
		return text + "\n", err
	}
	return v, err
}

func (s *serializing) decode(c *salt.Ctx, b []byte) (any, error) {
	switch s.format {
	case "json":
		return value.ParseJSON(string(b))
	case "yaml":
		return yaml.Load(s.name, string(b))
	}
	return c.CallKw("slsutil.deserialize", options(new(value.Map), s.DeOpts), s.format, string(b))
}

// jsonText is json.dumps with Python's options.
func jsonText(data any, o *value.Map) (string, error) {
	var opt value.JSONOptions
	if n, err := intArg(o.At("indent")); err == nil {
		opt.Indent = int(n)
	}
	if sep, ok := o.Get("separators"); ok && opt.Indent == 0 {
		parts := stringList(sep)
		opt.Compact = len(parts) > 0 && parts[0] == ","
	}
	opt.SortKeys, opt.ASCII = o.Truth("sort_keys"), o.Truth("ensure_ascii")
	if v, ok := o.Get("ensure_ascii"); !ok || v == nil {
		opt.ASCII = true
	}
	return value.JSON(data, opt)
}

// yamlText is yaml.dump with Python's options, without the end of a document.
func yamlText(data any, o *value.Map) (string, error) {
	opt := yaml.DumpOptions{SortOrdered: true, Flow: yaml.StyleOf(o.At("default_flow_style")), ASCII: !o.Truth("allow_unicode"),
		ExplicitStart: o.Truth("explicit_start"), ExplicitEnd: o.Truth("explicit_end"), Canonical: o.Truth("canonical"), LineBreak: o.Str("line_break")}
	for key, to := range map[string]*int{"indent": &opt.Indent, "width": &opt.Width} {
		if n, err := intArg(o.At(key)); err == nil {
			*to = int(n)
		}
	}
	if v, ok := o.Get("sort_keys"); ok {
		opt.KeepOrder = !value.Truth(v)
	}
	if st := o.Str("default_style"); st != "" {
		opt.Style = st[0]
	}
	out, err := yaml.Dump(data, opt)
	for _, end := range []string{"\n...\n", "\n"} {
		if n := len(out) - len(end); n >= 0 && out[n:] == end {
			return out[:n], err
		}
	}
	return out, err
}

// noSerializer reports whether an error says that a format is not known.
func noSerializer(err error) bool {
	var lookup *salt.LookupError
	var e *value.Exception
	return errors.As(err, &lookup) || errors.As(err, &e) && e.Class == "CommandExecutionError"
}

func (s *serializing) unserializable(err error) salt.Result {
	if noSerializer(err) {
		return salt.Failed("The %s serializer could not be found. It either does not exist or its prerequisites are not installed.", s.format)
	}
	return salt.Failed("%s", text(err))
}

func (s *serializing) write(c *salt.Ctx, out any) salt.Result {
	m := &managing{name: s.name, inline: true, env: c.Env, backup: s.Backup, makedirs: s.Makedirs, hide: !s.ShowChanges,
		perms: perms{user: s.User, group: s.Group, mode: normalMode(s.Mode), follow: true}}
	data, isBytes := out.([]byte)
	if !isBytes {
		var err error
		if data, err = encode(value.Str(out), orText(s.Encoding, "utf-8"), s.EncErrors); err != nil {
			return salt.Failed("%s", text(err))
		}
	}
	m.content = &content{data: data}
	if c.Test {
		return s.foretell(c, m)
	}
	if msg := checkUser(c, s.User, s.Group); msg != "" {
		return salt.Failed("%s", msg)
	}
	if s.CheckCmd != "" {
		if bad := m.checkWith(c, s.CheckCmd, argText(s.TmpDir), s.TmpExt); bad != nil {
			return *bad
		}
	}
	r, err := m.run(c)
	if err != nil {
		return salt.Failed("%s", text(err))
	}
	if s.merged != nil && !r.Bad() {
		r.Changes.Set("diff", dataDiff(s.existing, s.merged))
	}
	return r
}

func (s *serializing) foretell(c *salt.Ctx, m *managing) salt.Result {
	changes, _, err := m.predict(c)
	if err != nil {
		return salt.Failed("%s", text(err))
	}
	if changes.Len() == 0 {
		return salt.Correct("The file %s is in the correct state", s.name)
	}
	if s.merged != nil {
		changes.Set("diff", dataDiff(s.existing, s.merged))
	}
	if !s.ShowChanges {
		changes.Set("diff", "<show_changes=False>")
	}
	return salt.Would(changes, "Dataset will be serialized and stored into %s", s.name)
}
