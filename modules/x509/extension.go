package x509

import (
	"encoding/hex"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/cryptobyte"
	casn1 "golang.org/x/crypto/cryptobyte/asn1"

	"pinch/pki"
	"pinch/salt"
	"pinch/value"
)

const timeForm = "2006-01-02 15:04:05"

// A kind is one kind of extension.
type kind struct {
	name   string // Salt's
	oid    string
	shown  string // the name in changes, "" for the same
	where  int
	encode func(e *extender, v any) (der []byte, critical bool, err error)
	render func(s cryptobyte.String) *value.Map
}

// Where an extension may stand.
const (
	inCert  = 1 << iota // a certificate
	inCRL               // a revocation list
	inEntry             // an entry of such a list
	notCSR              // not a signing request
)

// An extender makes extensions; what it knows depends on what they are for.
type extender struct {
	subject *pki.Public      // the key that is certified
	ca      *pki.Certificate // the issuer, nil if it signs itself
	caKey   *pki.Public      // of an issuer that signs itself
}

// kinds are all extensions, in the order in which they go into certificates.
var kinds = sync.OnceValue(func() []kind {
	return []kind{
		{"basicConstraints", "2.5.29.19", "", inCert, basicConstraints, renderBasic},
		{"keyUsage", "2.5.29.15", "", inCert, keyUsage, renderUsage},
		{"extendedKeyUsage", "2.5.29.37", "", inCert, extendedKeyUsage, renderExtended},
		{"subjectKeyIdentifier", "2.5.29.14", "", inCert, subjectKeyIdentifier, renderSubjectKey},
		{"authorityKeyIdentifier", "2.5.29.35", "", inCert | inCRL | notCSR, authorityKeyIdentifier, renderAuthorityKey},
		{"issuerAltName", "2.5.29.18", "", inCert | inCRL | notCSR, issuerNames, renderNames},
		{"authorityInfoAccess", "1.3.6.1.5.5.7.1.1", "", inCert | inCRL | notCSR, infoAccess, renderAccess},
		{"subjectAltName", "2.5.29.17", "", inCert, subjectAltName, renderNames},
		{"crlDistributionPoints", "2.5.29.31", "cRLDistributionPoints", inCert | notCSR, crlPoints, renderPoints},
		{"issuingDistributionPoint", "2.5.29.28", "", inCRL, issuingPoint, renderIssuing},
		{"certificatePolicies", "2.5.29.32", "", inCert, policies, renderPolicies},
		{"policyConstraints", "2.5.29.36", "", inCert, policyConstraints, renderPolicyConstraints},
		{"inhibitAnyPolicy", "2.5.29.54", "", inCert, inhibitAnyPolicy, renderInteger},
		{"nameConstraints", "2.5.29.30", "", inCert, nameConstraints, renderNameConstraints},
		{"noCheck", "1.3.6.1.5.5.7.48.1.5", "OCSPNoCheck", inCert, noCheck, func(cryptobyte.String) *value.Map { return value.M("value", true) }},
		{"tlsfeature", "1.3.6.1.5.5.7.1.24", "TLSFeature", inCert, tlsFeature, renderFeature},
		{"nsComment", "", "", inCert, unsupported("nsComment"), nil},
		{"nsCertType", "", "", inCert, unsupported("nsCertType"), nil},
		{"cRLNumber", "2.5.29.20", "", inCRL, crlNumber, renderInteger},
		{"deltaCRLIndicator", "2.5.29.27", "", inCRL, deltaIndicator, renderInteger},
		{"freshestCRL", "2.5.29.46", "", inCRL, freshestCRL, renderPoints},
		{"certificateIssuer", "2.5.29.29", "", inEntry, issuerNames, renderNames},
		{"CRLReason", "2.5.29.21", "cRLReason", inEntry, crlReason, renderReason},
		{"invalidityDate", "2.5.29.24", "", inEntry, invalidityDate, renderDate},
	}
})

func kindOf(name string) *kind {
	for i, k := range kinds() {
		if k.name == name {
			return &kinds()[i]
		}
	}
	return nil
}

