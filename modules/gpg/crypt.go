package gpg

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// input is a text, or a file's content.
func input(c *salt.Ctx, txt, filename any) ([]byte, error) {
	switch {
	case value.Truth(txt):
		if b, ok := txt.([]byte); ok {
			return b, nil
		}
		return []byte(value.Str(txt)), nil
	case value.Truth(filename):
		return c.Sys.ReadFile(text(filename))
	}
	return nil, salt.InvocationError("filename or text must be passed.")
}

type signArgs struct {
	User          any  `py:"user=None"`            // whose keys: the home of this user
	Keyid         any  `py:"keyid=None"`           // the key
	Text          any  `py:"text=None"`            // the data
	Filename      any  `py:"filename=None"`        // or a file with it
	Output        any  `py:"output=None"`          // write the result there
	UsePassphrase bool `py:"use_passphrase=False"` // take gpg_passphrase from the pillar
	Gnupghome     any  `py:"gnupghome=None"`       // the directory of the keys instead
	Keyring       any  `py:"keyring=None"`         // a file of keys instead of the usual ones
}

// sign returns a text or file with a signature in clear text.
//
//	salt-call gpg.sign text='hello' keyid=3FAD9F1E
func sign(c *salt.Ctx, a signArgs) ([]byte, error) {
	pw, ok := passphrase(c, a.UsePassphrase)
	if !ok {
		return nil, salt.InvocationError(noPassphrase)
	}
	data, err := input(c, a.Text, a.Filename)
	if err != nil {
		return nil, err
	}
	r, err := open(c, a.User, a.Gnupghome, a.Keyring)
	if err != nil {
		return nil, err
	}
	args := []string{"--clearsign"}
	if value.Truth(a.Keyid) {
		args = append(args, "--default-key", text(a.Keyid))
	}
	out, err := r.run(data, pw, args...)
	if err != nil {
		return nil, err
	}
	if value.Truth(a.Output) && value.Truth(a.Filename) && !value.Truth(a.Text) {
		if err := sys.WriteFile(c.Sys, text(a.Output), out.data, sys.FileAttrs{}); err != nil {
			return nil, err
		}
	}
	return out.data, nil
}

// trusts are what gpg says about the trust in a signature's key.
var trusts = []struct{ key, shown string }{{"TRUST_EXPIRED", "Expired"}, {"TRUST_UNDEFINED", "Undefined"}, {"TRUST_NEVER", "Never"},
	{"TRUST_MARGINAL", "Marginal"}, {"TRUST_FULLY", "Fully"}, {"TRUST_ULTIMATE", "Ultimate"}}

func trustOf(key string) any {
	for _, t := range trusts {
		if t.key == key {
			return t.shown
		}
	}
	return nil
}

// A check is what gpg says about signatures: the last one, and each by its ID.
type check struct {
	user, id, trust any
	print           string
	sigs            *value.Map
	open            string // the signature that statuses belong to
}

func (v *check) note(kv ...any) {
	if s := v.sigs.Map(v.open); s != nil && v.open != "" {
		s.Update(value.M(kv...))
	}
}

// holder reads "KEYID user name".
func (v *check) holder(s status) {
	id, user, _ := strings.Cut(s.value, " ")
	v.id, v.user = id, user
}

func (v *check) read(all []status) {
	for _, s := range all {
		f := s.fields()
		if t := trustOf(s.key); t != nil {
			v.trust = t
			v.note("trust_level", t)
			v.open = ""
			continue
		}
		switch s.key {
		case "SIG_ID":
			v.open = f[0]
			v.sigs.Set(v.open, new(value.Map))
		case "GOODSIG":
			v.holder(s)
			v.note("keyid", v.id, "username", v.user, "status", "signature good")
		case "BADSIG":
			v.holder(s)
			v.note("keyid", v.id, "username", v.user, "status", "signature bad")
		case "EXPSIG":
			v.holder(s)
			v.note("keyid", v.id, "username", v.user, "status", "signature expired")
		case "EXPKEYSIG":
			v.holder(s)
			v.note("status", "signing key has expired", "keyid", v.id)
		case "REVKEYSIG":
			v.holder(s)
			v.note("status", "signing key was revoked", "keyid", v.id)
		case "ERRSIG":
			v.id = f[0]
			v.note("keyid", v.id, "status", "signature error")
		case "NO_PUBKEY":
			v.id = s.value
		case "VALIDSIG":
			if len(f) >= 10 {
				v.print = f[9]
			}
			v.note("fingerprint", v.print, "status", "signature valid")
		}
	}
}

type verifyArgs struct {
	Text        any `py:"text=None"`          // the data
	User        any `py:"user=None"`          // whose keys: the home of this user
	Filename    any `py:"filename=None"`      // or a file with it
	Gnupghome   any `py:"gnupghome=None"`     // the directory of the keys instead
	Signature   any `py:"signature=None"`     // a file with a detached signature
	Trustmodel  any `py:"trustmodel=None"`    // the trust model for the check
	SignedByAny any `py:"signed_by_any=None"` // fingerprints of which one must have signed
	SignedByAll any `py:"signed_by_all=None"` // fingerprints which all must have signed
	Keyring     any `py:"keyring=None"`       // a file of keys instead of the usual ones
}

