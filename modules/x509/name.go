package x509

import (
	"strings"

	"pinch/pki"
	"pinch/salt"
	"pinch/value"
)

// nameParts are the parts of a subject by their arguments, in the order in
// which they go into a name.
var nameParts = []struct{ name, oid string }{
	{"C", "2.5.4.6"}, {"ST", "2.5.4.8"}, {"L", "2.5.4.7"}, {"STREET", "2.5.4.9"}, {"O", "2.5.4.10"}, {"OU", "2.5.4.11"}, {"CN", "2.5.4.3"},
	{"MAIL", "1.2.840.113549.1.9.1"}, {"SN", "2.5.4.4"}, {"GN", "2.5.4.42"}, {"UID", "0.9.2342.19200300.100.1.1"}, {"SERIALNUMBER", "2.5.4.5"},
}

// longNames are old names of arguments that still count.
var longNames = []struct{ long, short string }{
	{"commonName", "CN"}, {"localityName", "L"}, {"stateOrProvinceName", "ST"}, {"organizationName", "O"}, {"organizationUnitName", "OU"},
	{"givenName", "GN"}, {"surname", "SN"}, {"Email", "MAIL"}, {"emailAddress", "MAIL"}, {"serialNumber", "SERIALNUMBER"},
	{"X509v3 Basic Constraints", "basicConstraints"}, {"X509v3 Key Usage", "keyUsage"}, {"X509v3 Extended Key Usage", "extendedKeyUsage"},
	{"X509v3 Subject Key Identifier", "subjectKeyIdentifier"}, {"X509v3 Authority Key Identifier", "authorityKeyIdentifier"},
	{"X509v3 Issuer Alternative Name", "issuerAltName"}, {"issuserAltName", "issuerAltName"}, {"Authority Information Access", "authorityInfoAccess"},
	{"X509v3 Subject Alternative Name", "subjectAltName"}, {"X509v3 CRL Distribution Points", "crlDistributionPoints"},
	{"X509v3 Issuing Distribution Point", "issuingDistributionPoint"}, {"X509v3 Certificate Policies", "certificatePolicies"},
	{"X509v3 Policy Constraints", "policyConstraints"}, {"X509v3 Inhibit Any Policy", "inhibitAnyPolicy"}, {"X509v3 Name Constraints", "nameConstraints"},
	{"OCSP No Check", "noCheck"}, {"TLS Feature", "tlsfeature"}, {"Netscape Comment", "nsComment"}, {"Netscape Certificate Type", "nsCertType"},
	{"X509v3 CRLNumber", "cRLNumber"}, {"X509v3 Delta CRL Indicator", "deltaCRLIndicator"}, {"x509v3 Freshest CRL", "freshestCRL"},
}

// shorten gives old names of arguments their new ones.
func shorten(c *salt.Ctx, kw *value.Map) *value.Map {
	kw = kw.Shallow()
	for _, n := range longNames {
		if v, ok := kw.Pop(n.long); ok {
			c.Log.Warn("Found " + n.long + " in keyword args. Please migrate to the short name: " + n.short)
			kw.Set(n.short, v)
		}
	}
	return kw
}

// distinguished makes a name from a text of RFC 4514, a list of such parts, or
// a mapping of the parts' names.
func distinguished(v any) (pki.Name, error) {
	switch v := v.(type) {
	case string:
		n, err := pki.ParseName(v)
		if err != nil {
			return nil, salt.CommandError("Failed parsing rfc4514 dirName string")
		}
		return n, nil
	case *value.List:
		var n pki.Name
		for _, it := range v.Items {
			rdn, err := relative(value.Str(it))
			if err != nil {
				return nil, err
			}
			n = append(n, rdn)
		}
		return n, nil
	case *value.Map:
		n := pki.Name{}
		for _, p := range nameParts {
			x, ok := v.Get(p.name)
			if !ok {
				continue
			}
			oid, _ := pki.ParseOID(p.oid)
			a, err := pki.NewAttribute(oid, value.Str(x))
			if err != nil {
				return nil, value.Errorf("ValueError", "%s", err)
			}
			n = append(n, []pki.Attribute{a})
		}
		return n, nil
	}
	return nil, salt.InvocationError("Need string, list or dict to parse distinguished names")
}

func relative(s string) ([]pki.Attribute, error) {
	rdn, err := pki.ParseRDN(s)
	switch err {
	case nil:
		return rdn, nil
	case pki.ErrMany:
		return nil, salt.InvocationError("Specified string is not a Relative Distinguished Name, but a Distinguished Name.")
	}
	return nil, salt.CommandError("Failed parsing rdn string: %s", s)
}

// nameMap shows the parts of a name that have an argument.
func nameMap(n pki.Name) *value.Map {
	out := new(value.Map)
	for _, p := range nameParts {
		oid, _ := pki.ParseOID(p.oid)
		if v, ok := n.Get(oid); ok {
			out.Set(p.name, v)
		}
	}
	return out
}

// identifier reads an object identifier.
func identifier(v any) (pki.OID, error) {
	s := value.Str(v)
	oid, ok := pki.ParseOID(s)
	if !ok || !strings.ContainsAny(s[:1], "012") {
		return nil, salt.CommandError("Invalid oid: %s", s)
	}
	return oid, nil
}
