package x509

import (
	"encoding/hex"
	"math/big"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/cryptobyte"
	casn1 "golang.org/x/crypto/cryptobyte/asn1"

	"pinch/pki"
	"pinch/value"
)

// prettyHex writes bytes as AB:CD.
func prettyHex(raw []byte) string {
	s := strings.ToUpper(hex.EncodeToString(raw))
	var b strings.Builder
	for i := 0; i < len(s); i += 2 {
		if i > 0 {
			b.WriteByte(':')
		}
		b.WriteString(s[i : i+2])
	}
	return b.String()
}

// prettySerial writes a number as AB:CD.
func prettySerial(n *big.Int) string {
	if n.Sign() == 0 {
		return "00"
	}
	return prettyHex(n.Bytes())
}

// show renders an extension.
func show(e pki.Extension) *value.Map {
	out := value.M("critical", e.Critical)
	for _, k := range kinds() {
		if k.render == nil || k.oid != e.OID.String() {
			continue
		}
		s := cryptobyte.String(e.Value)
		if k.name == "subjectKeyIdentifier" || k.name == "cRLNumber" || k.name == "deltaCRLIndicator" || k.name == "inhibitAnyPolicy" || k.name == "CRLReason" || k.name == "invalidityDate" || k.name == "keyUsage" {
			out.Update(k.render(s))
			return out
		}
		var body cryptobyte.String
		s.ReadASN1(&body, casn1.SEQUENCE)
		out.Update(k.render(body))
		return out
	}
	out.Set("value", prettyHex(e.Value))
	return out
}

// showExtensions renders those of some kinds by their names.
func showExtensions(exts []pki.Extension, entry bool) *value.Map {
	out := new(value.Map)
	for _, k := range kinds() {
		if k.oid == "" || (k.where&inEntry != 0) != entry {
			continue
		}
		if e := pki.Find(exts, k.id()); e != nil {
			out.Set(k.name, show(*e))
		}
	}
	return out
}

// same compares extensions by what they say, not by how it is encoded.
func same(a, b pki.Extension) bool {
	return a.Critical == b.Critical && (slices.Equal(a.Value, b.Value) || value.Equal(show(a), show(b)) && show(a).Str("value") != prettyHex(a.Value))
}

func renderBasic(s cryptobyte.String) *value.Map {
	ca := false
	if s.PeekASN1Tag(casn1.BOOLEAN) {
		s.ReadASN1Boolean(&ca)
	}
	var n int64
	if !s.Empty() && s.ReadASN1Integer(&n) {
		return value.M("ca", ca, "pathlen", n)
	}
	return value.M("ca", ca, "pathlen", nil)
}

// bits reads a bit string.
func bits(raw []byte) func(i int) bool {
	return func(i int) bool { return 1+i/8 < len(raw) && raw[1+i/8]&(0x80>>(i%8)) != 0 }
}

func renderUsage(s cryptobyte.String) *value.Map {
	var body cryptobyte.String
	s.ReadASN1(&body, casn1.BIT_STRING)
	on := bits(body)
	out := new(value.Map)
	for _, i := range []int{6, 3, 8, 0, 7, 4, 5, 2, 1} {
		out.Set(usages[i], on(i) && (i < 7 || on(4)))
	}
	return out
}

func renderExtended(s cryptobyte.String) *value.Map {
	l := value.L()
	for !s.Empty() {
		var oid pki.OID
		if !s.ReadASN1ObjectIdentifier(&oid) {
			break
		}
		name := oid.String()
		for i, p := range purposes {
			if p.oid == name && i < 8 {
				name = p.name
			}
		}
		l.Append(name)
	}
	return value.M("value", l)
}

func renderSubjectKey(s cryptobyte.String) *value.Map {
	var id []byte
	s.ReadASN1Bytes(&id, casn1.OCTET_STRING)
	return value.M("value", prettyHex(id))
}

