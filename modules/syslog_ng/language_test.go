package syslog_ng

import (
	"testing"

	"pinch/render/yaml"
)

// The texts are Salt's own.
func TestStatement(t *testing.T) {
	for _, tc := range []struct{ name, conf, want string }{
		{"s_local", "source: [{tcp: [{ip: '\"127.0.0.1\"'}, {port: 1233}]}, {unix-dgram: /dev/log}]", "source s_local {\n    tcp(\n        ip(\n            \"127.0.0.1\"\n        ),\n        port(\n            1233\n        )\n    );\n    unix-dgram(\n        /dev/log\n    );\n};\n"},
		{"destination.d", "[{file: [/var/log/x, {template: [{t: [a, b]}]}]}]", "destination d {\n    file(\n        /var/log/x,\n        template(\n            t(\n                a\n                b\n            )\n        )\n    );\n};\n"},
		{"l", "log: [{source: s_local}, {junction: [{channel: [{filter: f1}, {rewrite: [{set: [x]}]}]}]}, {destination: d}]", "log {\n    source(\n        s_local\n    );\n    junction {\n        channel {\n            filter(\n                f1\n            );\n            rewrite {\n                set(\n                    x\n                );\n            };\n        };\n    };\n    destination(\n        d\n    );\n};\n"},
		{"o", "config: 'options { x(); };'", "options { x(); };\n"},
		{"opt", "options: [{time-reap: 30}]", "options {\n    time-reap(\n        30\n    );\n};\n"},
	} {
		conf, err := yaml.Load("x", tc.conf)
		if err != nil {
			t.Fatal(err)
		}
		got, err := statement(tc.name, conf)
		if err != nil || got != tc.want {
			t.Errorf("%s: %q %v\nwant %q", tc.name, got, err, tc.want)
		}
	}
}
