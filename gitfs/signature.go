package gitfs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/go-git/go-git/v5/plumbing"
)

// A signedText is an object without its signature, as it was signed.
type signedText struct {
	text      []byte
	signature string
	when      time.Time // of the commit or tag
	name      string    // of a tag
}

const (
	beginSSH = "-----BEGIN SSH SIGNATURE-----"
	beginPGP = "-----BEGIN PGP SIGNATURE-----"
)

var errUnsigned = errors.New("it is not signed")

// splitCommit takes the signature headers out of a commit object. The rest is
// what was signed.
func splitCommit(b []byte) (signedText, error) {
	var s signedText
	head, body, ok := bytes.Cut(b, []byte("\n\n"))
	if !ok {
		return s, errors.New("malformed commit")
	}
	var sig strings.Builder
	keep := make([]byte, 0, len(b))
	inSig, count := 0, 0
	for line := range bytes.Lines(append(bytes.Clone(head), '\n')) {
		key, rest, _ := bytes.Cut(line, []byte(" "))
		switch {
		case len(key) == 0 && inSig > 0: // a continuation
			if inSig == 1 {
				sig.Write(rest)
			}
			continue
		case string(key) == "gpgsig":
			inSig = 1
			count++
			sig.Write(rest)
			continue
		case string(key) == "gpgsig-sha256":
			inSig = 2
			continue
		case string(key) == "committer":
			s.when = when(string(rest))
		}
		inSig = 0
		keep = append(keep, line...)
	}
	if count > 1 {
		return s, errors.New("it has more than one signature")
	}
	s.text = append(append(keep, '\n'), body...)
	s.signature = sig.String()
	return s, nil
}

// splitTag takes the signature off the end of a tag object.
func splitTag(b []byte) (signedText, error) {
	var s signedText
	cut := -1
	at := 0
	for line := range bytes.Lines(b) {
		if bytes.HasPrefix(line, []byte(beginSSH)) || bytes.HasPrefix(line, []byte(beginPGP)) {
			cut = at
		}
		at += len(line)
	}
	s.text = b
	if cut >= 0 {
		s.text, s.signature = b[:cut], string(b[cut:])
	}
	head, _, ok := bytes.Cut(s.text, []byte("\n\n"))
	if !ok {
		return s, errors.New("malformed tag")
	}
	for line := range strings.Lines(string(head) + "\n") {
		switch key, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); key {
		case "tag":
			s.name = rest
		case "tagger":
			s.when = when(rest)
		}
	}
	return s, nil
}

// when reads the time from "Name <mail> seconds zone".
func when(person string) time.Time {
	f := strings.Fields(person[strings.LastIndexByte(person, '>')+1:])
	if len(f) == 0 {
		return time.Time{}
	}
	n, err := strconv.ParseInt(f[0], 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(n, 0)
}

// A keyring holds the keys that a Trust names, read when first needed.
type keyring struct {
	t       *Trust
	signers []signer
	pgp     openpgp.EntityList
	read    [2]bool
	who     string // of the last good signature
}

func (k *keyring) checkCommit(r *repo, h plumbing.Hash) error {
	b, err := r.read(plumbing.CommitObject, h)
	if err != nil {
		return err
	}
	s, err := splitCommit(b)
	if err == nil {
		err = k.check(s)
	}
	if err != nil {
		return fmt.Errorf("commit %s: %w", short(h), err)
	}
	return nil
}

// checkTag checks a tag object; name is what it must be called, unless empty.
func (k *keyring) checkTag(r *repo, h plumbing.Hash, name string) error {
	b, err := r.read(plumbing.TagObject, h)
	if err != nil {
		return err
	}
	s, err := splitTag(b)
	if err == nil && name != "" && s.name != name {
		err = fmt.Errorf("it was made under the name %q", s.name)
	}
	if err == nil {
		err = k.check(s)
	}
	if err != nil {
		return fmt.Errorf("tag object %s: %w", short(h), err)
	}
	return nil
}

func (k *keyring) check(s signedText) error {
	switch {
	case strings.TrimSpace(s.signature) == "":
		return errUnsigned
	case strings.HasPrefix(s.signature, beginSSH):
		return k.checkSSH(s)
	case strings.HasPrefix(s.signature, beginPGP):
		return k.checkPGP(s)
	}
	return errors.New("its signature is of an unknown kind")
}

func (k *keyring) checkSSH(s signedText) error {
	if k.t.AllowedSigners == "" {
		return errors.New("it is signed with ssh, and there are no allowed_signers")
	}
	if !k.read[0] {
		b, err := os.ReadFile(k.t.AllowedSigners)
		if err != nil {
			return err
		}
		if k.signers, err = parseSigners(string(b)); err != nil {
			return fmt.Errorf("%s: %w", k.t.AllowedSigners, err)
		}
		k.read[0] = true
	}
	sig, err := parseSSHSig(s.signature)
	if err == nil {
		k.who, err = sig.verify(s.text, "git", s.when, k.signers)
	}
	return err
}

func (k *keyring) checkPGP(s signedText) error {
	if k.t.GPGKeyring == "" {
		return errors.New("it is signed with gpg, and there is no gpg_keyring")
	}
	if !k.read[1] {
		b, err := os.ReadFile(k.t.GPGKeyring)
		if err != nil {
			return err
		}
		if bytes.Contains(b, []byte("-----BEGIN PGP")) {
			k.pgp, err = openpgp.ReadArmoredKeyRing(bytes.NewReader(b))
		} else {
			k.pgp, err = openpgp.ReadKeyRing(bytes.NewReader(b))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", k.t.GPGKeyring, err)
		}
		k.read[1] = true
	}
	e, err := openpgp.CheckArmoredDetachedSignature(k.pgp, bytes.NewReader(s.text), strings.NewReader(s.signature), nil)
	if err != nil {
		return fmt.Errorf("bad gpg signature: %w", err)
	}
	if id := e.PrimaryIdentity(); id != nil {
		k.who = id.Name
	}
	return nil
}