func renderAuthorityKey(s cryptobyte.String) *value.Map {
	out := value.M("keyid", nil, "issuer", nil, "issuer_sn", nil)
	var body cryptobyte.String
	var there bool
	if s.ReadOptionalASN1(&body, &there, casn1.Tag(0).ContextSpecific()) && there && len(body) > 0 {
		out.Set("keyid", prettyHex(body))
	}
	if s.ReadOptionalASN1(&body, &there, casn1.Tag(1).ContextSpecific().Constructed()) && there {
		out.Set("issuer", showNames(readNames(body)))
	}
	if s.ReadOptionalASN1(&body, &there, casn1.Tag(2).ContextSpecific()) && there {
		out.Set("issuer_sn", prettySerial(new(big.Int).SetBytes(body)))
	}
	return out
}

func renderNames(s cryptobyte.String) *value.Map { return value.M("value", showNames(readNames(s))) }

func renderAccess(s cryptobyte.String) *value.Map {
	l := value.L()
	for !s.Empty() {
		var item cryptobyte.String
		var oid pki.OID
		if !s.ReadASN1(&item, casn1.SEQUENCE) || !item.ReadASN1ObjectIdentifier(&oid) {
			break
		}
		name := oid.String()
		for _, a := range accesses[:2] {
			if a.oid == name {
				name = a.name
			}
		}
		shown := ""
		for _, n := range readNames(item) {
			// Salt shows the bare value here.
			_, shown, _ = strings.Cut(n.String(), ":")
		}
		l.Append(value.M(name, shown))
	}
	return value.M("value", l)
}

// readPointName reads the name of a point.
func readPointName(s cryptobyte.String) (full *value.List, relative any) {
	full = value.L()
	var body cryptobyte.String
	var there bool
	if s.ReadOptionalASN1(&body, &there, casn1.Tag(0).ContextSpecific().Constructed()) && there {
		return showNames(readNames(body)), nil
	}
	if s.ReadOptionalASN1(&body, &there, casn1.Tag(1).ContextSpecific().Constructed()) && there {
		der := sequence(func(b *cryptobyte.Builder) { b.AddASN1(casn1.SET, func(b *cryptobyte.Builder) { b.AddBytes(body) }) })
		if n, err := pki.ReadName(der); err == nil {
			relative = n.String()
		}
	}
	return full, relative
}

func reasonNames(raw []byte) *value.List {
	on := bits(raw)
	var names []string
	for i, r := range pointReasons {
		if on(i) {
			names = append(names, r)
		}
	}
	slices.Sort(names)
	return value.Strings(names)
}

func renderPoints(s cryptobyte.String) *value.Map {
	l := value.L()
	for !s.Empty() {
		var item, body cryptobyte.String
		if !s.ReadASN1(&item, casn1.SEQUENCE) {
			break
		}
		var there bool
		full, relative := value.L(), any(nil)
		why, issuer := value.L(), value.L()
		if item.ReadOptionalASN1(&body, &there, casn1.Tag(0).ContextSpecific().Constructed()) && there {
			full, relative = readPointName(body)
		}
		if item.ReadOptionalASN1(&body, &there, casn1.Tag(1).ContextSpecific()) && there {
			why = reasonNames(body)
		}
		if item.ReadOptionalASN1(&body, &there, casn1.Tag(2).ContextSpecific().Constructed()) && there {
			issuer = showNames(readNames(body))
		}
		l.Append(value.M("crlissuer", issuer, "fullname", full, "reasons", why, "relativename", relative))
	}
	return value.M("value", l)
}

func renderIssuing(s cryptobyte.String) *value.Map {
	full, relative, why := value.L(), any(nil), value.L()
	var body cryptobyte.String
	var there bool
	if s.ReadOptionalASN1(&body, &there, casn1.Tag(0).ContextSpecific().Constructed()) && there {
		full, relative = readPointName(body)
	}
	flag := func(tag uint8) bool {
		return s.ReadOptionalASN1(&body, &there, casn1.Tag(tag).ContextSpecific()) && there && len(body) == 1 && body[0] != 0
	}
	user, ca := flag(1), flag(2)
	if s.ReadOptionalASN1(&body, &there, casn1.Tag(3).ContextSpecific()) && there {
		why = reasonNames(body)
	}
	indirect, aa := flag(4), flag(5)
	return value.M("fullname", full, "onysomereasons", why, "relativename", relative, "onlyuser", user, "onlyCA", ca, "onlyAA", aa, "indirectCRL", indirect)
}

