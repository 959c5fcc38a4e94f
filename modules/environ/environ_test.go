package environ

import (
	"context"
	"log/slog"
	"os"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// The returns are Salt's own; PINCH_A is "1" and PINCH_B is not set.
func TestSetenv(t *testing.T) {
	for _, tt := range []struct {
		kw   *value.Map
		test bool
		want string
		a    string
	}{
		{value.M("value", "2"), false, "True {'PINCH_A': '2'} Environ values were set", "2"},
		{value.M("value", "1"), false, "True {} Environ values were already set with the correct values", "1"},
		{value.M("value", "2"), true, "True {'PINCH_A': '2'} Environ values will be changed", "1"},
		{value.M("value", "1"), true, "True {} Environ values are already set with the correct values", "1"},
		{value.M("value", false), false, "True {'PINCH_A': ''} Environ values were set", ""},
		{value.M("value", false, "false_unsets", true), false, "True {'PINCH_A': None} Environ values were set", "unset"},
		{value.M("value", int64(1)), false, "False {} Environ value must be string, dict or False", "1"},
		{value.M("value", value.M("PINCH_A", "3", "PINCH_B", false), "false_unsets", true), false, "True {'PINCH_A': '3', 'PINCH_B': None} Environ values were set", "3"},
	} {
		t.Setenv("PINCH_A", "1")
		os.Unsetenv("PINCH_B")
		c := &salt.Ctx{Context: context.Background(), Sys: sys.Real{}, Log: slog.New(slog.DiscardHandler), Test: tt.test}
		kw := value.M("name", "PINCH_A")
		kw.Update(tt.kw)
		v, err := Module.States()["setenv"].Call(c, nil, kw)
		if err != nil {
			t.Fatal(err)
		}
		m := v.(salt.Result).Map("")
		got := value.Repr(m.At("result")) + " " + value.Repr(m.At("changes")) + " " + m.Str("comment")
		a, ok := os.LookupEnv("PINCH_A")
		if !ok {
			a = "unset"
		}
		if got != tt.want || a != tt.a {
			t.Errorf("%s: got %s, then %s; want %s, then %s", value.Repr(tt.kw), got, a, tt.want, tt.a)
		}
	}
}
