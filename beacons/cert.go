package beacons

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"strings"

	"pinch/value"
)

// notifyDays is how long before the end of a certificate cert_info tells of it.
const notifyDays = 45

// certInfo tells of certificates that end soon; with notify_days: -1 of all:
//
//	cert_info:
//	  - files:
//	      - /etc/pki/tls/certs/mycert.pem
//	      - /etc/pki/tls/certs/yourcert.pem:
//	          notify_days: 15
//	  - notify_days: 45
func certInfo() Kind {
	return Kind{
		Validate: func(conf any) string {
			if text := isList("cert_info", conf); text != "" {
				return text
			}
			if !options(conf).Has("files") {
				return "Configuration for cert_info beacon must contain files option."
			}
			return ""
		},
		New: func(e *Env, conf *value.Map) (Watcher, error) {
			return looker(func() ([]*value.Map, error) {
				days := int64(notifyDays)
				if n, ok := conf.At("notify_days").(int64); ok {
					days = n
				}
				found := new(value.List)
				l := conf.List("files")
				if l == nil {
					return nil, fmt.Errorf("files of cert_info must be a list")
				}
				for _, it := range l.Items {
					path, own := value.Str(it), days
					if m, ok := it.(*value.Map); ok {
						for k := range m.Items() {
							path = k
							if n, ok := m.Map(k).At("notify_days").(int64); ok {
								own = n
							}
						}
					}
					c, err := certificate(e, path)
					if err != nil {
						e.Log.Error(fmt.Sprintf("Unable to load certificate %s (%s)", path, err), "beacon", "cert_info")
						continue
					}
					left := int64(c.NotAfter.Sub(e.Now()).Hours() / 24)
					if own < 0 || left <= own {
						found.Append(describe(path, c, e.Now().After(c.NotAfter)))
					}
				}
				if found.Len() == 0 {
					return nil, nil
				}
				return []*value.Map{value.M("certificates", found)}, nil
			}), nil
		},
	}
}

func certificate(e *Env, path string) (*x509.Certificate, error) {
	b, err := e.Sys.ReadFile(path)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(b)
	if block == nil {
		return nil, fmt.Errorf("no PEM block")
	}
	return x509.ParseCertificate(block.Bytes)
}

// describe is a certificate as Salt's beacon shows it.
func describe(path string, c *x509.Certificate, expired bool) *value.Map {
	const raw, shown = "20060102150405Z", "2006-01-02 15:04:05Z"
	issuer, issuerText := components(c.Issuer)
	subject, subjectText := components(c.Subject)
	extensions := new(value.List)
	for _, x := range c.Extensions {
		extensions.Append(value.M("ext_name", extensionName(x.Id.String()), "ext_data", extensionText(c, x)))
	}
	return value.M("cert_path", path, "issuer", issuerText, "issuer_dict", issuer,
		"notAfter_raw", c.NotAfter.UTC().Format(raw), "notAfter", c.NotAfter.UTC().Format(shown),
		"notBefore_raw", c.NotBefore.UTC().Format(raw), "notBefore", c.NotBefore.UTC().Format(shown),
		"serial_number", value.Int(new(big.Int).Set(c.SerialNumber)), "signature_algorithm", algorithm(c.SignatureAlgorithm),
		"subject", subjectText, "subject_dict", subject, "version", int64(c.Version-1), "extensions", extensions, "has_expired", expired)
}

// components are the parts of a name by their short names.
func components(n pkix.Name) (*value.Map, string) {
	short := map[string]string{"2.5.4.6": "C", "2.5.4.10": "O", "2.5.4.11": "OU", "2.5.4.3": "CN", "2.5.4.5": "serialNumber",
		"2.5.4.7": "L", "2.5.4.8": "ST", "2.5.4.9": "street", "1.2.840.113549.1.9.1": "emailAddress", "0.9.2342.19200300.100.1.25": "DC"}
	m := new(value.Map)
	var parts []string
	for _, a := range n.Names {
		name := short[a.Type.String()]
		if name == "" {
			name = a.Type.String()
		}
		text := fmt.Sprint(a.Value)
		m.Set(name, text)
		parts = append(parts, fmt.Sprintf("%s=\"%s\"", name, text))
	}
	return m, strings.Join(parts, ",")
}

