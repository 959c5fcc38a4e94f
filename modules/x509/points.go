package x509

import (
	"strings"

	"golang.org/x/crypto/cryptobyte"
	casn1 "golang.org/x/crypto/cryptobyte/asn1"

	"pinch/pki"
	"pinch/salt"
	"pinch/value"
)

// A point says where something is published.
type point struct {
	full     []generalName
	relative []pki.Attribute
	reasons  []string
	issuer   []generalName
}

// pointReasons are the reasons by their bits.
var pointReasons = []string{"unused", "keyCompromise", "cACompromise", "affiliationChanged", "superseded", "cessationOfOperation", "certificateHold", "privilegeWithdrawn", "aACompromise"}

func reasonBits(words []string) ([]byte, error) {
	on := make([]bool, len(pointReasons))
	for _, w := range words {
		known := false
		for i, r := range pointReasons {
			if i > 0 && r == w {
				on[i], known = true, true
			}
		}
		if _, ok := reasons[w]; ok && !known {
			return nil, salt.InvocationError("unspecified and remove_from_crl are not valid reasons in a DistributionPoint")
		}
		if !known {
			return nil, salt.InvocationError("%s is not a valid ReasonFlags", value.Repr(w))
		}
	}
	return bitString(on), nil
}

// readPoint takes the parts of a point from a mapping.
func readPoint(m *value.Map, reasonsKey string) (p point, err error) {
	names := func(key string) ([]generalName, error) {
		var pairs []pair
		for _, it := range listOf(m.At(key)) {
			k, v, _ := strings.Cut(value.Str(it), ":")
			pairs = append(pairs, pair{k, v})
		}
		return generalNames(pairs)
	}
	if p.full, err = names("fullname"); err != nil {
		return p, err
	}
	if p.issuer, err = names("crlissuer"); err != nil {
		return p, err
	}
	if m.Truth("relativename") {
		if p.relative, err = relative(m.Str("relativename")); err != nil {
			return p, err
		}
	}
	for _, it := range listOf(m.At(reasonsKey)) {
		p.reasons = append(p.reasons, value.Str(it))
	}
	if p.full != nil && p.relative != nil {
		return p, salt.InvocationError("You cannot provide both full_name and relative_name, at least one must be None.")
	}
	return p, nil
}

// name adds the name of the point, under the tag that says so.
func (p point) name(b *cryptobyte.Builder) {
	if p.full == nil && p.relative == nil {
		return
	}
	b.AddASN1(casn1.Tag(0).ContextSpecific().Constructed(), func(b *cryptobyte.Builder) {
		if p.full != nil {
			b.AddASN1(casn1.Tag(0).ContextSpecific().Constructed(), func(b *cryptobyte.Builder) { addNames(b, p.full) })
			return
		}
		der := cryptobyte.String(pki.Name{p.relative}.DER())
		var seq, set cryptobyte.String
		der.ReadASN1(&seq, casn1.SEQUENCE)
		seq.ReadASN1(&set, casn1.SET)
		b.AddASN1(casn1.Tag(1).ContextSpecific().Constructed(), func(b *cryptobyte.Builder) { b.AddBytes(set) })
	})
}

func crlPoints(_ *extender, v any) ([]byte, bool, error) { return points(v) }

func freshestCRL(_ *extender, v any) ([]byte, bool, error) {
	der, _, err := points(v)
	return der, false, err
}

func points(v any) ([]byte, bool, error) {
	critical := has(v, "critical")
	var all []point
	single := func(k string, x any) error {
		n, err := oneName(strings.ToLower(k), x)
		all = append(all, point{full: []generalName{n}})
		return err
	}
	switch v := v.(type) {
	case string:
		var pairs []pair
		pairs, critical = confString(v)
		for _, p := range pairs {
			if err := single(p.key, p.val); err != nil {
				return nil, false, err
			}
		}
	default:
		for _, it := range listOf(v) {
			var err error
			switch it := it.(type) {
			case string:
				if k, x, ok := strings.Cut(it, ":"); ok {
					err = single(strings.TrimSpace(k), strings.TrimSpace(x))
				}
			case *value.Map:
				var p point
				p, err = readPoint(it, "reasons")
				all = append(all, p)
			}
			if err != nil {
				return nil, false, err
			}
		}
	}
	for _, p := range all {
		if p.reasons != nil && p.issuer == nil && p.full == nil && p.relative == nil {
			return nil, false, salt.InvocationError("You must supply crl_issuer, full_name, or relative_name when reasons is not None")
		}
		if _, err := reasonBits(p.reasons); err != nil {
			return nil, false, err
		}
	}
	return sequence(func(b *cryptobyte.Builder) {
		for _, p := range all {
			b.AddASN1(casn1.SEQUENCE, func(b *cryptobyte.Builder) {
				p.name(b)
				if p.reasons != nil {
					bits, _ := reasonBits(p.reasons)
					addContext(b, 1, bits)
				}
				if p.issuer != nil {
					b.AddASN1(casn1.Tag(2).ContextSpecific().Constructed(), func(b *cryptobyte.Builder) { addNames(b, p.issuer) })
				}
			})
		}
	}), critical, nil
}