func renderPolicies(s cryptobyte.String) *value.Map {
	l := value.L()
	for !s.Empty() {
		var item, quals cryptobyte.String
		var oid pki.OID
		if !s.ReadASN1(&item, casn1.SEQUENCE) || !item.ReadASN1ObjectIdentifier(&oid) {
			break
		}
		shown := value.L()
		if item.ReadASN1(&quals, casn1.SEQUENCE) {
			for !quals.Empty() {
				var q cryptobyte.String
				if !quals.ReadASN1(&q, casn1.SEQUENCE) {
					break
				}
				shown.Append(showQualifier(q))
			}
		}
		l.Append(value.M(oid.String(), shown))
	}
	return value.M("value", l)
}

func showQualifier(q cryptobyte.String) *value.Map {
	var oid pki.OID
	var body cryptobyte.String
	var tag casn1.Tag
	q.ReadASN1ObjectIdentifier(&oid)
	q.ReadAnyASN1(&body, &tag)
	if oid.Equal(oidPractice) {
		return value.M("practice_statement", string(body))
	}
	out := value.M("organizataion", nil, "notice_numbers", nil, "explicit_text", nil)
	var ref, s, numbers cryptobyte.String
	if body.PeekASN1Tag(casn1.SEQUENCE) && body.ReadASN1(&ref, casn1.SEQUENCE) {
		ref.ReadAnyASN1(&s, &tag)
		out.Set("organizataion", string(s))
		l := value.L()
		ref.ReadASN1(&numbers, casn1.SEQUENCE)
		for !numbers.Empty() {
			var n int64
			if !numbers.ReadASN1Integer(&n) {
				break
			}
			l.Append(n)
		}
		out.Set("notice_numbers", l)
	}
	if !body.Empty() && body.ReadAnyASN1(&s, &tag) {
		out.Set("explicit_text", string(s))
	}
	return out
}

func renderPolicyConstraints(s cryptobyte.String) *value.Map {
	var body cryptobyte.String
	var there bool
	number := func(tag uint8) any {
		if s.ReadOptionalASN1(&body, &there, casn1.Tag(tag).ContextSpecific()) && there {
			return value.Int(new(big.Int).SetBytes(body))
		}
		return nil
	}
	require, inhibit := number(0), number(1)
	return value.M("inhibitPolicyMapping", inhibit, "requireExplicitPolicy", require)
}

func renderInteger(s cryptobyte.String) *value.Map {
	n := new(big.Int)
	s.ReadASN1Integer(n)
	return value.M("value", value.Int(n))
}

func renderNameConstraints(s cryptobyte.String) *value.Map {
	var body cryptobyte.String
	var there bool
	names := func(tag uint8) *value.List {
		l := value.L()
		if s.ReadOptionalASN1(&body, &there, casn1.Tag(tag).ContextSpecific().Constructed()) && there {
			for !body.Empty() {
				var tree cryptobyte.String
				if !body.ReadASN1(&tree, casn1.SEQUENCE) {
					break
				}
				if n := readNames(tree); len(n) > 0 {
					l.Append(n[0].String())
				}
			}
		}
		return l
	}
	permitted, excluded := names(0), names(1)
	return value.M("excluded", excluded, "permitted", permitted)
}

func renderFeature(s cryptobyte.String) *value.Map {
	l := value.L()
	for !s.Empty() {
		var n int64
		if !s.ReadASN1Integer(&n) {
			break
		}
		switch n {
		case 5:
			l.Append("status_request")
		case 17:
			l.Append("status_request_v2")
		}
	}
	return value.M("value", l)
}

func renderReason(s cryptobyte.String) *value.Map {
	var body cryptobyte.String
	s.ReadASN1(&body, casn1.ENUM)
	for name, n := range reasons {
		if len(body) == 1 && int64(body[0]) == n {
			return value.M("value", name)
		}
	}
	return value.M("value", prettyHex(body))
}

func renderDate(s cryptobyte.String) *value.Map {
	var t time.Time
	s.ReadASN1GeneralizedTime(&t)
	return value.M("value", t.UTC().Format(timeForm))
}
