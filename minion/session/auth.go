package session

import (
	"context"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"strings"

	"pinch/fileclient"
	"pinch/minion/wire"
	"pinch/value"
)

// A State is what the master thinks of this minion's key.
type State int

const (
	Accepted State = iota
	Pending        // nobody has accepted the key yet
	Denied         // rejected, or another key is known under this name
	Full           // the master has as many minions as it may have
)

// A FatalError says that going on would be wrong: a person must look.
type FatalError struct{ Text, Hint string }

func (e *FatalError) Error() string {
	if e.Hint == "" {
		return e.Text
	}
	return e.Text + "\nhint: " + e.Hint
}

func fatal(hint, format string, args ...any) error {
	return &FatalError{Text: fmt.Sprintf(format, args...), Hint: hint}
}

func newHash(name string) (hash.Hash, error) { return fileclient.NewHash(name) }

// Auth proves to the master who this minion is, and has the master prove who
// it is. Nothing of the answer is used before all of it is checked. With an
// error that is no *FatalError it is worth another try.
func (s *Session) Auth(ctx context.Context) (State, error) {
	s.auth.Lock()
	defer s.auth.Unlock()
	return s.authenticate(ctx)
}

// reauth is Auth unless another goroutine has got new keys meanwhile.
func (s *Session) reauth(ctx context.Context, old *wire.Crypticle) error {
	s.auth.Lock()
	defer s.auth.Unlock()
	s.mu.Lock()
	changed := s.own != old
	s.mu.Unlock()
	if changed {
		return nil
	}
	state, err := s.authenticate(ctx)
	if err == nil && state != Accepted {
		return ErrNotAccepted
	}
	return err
}

// ErrNotAccepted says that the master no longer accepts this minion's key.
var ErrNotAccepted = errors.New("the master does not accept this minion's key at present")

func (s *Session) authenticate(ctx context.Context) (State, error) {
	ctx, cancel := context.WithTimeout(ctx, s.o.AuthTimeout)
	defer cancel()
	nonce := wire.Nonce()
	load := value.M("cmd", "_auth", "id", s.o.ID, "nonce", nonce, "enc_algo", s.o.Encrypt, "sig_algo", s.o.Sign, "pub", s.pub)
	if s.master != nil {
		token, err := wire.Encrypt(s.master, s.token, s.o.Encrypt)
		if err != nil {
			return 0, err
		}
		load.Set("token", token)
	}
	if s.o.Grains != nil {
		load.Set("autosign_grains", s.o.Grains())
	}
	reply, err := s.ask.Do(ctx, value.M("enc", "clear", "version", int64(3), "load", load))
	if err != nil {
		return 0, err
	}
	outer, ok := reply.(*value.Map)
	if !ok {
		return 0, fmt.Errorf("the master answered %.80q to the question for its key", wire.Text(reply))
	}
	if m := outer.Map("load"); m != nil {
		return unsigned(m)
	}
	raw, sig := wire.Bytes(outer.At("load")), wire.Bytes(outer.At("sig"))
	if raw == nil || sig == nil {
		return 0, fmt.Errorf("the master's answer is not signed: %.80q", value.Str(outer.At("error")))
	}
	v, err := wire.Unpack(raw)
	if err != nil {
		return 0, err
	}
	answer, _ := v.(*value.Map)
	return s.check(answer, nonce, raw, sig)
}

// unsigned is an answer without a signature.
func unsigned(m *value.Map) (State, error) {
	switch ret := m.At("ret").(type) {
	case string:
		return 0, fatal("set encryption_algorithm and signing_algorithm to what the master allows", "the master refuses the algorithms of this minion: %s", ret)
	case bool:
		if m.Truth("cluster_retry") {
			return 0, errors.New("the master's cluster is not ready")
		}
	}
	return 0, fmt.Errorf("an odd answer of the master: %.80q", value.Repr(m))
}

// check checks the answer, in the order that lets nothing be used unchecked.
func (s *Session) check(answer *value.Map, nonce string, raw, sig []byte) (State, error) {
	master, pem, err := s.chooseKey(answer)
	if err != nil {
		return 0, err
	}
	if master != nil {
		if err := wire.Verify(master, raw, sig, s.o.Sign); err != nil {
			return 0, fatal("somebody else may answer in the master's place", "the answer of the master %s is not signed by its key", s.o.Addr)
		}
	}
	if wire.Text(answer.At("nonce")) != nonce {
		return 0, fatal("", "the answer of the master %s belongs to another question: it may be a replay", s.o.Addr)
	}
	if ret, ok := answer.Get("ret"); ok {
		switch ret {
		case true:
			return Pending, nil
		case false:
			return Denied, nil
		case "full":
			return Full, nil
		}
		return 0, fmt.Errorf("an odd answer of the master: %.80q", value.Repr(ret))
	}
	if master == nil {
		return 0, errors.New("the master sent keys but not its own")
	}
	k, err := s.openKeys(answer, master)
	if err != nil {
		return 0, err
	}
	shared, err := wire.NewCrypticle(k.Shared)
	if err != nil {
		return 0, err
	}
	own, err := wire.NewCrypticle(k.Own)
	if err != nil {
		return 0, err
	}
	if pem != s.pinned {
		if err := s.pin(pem); err != nil {
			return 0, err
		}
		s.mu.Lock()
		s.master, s.pinned = master, pem
		s.mu.Unlock()
	}
	s.take(k, shared, own)
	return Accepted, nil
}

