package cmd

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"

	"pinch/value"
)

// decode turns output into text. What is not valid in the encoding becomes
// U+FFFD, and clean is false.
func decode(b []byte, name string) (s string, clean bool, err error) {
	if isUTF8(name) {
		if utf8.Valid(b) {
			return string(b), true, nil
		}
		out, err := unicode.UTF8.NewDecoder().Bytes(b)
		return string(out), false, err
	}
	enc, err := encodingOf(name)
	if err != nil {
		return "", false, err
	}
	out, err := enc.NewDecoder().Bytes(b)
	if err != nil {
		return "", false, err
	}
	s = string(out)
	return s, !strings.ContainsRune(s, utf8.RuneError), nil
}

func isUTF8(name string) bool {
	switch normal(name) {
	case "", "utf8", "u8", "utf", "utf8sig", "cp65001":
		return true
	}
	return false
}

// normal is a name of an encoding as Python compares it.
func normal(name string) string {
	return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(name))
}

// encodingOf finds an encoding by one of the names that Python knows it under.
func encodingOf(name string) (encoding.Encoding, error) {
	iana := name
	switch n := normal(name); {
	case n == "latin1" || n == "latin" || n == "l1" || n == "iso88591" || n == "8859":
		iana = "ISO-8859-1"
	case strings.HasPrefix(n, "cp125"):
		iana = "windows-" + n[2:]
	case strings.HasPrefix(n, "cp"):
		iana = "IBM" + n[2:]
	case n == "sjis" || n == "shiftjis":
		iana = "Shift_JIS"
	case n == "ascii" || n == "646":
		iana = "US-ASCII"
	case n == "utf16":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), nil
	case n == "utf16le":
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), nil
	case n == "utf16be":
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), nil
	case strings.HasPrefix(n, "iso8859"):
		iana = "ISO-8859-" + n[len("iso8859"):]
	}
	if iana == "US-ASCII" {
		return unicode.UTF8, nil
	}
	enc, err := ianaindex.IANA.Encoding(iana)
	if err != nil || enc == nil {
		return nil, value.Errorf("LookupError", "unknown encoding: %s", name)
	}
	return enc, nil
}
