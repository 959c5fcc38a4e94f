package xml

import "testing"

const sample = "<?xml version=\"1.0\"?>\n<!-- keep -->\n<r xmlns:p=\"urn:p\"><a id=\"1\">t&amp;<!-- in -->u</a><b k=\"v\"/><b><c>x</c></b><p:d p:q='1'>é</p:d><b><c>y</c></b></r>\n"

// The results are those of Python's ElementTree.
func TestFind(t *testing.T) {
	d, err := parse("x.xml", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"a": "t&u", ".//c": "x", "b/c": "x", "b[3]/c": "y", "b[last()]/c": "y", "b[c='y']/c": "y", ".//c[.='y']": "y",
		"*[@id]": "t&u", "*[@id='1']": "t&u", ".//{urn:p}d": "é", "b[last()-1]/c": "x", ".//c/../c": "x", "b[c!='x']/c": "y",
	} {
		n, err := d.find(path)
		if err != nil || n == nil {
			t.Errorf("%s: %v %v", path, n, err)
			continue
		}
		if got, _ := n.value(); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	for _, path := range []string{"d", "c", "b[4]", "*[@id='2']"} {
		if n, err := d.find(path); n != nil || err != nil {
			t.Errorf("%s: found %v %v", path, n, err)
		}
	}
	for _, path := range []string{"a[", "b//", "a[1]x"} {
		if _, err := d.find(path); err == nil {
			t.Errorf("%s: no error", path)
		}
	}
}

// What ElementTree loses (declaration, comments, prefixes) stays.
func TestWrite(t *testing.T) {
	d, err := parse("x.xml", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	n, _ := d.find("a")
	n.set("new <")
	n.setAttr("z", "q\"\n")
	want := "<?xml version=\"1.0\"?>\n<!-- keep -->\n<r xmlns:p=\"urn:p\"><a id=\"1\" z=\"q&quot;&#10;\">new &lt;<!-- in --></a><b k=\"v\" /><b><c>x</c></b><p:d p:q=\"1\">&#233;</p:d><b><c>y</c></b></r>\n"
	if got := string(d.bytes()); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("<a><b></a>"))
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := parse("x", b)
		if err != nil {
			return
		}
		if _, err := parse("x", d.bytes()); err != nil {
			t.Errorf("%q cannot be read again: %v", d.bytes(), err)
		}
	})
}
