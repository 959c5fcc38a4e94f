package render

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"text/template"

	"github.com/Masterminds/sprig/v3"

	"pinch/diag"
	"pinch/salt"
	"pinch/value"
)

// noValue is what Go's templates print for a key that is not there.
const noValue = "<no value>"

// sprigFuncs are the functions of sprig, made at the first use.
var sprigFuncs = sync.OnceValue(sprig.TxtFuncMap)

// gotmplEngine renders Go's text/template with the functions of sprig. The
// template sees what Jinja sees: .grains.os, .pillar.port, .sls, the caller's
// context, and functions as {{ salt "cmd.run" "uptime" }}; the last argument may
// be {{ kwargs "name" "value" }}. Only what it names is gathered.
//
//	#!gotmpl|yaml
//	{{ range $name, $user := .pillar.users }}
//	{{ $name }}: {user.present: [{uid: {{ $user.uid | default 1000 }}}]}
//	{{ end }}
func gotmplEngine(r *Renderer, c *salt.Ctx, s *stage, _ string) error {
	text := s.text
	if strings.HasPrefix(text, "#!") && !strings.HasPrefix(text, "#!/") { // keeps the lines' numbers
		text = "{{/* " + strings.Replace(text, "\n", " */}}\n", 1)
		if !strings.Contains(text, "\n") {
			text = ""
		}
	}
	const name = "template"
	t, err := template.New(name).Funcs(sprigFuncs()).Funcs(gotmplFuncs(c)).Parse(text)
	if err != nil {
		return s.gotmplError(name, err)
	}
	vars := r.vars(c, s.t, s.piped)
	data := map[string]any{}
	for key, fields := range namesIn(t) {
		v, ok := vars.Get(key)
		if !ok || key == "salt" {
			continue
		}
		m, isMap := v.(*value.Map)
		if fields == nil || !isMap {
			data[key] = goValue(v)
			continue
		}
		part := map[string]any{}
		for f := range fields {
			if v, ok := m.Get(f); ok {
				part[f] = goValue(v)
			}
		}
		data[key] = part
	}
	var out strings.Builder
	if err := t.Execute(&out, data); err != nil {
		return s.gotmplError(name, err)
	}
	result := out.String()
	if i := strings.Index(result, noValue); i >= 0 && !strings.Contains(text, noValue) {
		line := lineOf(result, strings.Count(result[:i], "\n")+1)
		f := fail(s.t, "gotmpl", s.sameLine(strings.TrimSpace(line[:strings.Index(line, noValue)])), "", "a value that the template prints is not there: "+strings.TrimSpace(line))
		f.Diag.Hint = `{{ .name | default "…" }} gives a value for a missing one`
		return f
	}
	s.become(result)
	return nil
}

// become makes text the stage's. Its lines are those of the file where a line
// stands there word by word, once.
func (s *stage) become(text string) {
	before := s.text
	s.text = text
	s.line = func(n int) diag.Pos {
		p := diag.Pos{File: s.t.Place()}
		want := lineOf(text, n)
		for i, l := range strings.Split(before, "\n") {
			if l == want && want != "" {
				if p.Line > 0 {
					return diag.Pos{File: p.File}
				}
				p.Line = i + 1
			}
		}
		return p
	}
}

// sameLine is where the first line that begins with the words stands.
func (s *stage) sameLine(words string) diag.Pos {
	p := diag.Pos{File: s.t.Place()}
	for i, l := range strings.Split(s.text, "\n") {
		if words != "" && strings.HasPrefix(strings.TrimSpace(l), words) {
			p.Line = i + 1
			break
		}
	}
	return p
}

// gotmplError reads the place out of "template: NAME:LINE:COL: text".
func (s *stage) gotmplError(name string, err error) error {
	text := strings.TrimPrefix(err.Error(), "template: "+name+":")
	pos := diag.Pos{File: s.t.Place()}
	for _, n := range []*int{&pos.Line, &pos.Col} {
		head, rest, ok := strings.Cut(text, ":")
		i, bad := strconv.Atoi(strings.TrimSpace(head))
		if !ok || bad != nil {
			break
		}
		*n, text = i, rest
	}
	text = strings.TrimSpace(text)
	if _, cause, ok := strings.Cut(text, ">: "); ok { // executing "template" at <.x.y>: cause
		text = cause
	}
	if s.line != nil && pos.Line > 0 {
		pos = s.line(pos.Line)
	}
	f := fail(s.t, "gotmpl", pos, "", "Go template error: "+text)
	f.Diag.Err = err
	if pos.Line > 0 {
		f.Text = fmt.Sprintf("Go template error: %s; line %d", text, pos.Line)
	}
	return f
}

// gotmplFuncs are the functions besides sprig's.
func gotmplFuncs(c *salt.Ctx) template.FuncMap {
	type keywords *value.Map
	return template.FuncMap{
		"salt": func(fun string, args ...any) (any, error) {
			var pos []any
			var kw *value.Map
			for _, a := range args {
				if k, ok := a.(keywords); ok {
					kw = k
					continue
				}
				pos = append(pos, value.Of(a))
			}
			fs := &functions{c: c, offered: true}
			if _, ok := fs.lookup(fun); !ok {
				return nil, fmt.Errorf("there is no function %s", fun)
			}
			v, err := c.CallFunc(c, fun, pos, kw)
			return goValue(v), err
		},
		"kwargs": func(pairs ...any) (keywords, error) {
			if len(pairs)%2 == 1 {
				return nil, fmt.Errorf("kwargs takes names and values in pairs")
			}
			m := new(value.Map)
			for i := 0; i < len(pairs); i += 2 {
				m.Set(fmt.Sprint(pairs[i]), value.Of(pairs[i+1]))
			}
			return m, nil
		},
	}
}

// goValue turns a value into what Go's templates work with.
func goValue(v any) any {
	switch v := v.(type) {
	case *value.Map:
		m := make(map[string]any, v.Len())
		for k, it := range v.Items() {
			m[k] = goValue(it)
		}
		return m
	case *value.List:
		return goSlice(v.Items)
	case value.Tuple:
		return goSlice(v)
	case int64:
		return int(v)
	case []byte:
		return string(v)
	}
	return v
}

func goSlice(items []any) []any {
	out := make([]any, len(items))
	for i, it := range items {
		out[i] = goValue(it)
	}
	return out
}
