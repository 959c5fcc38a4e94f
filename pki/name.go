package pki

import (
	"crypto/sha1"
	"encoding/asn1"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
)

// An Attribute is one part of a name, such as CN=example.com.
type Attribute struct {
	OID   OID
	Value string
	tag   int // of the string, 0: the usual one
}

// A Name is a distinguished name: relative names of one or more attributes, in
// the order of the certificate.
type Name [][]Attribute

// short are the attribute names of RFC 4514.
var short = []struct {
	name string
	oid  string
}{{"CN", "2.5.4.3"}, {"L", "2.5.4.7"}, {"ST", "2.5.4.8"}, {"O", "2.5.4.10"}, {"OU", "2.5.4.11"}, {"C", "2.5.4.6"}, {"STREET", "2.5.4.9"},
	{"DC", "0.9.2342.19200300.100.1.25"}, {"UID", "0.9.2342.19200300.100.1.1"}}

type attribute struct {
	Type  asn1.ObjectIdentifier
	Value asn1.RawValue
}

type rdnSET []attribute

// DER is the encoded name. Strings are UTF-8, except where the standard wants
// something else for the attribute.
func (n Name) DER() []byte {
	seq := make([]rdnSET, len(n))
	for i, rdn := range n {
		for _, a := range rdn {
			tag := a.tag
			if tag == 0 {
				tag = usualTag(a.OID.String())
			}
			data := []byte(a.Value)
			if tag == asn1.TagBMPString {
				data = nil
				for _, u := range utf16.Encode([]rune(a.Value)) {
					data = append(data, byte(u>>8), byte(u))
				}
			}
			seq[i] = append(seq[i], attribute{a.OID, asn1.RawValue{Tag: tag, Bytes: data}})
		}
	}
	der, _ := asn1.Marshal(seq)
	return der
}

func usualTag(oid string) int {
	switch oid {
	case "2.5.4.6", "1.3.6.1.4.1.311.60.2.1.3", "2.5.4.5", "2.5.4.46":
		return asn1.TagPrintableString
	case "1.2.840.113549.1.9.1", "0.9.2342.19200300.100.1.25":
		return asn1.TagIA5String
	}
	return asn1.TagUTF8String
}

func parseName(der []byte) (Name, error) {
	var seq []rdnSET
	if rest, err := asn1.Unmarshal(der, &seq); err != nil || len(rest) > 0 {
		return nil, ErrData
	}
	n := make(Name, 0, len(seq))
	for _, set := range seq {
		var rdn []Attribute
		for _, a := range set {
			text := string(a.Value.Bytes)
			switch a.Value.Tag {
			case asn1.TagBMPString:
				var u []uint16
				for i := 0; i+1 < len(text); i += 2 {
					u = append(u, uint16(text[i])<<8|uint16(text[i+1]))
				}
				text = string(utf16.Decode(u))
			case asn1.TagT61String:
				r := make([]rune, len(text))
				for i := range len(text) {
					r[i] = rune(text[i])
				}
				text = string(r)
			}
			rdn = append(rdn, Attribute{a.Type, text, a.Value.Tag})
		}
		n = append(n, rdn)
	}
	return n, nil
}

// Equal compares attributes and values, whatever kind of string they are.
func (n Name) Equal(m Name) bool {
	if len(n) != len(m) {
		return false
	}
	key := func(rdn []Attribute) []string {
		var out []string
		for _, a := range rdn {
			out = append(out, a.OID.String()+"="+a.Value)
		}
		slices.Sort(out)
		return out
	}
	for i := range n {
		if !slices.Equal(key(n[i]), key(m[i])) {
			return false
		}
	}
	return true
}

// Get is the first value of an attribute.
func (n Name) Get(oid OID) (string, bool) {
	for _, rdn := range n {
		for _, a := range rdn {
			if a.OID.Equal(oid) {
				return a.Value, true
			}
		}
	}
	return "", false
}

// Hash is the hash of the name that OpenSSL names files by.
func (n Name) Hash() []byte {
	h := sha1.Sum(n.DER())
	return []byte{h[3], h[2], h[1], h[0]}
}

// String is the name in the form of RFC 4514, the last part first.
func (n Name) String() string {
	parts := make([]string, 0, len(n))
	for _, rdn := range slices.Backward(n) {
		parts = append(parts, rdnString(rdn))
	}
	return strings.Join(parts, ",")
}

