package supervisord

import "testing"

func TestProcess(t *testing.T) {
	for line, want := range map[string][3]string{
		"web:web_00   RUNNING   pid 12, uptime 0:00:05\n": {"web:web_00", "RUNNING", "pid 12, uptime 0:00:05"},
		"db           STOPPED\n":                          {"db", "STOPPED", ""},
		"x: ERROR (no such process)":                      {"x:", "ERROR", "(no such process)"},
	} {
		name, state, reason, ok := process(line)
		if got := [3]string{name, state, reason}; !ok || got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
