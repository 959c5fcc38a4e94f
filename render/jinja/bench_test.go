package jinja_test

import (
	"context"
	"strings"
	"syscall"
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
	start := cpu(b)
	for b.Loop() {
		out, err := t.Render(context.Background(), jinja.Input{Vars: vars})
		if err != nil {
			b.Fatal(err)
		}
		n = len(out.Text)
	}
	b.ReportMetric(float64(cpu(b)-start)/float64(b.N), "cpu-ns/op")
	b.ReportMetric(float64(n)/1024, "KB/op")
}

// cpu is the processor time that this process has used: what other work on the
// machine does not change.
func cpu(b *testing.B) int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
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

// A "map" file as formulas have them: a table, defaults from pillar, a macro.
func BenchmarkMapTemplate(b *testing.B) {
	hosts := value.L()
	for i := range 5 {
		hosts.Append(value.M("name", "s"+value.Str(int64(i)), "port", int64(80+i)))
	}
	benchmark(b, `{%- set os_map = {
  'Debian': {'pkg': 'apache2', 'svc': 'apache2', 'conf': '/etc/apache2', 'user': 'www-data', 'mods': ['ssl', 'rewrite', 'headers']},
  'RedHat': {'pkg': 'httpd', 'svc': 'httpd', 'conf': '/etc/httpd', 'user': 'apache', 'mods': ['ssl', 'rewrite']},
  'Suse': {'pkg': 'apache2', 'svc': 'apache2', 'conf': '/etc/apache2', 'user': 'wwwrun', 'mods': ['ssl']}
} %}
{%- set base = os_map[grains['os_family']] %}
{%- set pkg = pillar['web'].pkg | default(base.pkg) %}
{%- set conf = pillar['web'].conf | default(base.conf) %}
{%- macro vhost(name, port=80) %}
{{ conf }}/sites-available/{{ name }}.conf:
  file.managed:
    - mode: '0644'
    - context: {name: {{ name }}, port: {{ port }}}
{%- endmacro %}
web-pkg:
  pkg.installed:
    - name: {{ pkg }}
{%- for m in base.mods %}
mod_{{ m }}:
  apache_module.enabled:
    - name: {{ m }}
    {%- if not loop.first %}
    - require: [pkg: {{ pkg }}]
    {%- endif %}
{%- endfor %}
{%- for v in pillar['web'].vhosts %}
{{ vhost(v.name, v.port) }}
{%- endfor %}
web-svc:
  service.running:
    - name: {{ base.svc }}
    - enable: {{ true if grains['os_family'] == 'Debian' else false }}
`, value.M("grains", value.M("os_family", "Debian"), "pillar", value.M("web", value.M("pkg", "nginx", "vhosts", hosts))))
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
