package gitfs

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"pinch/value"
)

// An sshSig is a signature in the format of OpenSSH's PROTOCOL.sshsig.
type sshSig struct {
	key       ssh.PublicKey
	namespace string
	reserved  string
	hash      string
	signature ssh.Signature
}

const sshMagic = "SSHSIG"

// parseSSHSig reads the armored form.
func parseSSHSig(armor string) (*sshSig, error) {
	bad := func(what string) error { return errors.New("malformed ssh signature: " + what) }
	text, ok := strings.CutPrefix(armor, beginSSH)
	text, rest, ok2 := strings.Cut(text, "-----END SSH SIGNATURE-----")
	if !ok || !ok2 || strings.TrimSpace(rest) != "" {
		return nil, bad("armor")
	}
	blob, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return nil, bad(err.Error())
	}
	blob, ok = bytes.CutPrefix(blob, []byte(sshMagic))
	if !ok {
		return nil, bad("no magic")
	}
	var w struct {
		Version                    uint32
		Key                        []byte
		Namespace, Reserved, Hash_ string
		Signature                  []byte
	}
	if err := ssh.Unmarshal(blob, &w); err != nil {
		return nil, bad(err.Error())
	}
	if w.Version != 1 {
		return nil, bad(fmt.Sprintf("version %d", w.Version))
	}
	s := &sshSig{namespace: w.Namespace, reserved: w.Reserved, hash: w.Hash_}
	if s.key, err = ssh.ParsePublicKey(w.Key); err != nil {
		return nil, bad(err.Error())
	}
	if err := ssh.Unmarshal(w.Signature, &s.signature); err != nil {
		return nil, bad(err.Error())
	}
	return s, nil
}

// verify checks that an allowed signer made the signature of text in a
// namespace at a time; the result is the principals of that signer.
func (s *sshSig) verify(text []byte, namespace string, at time.Time, signers []signer) (string, error) {
	if s.namespace != namespace {
		return "", fmt.Errorf("its ssh signature is for %q, not for %q", s.namespace, namespace)
	}
	var sum []byte
	switch s.hash {
	case "sha256":
		h := sha256.Sum256(text)
		sum = h[:]
	case "sha512":
		h := sha512.Sum512(text)
		sum = h[:]
	default:
		return "", fmt.Errorf("its ssh signature uses hash %q", s.hash)
	}
	//lint:ignore SA1019 the kind is refused here
	if s.signature.Format == ssh.KeyAlgoRSA || s.key.Type() == ssh.InsecureKeyAlgoDSA {
		return "", fmt.Errorf("its ssh signature is of the weak kind %s", s.signature.Format)
	}
	signed := append([]byte(sshMagic), ssh.Marshal(struct {
		Namespace, Reserved, Hash_ string
		Sum                        []byte
	}{s.namespace, s.reserved, s.hash, sum})...)
	if err := s.key.Verify(signed, &s.signature); err != nil {
		return "", errors.New("bad ssh signature: it does not belong to this text")
	}
	why := fmt.Errorf("its ssh key %s is not an allowed signer", ssh.FingerprintSHA256(s.key))
	for _, a := range signers {
		ok, err := a.allows(s.key, namespace, at)
		if ok {
			return a.principals, nil
		}
		if err != nil {
			why = err
		}
	}
	return "", why
}

// A signer is one line of an allowed signers file.
type signer struct {
	principals    string
	key           ssh.PublicKey
	authority     bool
	namespaces    string
	after, before time.Time
}

// parseSigners reads an allowed signers file; see ssh-keygen(1).
func parseSigners(text string) ([]signer, error) {
	var out []signer
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		s, err := parseSigner(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		out = append(out, s)
	}
	return out, nil
}