// verify checks the signatures of a text or file, in it or in a file of their
// own. It returns res and message, and what is known of the signers.
//
//	salt-call gpg.verify filename=/srv/archive.tar signature=/srv/archive.tar.sig
func verify(c *salt.Ctx, a verifyArgs) (*value.Map, error) {
	models := []string{"pgp", "classic", "tofu", "tofu+pgp", "direct", "always", "auto"}
	args := []string{"--verify"}
	if value.Truth(a.Trustmodel) {
		if !slices.Contains(models, text(a.Trustmodel)) {
			msg := "Invalid trustmodel defined: " + text(a.Trustmodel) + ". Use one of: " + strings.Join(models, ", ")
			c.Log.Warn(msg)
			return failed(msg), nil
		}
		args = append(args, "--trust-model", text(a.Trustmodel))
	}
	r, err := open(c, a.User, a.Gnupghome, a.Keyring)
	if err != nil {
		return nil, err
	}
	signers := value.Truth(a.SignedByAny) || value.Truth(a.SignedByAll)
	if signers {
		args = append(args, "--no-batch")
	}
	var data []byte
	if value.Truth(a.Signature) && !value.Truth(a.Text) && value.Truth(a.Filename) {
		if !sys.Exists(c.Sys, text(a.Signature)) {
			return nil, value.Errorf("FileNotFoundError", "[Errno 2] No such file or directory: %s", value.Repr(text(a.Signature)))
		}
		args = append(args, text(a.Signature), text(a.Filename))
	} else if data, err = input(c, a.Text, a.Filename); err != nil {
		return nil, err
	}
	out, err := r.run(data, nil, args...)
	if err != nil {
		return nil, err
	}
	v := &check{sigs: new(value.Map)}
	v.read(out.status)
	switch {
	case signers:
		return v.signers(a), nil
	case v.trust == nil:
		return failed("The signature could not be verified."), nil
	}
	return value.M("res", true, "username", v.user, "key_id", v.id, "trust_level", v.trust, "message", "The signature is verified."), nil
}

// signers checks who signed.
func (v *check) signers(a verifyArgs) *value.Map {
	l, good := value.L(), map[string]bool{}
	for _, x := range v.sigs.Items() {
		s := x.(*value.Map)
		l.Append(value.M("username", s.At("username"), "key_id", s.At("keyid"), "fingerprint", s.At("fingerprint"), "trust_level", s.At("trust_level"), "status", s.At("status")))
		if s.At("trust_level") != nil {
			good[s.Str("fingerprint")] = true
		}
	}
	answer := func(res bool, msg string) *value.Map { return value.M("res", res, "message", msg, "signatures", l) }
	if anyOf := signersOf(a.SignedByAny); len(anyOf) > 0 && !slices.ContainsFunc(anyOf, func(s string) bool { return good[s] }) {
		return answer(false, "None of the public keys listed in signed_by_any provided a valid signature")
	}
	for _, s := range signersOf(a.SignedByAll) {
		if !good[s] {
			return answer(false, "Public key "+s+" has not provided a valid signature, but was listed in signed_by_all")
		}
	}
	return answer(true, "All required keys have provided a signature")
}

func signersOf(v any) (out []string) {
	if l, ok := v.(*value.List); ok {
		for _, it := range l.Items {
			out = append(out, value.Str(it))
		}
		return out
	}
	if value.Truth(v) {
		out = []string{value.Str(v)}
	}
	return out
}

// outcome says whether encryption or decryption worked, and how it ended.
func outcome(all []status) (good bool, end string) {
	plain := map[string]string{"NEED_PASSPHRASE": "need passphrase", "BAD_PASSPHRASE": "bad passphrase", "GOOD_PASSPHRASE": "good passphrase",
		"MISSING_PASSPHRASE": "missing passphrase", "KEY_NOT_CREATED": "key not created", "NEED_PASSPHRASE_PIN": "need passphrase pin",
		"NEED_PASSPHRASE_SYM": "need symmetric passphrase", "BEGIN_ENCRYPTION": "encryption incomplete", "KEYEXPIRED": "key expired",
		"SIG_CREATED": "sig created", "SIGEXPIRED": "sig expired", "BADSIG": "signature bad", "ERRSIG": "signature error", "EXPSIG": "signature expired",
		"GOODSIG": "signature good", "VALIDSIG": "signature valid", "NO_PUBKEY": "no public key", "NO_SECKEY": "no secret key",
		"EXPKEYSIG": "signing key has expired", "REVKEYSIG": "signing key was revoked", "UNEXPECTED": "unexpected data"}
	for _, s := range all {
		switch s.key {
		case "NODATA":
			if end != "decryption failed" {
				end = "no data was provided"
			}
		case "DECRYPTION_FAILED":
			if end != "no secret key" {
				end = "decryption failed"
			}
		case "BEGIN_DECRYPTION":
			if end != "no secret key" {
				end = "decryption incomplete"
			}
		case "DECRYPTION_OKAY":
			good, end = true, "decryption ok"
		case "END_ENCRYPTION":
			good, end = true, "encryption ok"
		case "INV_RECP":
			if end == "" {
				end = "invalid recipient"
			} else {
				end = "invalid recipient: " + end
			}
		case "FAILURE":
			if end == "" {
				end = "error - " + s.value
			}
		default:
			if e, ok := plain[s.key]; ok {
				end = e
			}
		}
	}
	return good, end
}

