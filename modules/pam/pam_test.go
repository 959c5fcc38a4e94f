package pam

import (
	"testing"

	"pinch/value"
)

// The first results are Salt's own; it cannot read lines of two words.
func TestRules(t *testing.T) {
	got := value.Repr(rules("# c\n\nauth [success=1 default=ignore] pam_unix.so nullok try_first\nauth required pam_deny.so\nsession [x] y.so\n@include common\n"))
	want := "[{'interface': 'auth', 'control_flag': 'success=1 default=ignore', 'module': 'pam_unix.so', 'arguments': ['nullok', 'try_first']}, {'interface': 'auth', 'control_flag': 'required', 'module': 'pam_deny.so', 'arguments': []}, {'interface': 'session', 'control_flag': 'x', 'module': 'y.so', 'arguments': []}, {'interface': '@include', 'control_flag': 'common', 'module': '', 'arguments': []}]"
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