func rdnString(rdn []Attribute) string {
	var parts []string
	for _, a := range rdn {
		name := a.OID.String()
		for _, s := range short {
			if s.oid == name {
				name = s.name
				break
			}
		}
		parts = append(parts, name+"="+escape(a.Value))
	}
	return strings.Join(parts, "+")
}

func escape(s string) string {
	if s == "" {
		return ""
	}
	s = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `+`, `\+`, `,`, `\,`, `;`, `\;`, `<`, `\<`, `>`, `\>`, "\x00", `\00`).Replace(s)
	if s[0] == '#' || s[0] == ' ' && len(s) > 1 {
		s = `\` + s
	}
	if s[len(s)-1] == ' ' {
		s = s[:len(s)-1] + `\ `
	}
	return s
}

// NewAttribute checks the length that the standard wants.
func NewAttribute(oid OID, v string) (Attribute, error) {
	least, most := 0, -1
	switch oid.String() {
	case "2.5.4.6", "1.3.6.1.4.1.311.60.2.1.3":
		least, most = 2, 2
	case "2.5.4.3":
		least, most = 1, 64
	}
	if most >= 0 && (len(v) < least || len(v) > most) {
		return Attribute{}, fmt.Errorf("Attribute's length must be >= %d and <= %d, but it was %d", least, most, len(v))
	}
	return Attribute{OID: oid, Value: v}, nil
}

// ParseName reads the form of RFC 4514: CN=example.com,O=Example.
func ParseName(s string) (Name, error) {
	if s == "" {
		return Name{}, nil
	}
	var n Name
	var rdn []Attribute
	for {
		a, rest, err := parseAttribute(s)
		if err != nil {
			return nil, err
		}
		rdn = append(rdn, a)
		if rest != "" && rest[0] == '+' {
			s = rest[1:]
			continue
		}
		n = append(n, rdn)
		rdn = nil
		if rest == "" {
			break
		}
		s = rest[1:]
	}
	slices.Reverse(n)
	return n, nil
}

func parseAttribute(s string) (a Attribute, rest string, err error) {
	key, rest, ok := strings.Cut(s, "=")
	oid, isOID := ParseOID(key)
	for _, k := range short {
		if k.name == key {
			oid, isOID = ParseOID(k.oid)
		}
	}
	if !ok || !isOID {
		return a, "", ErrData
	}
	if strings.HasPrefix(rest, "#") {
		end := strings.IndexAny(rest, "+,")
		if end < 0 {
			end = len(rest)
		}
		raw, err := hex.DecodeString(rest[1:end])
		if err != nil || len(raw) == 0 {
			return a, "", ErrData
		}
		var v asn1.RawValue
		if _, err := asn1.Unmarshal(raw, &v); err != nil {
			return a, "", ErrData
		}
		return Attribute{OID: oid, Value: string(v.Bytes), tag: v.Tag}, rest[end:], nil
	}
	v, rest, err := unescape(rest)
	if err != nil {
		return a, "", err
	}
	a, err = NewAttribute(oid, v)
	return a, rest, err
}

// unescape reads a value up to the separator.
func unescape(s string) (v, rest string, err error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == ',' || c == '+':
			return finish(b.String(), s[:i], s[i:])
		case c == '"' || c == ';' || c == '<' || c == '>' || c == 0 || c == ' ' && i == 0:
			return "", "", ErrData
		case c != '\\':
			b.WriteByte(c)
		case i+1 < len(s) && strings.IndexByte("\\ #=\"+,;<>", s[i+1]) >= 0:
			i++
			b.WriteByte(s[i])
		case i+2 < len(s):
			raw, err := hex.DecodeString(s[i+1 : i+3])
			if err != nil {
				return "", "", ErrData
			}
			b.Write(raw)
			i += 2
		default:
			return "", "", ErrData
		}
	}
	return finish(b.String(), s, "")
}

// finish refuses a space at the end that is not escaped.
func finish(v, raw, rest string) (string, string, error) {
	if strings.HasSuffix(raw, " ") && !strings.HasSuffix(raw, `\ `) {
		return "", "", ErrData
	}
	return v, rest, nil
}

// ParseRDN reads one relative name. The error is ErrData, or ErrMany when the
// text has several.
func ParseRDN(s string) ([]Attribute, error) {
	n, err := ParseName(s)
	switch {
	case err != nil:
		return nil, err
	case len(n) != 1:
		return nil, ErrMany
	}
	return n[0], nil
}

// ReadName reads an encoded name.
func ReadName(der []byte) (Name, error) { return parseName(der) }
