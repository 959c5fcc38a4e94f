package file

import (
	"strings"
	"unicode/utf8"

	"pinch/salt"
	"pinch/value"
)

// given contents come from one of three arguments.
type contentsFrom struct {
	contents, pillar, grains any
	newline                  bool
	delimiter                string
	allowEmpty               bool
	template                 string
	context, defaults        *value.Map
	encoding, errors         string
}

func (f *contentsFrom) count() (n int) {
	for _, v := range []any{f.contents, f.pillar, f.grains} {
		if v != nil {
			n++
		}
	}
	return n
}

// read gives the text of a file. A non-empty msg says what is wrong.
func (f *contentsFrom) read(c *salt.Ctx) (data []byte, msg string, err error) {
	v, msg, err := f.raw(c)
	if msg != "" || err != nil {
		return nil, msg, err
	}
	if !f.allowEmpty && !value.Truth(v) {
		return nil, f.name() + " value would result in empty contents. Set allow_empty to True to allow the managed file to be empty.", nil
	}
	if b, ok := v.([]byte); ok && !utf8.Valid(b) && f.encoding == "" {
		if f.template != "" {
			return nil, "Contents specified by contents/contents_pillar/contents_grains appears to be binary data, and as will not be able to be treated as a Jinja template.", nil
		}
		return b, "", nil
	}
	parts := stringList(v)
	if len(parts) == 0 {
		return nil, "Contents specified by contents/contents_pillar/contents_grains is not a string or list of strings, and is not binary data. SLS is likely malformed.", nil
	}
	text := joinContents(parts, f.newline)
	if f.template != "" {
		if !isTemplate(f.template) {
			return nil, "Specified template format " + f.template + " is not supported", nil
		}
		text, err = c.Render(c, salt.Template{Text: text, Name: c.Low.Str("__id__"), Engine: f.template, Env: c.Env, Vars: layer(f.defaults, f.context)})
		if err != nil {
			report(c, err)
			return nil, "", err
		}
	}
	if f.encoding != "" {
		data, err = encode(text, f.encoding, f.errors)
		return data, "", err
	}
	return []byte(text), "", nil
}

func (f *contentsFrom) name() string {
	switch {
	case value.Truth(f.pillar):
		return "contents_pillar " + value.Str(f.pillar)
	case value.Truth(f.grains):
		return "contents_grains " + value.Str(f.grains)
	}
	return "'contents'"
}

// raw finds the value in the argument, the pillar or the grains.
func (f *contentsFrom) raw(c *salt.Ctx) (any, string, error) {
	switch {
	case f.pillar != nil:
		return f.lookUp(c.Pillar, f.pillar, "Pillar")
	case f.grains != nil:
		return f.lookUp(c.Grains, f.grains, "Grain")
	}
	return f.contents, "", nil
}

func (f *contentsFrom) lookUp(m *value.Map, key any, kind string) (any, string, error) {
	list, ok := key.(*value.List)
	if !ok {
		v, ok := value.Traverse(m, key, f.delimiter)
		if !ok {
			return nil, kind + " " + value.Str(key) + " does not exist", nil
		}
		return v, "", nil
	}
	var parts []string
	for _, k := range list.Items {
		v, ok := value.Traverse(m, k, f.delimiter)
		if !ok {
			return nil, kind + " " + value.Str(k) + " does not exist", nil
		}
		parts = append(parts, value.Str(v))
	}
	return strings.Join(parts, "\n"), "", nil
}

// joinContents makes one text of all lines of all parts: each line ends in a
// newline, the last one only if newline is set.
func joinContents(parts []string, newline bool) string {
	var text string
	if len(parts) == 1 && !strings.Contains(parts[0], "\r") && !hasRareEnd(parts[0]) {
		text = parts[0]
		if text != "" && !strings.HasSuffix(text, "\n") && newline {
			text += "\n"
		}
	} else {
		var b strings.Builder
		for _, p := range parts {
			for _, l := range bare(p) {
				b.WriteString(l)
				b.WriteByte('\n')
			}
		}
		text = b.String()
	}
	if !newline {
		text = strings.TrimRight(strings.TrimRight(text, "\n"), "\r")
	}
	return text
}