func parseSigner(line string) (signer, error) {
	f := quotedFields(line)
	if len(f) < 3 {
		return signer{}, errors.New("it is not of the form PRINCIPALS [OPTIONS] KEYTYPE KEY")
	}
	s := signer{principals: strings.Trim(f[0], `"`)}
	key := f[1:]
	if blob, err := base64.StdEncoding.DecodeString(key[1]); err == nil {
		if s.key, err = ssh.ParsePublicKey(blob); err == nil {
			return s, nil
		}
	}
	if len(f) < 4 {
		return s, errors.New("its key cannot be read")
	}
	blob, err := base64.StdEncoding.DecodeString(f[3])
	if err == nil {
		s.key, err = ssh.ParsePublicKey(blob)
	}
	if err != nil {
		return s, fmt.Errorf("its key cannot be read: %w", err)
	}
	for _, o := range splitOptions(f[1]) {
		name, arg, _ := strings.Cut(o, "=")
		arg = strings.Trim(arg, `"`)
		switch strings.ToLower(name) {
		case "cert-authority":
			s.authority = true
		case "namespaces":
			s.namespaces = arg
		case "valid-after":
			s.after, err = signerTime(arg)
		case "valid-before":
			s.before, err = signerTime(arg)
		default:
			err = fmt.Errorf("unknown option %q", name)
		}
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

// quotedFields splits at blanks outside double quotes.
func quotedFields(line string) []string {
	quoted := false
	return strings.FieldsFunc(line, func(c rune) bool {
		if c == '"' {
			quoted = !quoted
		}
		return !quoted && (c == ' ' || c == '\t')
	})
}

func splitOptions(s string) []string {
	quoted := false
	return strings.FieldsFunc(s, func(c rune) bool {
		if c == '"' {
			quoted = !quoted
		}
		return !quoted && c == ','
	})
}

// signerTime reads YYYYMMDD[HHMM[SS]][Z]; without Z it is local time.
func signerTime(s string) (time.Time, error) {
	loc := time.Local
	digits, ok := strings.CutSuffix(s, "Z")
	if ok {
		loc = time.UTC
	}
	for _, layout := range []string{"20060102", "200601021504", "20060102150405"} {
		if len(layout) == len(digits) {
			return time.ParseInLocation(layout, digits, loc)
		}
	}
	return time.Time{}, fmt.Errorf("malformed time %q", s)
}

// allows reports whether the line is for this key. The error says why a line
// with the key does not hold.
func (a signer) allows(key ssh.PublicKey, namespace string, at time.Time) (bool, error) {
	cert, isCert := key.(*ssh.Certificate)
	if a.authority != isCert {
		return false, nil
	}
	theirs := key
	if isCert {
		theirs = cert.SignatureKey
	}
	if !bytes.Equal(a.key.Marshal(), theirs.Marshal()) {
		return false, nil
	}
	if a.namespaces != "" && !inPatterns(namespace, a.namespaces) {
		return false, fmt.Errorf("the ssh key of %s is not allowed for %q", a.principals, namespace)
	}
	if !a.after.IsZero() && at.Before(a.after) {
		return false, fmt.Errorf("the ssh key of %s is not valid before %s", a.principals, a.after.Format(time.RFC3339))
	}
	if !a.before.IsZero() && at.After(a.before) {
		return false, fmt.Errorf("the ssh key of %s is expired since %s", a.principals, a.before.Format(time.RFC3339))
	}
	if !isCert {
		return true, nil
	}
	if cert.CertType != ssh.UserCert {
		return false, errors.New("its ssh certificate is not one of a user")
	}
	i := slices.IndexFunc(cert.ValidPrincipals, func(p string) bool { return inPatterns(p, a.principals) })
	if i < 0 {
		return false, fmt.Errorf("its ssh certificate is for %s, not for %s", strings.Join(cert.ValidPrincipals, ", "), a.principals)
	}
	check := ssh.CertChecker{Clock: func() time.Time { return at }}
	if err := check.CheckCert(cert.ValidPrincipals[i], cert); err != nil {
		return false, fmt.Errorf("its ssh certificate: %w", err)
	}
	return true, nil
}

// inPatterns matches a list of globs, where ! excludes.
func inPatterns(s, list string) bool {
	found := false
	for p := range strings.SplitSeq(list, ",") {
		not := strings.HasPrefix(p, "!")
		if value.Fnmatch(s, strings.TrimPrefix(p, "!")) {
			if not {
				return false
			}
			found = true
		}
	}
	return found
}