func (k *kind) id() pki.OID { oid, _ := pki.ParseOID(k.oid); return oid }

// make builds one extension.
func (e *extender) make(name string, v any) (pki.Extension, error) {
	k := kindOf(name)
	if k == nil {
		return pki.Extension{}, salt.CommandError("Unknown extension %s", name)
	}
	der, critical, err := k.encode(e, v)
	return pki.Extension{OID: k.id(), Critical: critical, Value: der}, err
}

func unsupported(name string) func(*extender, any) ([]byte, bool, error) {
	return func(*extender, any) ([]byte, bool, error) {
		return nil, false, salt.InvocationError("%s is currently not implemented.", name)
	}
}

func basicConstraints(_ *extender, v any) ([]byte, bool, error) {
	var ca, critical bool
	var pathlen any
	switch v := v.(type) {
	case string:
		var pairs []pair
		pairs, critical = confString(strings.ToLower(v))
		word, ok := lookup(pairs, "ca")
		if !ok {
			return nil, false, salt.InvocationError("Invalid configuration for basicContraints: 'ca'")
		}
		ca = word == "true"
		if p, ok := lookup(pairs, "pathlen"); ok {
			n, err := strconv.ParseInt(p.(string), 10, 64)
			if err != nil {
				return nil, false, salt.InvocationError("Invalid configuration for basicContraints: invalid literal for int() with base 10: %s", value.Repr(p))
			}
			pathlen = n
		}
	case *value.Map:
		critical = v.Truth("critical")
		x, ok := v.Get("ca")
		if !ok {
			return nil, false, salt.InvocationError("Undefined required key for basicConstraints: 'ca'")
		}
		b, isBool := x.(bool)
		if !isBool {
			return nil, false, salt.InvocationError("ca must be a boolean value")
		}
		ca, pathlen = b, v.At("pathlen")
	default:
		return nil, false, salt.InvocationError("basicConstraints must be a string or a dictionary")
	}
	n, isInt := pathlen.(int64)
	switch {
	case pathlen != nil && !ca:
		return nil, false, salt.InvocationError("path_length must be None when ca is False")
	case pathlen != nil && (!isInt || n < 0):
		return nil, false, salt.InvocationError("path_length must be a non-negative integer or None")
	}
	return sequence(func(b *cryptobyte.Builder) {
		if ca {
			b.AddASN1Boolean(true)
		}
		if pathlen != nil {
			b.AddASN1Int64(n)
		}
	}), critical, nil
}

// usages are the bits of keyUsage in their order.
var usages = []string{"digitalSignature", "nonRepudiation", "keyEncipherment", "dataEncipherment", "keyAgreement", "keyCertSign", "cRLSign", "encipherOnly", "decipherOnly"}

func keyUsage(_ *extender, v any) ([]byte, bool, error) {
	on := make([]bool, len(usages))
	for i, u := range usages {
		on[i] = has(v, u)
	}
	if !on[4] && (on[7] || on[8]) {
		return nil, false, salt.InvocationError("encipher_only and decipher_only can only be true when key_agreement is true")
	}
	return bitString(on), has(v, "critical"), nil
}

// bitString encodes named bits: without the zeros at the end.
func bitString(on []bool) []byte {
	var raw []byte
	last := -1
	for i, b := range on {
		if i%8 == 0 {
			raw = append(raw, 0)
		}
		if b {
			raw[i/8] |= 0x80 >> (i % 8)
			last = i
		}
	}
	raw = raw[:last/8+1]
	if last < 0 {
		raw = nil
	}
	body := append([]byte{byte((7 - last%8) % 8)}, raw...)
	if last < 0 {
		body = []byte{0}
	}
	return append([]byte{3, byte(len(body))}, body...)
}