// addContext adds a primitive element under a context tag.
func addContext(b *cryptobyte.Builder, tag uint8, der []byte) {
	s := cryptobyte.String(der)
	var body cryptobyte.String
	var was casn1.Tag
	s.ReadAnyASN1(&body, &was)
	b.AddASN1(casn1.Tag(tag).ContextSpecific(), func(b *cryptobyte.Builder) { b.AddBytes(body) })
}

func issuingPoint(_ *extender, v any) ([]byte, bool, error) {
	m, ok := v.(*value.Map)
	if !ok {
		return nil, false, salt.InvocationError("issuingDistributionPoint must be a dictionary")
	}
	p, err := readPoint(m, "onlysomereasons")
	if err != nil {
		return nil, false, err
	}
	bits, err := reasonBits(p.reasons)
	if err != nil {
		return nil, false, err
	}
	flags := []bool{m.Truth("onlyuser"), m.Truth("onlyCA"), m.Truth("indirectCRL"), m.Truth("onlyAA")}
	n := 0
	for _, f := range flags {
		if f {
			n++
		}
	}
	if n > 1 {
		return nil, false, salt.InvocationError("Only one of the following can be set to True: only_contains_user_certs, only_contains_ca_certs, indirect_crl, only_contains_attribute_certs")
	}
	if n == 0 && p.full == nil && p.relative == nil && p.reasons == nil {
		return nil, false, salt.InvocationError("Cannot create empty extension: if only_contains_user_certs, only_contains_ca_certs, indirect_crl, and only_contains_attribute_certs are all False, then either full_name, relative_name, or only_some_reasons must have a value.")
	}
	flag := func(b *cryptobyte.Builder, tag uint8, on bool) {
		if on {
			addContext(b, tag, []byte{1, 1, 0xff})
		}
	}
	return sequence(func(b *cryptobyte.Builder) {
		p.name(b)
		flag(b, 1, flags[0])
		flag(b, 2, flags[1])
		if p.reasons != nil {
			addContext(b, 3, bits)
		}
		flag(b, 4, flags[2])
		flag(b, 5, flags[3])
	}), m.Truth("critical"), nil
}

var (
	oidPractice = pki.OID{1, 3, 6, 1, 5, 5, 7, 2, 1}
	oidNotice   = pki.OID{1, 3, 6, 1, 5, 5, 7, 2, 2}
)

func policies(_ *extender, v any) ([]byte, bool, error) {
	type policy struct {
		oid  pki.OID
		qual []any
		list bool
	}
	var all []policy
	critical := false
	switch v := v.(type) {
	case string:
		critical = strings.HasPrefix(v, "critical")
		for _, w := range strings.Split(v, ",") {
			if w = strings.TrimSpace(w); w == "critical" {
				continue
			}
			oid, err := identifier(w)
			if err != nil {
				return nil, false, salt.InvocationError("certificatePolicies defined as string must be a comma-separated list of OID.")
			}
			all = append(all, policy{oid: oid})
		}
	case *value.Map:
		critical = v.Truth("critical")
		for id, quals := range v.Items() {
			if id == "critical" {
				continue
			}
			oid, err := identifier(id)
			if err != nil {
				return nil, false, err
			}
			all = append(all, policy{oid, listOf(quals), true})
		}
	default:
		return nil, false, salt.InvocationError("certificatePolicies must be a string or a dictionary")
	}
	der := sequence(func(b *cryptobyte.Builder) {
		for _, p := range all {
			b.AddASN1(casn1.SEQUENCE, func(b *cryptobyte.Builder) {
				b.AddASN1ObjectIdentifier(p.oid)
				if !p.list || len(p.qual) == 0 {
					return
				}
				b.AddASN1(casn1.SEQUENCE, func(b *cryptobyte.Builder) {
					for _, q := range p.qual {
						addQualifier(b, q)
					}
				})
			})
		}
	})
	return der, critical, nil
}

