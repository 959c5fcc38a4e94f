package loop

import "testing"

func TestLengths(t *testing.T) {
	for in, want := range map[string]string{
		"m_ret == 1":                       "m_ret == 1",
		"len(m_ret) > 2":                   "((m_ret)|length) > 2",
		"len(m_ret['a'](1)) == len(x) + 1": "((m_ret['a'](1))|length) == ((x)|length) + 1",
		"len(":                             "len(",
	} {
		if got := lengths(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
	if got := pythonic.Replace("m_ret is not None and m_ret is True"); got != "m_ret is not none and m_ret is true" {
		t.Error(got)
	}
}
