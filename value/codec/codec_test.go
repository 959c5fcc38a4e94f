package codec

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"
)

type row struct {
	Enc, Errors, Text, Hex, Error string
}

// TestPython compares with what Python answered; decoding errors of encodings
// with several bytes a character are compared by class only.
func TestPython(t *testing.T) {
	b, err := os.ReadFile("testdata/python.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows struct{ Encode, Decode []row }
	if err := json.Unmarshal(b, &rows); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows.Encode {
		c, err := Lookup(r.Enc)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Encode(r.Text, r.Errors)
		if r.Error != "" {
			if err == nil || err.Error() != r.Error {
				t.Errorf("%q.encode(%q, %q): error %v, Python's %s", r.Text, r.Enc, r.Errors, err, r.Error)
			}
			continue
		}
		if err != nil || hex.EncodeToString(got) != r.Hex {
			t.Errorf("%q.encode(%q, %q) = %x %v, Python's %s", r.Text, r.Enc, r.Errors, got, err, r.Hex)
		}
	}
	for _, r := range rows.Decode {
		c, err := Lookup(r.Enc)
		if err != nil {
			t.Fatal(err)
		}
		in, _ := hex.DecodeString(r.Hex)
		got, err := c.Decode(in, r.Errors)
		switch {
		case r.Error != "" && err == nil, r.Error == "" && (err != nil || got != r.Text):
			t.Errorf("%s.decode(%q, %q) = %q %v, Python's %q %s", r.Hex, r.Enc, r.Errors, got, err, r.Text, r.Error)
		case r.Error != "" && (c.enc == nil || c.name == "charmap") && err.Error() != r.Error:
			t.Errorf("%s.decode(%q, %q): %v, Python's %s", r.Hex, r.Enc, r.Errors, err, r.Error)
		}
	}
}

func TestLookupRefuses(t *testing.T) {
	if _, err := Lookup("klingon"); err == nil || err.Error() != "unknown encoding: klingon" {
		t.Errorf("error %v", err)
	}
}
