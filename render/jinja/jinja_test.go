package jinja_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"pinch/render/jinja"
	"pinch/render/jinja/filters"
	"pinch/value"
	"pinch/value/py"
)

// files is a loader over a map.
type files map[string]string

func (f files) Load(_ *jinja.State, name, _ string) (jinja.Source, error) {
	text, ok := f[name]
	if !ok {
		return jinja.Source{}, jinja.NotFound(name)
	}
	return jinja.Source{Name: name, Text: text}, nil
}

func newEnv(f files) *jinja.Env {
	fs, tests := filters.Builtin()
	return &jinja.Env{Undefined: jinja.Strict, Filters: fs, Tests: tests, Loader: f}
}

func TestLinesPointIntoTheTemplates(t *testing.T) {
	env := newEnv(files{
		"lib":  "{# 1 #}\n{% macro svc(n) %}\n{{ n }}:\n  running{{ caller() if caller is defined }}\n{% endmacro %}",
		"part": "one\ntwo\n",
		"base": "head\n{% block body %}{% endblock %}\ntail",
	})
	for _, tt := range []struct{ text, want string }{
		{"a\nb\n{{ 'c' }}\nd", "main:1 main:2 main:3 main:4"},
		{"{% for i in [1, 2] %}\n- {{ i }}\n{% endfor %}\nend", "main:1 main:2 main:1 main:2 main:3 main:4"},
		{"{% for i in [1, 2] -%}\n- {{ i }}\n{% endfor %}\nend", "main:2 main:2 main:3 main:4"},
		{"x\n{{ 'a\\nb\\nc' }}\ny", "main:1 main:2 main:2 main:2 main:3"},
		{"{% from 'lib' import svc %}{{ svc('web') }}\nend", "lib:2 lib:3 lib:4 main:1 main:2"},
		{"{% from 'lib' import svc %}{% call svc('web') %}x\n  y{% endcall %}", "lib:2 lib:3 lib:4 main:2 lib:5"},
		{"1\n{% include 'part' %}\n3", "main:1 part:1 part:2 main:3"},
		{"{% extends 'base' %}\n{% block body %}\nmine\n{% endblock %}", "base:1 main:2 main:3 base:2 base:3"},
		{"{% for i in [[1], []] recursive %}\n{{ i }}{{ loop(i) if i is mapping }}{% endfor %}", "main:1 main:2 main:2"},
		{"{% filter upper %}\na\n{% endfilter %}\nb", "main:1 main:1 main:3 main:4"},
		{"", "main:0"},
	} {
		out, err := render(env, jinja.Source{File: "main", Text: tt.text}, nil)
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		var got []string
		for i := range out.Lines() {
			p := out.Line(i + 1)
			got = append(got, fmt.Sprintf("%s:%d", p.File, p.Line))
		}
		if out.Text == "" {
			continue
		}
		if g := strings.Join(got, " "); g != tt.want {
			t.Errorf("%q -> %q\nwant %s\ngot  %s", tt.text, out.Text, tt.want, g)
		}
	}
}