// chooseKey is the key that the answer must be signed with: the one that is
// known, or at the first contact the one that is sent. It is nil when neither is.
func (s *Session) chooseKey(answer *value.Map) (*rsa.PublicKey, string, error) {
	sent := wire.CleanPEM(wire.Text(answer.At("pub_key")))
	if sent == "" {
		return s.master, s.pinned, nil
	}
	if err := s.checkFinger(sent); err != nil {
		return nil, "", err
	}
	signed, err := s.checkSigner(answer, sent)
	if err != nil {
		return nil, "", err
	}
	if s.pinned != "" && sent != s.pinned && !signed {
		return nil, "", fatal(
			fmt.Sprintf("if the master really has a new key, remove %s and start again; if not, somebody answers in its place", s.masterPath()),
			"the master %s has another key than it had: the key it sends differs from the one in %s", s.o.Addr, s.masterPath())
	}
	if sent == s.pinned {
		return s.master, sent, nil
	}
	key, err := wire.ParsePublic(sent)
	if err != nil {
		return nil, "", fatal("", "the key of the master %s is not usable: %s", s.o.Addr, err)
	}
	return key, sent, nil
}

// checkFinger compares the key with master_finger.
func (s *Session) checkFinger(sent string) error {
	if s.o.Finger == "" {
		return nil
	}
	got, err := s.finger(sent)
	if err != nil {
		return err
	}
	if !strings.EqualFold(got, s.o.Finger) {
		return fatal("salt-key -F master on the master shows the fingerprint of master.pub; hash_type must be the same on both",
			"the key of the master %s has the fingerprint %s, not the one in master_finger: %s", s.o.Addr, got, s.o.Finger)
	}
	return nil
}

// checkSigner checks the signature over the master's key by the key that was
// put here beforehand (verify_master_pubkey_sign).
func (s *Session) checkSigner(answer *value.Map, sent string) (bool, error) {
	sig := wire.Text(answer.At("pub_sig"))
	switch {
	case s.o.SigningKey == "" && sig == "":
		return false, nil
	case s.o.SigningKey == "":
		return false, fatal("set verify_master_pubkey_sign: True here, or take master_sign_pubkey off the master",
			"the master signs its public key, but this minion is not told to verify that")
	case sig == "":
		return false, fatal("set master_sign_pubkey: True on the master",
			"verify_master_pubkey_sign is set, but the master %s does not sign its public key", s.o.Addr)
	}
	path := filepath.Join(s.o.PKIDir, s.o.SigningKey+".pub")
	text, err := os.ReadFile(path)
	if err != nil {
		return false, fatal("put the master's master_sign.pub there", "verify_master_pubkey_sign needs a key: %s", err)
	}
	key, err := wire.ParsePublic(string(text))
	if err != nil {
		return false, fatal("", "%s: %s", path, err)
	}
	raw, err := base64.StdEncoding.DecodeString(strings.NewReplacer("\n", "", "\r", "").Replace(sig))
	if err != nil || wire.Verify(key, []byte(sent), raw, s.o.Sign) != nil {
		return false, fatal("", "the signature over the key of the master %s is not that of %s", s.o.Addr, path)
	}
	return true, nil
}

// openKeys decrypts the shared keys and checks that the master made them.
func (s *Session) openKeys(answer *value.Map, master *rsa.PublicKey) (k Keys, err error) {
	plain, err := wire.Decrypt(s.key, wire.Bytes(answer.At("aes")), s.o.Encrypt)
	if err != nil {
		return k, fatal("the master may hold another key under this name: see salt-key -f "+s.o.ID, "what the master %s sent is not for the key of this minion", s.o.Addr)
	}
	sum := sha256.Sum256(plain)
	digest, err := wire.PublicDecrypt(master, wire.Bytes(answer.At("sig")))
	if err != nil || string(digest) != hex.EncodeToString(sum[:]) {
		return k, fatal("", "the shared key was not made by the master %s", s.o.Addr)
	}
	text, token, joined := strings.Cut(string(plain), "_|-")
	if s.master != nil {
		back := []byte(token)
		if !joined {
			if back, err = wire.Decrypt(s.key, wire.Bytes(answer.At("token")), s.o.Encrypt); err != nil {
				return k, fatal("", "the master %s does not send the token back: it does not hold its key", s.o.Addr)
			}
		}
		if subtle.ConstantTimeCompare(back, s.token) != 1 {
			return k, fatal("", "the master %s sends another token back: it does not hold its key", s.o.Addr)
		}
	}
	port, _ := answer.At("publish_port").(int64)
	k = Keys{Shared: text, Own: text, Version: 2, PubPort: int(port)}
	if sealed := wire.Bytes(answer.At("session")); sealed != nil {
		own, err := wire.Decrypt(s.key, sealed, s.o.Encrypt)
		if err != nil {
			return k, fatal("", "the session key of the master %s is not for this minion", s.o.Addr)
		}
		k.Own, k.Version = string(own), 3
	}
	return k, nil
}
