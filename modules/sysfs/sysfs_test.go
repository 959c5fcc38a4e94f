package sysfs

import (
	"log/slog"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// The results are Python's int() and float().
func TestNumber(t *testing.T) {
	for in, want := range map[string]string{"12": "12", "-1": "-1", "0.5": "0.5", "1e3": "1000.0", "0x10": "'0x10'", "a b": "'a b'", "007": "7", "none [x]": "'none [x]'", "1_0": "10", "_1": "'_1'", "18446744073709551615": "18446744073709551615", "8:0": "'8:0'", "inf": "inf"} {
		if got := value.Repr(number(in)); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestWayOut(t *testing.T) {
	c := &salt.Ctx{Sys: sys.Real{}, Log: slog.New(slog.DiscardHandler)}
	for _, key := range []string{"../etc/passwd", "/sys/../etc/passwd", "no/such"} {
		if path, ok := find(c, key); ok {
			t.Errorf("%s: %s", key, path)
		}
	}
	if r := present(c, presentArgs{Name: "no/such", Value: "1"}); r.Comment != "SysFS attribute no/such doesn't exist." || !r.Bad() {
		t.Errorf("%+v", r)
	}
	if r := present(c, presentArgs{Name: "kernel", Value: "1"}); r.Comment != "kernel is not a SysFS attribute." {
		t.Skipf("this machine has no /sys: %+v", r)
	}
}
