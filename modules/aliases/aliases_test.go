package aliases

import "testing"

func TestParse(t *testing.T) {
	const text = "# head\nroot: admin@x.org # why\npostmaster:root\n\nlist: a, b\ninc: :include:/etc/list\n  more\nlonely\n"
	const want = "# head\nroot: admin@x.org # why\npostmaster: root\n\nlist: a, b\ninc: :include:/etc/list\n  more\nlonely\n"
	got := ""
	for _, l := range parse(text) {
		got += l.String()
	}
	if got != want {
		t.Errorf("%q", got)
	}
	if l := parse(text)[1]; l.alias != "root" || l.target != "admin@x.org" || l.comment != " # why" {
		t.Errorf("%+v", l)
	}
}

// What is written reads back as the same.
func FuzzParse(f *testing.F) {
	f.Add("# head\nroot: admin@x.org # why\npostmaster:root\n")
	f.Fuzz(func(t *testing.T, text string) {
		write := func(s string) (out string) {
			for _, l := range parse(s) {
				out += l.String()
			}
			return out
		}
		once := write(text)
		if again := write(once); again != once {
			t.Errorf("%q\n%q\n%q", text, once, again)
		}
	})
}
