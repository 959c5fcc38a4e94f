package jinja_test

import (
	"context"
	"strings"
	"testing"

	"pinch/render/jinja"
	"pinch/render/jinja/filters"
	"pinch/value"
)

func benchmark(b *testing.B, text string, vars *value.Map) {
	env := newEnv(nil)
	env.Finalize = finalize
	t, err := env.Template(jinja.Source{Text: text})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		out, err := t.Render(context.Background(), jinja.Input{Vars: vars})
		if err != nil {
			b.Fatal(err)
		}
		n = len(out.Text)
	}
	b.ReportMetric(float64(n)/1024, "KB/op")
}

// A loop of 1,000 turns that writes 128 KB.
func BenchmarkLoop(b *testing.B) {
	benchmark(b, `{% for i in range(1000) %}
/etc/app/conf.d/{{ i }}.conf:
  file.managed:
    - source: salt://app/files/{{ grains.os_family|lower }}/{{ 'a' if i is odd else 'b' }}.conf
    - mode: '0644'
    {% if loop.first %}- order: first{% endif %}
{% endfor %}`, value.M("grains", value.M("os_family", "Debian")))
}

func BenchmarkManyLines(b *testing.B) {
	users := value.M()
	for i := range 5000 {
		users.Set("user"+value.Str(int64(i)), value.M("uid", int64(i), "home", "/home/x", "groups", value.L("a", "b")))
	}
	benchmark(b, `{% for name, u in users.items() %}
{{ name }}:
  user.present:
    - uid: {{ u.uid }}
    - home: {{ u['home'] }}
    - groups: {{ u.get('groups', []) | join(',') }}
{% endfor %}`, value.M("users", users))
}

func BenchmarkMacros(b *testing.B) {
	benchmark(b, `{% macro one(a, b=2) %}{{ a }}-{{ b }}{% endmacro %}{% for i in range(1000) %}{{ one(i, b=3) }}{% endfor %}`, nil)
}

func BenchmarkParse(b *testing.B) {
	text := strings.Repeat(`{% set x = {'a': [1, 2], 'b': salt['test.echo'](x|default('y', true))} %}
{% if grains.os == 'Debian' and x is defined %}
pkg: {{ x.a[0] ~ '-' ~ x.b }}
{% endif %}
`, 10)
	fs, tests := filters.Builtin()
	b.ReportAllocs()
	for b.Loop() {
		env := &jinja.Env{Filters: fs, Tests: tests}
		if _, err := env.Template(jinja.Source{Text: text}); err != nil {
			b.Fatal(err)
		}
	}
}
