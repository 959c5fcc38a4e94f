package session

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pinch/minion/wire"
	"pinch/value"
)

// A master answers as section 5 of the protocol says, with mistakes on demand.
type master struct {
	key     *rsa.PrivateKey
	shared  *wire.Crypticle
	own     string
	state   any    // ret of an answer that accepts nothing
	mistake string // what it does wrong
}

func sharedKey() string {
	b := make([]byte, 56)
	rand.Read(b)
	return base64.StdEncoding.EncodeToString(b)
}

func newMaster(t *testing.T) *master {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := wire.NewCrypticle(sharedKey())
	if err != nil {
		t.Fatal(err)
	}
	return &master{key: key, shared: shared, own: sharedKey()}
}

// serve answers on a port of this machine.
func (m *master) serve(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				s := wire.NewStream(c, wire.MaxMessage)
				for {
					v, err := s.Next()
					if err != nil {
						return
					}
					q := v.(*value.Map)
					raw, err := wire.Pack(value.M("head", q.Map("head"), "body", m.answer(q.Map("body"))))
					if err != nil {
						return
					}
					c.Write(raw)
				}
			}()
		}
	}()
	return l.Addr().String()
}

func (m *master) answer(q *value.Map) any {
	load := q.Map("load")
	if load == nil {
		return "bad load"
	}
	pub, err := wire.ParsePublic(load.Str("pub"))
	if err != nil {
		return "bad load"
	}
	pem, _ := wire.PublicPEM(&m.key.PublicKey)
	p := value.M("nonce", load.Str("nonce"))
	if m.mistake == "nonce" {
		p.Set("nonce", strings.Repeat("0", 32))
	}
	if m.state != nil {
		p.Set("ret", m.state)
	} else {
		digest := sha256.Sum256([]byte(m.shared.Key()))
		if m.mistake == "digest" {
			digest[0]++
		}
		sig, _ := wire.PrivateEncrypt(m.key, []byte(hex.EncodeToString(digest[:])))
		aes, _ := wire.Encrypt(pub, []byte(m.shared.Key()), load.Str("enc_algo"))
		own, _ := wire.Encrypt(pub, []byte(m.own), load.Str("enc_algo"))
		p.Update(value.M("enc", "pub", "publish_port", int64(4505), "pub_key", pem, "aes", aes, "session", own, "sig", sig))
		if token := load.At("token"); token != nil {
			plain, err := wire.Decrypt(m.key, wire.Bytes(token), load.Str("enc_algo"))
			if err != nil || m.mistake == "token" {
				plain = []byte("no token")
			}
			back, _ := wire.Encrypt(pub, plain, load.Str("enc_algo"))
			p.Set("token", back)
		}
	}
	raw, _ := wire.Pack(p)
	sig, _ := wire.Sign(m.key, raw, load.Str("sig_algo"))
	if m.mistake == "signature" {
		sig[10]++
	}
	return value.M("enc", "clear", "load", raw, "sig", sig)
}

func join(t *testing.T, dir, addr string, change func(*Options)) (*Session, State, error) {
	t.Helper()
	o := Options{ID: "m", PKIDir: dir, Addr: addr, Transport: "tcp", HashType: "sha256"}
	if change != nil {
		change(&o)
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	state, err := s.Auth(t.Context())
	return s, state, err
}

func TestAuth(t *testing.T) {
	m := newMaster(t)
	addr, dir := m.serve(t), t.TempDir()
	for _, c := range []struct {
		ret  any
		want State
	}{{true, Pending}, {false, Denied}, {"full", Full}, {nil, Accepted}, {nil, Accepted}} {
		m.state = c.ret
		if _, state, err := join(t, dir, addr, nil); err != nil || state != c.want {
			t.Errorf("%v: %v %v", c.ret, state, err)
		}
	}
	for _, alg := range []struct{ enc, sig string }{{wire.OAEPSHA224, wire.SignSHA224}} {
		if _, state, err := join(t, dir, addr, func(o *Options) { o.Encrypt, o.Sign = alg.enc, alg.sig }); err != nil || state != Accepted {
			t.Error(alg, state, err)
		}
	}
	i, err := os.Stat(filepath.Join(dir, "minion.pem"))
	if err != nil || i.Mode().Perm() != 0o400 {
		t.Error(i.Mode(), err)
	}
	pem, _ := wire.PublicPEM(&m.key.PublicKey)
	if pin, _ := os.ReadFile(filepath.Join(dir, "minion_master.pub")); string(pin) != pem {
		t.Error("the master's key is not kept")
	}
}

// What is wrong in an answer ends it, and leaves no key behind.
func TestRefused(t *testing.T) {
	m := newMaster(t)
	addr := m.serve(t)
	for _, mistake := range []string{"nonce", "digest", "signature"} {
		m.mistake = mistake
		dir := t.TempDir()
		var fatal *FatalError
		if s, _, err := join(t, dir, addr, nil); !errors.As(err, &fatal) || s.own != nil {
			t.Errorf("%s: %v", mistake, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "minion_master.pub")); err == nil {
			t.Errorf("%s: the key is kept", mistake)
		}
	}
	m.mistake = ""
	dir := t.TempDir()
	if _, _, err := join(t, dir, addr, func(o *Options) { o.Finger = "00:11" }); err == nil || !strings.Contains(err.Error(), "master_finger") {
		t.Error(err)
	}
	if _, _, err := join(t, dir, addr, nil); err != nil {
		t.Fatal(err)
	}
	m.mistake = "token"
	if _, _, err := join(t, dir, addr, nil); err == nil || !strings.Contains(err.Error(), "token") {
		t.Error(err)
	}
	other := newMaster(t)
	if _, _, err := join(t, dir, other.serve(t), nil); err == nil || !strings.Contains(err.Error(), "another key than it had") {
		t.Error(err)
	}
}

func TestCheck(t *testing.T) {
	m := newMaster(t)
	s, _, err := join(t, t.TempDir(), m.serve(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	publish := func(serial int64, key *rsa.PrivateKey) *value.Map {
		load, _ := m.shared.Seal(value.M("fun", "test.ping", "serial", serial))
		sig, _ := wire.Sign(key, load, wire.SignSHA1)
		return value.M("enc", "aes", "load", load, "sig", sig, "sig_algo", wire.SignSHA1)
	}
	if load, err := s.Check(t.Context(), publish(5, m.key)); err != nil || load.Str("fun") != "test.ping" {
		t.Error(err)
	}
	for _, serial := range []int64{5, 4} {
		if _, err := s.Check(t.Context(), publish(serial, m.key)); !errors.Is(err, ErrReplay) {
			t.Error(serial, err)
		}
	}
	other := newMaster(t)
	unsigned := publish(6, m.key)
	unsigned.Pop("sig")
	clear := value.M("enc", "clear", "load", value.M("fun", "test.ping"))
	for name, msg := range map[string]any{"forged": publish(7, other.key), "unsigned": unsigned, "clear": clear, "nothing": nil} {
		if _, err := s.Check(t.Context(), msg); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if _, err := s.Check(t.Context(), publish(8, m.key)); err != nil {
		t.Error(err)
	}
}