// purposes are the names of extendedKeyUsage that Salt knows.
var purposes = []struct{ name, oid string }{
	{"serverAuth", "1.3.6.1.5.5.7.3.1"}, {"clientAuth", "1.3.6.1.5.5.7.3.2"}, {"codeSigning", "1.3.6.1.5.5.7.3.3"}, {"emailProtection", "1.3.6.1.5.5.7.3.4"},
	{"timeStamping", "1.3.6.1.5.5.7.3.8"}, {"OCSPSigning", "1.3.6.1.5.5.7.3.9"}, {"msSmartcardLogin", "1.3.6.1.4.1.311.20.2.2"}, {"pkInitKDC", "1.3.6.1.5.2.3.5"},
	{"ipsecIKE", "1.3.6.1.5.5.7.3.17"}, {"msCodeInd", "1.3.6.1.4.1.311.2.1.21"}, {"msCodeCom", "1.3.6.1.4.1.311.2.1.22"},
	{"msCTLSign", "1.3.6.1.4.1.311.10.3.1"}, {"msEFS", "1.3.6.1.4.1.311.10.3.4"},
}

func extendedKeyUsage(_ *extender, v any) ([]byte, bool, error) {
	critical := has(v, "critical")
	var words []string
	if s, ok := v.(string); ok {
		var pairs []pair
		pairs, critical = confString(s)
		for _, p := range pairs {
			words = append(words, p.key)
		}
	} else {
		for _, it := range listOf(v) {
			words = append(words, value.Str(it))
		}
	}
	var oids []pki.OID
	for _, w := range words {
		if w == "critical" {
			continue
		}
		for _, p := range purposes {
			if p.name == w {
				w = p.oid
				break
			}
		}
		oid, err := identifier(w)
		if err != nil {
			return nil, false, err
		}
		oids = append(oids, oid)
	}
	return sequence(func(b *cryptobyte.Builder) {
		for _, o := range oids {
			b.AddASN1ObjectIdentifier(o)
		}
	}), critical, nil
}

func octets(raw []byte) []byte {
	var b cryptobyte.Builder
	b.AddASN1OctetString(raw)
	return b.BytesOrPanic()
}

func subjectKeyIdentifier(e *extender, v any) ([]byte, bool, error) {
	if has(v, "critical") {
		return nil, false, salt.InvocationError("subjectKeyIdentifier must be marked as non-critical")
	}
	switch v := v.(type) {
	case string:
		if v == "hash" {
			if e.subject == nil {
				return nil, false, value.Errorf("RuntimeError", "Cannot calculate digest for subjectKeyIdentifier: missing pubkey")
			}
			return octets(e.subject.Identifier()), false, nil
		}
		raw, err := hex.DecodeString(strings.ReplaceAll(v, ":", ""))
		if err != nil {
			return nil, false, salt.InvocationError("Value must be precomputed hash")
		}
		return octets(raw), false, nil
	case []byte:
		return octets(v), false, nil
	}
	return nil, false, salt.InvocationError("Value must be a (hex-)digest or pubkey")
}

func authorityKeyIdentifier(e *extender, v any) ([]byte, bool, error) {
	if has(v, "critical") {
		return nil, false, salt.InvocationError("authorityKeyIdentifier must be marked as non-critical")
	}
	if e.ca == nil && e.caKey == nil {
		return nil, false, value.Errorf("RuntimeError", "Need CA certificate or CA pubkey to calculate authorityKeyIdentifier")
	}
	pairs, _ := namePairs(v)
	keyMode, wantKey := lookup(pairs, "keyid")
	issuerMode, wantIssuer := lookup(pairs, "issuer")
	var id []byte
	if wantKey {
		if id = e.caID(); id == nil && keyMode == "always" {
			return nil, false, salt.CommandError("Could not retrieve authorityKeyIdentifier keyid, but it was set to always")
		}
	}
	issuer := issuerMode == "always" || wantIssuer && id == nil
	if issuer && e.ca == nil {
		if issuerMode == "always" {
			return nil, false, salt.CommandError("Could not add authority_cert_issuer and authority_cert_serial_number, but was set to always.")
		}
		issuer = false
	}
	return sequence(func(b *cryptobyte.Builder) {
		if id != nil {
			b.AddASN1(casn1.Tag(0).ContextSpecific(), func(b *cryptobyte.Builder) { b.AddBytes(id) })
		}
		if issuer {
			b.AddASN1(casn1.Tag(1).ContextSpecific().Constructed(), func(b *cryptobyte.Builder) { generalName{gnDir, e.ca.Issuer.DER()}.add(b) })
			var n cryptobyte.Builder
			n.AddASN1BigInt(e.ca.Serial)
			der := cryptobyte.String(n.BytesOrPanic())
			var body cryptobyte.String
			der.ReadASN1(&body, casn1.INTEGER)
			b.AddASN1(casn1.Tag(2).ContextSpecific(), func(b *cryptobyte.Builder) { b.AddBytes(body) })
		}
	}), false, nil
}