// answer is the return of encrypt and decrypt.
func answer(c *salt.Ctx, out *said, bare bool, output any, word string) any {
	good, end := outcome(out.status)
	if !good {
		c.Log.Error(out.errs)
	}
	switch {
	case bare && good:
		return out.data
	case bare:
		return false
	case !good:
		return value.M("res", false, "comment", end+".\nPlease check the salt-minion log.")
	case value.Truth(output):
		return value.M("res", true, "comment", word+" data has been written to "+text(output))
	}
	return value.M("res", true, "comment", out.data)
}

type encryptArgs struct {
	User          any  `py:"user=None"`            // whose keys: the home of this user
	Recipients    any  `py:"recipients=None"`      // for whom
	Text          any  `py:"text=None"`            // the data
	Filename      any  `py:"filename=None"`        // or a file with it
	Output        any  `py:"output=None"`          // write the result there
	Sign          any  `py:"sign=None"`            // sign too: True, or a key
	UsePassphrase bool `py:"use_passphrase=False"` // take gpg_passphrase from the pillar
	AlwaysTrust   bool `py:"always_trust=False"`   // don't ask whether keys are trusted
	Gnupghome     any  `py:"gnupghome=None"`       // the directory of the keys instead
	Bare          bool `py:"bare=False"`           // return the data alone
	Keyring       any  `py:"keyring=None"`         // a file of keys instead of the usual ones
}

// encrypt encrypts a text or file for recipients.
//
//	salt-call gpg.encrypt text='hello' recipients=alice@example.com
func encrypt(c *salt.Ctx, a encryptArgs) (any, error) {
	pw, ok := passphrase(c, a.UsePassphrase && value.Truth(a.Sign))
	if !ok {
		return nil, salt.InvocationError(noPassphrase)
	}
	data, err := input(c, a.Text, a.Filename)
	if err != nil {
		return nil, err
	}
	to := signersOf(a.Recipients)
	if len(to) == 0 {
		return nil, value.Errorf("ValueError", "No recipients or hidden recipients specified with asymmetric encryption")
	}
	r, err := open(c, a.User, a.Gnupghome, a.Keyring)
	if err != nil {
		return nil, err
	}
	args := []string{"--encrypt"}
	for _, t := range to {
		args = append(args, "--recipient", t)
	}
	args = append(args, "--armor")
	if value.Truth(a.Output) {
		args = append(args, "--yes", "--output", text(a.Output))
	}
	if a.Sign == true {
		args = append(args, "--sign")
	} else if value.Truth(a.Sign) {
		args = append(args, "--sign", "--default-key", text(a.Sign))
	}
	if a.AlwaysTrust {
		args = append(args, "--trust-model", "always")
	}
	out, err := r.run(data, pw, args...)
	if err != nil {
		return nil, err
	}
	return answer(c, out, a.Bare, a.Output, "Encrypted"), nil
}

type decryptArgs struct {
	User          any  `py:"user=None"`            // whose keys: the home of this user
	Text          any  `py:"text=None"`            // the data
	Filename      any  `py:"filename=None"`        // or a file with it
	Output        any  `py:"output=None"`          // write the result there
	UsePassphrase bool `py:"use_passphrase=False"` // take gpg_passphrase from the pillar
	Gnupghome     any  `py:"gnupghome=None"`       // the directory of the keys instead
	Bare          bool `py:"bare=False"`           // return the data alone
	Keyring       any  `py:"keyring=None"`         // a file of keys instead of the usual ones
}

// decrypt decrypts a text or file.
//
//	salt-call gpg.decrypt filename=/srv/secret.gpg output=/srv/secret
func decrypt(c *salt.Ctx, a decryptArgs) (any, error) {
	pw, ok := passphrase(c, a.UsePassphrase)
	if !ok {
		return nil, salt.InvocationError(noPassphrase)
	}
	data, err := input(c, a.Text, a.Filename)
	if err != nil {
		return nil, err
	}
	r, err := open(c, a.User, a.Gnupghome, a.Keyring)
	if err != nil {
		return nil, err
	}
	args := []string{"--decrypt"}
	if value.Truth(a.Output) && !value.Truth(a.Text) {
		args = append(args, "--yes", "--output", text(a.Output))
	}
	out, err := r.run(data, pw, args...)
	if err != nil {
		return nil, err
	}
	return answer(c, out, a.Bare, a.Output, "Decrypted"), nil
}
