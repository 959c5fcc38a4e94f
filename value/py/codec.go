package py

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"

	"pinch/value"
)

func codecArgs(a args, name string) (enc, errs string, err error) {
	enc, errs = "utf-8", "strict"
	for i, to := range []*string{&enc, &errs} {
		if !a.has(i) {
			continue
		}
		s, ok := Text(a[i])
		if !ok {
			return "", "", typeError("%s() argument '%s' must be str, not %s", name, []string{"encoding", "errors"}[i], TypeName(a[i]))
		}
		*to = s
	}
	return enc, errs, nil
}

func strEncode(s string, a args) (any, error) {
	enc, errs, err := codecArgs(a, "encode")
	if err != nil {
		return nil, err
	}
	return Encode(s, enc, errs)
}

func bytesDecode(b []byte, a args) (any, error) {
	enc, errs, err := codecArgs(a, "decode")
	if err != nil {
		return nil, err
	}
	return Decode(b, enc, errs)
}

// codecName brings Python's spellings of an encoding together.
func codecName(name string) string {
	n := strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToLower(name))
	switch n {
	case "utf8", "u8", "utf", "utf-8", "cp65001":
		return "utf-8"
	case "ascii", "us-ascii", "646", "ansi-x3.4-1968":
		return "ascii"
	case "latin-1", "latin1", "iso-8859-1", "iso8859-1", "8859", "cp819", "latin", "l1":
		return "latin-1"
	}
	return n
}

func lookupCodec(name string) (encoding.Encoding, error) {
	switch n := codecName(name); n {
	case "utf-16", "utf16":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), nil
	case "utf-16-le", "utf-16le":
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), nil
	case "utf-16-be", "utf-16be":
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), nil
	case "utf-8-sig":
		return unicode.UTF8BOM, nil
	default:
		if strings.HasPrefix(n, "cp125") {
			n = "windows-" + n[2:]
		}
		if e, err := ianaindex.IANA.Encoding(n); err == nil && e != nil {
			return e, nil
		}
	}
	return nil, value.Errorf("LookupError", "unknown encoding: %s", name)
}

// Encode is s.encode(enc, errs).
func Encode(s, enc, errs string) ([]byte, error) {
	limit := rune(utf8.MaxRune)
	codec := codecName(enc)
	switch codec {
	case "utf-8":
		return []byte(s), nil
	case "ascii":
		limit = 0x7f
	case "latin-1":
		limit = 0xff
	default:
		e, err := lookupCodec(enc)
		if err != nil {
			return nil, err
		}
		out, err := e.NewEncoder().Bytes([]byte(s))
		if err != nil {
			return nil, value.Errorf("UnicodeEncodeError", "'%s' codec can't encode characters: character maps to <undefined>", enc)
		}
		return out, nil
	}
	out := make([]byte, 0, len(s))
	at := 0
	for _, r := range s {
		if r <= limit {
			out = append(out, byte(r))
			at++
			continue
		}
		with, ok := replacement(r, errs)
		if !ok {
			return nil, value.Errorf("UnicodeEncodeError", "'%s' codec can't encode character '%s' in position %d: ordinal not in range(%d)", codec, escapeRune(r), at, limit+1)
		}
		out = append(out, with...)
		at++
	}
	return out, nil
}

func escapeRune(r rune) string {
	switch {
	case r <= 0xff:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

func replacement(r rune, errs string) (string, bool) {
	switch errs {
	case "ignore":
		return "", true
	case "replace":
		return "?", true
	case "backslashreplace":
		return escapeRune(r), true
	case "xmlcharrefreplace":
		return fmt.Sprintf("&#%d;", r), true
	}
	return "", false
}

// Decode is b.decode(enc, errs).
func Decode(b []byte, enc, errs string) (string, error) {
	codec := codecName(enc)
	switch codec {
	case "latin-1":
		return latin1(b), nil
	case "utf-8", "ascii":
	default:
		e, err := lookupCodec(enc)
		if err != nil {
			return "", err
		}
		out, err := e.NewDecoder().Bytes(b)
		if err != nil {
			return "", value.Errorf("UnicodeDecodeError", "'%s' codec can't decode bytes: %s", enc, err)
		}
		return string(out), nil
	}
	var out strings.Builder
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r != utf8.RuneError || n > 1 {
			if codec == "utf-8" || r < utf8.RuneSelf {
				out.Write(b[i : i+n])
				i += n
				continue
			}
		}
		switch errs {
		case "ignore":
		case "replace":
			out.WriteRune(utf8.RuneError)
		case "backslashreplace":
			fmt.Fprintf(&out, `\x%02x`, b[i])
		default:
			return "", decodeError(codec, b, i)
		}
		i++
	}
	return out.String(), nil
}

func decodeError(codec string, b []byte, i int) error {
	why := "ordinal not in range(128)"
	if codec == "utf-8" {
		switch c := b[i]; {
		case c < 0xc2 || c > 0xf4:
			why = "invalid start byte"
		case len(b)-i < utf8Size(c) && validTail(b[i+1:]):
			why = "unexpected end of data"
			if n := len(b) - i; n > 1 {
				return value.Errorf("UnicodeDecodeError", "'utf-8' codec can't decode bytes in position %d-%d: %s", i, i+n-1, why)
			}
		default:
			why = "invalid continuation byte"
		}
	}
	return value.Errorf("UnicodeDecodeError", "'%s' codec can't decode byte 0x%02x in position %d: %s", codec, b[i], i, why)
}

func utf8Size(c byte) int {
	switch {
	case c >= 0xf0:
		return 4
	case c >= 0xe0:
		return 3
	}
	return 2
}

func validTail(b []byte) bool {
	for _, c := range b {
		if c&0xc0 != 0x80 {
			return false
		}
	}
	return true
}
