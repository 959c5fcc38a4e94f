package x509

import (
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/crypto/cryptobyte"
	casn1 "golang.org/x/crypto/cryptobyte/asn1"
	"golang.org/x/net/idna"

	"pinch/pki"
	"pinch/salt"
	"pinch/value"
)

// A generalName is one choice of GeneralName, encoded.
type generalName struct {
	tag  int // of the choice
	data []byte
}

const (
	gnMail = 1
	gnDNS  = 2
	gnDir  = 4
	gnURI  = 6
	gnIP   = 7
	gnRID  = 8
)

func (g generalName) add(b *cryptobyte.Builder) {
	tag := casn1.Tag(g.tag).ContextSpecific()
	if g.tag == gnDir {
		tag = tag.Constructed()
	}
	b.AddASN1(tag, func(b *cryptobyte.Builder) { b.AddBytes(g.data) })
}

// addNames adds names into the element b is in.
func addNames(b *cryptobyte.Builder, names []generalName) {
	for _, n := range names {
		n.add(b)
	}
}

// sequence is DER of a sequence.
func sequence(f func(b *cryptobyte.Builder)) []byte {
	var b cryptobyte.Builder
	b.AddASN1(casn1.SEQUENCE, f)
	return b.BytesOrPanic()
}

// generalNames encodes pairs such as dns and example.com.
func generalNames(pairs []pair) ([]generalName, error) {
	var out []generalName
	for _, p := range pairs {
		n, err := oneName(strings.ToLower(p.key), p.val)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

func oneName(typ string, v any) (n generalName, err error) {
	s, isText := v.(string)
	switch typ {
	case "email", "dns", "uri", "ip":
		if !isText && typ != "ip" {
			return n, salt.InvocationError("Expected string value, got %s: `%s`", value.TypeName(v), value.Str(v))
		}
		s = value.Str(v)
	}
	switch typ {
	case "dirname":
		name, err := distinguished(v)
		return generalName{gnDir, name.DER()}, err
	case "rid":
		oid, err := identifier(v)
		if err != nil {
			return n, err
		}
		var b cryptobyte.Builder
		b.AddASN1ObjectIdentifier(oid)
		der := b.BytesOrPanic()
		return generalName{gnRID, der[2:]}, nil
	case "ip":
		raw, err := address(s)
		return generalName{gnIP, raw}, err
	case "email":
		if i := strings.LastIndexByte(s, '@'); i >= 0 {
			domain, err := encodeDomain(s[i+1:], false, false)
			return generalName{gnMail, []byte(s[:i+1] + domain)}, err
		}
		s, err = encodeDomain(s, true, false)
		return generalName{gnMail, []byte(s)}, err
	case "uri":
		if u, err := url.Parse(s); err == nil && u.Host != "" {
			domain, err := encodeDomain(u.Host, false, false)
			if err != nil {
				return n, err
			}
			s = strings.Replace(s, u.Host, domain, 1)
		}
		return generalName{gnURI, []byte(s)}, nil
	case "dns":
		s, err = encodeDomain(s, true, true)
		return generalName{gnDNS, []byte(s)}, err
	case "othername":
		return n, salt.InvocationError("otherName is currently not implemented")
	}
	return n, salt.CommandError("GeneralName type %s is invalid", typ)
}

// address is an IP address, or a network with its mask.
func address(s string) ([]byte, error) {
	if a, err := netip.ParseAddr(s); err == nil {
		return a.AsSlice(), nil
	}
	p, err := netip.ParsePrefix(maskBits(s))
	if err != nil || p.Masked() != p {
		return nil, salt.CommandError("Provided value %s does not seem to be an IP address or network range.", s)
	}
	raw := p.Addr().AsSlice()
	for i := range len(raw) {
		raw = append(raw, byte(0xff<<max(0, min(8, 8*(i+1)-p.Bits()))))
	}
	return raw, nil
}

// maskBits turns a mask at the end into the number of its bits.
func maskBits(s string) string {
	net, mask, _ := strings.Cut(s, "/")
	m, err := netip.ParseAddr(mask)
	if err != nil || !m.Is4() {
		return s
	}
	var bits int
	for _, b := range m.AsSlice() {
		for ; b&0x80 != 0; b <<= 1 {
			bits++
		}
	}
	return net + "/" + value.Str(int64(bits))
}

// encodeDomain gives a domain in its ASCII form.
func encodeDomain(s string, dot, wildcard bool) (string, error) {
	prefix := ""
	if strings.HasPrefix(s, ".") {
		if !dot {
			return "", salt.CommandError("Leading dots are not allowed in this context")
		}
		prefix, s = ".", strings.TrimLeft(s, ".")
	}
	if rest, ok := strings.CutPrefix(s, "*."); ok {
		switch {
		case !wildcard:
			return "", salt.CommandError("Wildcards are not allowed in this context")
		case prefix != "":
			return "", salt.CommandError("Wildcards and leading dots cannot be present together")
		case strings.HasPrefix(rest, "."):
			return "", salt.CommandError("Empty label")
		}
		prefix, s = "*.", rest
	}
	if s == "" {
		return "", salt.CommandError("Empty domain")
	}
	for _, label := range strings.Split(strings.TrimSuffix(s, "."), ".") {
		if label == "" {
			return "", salt.CommandError("Empty Label")
		}
	}
	for i, r := range s {
		if r < 0x80 && !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.') {
			start := strings.LastIndexByte(s[:i], '.') + 1
			label, _, _ := strings.Cut(s[start:], ".")
			return "", salt.CommandError("Codepoint U+%04X at position %d of '%s' not allowed", r, i-start+1, label)
		}
	}
	ascii, err := idna.Registration.ToASCII(strings.ToLower(s))
	if err != nil {
		return "", salt.CommandError("%s", strings.TrimPrefix(err.Error(), "idna: "))
	}
	if isASCII(s) {
		ascii = s // letters stay as they are
	}
	return prefix + ascii, nil
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// readNames reads general names inside of a sequence or context tag.
func readNames(s cryptobyte.String) []generalName {
	var out []generalName
	for !s.Empty() {
		var body cryptobyte.String
		var tag casn1.Tag
		if !s.ReadAnyASN1(&body, &tag) {
			return out
		}
		out = append(out, generalName{int(tag & 0x1f), body})
	}
	return out
}

// String shows a name as OpenSSL writes it.
func (g generalName) String() string {
	switch g.tag {
	case gnMail:
		return "mail:" + string(g.data)
	case gnDNS:
		return "DNS:" + string(g.data)
	case gnURI:
		return "URI:" + string(g.data)
	case gnDir:
		n, err := pki.ReadName(g.data)
		if err != nil {
			break
		}
		return "dirName:" + n.String()
	case gnIP:
		return "IP:" + showAddress(g.data)
	case gnRID:
		var oid pki.OID
		der := cryptobyte.String(append([]byte{6, byte(len(g.data))}, g.data...))
		if der.ReadASN1ObjectIdentifier(&oid) {
			return "RID:" + oid.String()
		}
	}
	return "otherName:<unsupported>"
}

func showAddress(raw []byte) string {
	half := len(raw)
	if half == 8 || half == 32 {
		half /= 2
	}
	a, ok := netip.AddrFromSlice(raw[:half])
	if !ok {
		return ""
	}
	s := a.StringExpanded()
	if half == len(raw) {
		return s
	}
	bits := 0
	for _, b := range raw[half:] {
		for ; b&0x80 != 0; b <<= 1 {
			bits++
		}
	}
	return s + "/" + value.Str(int64(bits))
}

func showNames(names []generalName) *value.List {
	l := value.L()
	for _, n := range names {
		l.Append(n.String())
	}
	return l
}