func TestErrorsSayWhere(t *testing.T) {
	env := newEnv(files{"lib": "{% macro m(x) %}\n{{ x.nope }}\n{% endmacro %}\n{% set v = gone %}", "bad": "a\n{% if %}"})
	for _, tt := range []struct{ text, class, pos, reported, stack string }{
		{"a\n  {{ x }}", "UndefinedError", "main:2:6", "main:2", "[]"},
		{"{{ 'a' ~\n  b.c }}", "UndefinedError", "main:2:4", "main:1", "[]"},
		{"\n{{ 1 + 'a' }}", "TypeError", "main:2:6", "main:2", "[]"},
		{"{% import 'lib' as l %}\n\n{{ l.m({}) }}", "UndefinedError", "lib:2:4", "lib:2", "[main:3:4]"},
		{"{% from 'lib' import m with context %}{% for i in [1] %}\n{{ m({}) ~ 'x' }}{% endfor %}", "UndefinedError", "lib:2:4", "lib:2", "[main:2:4]"},
		{"x\n{% include 'bad' %}", "TemplateSyntaxError", "bad:2:7", "bad:2", "[main:2:4]"},
		{"x\n{% include 'none' %}", "TemplateNotFound", "main:2:4", "main:2", "[]"},
		{"x\n{{ 1|nofilter }}", "TemplateAssertionError", "main:2:6", "main:2", "[]"},
		{"é{{ 'é' ~ x }}", "UndefinedError", "main:1:5", "main:1", "[]"},
	} {
		_, err := render(env, jinja.Source{File: "main", Text: tt.text}, nil)
		var e *jinja.Error
		if !errors.As(err, &e) {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		if e.Class != tt.class || e.Pos.String() != tt.pos || e.Reported.String() != tt.reported || fmt.Sprint(e.Stack) != tt.stack {
			t.Errorf("%q: %v\nwant %s %s %s %s\ngot  %s %v %v %v", tt.text, err, tt.class, tt.pos, tt.reported, tt.stack, e.Class, e.Pos, e.Reported, e.Stack)
		}
		if want := tt.text; e.Pos.File == "main" && e.Source != want {
			t.Errorf("%q: source %q", want, e.Source)
		}
	}
}

func TestLimitsEndRunawayTemplates(t *testing.T) {
	env := newEnv(files{"self": "{% include 'self' %}"})
	env.Limits = jinja.Limits{Steps: 100_000, Output: 1 << 20, String: 1 << 20}
	for _, tt := range []struct{ text, class string }{
		{"{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "RecursionError"},
		{"{% macro m() %}{{ m() ~ 'x' }}{% endmacro %}{{ m() }}", "RecursionError"},
		{"{% include 'self' %}", "RecursionError"},
		{"{% for x in [[]] recursive %}{% do x.append(x) %}{{ loop(x) }}{% endfor %}", "RecursionError"},
		{"{% set l = [1] %}{% for x in l %}{% do l.append(x) %}{% endfor %}", "TemplateRuntimeError"},
		{"{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}", "TemplateRuntimeError"},
		{"{{ 'x' * 100000000 }}", "MemoryError"},
		{"{{ 100000000 * [1] }}", "MemoryError"},
		{"{{ 9 ** (9 ** (9 ** 9)) }}", "OverflowError"},
		{"{{ 10 ** 100000000 }}", "OverflowError"},
		{"{{ range(100001) }}", "OverflowError"},
		{"{% for i in range(1000) %}{{ 'x' * 10000 }}{% endfor %}", "MemoryError"},
		{"{% set ns = namespace(s='x') %}{% for i in range(99) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}", "MemoryError"},
		{"{% set l = [] %}{% do l.append(l) %}{% set m = [] %}{% do m.append(m) %}{{ l == m }}", "RecursionError"},
		{"{% set l = [] %}{% do l.append(l) %}{% set m = [] %}{% do m.append(m) %}{{ l < m }}", "RecursionError"},
		{"{{ " + strings.Repeat("(", 5000) + strings.Repeat(")", 5000) + " }}", "RecursionError"},
		{"{{ " + strings.Repeat("not ", 5000) + "1 }}", "RecursionError"},
		{"{{ " + strings.Repeat("-", 5000) + "1 }}", "RecursionError"},
		{"{{ 1" + strings.Repeat("+1", 50000) + " }}", "RecursionError"},
		{"{{ x" + strings.Repeat(".x", 50000) + " }}", "RecursionError"},
		{"{{ x" + strings.Repeat("|upper", 50000) + " }}", "RecursionError"},
		{strings.Repeat("{% if 1 %}", 5000) + strings.Repeat("{% endif %}", 5000), "RecursionError"},
	} {
		_, err := render(env, jinja.Source{Text: tt.text}, nil)
		var e *jinja.Error
		if !errors.As(err, &e) || e.Class != tt.class {
			t.Errorf("%.80q: want %s, got %v", tt.text, tt.class, err)
		}
	}
}

func TestRenderStopsWithItsContext(t *testing.T) {
	tmpl, err := newEnv(nil).Template(jinja.Source{Text: "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := tmpl.Render(ctx, jinja.Input{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestTemplatesRenderConcurrently(t *testing.T) {
	env := newEnv(files{"lib": "{% set x = [1] %}{% macro m(a) %}{{ a }}{{ x }}{% endmacro %}"})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 50 {
				out, err := render(env, jinja.Source{Text: "{% import 'lib' as l %}{% do l.x.append(n) %}{{ l.m(n) }}"}, value.M("n", int64(i)))
				if want := fmt.Sprintf("%d[1, %d]", i, i); err != nil || out.Text != want {
					t.Errorf("got %v, %v, want %s", out, err, want)
				}
				if out.Line(1).Line != 1 {
					t.Error(out.Line(1))
				}
			}
		})
	}
	wg.Wait()
}

func TestModuleExports(t *testing.T) {
	env := newEnv(files{"other": "{% set o = 1 %}"})
	tmpl, err := env.Template(jinja.Source{Name: "map.jinja", Text: "{% from 'other' import o %}{% set _p = 1 %}{% set a, b = o, [2] %}" +
		"{% macro m() %}{% endmacro %}{% for i in [1] %}{% set c = 1 %}{% endfor %}{% if true %}{% set d = {} %}{% endif %}text"})
	if err != nil {
		t.Fatal(err)
	}
	m, err := tmpl.Module(t.Context(), jinja.Input{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := value.Repr(m.Exports()), "{'a': 1, 'b': [2], 'm': <Macro 'm'>, 'd': {}}"; got != want || m.String() != "text" {
		t.Errorf("got %s %q, want %s", got, m, want)
	}
}

func TestUndefinedPolicies(t *testing.T) {
	for _, tt := range []struct {
		policy     jinja.Policy
		text, want string
	}{
		{jinja.Lenient, "[{{ x }}{{ x ~ 1 }}{% for i in x %}{% endfor %}{{ not x }}{{ x == y }}{{ [x] }}{{ {}.a }}]", "[1TrueTrue[Undefined]]"},
		{jinja.Lenient, "{{ x.y }}", "'x' is undefined"},
		{jinja.Lenient, "{{ 1 in x }}{{ x in [1] }}{{ {x: 1} }}", "FalseFalse{Undefined: 1}"},
		{jinja.Chainable, "[{{ x.y['z'].a }}{{ {}.a.b }}]", "[]"},
		{jinja.Chainable, "{{ x() }}", "'x' is undefined"},
		{jinja.Debug, "{{ x }} {{ {}.a }}", "{{ x }} {{ no such element: dict object['a'] }}"},
		{jinja.Strict, "{{ x is defined }} {{ x|default(1) }} {{ {}.a is defined }}", "False 1 False"},
		{jinja.Strict, "{{ x }}", "'x' is undefined"},
		{jinja.Strict, "{{ [[x]] == [[1]] }}", "'x' is undefined"},
		{jinja.Strict, "{{ 1 in [1, x] }}", "True"},
		{jinja.Strict, "{{ 2 in [1, x] }}", "'x' is undefined"},
	} {
		env := newEnv(nil)
		env.Undefined = tt.policy
		got := ""
		if out, err := render(env, jinja.Source{Text: tt.text}, nil); err != nil {
			got = err.Error()
		} else {
			got = out.Text
		}
		if got != tt.want {
			t.Errorf("%d %s\nwant %s\ngot  %s", tt.policy, tt.text, tt.want, got)
		}
	}
}

// host is an object of the program that templates see.
type host struct{}

func (host) TypeName() string { return "my.module.Host" }

func (host) Call(c *jinja.Call) (any, error) { return int64(len(c.Args) + c.Kwargs.Len()), nil }

func (host) GetAttr(_ *jinja.State, name string) (any, bool, error) {
	if name == "bad" {
		return nil, false, errors.New("boom")
	}
	return "attr", name == "a", nil
}

func (host) GetItem(_ *jinja.State, key any) (any, bool, error) { return "item", key == "i", nil }

func (host) Contains(v any) (bool, error) { return v == "in", nil }

func (host) Iter() py.Iterator { return py.SliceIter([]any{"x", "y"}) }

func TestHostObjects(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"{{ h.a }} {{ h['a'] }} {{ h.i }} {{ h['i'] }}", "attr attr item item"},
		{"{{ h(1, *[2], k=3, **{'z': 4}) }}", "4"},
		{"{{ 'in' in h }} {{ 'out' in h }} {% for x in h %}{{ x }}{{ loop.length }}{% endfor %}", "True False x2y2"},
		{"{{ h.nope }}", "'my.module.Host object' has no attribute 'nope'"},
		{"{{ h[1] }}", "my.module.Host object has no element 1"},
		{"{{ h.bad }}", "boom"},
		{"{{ h + 1 }}", "unsupported operand type(s) for +: 'Host' and 'int'"},
		{"{{ h.__class__ }}", "access to attribute '__class__' of 'Host' object is unsafe."},
	} {
		out, err := render(newEnv(nil), jinja.Source{Text: tt.text}, value.M("h", host{}))
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = out.Text
		}
		if got != tt.want {
			t.Errorf("%s\nwant %s\ngot  %s", tt.text, tt.want, got)
		}
	}
}