func algorithm(a x509.SignatureAlgorithm) string {
	switch a {
	case x509.SHA256WithRSA:
		return "sha256WithRSAEncryption"
	case x509.SHA384WithRSA:
		return "sha384WithRSAEncryption"
	case x509.SHA512WithRSA:
		return "sha512WithRSAEncryption"
	case x509.SHA1WithRSA:
		return "sha1WithRSAEncryption"
	case x509.ECDSAWithSHA256:
		return "ecdsa-with-SHA256"
	case x509.ECDSAWithSHA384:
		return "ecdsa-with-SHA384"
	case x509.PureEd25519:
		return "ED25519"
	}
	return a.String()
}

func extensionName(oid string) string {
	names := map[string]string{"2.5.29.14": "subjectKeyIdentifier", "2.5.29.15": "keyUsage", "2.5.29.17": "subjectAltName",
		"2.5.29.19": "basicConstraints", "2.5.29.31": "crlDistributionPoints", "2.5.29.32": "certificatePolicies",
		"2.5.29.35": "authorityKeyIdentifier", "2.5.29.37": "extendedKeyUsage", "1.3.6.1.5.5.7.1.1": "authorityInfoAccess"}
	if n := names[oid]; n != "" {
		return n
	}
	return oid
}

func extensionText(c *x509.Certificate, x pkix.Extension) string {
	switch extensionName(x.Id.String()) {
	case "basicConstraints":
		text := "CA:FALSE"
		if c.IsCA {
			text = "CA:TRUE"
		}
		if c.MaxPathLen > 0 || c.MaxPathLenZero {
			text += fmt.Sprintf(", pathlen:%d", c.MaxPathLen)
		}
		return text
	case "subjectAltName":
		var parts []string
		for _, n := range c.DNSNames {
			parts = append(parts, "DNS:"+n)
		}
		for _, ip := range c.IPAddresses {
			parts = append(parts, "IP Address:"+ip.String())
		}
		for _, n := range c.EmailAddresses {
			parts = append(parts, "email:"+n)
		}
		for _, u := range c.URIs {
			parts = append(parts, "URI:"+u.String())
		}
		return strings.Join(parts, ", ")
	case "subjectKeyIdentifier":
		return colons(c.SubjectKeyId)
	case "authorityKeyIdentifier":
		return colons(c.AuthorityKeyId)
	case "keyUsage":
		var parts []string
		for i, name := range []string{"Digital Signature", "Non Repudiation", "Key Encipherment", "Data Encipherment", "Key Agreement",
			"Certificate Sign", "CRL Sign", "Encipher Only", "Decipher Only"} {
			if c.KeyUsage&(1<<i) != 0 {
				parts = append(parts, name)
			}
		}
		return strings.Join(parts, ", ")
	case "extendedKeyUsage":
		return purposes(c)
	}
	return fmt.Sprintf("%X", x.Value)
}

// purposes are the extended key usages as openssl names them.
func purposes(c *x509.Certificate) string {
	names := map[x509.ExtKeyUsage]string{x509.ExtKeyUsageAny: "Any Extended Key Usage", x509.ExtKeyUsageServerAuth: "TLS Web Server Authentication",
		x509.ExtKeyUsageClientAuth: "TLS Web Client Authentication", x509.ExtKeyUsageCodeSigning: "Code Signing",
		x509.ExtKeyUsageEmailProtection: "E-mail Protection", x509.ExtKeyUsageTimeStamping: "Time Stamping", x509.ExtKeyUsageOCSPSigning: "OCSP Signing"}
	var parts []string
	for _, u := range c.ExtKeyUsage {
		parts = append(parts, names[u])
	}
	for _, oid := range c.UnknownExtKeyUsage {
		parts = append(parts, oid.String())
	}
	return strings.Join(parts, ", ")
}

// colons are bytes as openssl prints them: AB:CD:EF.
func colons(b []byte) string {
	parts := make([]string, len(b))
	for i, x := range b {
		parts[i] = fmt.Sprintf("%02X", x)
	}
	return strings.Join(parts, ":")
}
