package pki

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509/pkix"
	"encoding/asn1"
	"fmt"
	"strings"

	// The digests that Salt offers.
	_ "crypto/sha1"
	_ "crypto/sha3"
	_ "crypto/sha512"

	"github.com/cloudflare/circl/sign/ed448"
)

// A digest and the signature algorithms that use it.
type digest struct {
	name    string
	hash    crypto.Hash
	rsa, ec OID
	own     OID // of the digest itself
}

func digests() []digest {
	sha2 := OID{2, 16, 840, 1, 101, 3, 4, 2}
	nist := OID{2, 16, 840, 1, 101, 3, 4, 3}
	r := OID{1, 2, 840, 113549, 1, 1}
	e := OID{1, 2, 840, 10045, 4, 3}
	and := func(o OID, n int) OID { return append(append(OID{}, o...), n) }
	return []digest{
		{"sha1", crypto.SHA1, and(r, 5), OID{1, 2, 840, 10045, 4, 1}, OID{1, 3, 14, 3, 2, 26}},
		{"sha224", crypto.SHA224, and(r, 14), and(e, 1), and(sha2, 4)},
		{"sha256", crypto.SHA256, and(r, 11), and(e, 2), and(sha2, 1)},
		{"sha384", crypto.SHA384, and(r, 12), and(e, 3), and(sha2, 2)},
		{"sha512", crypto.SHA512, and(r, 13), and(e, 4), and(sha2, 3)},
		{"sha3_224", crypto.SHA3_224, and(nist, 13), and(nist, 9), and(sha2, 7)},
		{"sha3_256", crypto.SHA3_256, and(nist, 14), and(nist, 10), and(sha2, 8)},
		{"sha3_384", crypto.SHA3_384, and(nist, 15), and(nist, 11), and(sha2, 9)},
		{"sha3_512", crypto.SHA3_512, and(nist, 16), and(nist, 12), and(sha2, 10)},
		{"md5", crypto.MD5, and(r, 4), nil, OID{1, 2, 840, 113549, 2, 5}},
	}
}

// Hash is the digest of a name such as sha256, blake2b or sha512_256; ok is
// false for one that there is not.
func Hash(name string) (h crypto.Hash, ok bool) {
	switch strings.ToLower(name) {
	case "sha512_224":
		return crypto.SHA512_224, true
	case "sha512_256":
		return crypto.SHA512_256, true
	}
	for _, d := range digests() {
		if d.name == strings.ToLower(name) {
			return d.hash, true
		}
	}
	return 0, false
}

var (
	oidEd25519 = OID{1, 3, 101, 112}
	oidPSS     = OID{1, 2, 840, 113549, 1, 1, 10}
)

// algorithm is the identifier for signatures of the key with a digest.
func (p *Private) algorithm(name string) (pkix.AlgorithmIdentifier, crypto.Hash, error) {
	switch p.Type {
	case "ed25519":
		return pkix.AlgorithmIdentifier{Algorithm: oidEd25519}, 0, nil
	case "ed448":
		return pkix.AlgorithmIdentifier{Algorithm: oidEd448}, 0, nil
	}
	for _, d := range digests() {
		switch {
		case d.name != strings.ToLower(name):
		case p.Type == "rsa":
			return pkix.AlgorithmIdentifier{Algorithm: d.rsa, Parameters: asn1.NullRawValue}, d.hash, nil
		case d.ec != nil:
			return pkix.AlgorithmIdentifier{Algorithm: d.ec}, d.hash, nil
		}
	}
	return pkix.AlgorithmIdentifier{}, 0, fmt.Errorf("Hash algorithm %q not supported for signatures", name)
}

// digestOf is the name of the digest of a signature algorithm, "" for those
// that have none of their own.
func digestOf(alg pkix.AlgorithmIdentifier) string {
	if alg.Algorithm.Equal(oidPSS) {
		var p struct {
			Hash pkix.AlgorithmIdentifier `asn1:"explicit,tag:0,optional"`
			Rest asn1.RawValue            `asn1:"explicit,tag:1,optional"`
			Salt int                      `asn1:"explicit,tag:2,optional,default:20"`
		}
		if _, err := asn1.Unmarshal(alg.Parameters.FullBytes, &p); err == nil {
			for _, d := range digests() {
				if d.own.Equal(p.Hash.Algorithm) {
					return d.name
				}
			}
		}
		return "sha1"
	}
	for _, d := range digests() {
		if d.rsa.Equal(alg.Algorithm) || d.ec.Equal(alg.Algorithm) {
			return d.name
		}
	}
	return ""
}