func TestTags(t *testing.T) {
	env := newEnv(files{"f": "n={{ n|default('-') }}"})
	env.Tags = map[string]jinja.Tag{
		"load": func(p *jinja.Parser) (*jinja.TagNode, error) {
			p.Expect("as")
			n := &jinja.TagNode{Target: p.Target(), Body: p.Body("endload")}
			n.Run = func(c *jinja.TagCall) (any, error) { return value.L(c.Text), nil }
			return n, nil
		},
		"read": func(p *jinja.Parser) (*jinja.TagNode, error) {
			n := &jinja.TagNode{Import: p.Expr()}
			p.Expect("as")
			n.Target = p.Target()
			n.WithContext = p.WithContext(false)
			return n, nil
		},
		"timed": func(p *jinja.Parser) (*jinja.TagNode, error) {
			n := &jinja.TagNode{Args: []jinja.Expr{p.Expr()}, Body: p.Body("endtimed"), Print: true}
			n.Run = func(c *jinja.TagCall) (any, error) { return nil, nil }
			return n, nil
		},
		"stop": func(p *jinja.Parser) (*jinja.TagNode, error) {
			return &jinja.TagNode{Run: func(*jinja.TagCall) (any, error) { return nil, jinja.Errorf("ValueError", "stopped") }}, nil
		},
	}
	for _, tt := range []struct{ text, want string }{
		{"{% load as x %}a{{ 1 + 1 }}{% set y = 1 %}{% endload %}{{ x }}{{ y is defined }}", "['a2']False"},
		{"{% for i in [1, 2] %}{% load as x %}{{ i }}{% endload %}{{ x }}{% endfor %}", "['1']['2']"},
		{"{% set n = 3 %}{% read 'f' as x %}{{ x }}", "n=-"},
		{"{% set n = 3 %}{% read 'f' as x with context %}{{ x }}", "n=3"},
		{"{% timed 'l' %}in{{ 1 }}{% endtimed %}out", "in1out"},
		{"{% timed 'l' %}{% set v = 1 %}{% endtimed %}{{ v }}", "1"},
		{"{% for i in [1, 2] %}{% timed 'l' %}{% set v = i %}{% endtimed %}{{ v }}{% endfor %}{{ v is defined }}", "12False"},
		{"{% timed 'l' %}{% import 'f' as x %}{% macro m() %}m{% endmacro %}{% endtimed %}{{ m() }}{{ x is defined }}", "mTrue"},
		{"{% load as x %}", "Unexpected end of template. Jinja was looking for the following tags: 'endload'. The innermost block that needs to be closed is 'load'."},
		{"{% load x %}", "expected token 'as', got 'x'"},
		{"{% stop %}", "stopped"},
	} {
		out, err := render(env, jinja.Source{Text: tt.text}, nil)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = out.Text
		}
		if got != tt.want {
			t.Errorf("%s\nwant %s\ngot  %s", tt.text, tt.want, got)
		}
	}
}

func TestOtherDelimiters(t *testing.T) {
	env := newEnv(nil)
	env.Options = jinja.Options{BlockStart: "<%", BlockEnd: "%>", VariableStart: "${", VariableEnd: "}", CommentStart: "<#", CommentEnd: "#>",
		LineStatementPrefix: "%", LineCommentPrefix: "//", KeepTrailingNewline: true, NewlineSequence: "\r\n"}
	out, err := render(env, jinja.Source{Text: "a // note\n% for i in [1,\n  2]:\n  <% if i %>${ {'k': i}.k }<% endif %><# c #> {{ i }}\n% endfor\nend\n"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := "a\r\n  1 {{ i }}\r\n  2 {{ i }}\r\nend\r\n"; out.Text != want {
		t.Errorf("got  %q\nwant %q", out.Text, want)
	}
}

func TestCacheKeepsTemplates(t *testing.T) {
	env := newEnv(nil)
	a, _ := env.Template(jinja.Source{Name: "x", Text: "1"})
	b, _ := env.Template(jinja.Source{Name: "x", Text: "1"})
	c, _ := env.Template(jinja.Source{Name: "x", Text: "2"})
	if a != b || a == c || c.Source().Text != "2" {
		t.Error("cache")
	}
}