// caID is the identifier of the issuer's key.
func (e *extender) caID() []byte {
	if e.ca == nil {
		return e.caKey.Identifier()
	}
	if ext := pki.Find(e.ca.Extensions, pki.OID{2, 5, 29, 14}); ext != nil {
		s := cryptobyte.String(ext.Value)
		var id []byte
		if s.ReadASN1Bytes(&id, casn1.OCTET_STRING) {
			return id
		}
	}
	if e.ca.Key == nil {
		return nil
	}
	return e.ca.Key.Identifier()
}

func issuerNames(e *extender, v any) ([]byte, bool, error) {
	pairs, critical := namePairs(v)
	var names []generalName
	var rest []pair
	for _, p := range pairs {
		if p.key != "issuer" || p.val != "copy" {
			rest = append(rest, p)
			continue
		}
		if e.ca == nil {
			return nil, false, value.Errorf("RuntimeError", "Need CA certificate to copy to issuerAltName")
		}
		ext := pki.Find(e.ca.Extensions, pki.OID{2, 5, 29, 17})
		if ext == nil {
			return nil, false, salt.CommandError("No <class 'cryptography.x509.extensions.SubjectAlternativeName'> extension was found")
		}
		s := cryptobyte.String(ext.Value)
		var body cryptobyte.String
		s.ReadASN1(&body, casn1.SEQUENCE)
		names = append(names, readNames(body)...)
	}
	more, err := generalNames(rest)
	if err != nil {
		return nil, false, err
	}
	names = append(names, more...)
	return sequence(func(b *cryptobyte.Builder) { addNames(b, names) }), critical, nil
}

func subjectAltName(_ *extender, v any) ([]byte, bool, error) {
	pairs, critical := namePairs(v)
	names, err := generalNames(pairs)
	return sequence(func(b *cryptobyte.Builder) { addNames(b, names) }), critical, err
}

// accesses are the methods of authorityInfoAccess that have names.
var accesses = []struct{ name, oid string }{{"OCSP", "1.3.6.1.5.5.7.48.1"}, {"caIssuers", "1.3.6.1.5.5.7.48.2"}, {"caRepository", "1.3.6.1.5.5.7.48.5"}}

func infoAccess(_ *extender, v any) ([]byte, bool, error) {
	var pairs []pair
	switch v := v.(type) {
	case string:
		for _, word := range strings.Split(v, ",") {
			if k, x, ok := strings.Cut(strings.TrimSpace(word), ";"); ok {
				pairs = append(pairs, pair{k, x})
			}
		}
	case *value.Map:
		for k, x := range v.Items() {
			if k != "critical" {
				pairs = append(pairs, pair{k, x})
			}
		}
	case *value.List:
		for _, it := range v.Items {
			if m, ok := it.(*value.Map); ok {
				for k, x := range m.Items() {
					pairs = append(pairs, pair{k, x})
				}
			}
		}
	}
	type access struct {
		method pki.OID
		place  generalName
	}
	var out []access
	for _, p := range pairs {
		id := p.key
		for _, a := range accesses {
			if a.name == id {
				id = a.oid
			}
		}
		oid, err := identifier(id)
		if err != nil {
			return nil, false, salt.CommandError("Unknown access OID: %s", p.key)
		}
		typ, x, _ := strings.Cut(value.Str(p.val), ":")
		n, err := oneName(strings.ToLower(typ), x)
		if err != nil {
			return nil, false, err
		}
		out = append(out, access{oid, n})
	}
	return sequence(func(b *cryptobyte.Builder) {
		for _, a := range out {
			b.AddASN1(casn1.SEQUENCE, func(b *cryptobyte.Builder) {
				b.AddASN1ObjectIdentifier(a.method)
				a.place.add(b)
			})
		}
	}), false, nil
}