func sum(h crypto.Hash, data []byte) []byte {
	w := h.New()
	w.Write(data)
	return w.Sum(nil)
}

// sign signs data: rsa with PKCS #1 v1.5 padding.
func (p *Private) sign(data []byte, h crypto.Hash) ([]byte, error) {
	switch k := p.key.(type) {
	case ed25519.PrivateKey:
		return ed25519.Sign(k, data), nil
	case ed448.PrivateKey:
		return ed448.Sign(k, data, ""), nil
	default:
		return k.Sign(rand.Reader, sum(h, data), h)
	}
}

// SignPSS signs data with an rsa key and PSS padding of the largest salt; keys
// of other types sign as always.
func (p *Private) SignPSS(data []byte, h crypto.Hash) ([]byte, error) {
	k, ok := p.key.(*rsa.PrivateKey)
	if !ok {
		return p.sign(data, h)
	}
	return rsa.SignPSS(rand.Reader, k, h, sum(h, data), &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthAuto})
}

// VerifyPSS checks a signature of SignPSS.
func (p *Public) VerifyPSS(data, sig []byte, h crypto.Hash) bool {
	k, ok := p.key.(*rsa.PublicKey)
	if !ok {
		return p.verify(data, sig, h)
	}
	return rsa.VerifyPSS(k, h, sum(h, data), sig, &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthAuto}) == nil
}

func (p *Public) verify(data, sig []byte, h crypto.Hash) bool {
	switch k := p.key.(type) {
	case *rsa.PublicKey:
		return h != 0 && rsa.VerifyPKCS1v15(k, h, sum(h, data), sig) == nil
	case *ecdsa.PublicKey:
		return h != 0 && ecdsa.VerifyASN1(k, sum(h, data), sig)
	case ed25519.PublicKey:
		return len(sig) == ed25519.SignatureSize && ed25519.Verify(k, data, sig)
	case ed448.PublicKey:
		return len(sig) == ed448.SignatureSize && ed448.Verify(k, data, sig, "")
	}
	return false
}

// A signed thing is a certificate, request or revocation list.
type signed struct {
	Raw       asn1.RawContent
	TBS       asn1.RawValue
	Algorithm pkix.AlgorithmIdentifier
	Signature asn1.BitString
}

// seal signs what was built.
func seal(key *Private, tbs []byte, alg pkix.AlgorithmIdentifier, h crypto.Hash) ([]byte, error) {
	sig, err := key.sign(tbs, h)
	if err != nil {
		return nil, err
	}
	return asn1.Marshal(signed{TBS: asn1.RawValue{FullBytes: tbs}, Algorithm: alg, Signature: asn1.BitString{Bytes: sig, BitLength: 8 * len(sig)}})
}

// signedBy reports whether the signature is the key's.
func (s signed) signedBy(k *Public) bool {
	name := digestOf(s.Algorithm)
	h, _ := Hash(name)
	if s.Algorithm.Algorithm.Equal(oidPSS) {
		return k.VerifyPSS(s.TBS.FullBytes, s.Signature.Bytes, h)
	}
	return k.verify(s.TBS.FullBytes, s.Signature.Bytes, h)
}

// algorithmNames are those that cryptography gives signature algorithms.
var algorithmNames = []string{
	"1.2.840.113549.1.1.4=md5WithRSAEncryption", "1.2.840.113549.1.1.5=sha1WithRSAEncryption", "1.2.840.113549.1.1.14=sha224WithRSAEncryption",
	"1.2.840.113549.1.1.11=sha256WithRSAEncryption", "1.2.840.113549.1.1.12=sha384WithRSAEncryption", "1.2.840.113549.1.1.13=sha512WithRSAEncryption",
	"1.2.840.113549.1.1.10=rsassaPss", "1.2.840.10045.4.1=ecdsa-with-SHA1", "1.2.840.10045.4.3.1=ecdsa-with-SHA224", "1.2.840.10045.4.3.2=ecdsa-with-SHA256",
	"1.2.840.10045.4.3.3=ecdsa-with-SHA384", "1.2.840.10045.4.3.4=ecdsa-with-SHA512", "1.3.101.112=ed25519", "1.3.101.113=ed448",
}

// AlgorithmName is the name of a signature algorithm, as people write it.
func AlgorithmName(oid OID) string {
	for _, line := range algorithmNames {
		if id, name, _ := strings.Cut(line, "="); id == oid.String() {
			return name
		}
	}
	return "Unknown OID"
}
