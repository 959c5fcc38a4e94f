package jinja_test

import (
	"context"
	"errors"
	"path"
	"strings"
	"testing"

	"pinch/golden"
	"pinch/render/jinja"
	"pinch/value"
	"pinch/value/py"
)

// core are the categories that need nothing beyond the language and its own
// filters; the others are run where Salt's parts are.
var core = map[string]bool{"repr": true, "arith": true, "strings": true, "containers": true, "control": true, "macros": true,
	"imports": true, "undefined": true, "whitespace": true, "errors": true, "tests": true}

// elsewhere are cases of core categories that need Salt's filters and tests;
// package render runs them.
var elsewhere = map[string]string{
	"match_test":           "match",
	"undef_json":           "json",
	"repr_set_from_unique": "unique",
}

func TestGolden(t *testing.T) {
	root := golden.Value(t, "jinja/cases.json").(*value.Map)
	ran, left := 0, 0
	for _, c := range root.List("cases").Items {
		c := c.(*value.Map)
		name := c.Str("name")
		if !core[c.Str("category")] {
			continue
		}
		if elsewhere[name] != "" {
			left++
			continue
		}
		ran++
		t.Run(name, func(t *testing.T) { runCase(t, c, root.Map("grains")) })
	}
	t.Logf("%d cases run, %d left to other packages", ran, left)
}

func runCase(t *testing.T, c, grains *value.Map) {
	vars := value.M("pillar", value.M(), "grains", value.Copy(grains), "sls", "case", "saltenv", "base",
		"slspath", "case", "tpldir", "case", "tplfile", "case/init.sls", "tpldot", "case",
		"salt", value.M("test.echo", &jinja.Function{Name: "echo", Fn: func(c *jinja.Call) (any, error) { return c.Args[0], nil }}))
	env := newEnv(nil)
	env.Finalize = finalize
	env.Globals = value.M("odict", &jinja.Function{Name: "odict", Fn: func(c *jinja.Call) (any, error) { return py.Dict(c.Args, c.Kwargs) }})
	files := map[string]string{}
	for name, text := range c.Map("files").Items() {
		files[name] = text.(string)
	}
	env.Loader = saltFiles(files)
	for k, v := range c.Map("context").Items() {
		switch m, _ := v.(*value.Map); k {
		case "opts_override":
			options(env, m)
		default:
			vars.Set(k, value.Copy(v))
		}
	}
	env.Globals.Update(vars)
	want := c.Map("expected")
	text := c.Str("template")
	out, err := render(env, jinja.Source{File: "case/init.sls", Text: text}, vars)
	if w, ok := want.Get("output"); ok && w != nil {
		if err != nil {
			t.Fatalf("%q\nwant %q\ngot error %v", text, w, err)
		}
		got := out.Text
		if strings.HasSuffix(text, "\n") && !strings.HasSuffix(got, "\n\n") && w != got {
			got += "\n" // Salt puts the last newline back
		}
		if got != w {
			t.Errorf("%q\nwant %q\ngot  %q", text, w, got)
		}
		return
	}
	var e *jinja.Error
	if !errors.As(err, &e) {
		t.Fatalf("%q\nwant error %q\ngot %v", text, want.Str("message"), err)
	}
	if got := saltMessage(e); got != want.Str("message") {
		t.Errorf("%q\nwant %s\ngot  %s", text, want.Str("message"), got)
	}
	if line, ok := want.At("line").(int64); ok && (e.Reported.File != "case/init.sls" || int64(e.Reported.Line) != line) {
		t.Errorf("%q\nwant line %d\ngot  %v", text, line, e.Reported)
	}
}

func render(env *jinja.Env, src jinja.Source, vars *value.Map) (*jinja.Output, error) {
	t, err := env.Template(src)
	if err != nil {
		return nil, err
	}
	return t.Render(context.Background(), jinja.Input{Vars: vars})
}

// saltMessage is the first line of what Salt makes of an error.
func saltMessage(e *jinja.Error) string {
	prefix := "Jinja error: "
	switch e.Class {
	case "UndefinedError":
		prefix = "Jinja variable "
	case "TemplateSyntaxError", "TemplateAssertionError", "TemplateRuntimeError", "SecurityError":
		prefix = "Jinja syntax error: "
	}
	first, _, _ := strings.Cut(prefix+e.Message, "\n")
	return first
}

func options(env *jinja.Env, opts *value.Map) {
	if opts.Truth("allow_undefined") {
		env.Undefined = jinja.Lenient
	}
	o := opts.Map("jinja_sls_env")
	env.TrimBlocks, env.LstripBlocks = o.Truth("trim_blocks"), o.Truth("lstrip_blocks")
	env.LineStatementPrefix, env.LineCommentPrefix = o.Str("line_statement_prefix"), o.Str("line_comment_prefix")
}

// saltFiles resolves ./ and ../ against the folder of the main template.
type saltFiles map[string]string

func (f saltFiles) Load(st *jinja.State, name, from string) (jinja.Source, error) {
	full := name
	if strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		full = path.Join("case", name)
	}
	text, ok := f[full]
	if !ok {
		return jinja.Source{}, jinja.NotFound(name)
	}
	return jinja.Source{Name: name, File: full, Text: text}, nil
}

// finalize prints dicts as Salt does.
func finalize(st *jinja.State, v any) (any, error) {
	switch v.(type) {
	case *value.Map, *value.List, value.Tuple:
		return printable(st, v, true)
	}
	return v, nil
}

func printable(st *jinja.State, v any, str bool) (string, error) {
	switch v := v.(type) {
	case *jinja.Undefined:
		if str {
			return st.Str(v)
		}
		return v.Repr(), nil
	case *value.Map:
		var parts []string
		for k, x := range v.All() {
			var s string
			var err error
			if text, ok := x.(string); ok && strings.ContainsAny(text, "\n\r\t") {
				s, err = value.JSON(text, value.JSONOptions{})
			} else if ok {
				s = value.Quote(text)
			} else {
				s, err = printable(st, x, str)
			}
			if err != nil {
				return "", err
			}
			parts = append(parts, value.Repr(k)+": "+s)
		}
		return "{" + strings.Join(parts, ", ") + "}", nil
	}
	return value.Repr(v), nil
}