// addQualifier adds a statement's address, or a notice; a mapping without
// numbers adds nothing.
func addQualifier(b *cryptobyte.Builder, q any) {
	m, ok := q.(*value.Map)
	if !ok {
		b.AddASN1(casn1.SEQUENCE, func(b *cryptobyte.Builder) {
			b.AddASN1ObjectIdentifier(oidPractice)
			b.AddASN1(casn1.IA5String, func(b *cryptobyte.Builder) { b.AddBytes([]byte(value.Str(q))) })
		})
		return
	}
	if !m.Truth("noticeNumbers") {
		return
	}
	utf8 := func(b *cryptobyte.Builder, s string) {
		b.AddASN1(casn1.UTF8String, func(b *cryptobyte.Builder) { b.AddBytes([]byte(s)) })
	}
	b.AddASN1(casn1.SEQUENCE, func(b *cryptobyte.Builder) {
		b.AddASN1ObjectIdentifier(oidNotice)
		b.AddASN1(casn1.SEQUENCE, func(b *cryptobyte.Builder) {
			b.AddASN1(casn1.SEQUENCE, func(b *cryptobyte.Builder) {
				utf8(b, m.Str("organization"))
				b.AddASN1(casn1.SEQUENCE, func(b *cryptobyte.Builder) {
					for _, n := range listOf(m.At("noticeNumbers")) {
						i, _ := n.(int64)
						b.AddASN1Int64(i)
					}
				})
			})
			if m.At("text") != nil {
				utf8(b, m.Str("text"))
			}
		})
	})
}

// wholeNumber is Python's int() of an argument.
func wholeNumber(v any) (int64, error) {
	if n, ok := v.(int64); ok {
		return n, nil
	}
	var n int64
	s := strings.TrimSpace(value.Str(v))
	for i, r := range s {
		if r < '0' || r > '9' || i > 17 {
			return 0, value.Errorf("ValueError", "invalid literal for int() with base 10: %s", value.Repr(v))
		}
		n = n*10 + int64(r-'0')
	}
	if s == "" {
		return 0, value.Errorf("ValueError", "invalid literal for int() with base 10: %s", value.Repr(v))
	}
	return n, nil
}

func policyConstraints(_ *extender, v any) ([]byte, bool, error) {
	pairs, critical := namePairs(v)
	var b cryptobyte.Builder
	some := false
	var failed error
	b.AddASN1(casn1.SEQUENCE, func(b *cryptobyte.Builder) {
		for i, key := range []string{"requireExplicitPolicy", "inhibitPolicyMapping"} {
			x, ok := lookup(pairs, key)
			if !ok {
				continue
			}
			n, err := wholeNumber(x)
			if err != nil {
				failed = err
			}
			some = true
			b.AddASN1Int64WithTag(n, casn1.Tag(i).ContextSpecific())
		}
	})
	switch {
	case failed != nil:
		return nil, false, failed
	case !some:
		return nil, false, salt.InvocationError("At least one of require_explicit_policy and inhibit_policy_mapping must not be None")
	}
	return b.BytesOrPanic(), critical, nil
}

func inhibitAnyPolicy(_ *extender, v any) ([]byte, bool, error) {
	critical := false
	x := v
	switch v := v.(type) {
	case string:
		var pairs []pair
		pairs, critical = confString(v)
		x = pairs[0].key
	case *value.Map:
		critical = v.Has("critical")
		var ok bool
		if x, ok = v.Get("value"); !ok {
			return nil, false, salt.InvocationError("Undefined required key for inhibitAnyPolicy: 'value'")
		}
	}
	n, err := wholeNumber(x)
	switch {
	case err != nil:
		return nil, false, err
	case n < 0:
		return nil, false, salt.InvocationError("skip_certs must be a non-negative integer")
	}
	var b cryptobyte.Builder
	b.AddASN1Int64(n)
	return b.BytesOrPanic(), critical, nil
}

func nameConstraints(_ *extender, v any) ([]byte, bool, error) {
	critical := has(v, "critical")
	subtrees := map[string][]pair{}
	given := map[string]bool{}
	switch v := v.(type) {
	case string:
		given["permitted"], given["excluded"] = true, true
		for _, w := range strings.Split(v, ",") {
			if scope, n, ok := strings.Cut(strings.TrimSpace(w), ";"); ok {
				k, x, _ := strings.Cut(n, ":")
				subtrees[scope] = append(subtrees[scope], pair{k, x})
			}
		}
	case *value.Map:
		for _, scope := range []string{"permitted", "excluded"} {
			if l, ok := v.Get(scope); ok {
				given[scope] = true
				subtrees[scope], _ = namePairs(l)
			}
		}
	}
	var b cryptobyte.Builder
	some := false
	var failed error
	b.AddASN1(casn1.SEQUENCE, func(b *cryptobyte.Builder) {
		for i, scope := range []string{"permitted", "excluded"} {
			names, err := generalNames(subtrees[scope])
			if err != nil {
				failed = err
			}
			if len(names) == 0 {
				continue
			}
			some = true
			b.AddASN1(casn1.Tag(i).ContextSpecific().Constructed(), func(b *cryptobyte.Builder) {
				for _, n := range names {
					b.AddASN1(casn1.SEQUENCE, func(b *cryptobyte.Builder) { n.add(b) })
				}
			})
		}
	})
	switch {
	case failed != nil:
		return nil, false, failed
	case !some:
		return nil, false, salt.InvocationError("nameConstraints needs at least one definition")
	}
	return b.BytesOrPanic(), critical, nil
}