func noCheck(_ *extender, v any) ([]byte, bool, error) {
	return []byte{5, 0}, strings.Contains(value.Str(v), "critical"), nil
}

func tlsFeature(_ *extender, v any) ([]byte, bool, error) {
	var words []string
	if s, ok := v.(string); ok {
		for _, w := range strings.Split(s, ",") {
			words = append(words, strings.TrimSpace(w))
		}
	} else {
		for _, it := range listOf(v) {
			words = append(words, value.Str(it))
		}
	}
	critical := false
	var features []int64
	for _, w := range words {
		switch w {
		case "critical":
			critical = true
		case "status_request":
			features = append(features, 5)
		case "status_request_v2":
			features = append(features, 17)
		default:
			return nil, false, salt.InvocationError("tlsfeature: %s is neither status_request nor status_request_v2", w)
		}
	}
	return sequence(func(b *cryptobyte.Builder) {
		for _, f := range features {
			b.AddASN1Int64(f)
		}
	}), critical, nil
}

func integerDER(n *big.Int) []byte {
	var b cryptobyte.Builder
	b.AddASN1BigInt(n)
	return b.BytesOrPanic()
}

func crlNumber(_ *extender, v any) ([]byte, bool, error) {
	n, ok := new(big.Int).SetString(strings.TrimSpace(value.Str(v)), 10)
	if !ok {
		return nil, false, salt.InvocationError("cRLNumber must be an integer and must be marked as non-critical")
	}
	return integerDER(n), false, nil
}

var digitsIn = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d+`) })

func deltaIndicator(_ *extender, v any) ([]byte, bool, error) {
	s := value.Str(v)
	found := digitsIn().FindAllString(s, -1)
	if len(found) != 1 {
		return nil, false, salt.InvocationError("deltaCRLIndicator must contain a single integer pointing to a cRLNumber")
	}
	n, _ := new(big.Int).SetString(found[0], 10)
	return integerDER(n), strings.Contains(s, "critical"), nil
}

// reasons are the reasons for a revocation by their numbers.
var reasons = map[string]int64{"unspecified": 0, "keyCompromise": 1, "cACompromise": 2, "affiliationChanged": 3, "superseded": 4, "cessationOfOperation": 5,
	"certificateHold": 6, "removeFromCRL": 8, "privilegeWithdrawn": 9, "aACompromise": 10}

func crlReason(_ *extender, v any) ([]byte, bool, error) {
	critical, word := has(v, "critical"), ""
	if s, ok := v.(string); ok {
		var pairs []pair
		pairs, critical = confString(s)
		word = pairs[0].key
	} else {
		for _, it := range listOf(v) {
			if it != any("critical") && word == "" {
				word = value.Str(it)
			}
		}
	}
	n, ok := reasons[word]
	if !ok {
		return nil, false, salt.InvocationError("%s is not a valid ReasonFlags", value.Repr(word))
	}
	return []byte{10, 1, byte(n)}, critical, nil
}

func invalidityDate(_ *extender, v any) ([]byte, bool, error) {
	s, ok := v.(string)
	if !ok {
		return nil, false, salt.InvocationError("invalidityDate must be a string")
	}
	critical := strings.HasPrefix(s, "critical")
	if critical {
		_, s, _ = strings.Cut(s, " ")
	}
	t, err := parseTime(s)
	if err != nil {
		return nil, false, salt.InvocationError("%s", err)
	}
	var b cryptobyte.Builder
	b.AddASN1GeneralizedTime(t)
	return b.BytesOrPanic(), critical, nil
}

// parseTime reads a time in UTC.
func parseTime(s string) (time.Time, error) {
	t, err := time.Parse(timeForm, s)
	if err != nil {
		return t, value.Errorf("ValueError", "time data %s does not match format '%%Y-%%m-%%d %%H:%%M:%%S'", value.Repr(s))
	}
	return t, nil
}
