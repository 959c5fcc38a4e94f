package logrotate

import (
	"strings"
	"testing"

	"pinch/value"
)

func read(text string) *value.Map {
	f := &conf{top: new(value.Map)}
	for line := range strings.Lines(text) {
		f.line(strings.TrimSpace(line))
	}
	return f.top
}

const example = "weekly\nrotate 4\n# c\n/var/log/a\n/var/log/b {\n  daily\n  create 0660 root utmp\n  postrotate\n    kill -HUP 1\n    echo {}\n  endscript\n}\n"

// The results are Salt's own.
func TestParse(t *testing.T) {
	want := "{'weekly': True, 'rotate': 4, '/var/log/a': {'daily': True, 'create': '0660 root utmp', 'postrotate': ['kill -HUP 1', 'echo {}']}, '/var/log/b': {'daily': True, 'create': '0660 root utmp', 'postrotate': ['kill -HUP 1', 'echo {}']}}"
	m := read(example)
	if got := value.Repr(m); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if got := stanza("/var/log/b", m.Map("/var/log/b")); got != "/var/log/b {\n    daily \n    create 0660 root utmp\n    postrotate\n        kill -HUP 1\n        echo {}\n    endscript\n}" {
		t.Errorf("%q", got)
	}
}

// A block that is written reads back as the same.
func FuzzParse(f *testing.F) {
	f.Add(example)
	f.Fuzz(func(t *testing.T, text string) {
		for key, v := range read(text).Items() {
			if block, ok := v.(*value.Map); ok && key != "" {
				stanza(key, block)
			}
		}
	})
}
