package cmd

import (
	"strings"
	"unicode/utf8"

	"pinch/value/codec"
)

// decode turns output into text. What is not valid in the encoding becomes
// U+FFFD, and clean is false.
func decode(b []byte, name string) (s string, clean bool, err error) {
	if name == "" {
		name = "utf-8"
	}
	enc, err := codec.Lookup(name)
	if err != nil {
		return "", false, err
	}
	if s, err = enc.Decode(b, "replace"); err != nil {
		return "", false, err
	}
	return s, !strings.ContainsRune(s, utf8.RuneError), nil
}
