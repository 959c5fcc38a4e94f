package service

import (
	"testing"

	"pinch/sys"
	"pinch/value"
)

// The names are those of systemctl 252.
func TestUnitName(t *testing.T) {
	for in, want := range map[string]string{
		"nginx": "nginx.service", "nginx.service": "nginx.service", "a.timer": "a.timer", "x@y": "x@y.service",
		"my service": `my\x20service.service`, `a\x2db`: `a\x2db.service`,
		"myservice": "myservice.service", "a.slice": "a.slice.service",
	} {
		if got := unitName(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{"cron.service": "cron", "a.timer": "a.timer", "x.slice": "", "README": ""} {
		if got, _ := serviceName(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// The texts are what systemctl 252 prints.
func TestJobText(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&sys.UnitError{Name: busErrors + "NoSuchUnit", Msg: "Unit x.service not found."}, "Failed to start x.service: Unit x.service not found."},
		{&sys.UnitError{Name: busErrors + "LoadFailed", Msg: "Unit x.service has a bad unit file setting."},
			"Failed to start x.service: Unit x.service has a bad unit file setting.\nSee system logs and 'systemctl status x.service' for details."},
		{&sys.JobError{Unit: "x.service", Result: "failed", Service: "exit-code"},
			"Job for x.service failed because the control process exited with error code.\nSee \"systemctl status x.service\" and \"journalctl -xeu x.service\" for details."},
		{&sys.JobError{Unit: "x.mount", Result: "failed"}, `Job failed. See "journalctl -xe" for details.`},
		{&sys.JobError{Unit: "x.service", Result: "invalid"}, "x.service is not active, cannot reload."},
	} {
		if got := jobText("start", "x.service", tt.err); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

func TestParseShow(t *testing.T) {
	got := value.Repr(parseShow("Id=a.service\nAfter=b.target c.target\nExecStart={ path=/bin/sleep ; argv[]=/bin/sleep 1 ; pid=0 }\nEnvironment=A=b\n"))
	want := "{'Id': 'a.service', 'After': ['b.target', 'c.target'], 'ExecStart': {'path': '/bin/sleep', 'argv[]': '/bin/sleep 1', 'pid': '0'}, 'Environment': 'A=b'}"
	if got != want {
		t.Errorf("got %s", got)
	}
}
