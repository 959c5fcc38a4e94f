// Package x509 holds Salt's x509 module: private keys, certificates, signing
// requests and revocation lists. Its main variable is Module.
//
//	/etc/pki/www.crt:
//	  x509.certificate_managed:
//	    - signing_private_key: /etc/pki/ca.key
//	    - signing_cert: /etc/pki/ca.crt
//	    - private_key: /etc/pki/www.key
//	    - CN: www.example.com
//	    - days_remaining: 30
package x509

import "pinch/salt"

// Module is Salt's x509 module (the second one, x509_v2).
var Module = salt.Module{
	Name: "x509",
	States: func() salt.Funcs {
		return salt.Funcs{
			"certificate_managed":     salt.State(certificateManaged),
			"certificate_managed_ssh": salt.State(certificateManagedSsh),
			"crl_managed":             salt.State(crlManaged),
			"csr_managed":             salt.State(csrManaged),
			"pem_managed":             salt.State(pemManaged),
			"private_key_managed":     salt.State(privateKeyManaged),
			"private_key_managed_ssh": salt.State(privateKeyManagedSsh),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"create_certificate":      salt.Exec(createCertificate),
			"create_certificate_ssh":  salt.Exec(createCertificateSsh).Named("create_certificate"),
			"create_crl":              salt.Exec(createCrl),
			"create_csr":              salt.Exec(createCsr),
			"create_private_key":      salt.Exec(createPrivateKey),
			"encode_certificate":      salt.Exec(encodeCertificate),
			"encode_crl":              salt.Exec(encodeCrl),
			"encode_csr":              salt.Exec(encodeCsr),
			"encode_private_key":      salt.Exec(encodePrivateKey),
			"expired":                 salt.Exec(expired),
			"expires":                 salt.Exec(expires),
			"get_pem_entries":         salt.Exec(getPemEntries),
			"get_pem_entry":           salt.Exec(getPemEntry),
			"get_private_key_size":    salt.Exec(getPrivateKeySize),
			"get_public_key":          salt.Exec(getPublicKey),
			"get_signing_policy":      salt.Exec(getSigningPolicy),
			"read_certificate":        salt.Exec(readCertificate),
			"read_certificates":       salt.Exec(readCertificates),
			"read_crl":                salt.Exec(readCrl),
			"read_csr":                salt.Exec(readCsr),
			"sign_remote_certificate": salt.Exec(signRemoteCertificate),
			"verify_crl":              salt.Exec(verifyCrl),
			"verify_private_key":      salt.Exec(verifyPrivateKey),
			"verify_signature":        salt.Exec(verifySignature),
			"will_expire":             salt.Exec(willExpire),
			"write_pem":               salt.Exec(writePem),
		}
	},
}
