package jinja_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"pinch/render/jinja"
	"pinch/value"
)

var seeds = []string{
	"{{ a }}", "{% for x in [1, 2] if x %}{{ loop.index }}{% else %}-{% endfor %}", "{% macro m(a, b=1) %}{{ a ~ b }}{{ varargs }}{% endmacro %}{{ m(1, 2, *[3]) }}",
	"{% set ns = namespace(x=1) %}{% set ns.x, y = 1, 2 %}", "{% raw %}{{ }}{% endraw %}{#- c -#}", "{% call(a) m() %}{{ a }}{% endcall %}",
	"{{ 'a\\x41' 'b' ~ 1_0.5e1 ** -2 // 3 % 4 }}", "{% block b scoped %}{{ super() }}{% endblock %}{{ self.b() }}", "{% include ['x', 'y'] ignore missing %}",
	"{% with a = 1, b = a %}{% filter upper|trim %}x{% endfilter %}{% endwith %}", "{{ x[1:2:3] if not a is odd else {'k': (1,)} }}", "# for x in a\n{{ x }}\n# endfor",
	"{% set x | upper %}a{% endset %}{% do x.append(1) %}{% break %}", "{% extends 'x' %}{% import 'x' as y with context %}{% from 'x' import a as b, c %}",
}

func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, text string, trim bool) {
		env := newEnv(nil)
		env.TrimBlocks, env.LstripBlocks = trim, trim
		if trim {
			env.LineStatementPrefix, env.LineCommentPrefix = "#", "##"
		}
		_, err := env.Template(jinja.Source{Text: text})
		var e *jinja.Error
		if err != nil && (!errors.As(err, &e) || e.Message == "" || e.Pos.Line < 1 || e.Pos.Line > 1+strings.Count(text, "\n")+strings.Count(text, "\r")) {
			t.Fatalf("%q: %#v", text, err)
		}
	})
}

func FuzzRender(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		env := newEnv(files{"x": "{% set a = 1 %}{% macro c() %}{{ caller() }}{% endmacro %}{% block b %}{% endblock %}", "self": text})
		env.Limits = jinja.Limits{Steps: 10_000, Output: 1 << 16, String: 1 << 16}
		tmpl, err := env.Template(jinja.Source{Text: text})
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		out, err := tmpl.Render(ctx, jinja.Input{Vars: value.M("a", value.L(int64(1), "b"), "x", value.M("k", "v"))})
		var e *jinja.Error
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			t.Fatalf("%q takes too long", text)
		case err != nil:
			if !errors.As(err, &e) || e.Pos.Line < 1 {
				t.Fatalf("%q: %#v", text, err)
			}
		default:
			if n := len(out.Lines()); n != 1+strings.Count(out.Text, "\n") {
				t.Fatalf("%q: %d lines", text, n)
			}
		}
	})
}
