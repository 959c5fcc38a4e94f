package hosts

import (
	"testing"

	"pinch/value"
)

// The results are Salt's own.
func TestParse(t *testing.T) {
	const example = "127.0.0.1 localhost lo\n# c\n10.0.0.1 a b # t\n::1 ip6\n10.0.0.1 z"
	if got, want := value.Repr(parse(example)), "{'127.0.0.1': {'aliases': ['localhost', 'lo']}, 'comment-0': ['# c'], '10.0.0.1': {'aliases': ['a', 'b', 'z'], 'comment': 't'}, '::1': {'aliases': ['ip6']}}"; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	for desc, tt := range map[string][2]string{
		"set":           {withHost(example, "10.0.0.1", "10.0.0.1\t\tonly\n"), "127.0.0.1 localhost lo\n# c\n10.0.0.1\t\tonly\n::1 ip6\n"},
		"set a new one": {withHost(example, "1.1.1.1", "1.1.1.1\t\tx\n"), example + "\n1.1.1.1\t\tx\n"},
		"remove":        {withoutHost(example, "10.0.0.1", "a"), "127.0.0.1 localhost lo\n# c\n10.0.0.1\t\tb # t\n::1 ip6\n10.0.0.1\t\tz \n"},
		"remove last":   {withoutHost(example, "::1", "ip6"), "127.0.0.1 localhost lo\n# c\n10.0.0.1 a b # t\n10.0.0.1 z"},
	} {
		if tt[0] != tt[1] {
			t.Errorf("%s:\n got %q\nwant %q", desc, tt[0], tt[1])
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("127.0.0.1 localhost # x\n#c\n")
	f.Fuzz(func(t *testing.T, s string) {
		once := text(parse(s))
		if again := text(parse(once)); again != once {
			t.Errorf("%q: %q, then %q", s, once, again)
		}
	})
}
