// Package mastertest is a salt-master in the test's own process: it speaks the
// protocol of 3008 over TCP, serves files and a pillar, publishes jobs and
// collects what comes back. What it does wrong is up to the test.
//
//	m := mastertest.New(t)
//	m.Publish(value.M("fun", "test.ping", "arg", new(value.List), "jid", "20260101000000000001", "tgt", "*"))
//	ret := m.Return(t, "20260101000000000001")
package mastertest

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	mrand "math/rand/v2"
	"net"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pinch/minion/wire"
	"pinch/value"
)

// Piece is how much of a file one answer carries.
const Piece = 1 << 16

// A Master is made by New. Its fields are for the test to set before it is asked.
type Master struct {
	Key   *rsa.PrivateKey
	Addr  string            // of its questions
	State any               // ret of an answer that accepts nothing
	Files map[string]string // of the environment base, by name
	// Wrong answers in place of the master; false: as it should be.
	Wrong func(cmd string, load *value.Map) (any, bool)
	// Mistake is what is wrong in the answer to _auth: nonce, digest, token, signature.
	Mistake string
	Pillar  *value.Map

	pub net.Listener
	ask net.Listener

	mu      sync.Mutex
	shared  *wire.Crypticle
	own     map[string]*wire.Crypticle
	keys    map[string]*rsa.PublicKey
	serial  int64
	subs    []net.Conn
	conns   []net.Conn
	asked   map[string]int
	returns map[string]*value.Map
	events  []*value.Map
	grains  any           // autosign_grains of the last proof
	news    chan struct{} // closed and made anew at each return or event
}

// New starts a master that ends with the test.
func New(t testing.TB) *Master {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	m := &Master{Key: key, Pillar: new(value.Map), own: map[string]*wire.Crypticle{}, keys: map[string]*rsa.PublicKey{},
		asked: map[string]int{}, returns: map[string]*value.Map{}, news: make(chan struct{}), shared: crypticle()}
	// An address of its own: nobody takes the ports while it is stopped.
	at := fmt.Sprintf("127.%d.%d.%d:0", 1+mrand.IntN(254), mrand.IntN(256), 1+mrand.IntN(254))
	m.listen(t, at, at)
	t.Cleanup(m.Stop)
	return m
}

func (m *Master) listen(t testing.TB, ask, pub string) {
	t.Helper()
	var err error
	if m.ask, err = net.Listen("tcp", ask); err != nil {
		t.Fatal(err)
	}
	if m.pub, err = net.Listen("tcp", pub); err != nil {
		t.Fatal(err)
	}
	m.Addr = m.ask.Addr().String()
	go accept(m.ask, m.answers)
	go accept(m.pub, m.subscribed)
}

func accept(l net.Listener, f func(net.Conn)) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go f(c)
	}
}

// Stop ends the master and its connections.
func (m *Master) Stop() {
	m.ask.Close()
	m.pub.Close()
	m.Cut()
}

// Start begins again after Stop, on the same ports.
func (m *Master) Start(t testing.TB) {
	t.Helper()
	m.listen(t, m.ask.Addr().String(), m.pub.Addr().String())
}

// Cut closes all connections.
func (m *Master) Cut() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range append(m.conns, m.subs...) {
		c.Close()
	}
	m.conns, m.subs = nil, nil
}

// Rotate makes new keys, as a master does after a day or a restart.
func (m *Master) Rotate() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.shared, m.own, m.serial = crypticle(), map[string]*wire.Crypticle{}, 0
}

func crypticle() *wire.Crypticle {
	b := make([]byte, 56)
	rand.Read(b)
	c, _ := wire.NewCrypticle(base64.StdEncoding.EncodeToString(b))
	return c
}

// answers answers the questions of one connection.
func (m *Master) answers(c net.Conn) {
	m.mu.Lock()
	m.conns = append(m.conns, c)
	m.mu.Unlock()
	defer c.Close()
	s := wire.NewStream(c, wire.MaxMessage)
	for {
		v, err := s.Next()
		if err != nil {
			return
		}
		q, _ := v.(*value.Map)
		answer := m.answer(q.Map("body"))
		if answer == Silence {
			continue
		}
		raw, err := wire.Pack(value.M("head", q.Map("head"), "body", answer))
		if err != nil {
			return
		}
		if _, err := c.Write(raw); err != nil {
			return
		}
	}
}

type silence struct{}

// Silence is no answer at all.
var Silence any = silence{}

func (m *Master) answer(q *value.Map) any {
	if load := q.Map("load"); load != nil {
		return m.auth(load)
	}
	m.mu.Lock()
	box := m.own[q.Str("id")]
	m.mu.Unlock()
	if box == nil {
		return "bad load"
	}
	v, err := box.Open(wire.Bytes(q.At("load")), "")
	load, _ := v.(*value.Map)
	if err != nil || load == nil {
		return "bad load"
	}
	cmd := load.Str("cmd")
	m.mu.Lock()
	m.asked[cmd]++
	m.mu.Unlock()
	if m.Wrong != nil {
		if out, yes := m.Wrong(cmd, load); yes {
			if out == Silence || cmd == "_pillar" {
				return out
			}
			return seal(box, load.Str("nonce"), out)
		}
	}
	if cmd == "_pillar" {
		return m.pillar(load)
	}
	return seal(box, load.Str("nonce"), m.do(cmd, load))
}

// seal is a sealed answer to the question with that nonce.
func seal(box *wire.Crypticle, nonce string, v any) any {
	raw, err := box.SealFor(nonce, v)
	if err != nil {
		return err.Error()
	}
	return raw
}

// do is what the commands answer.
func (m *Master) do(cmd string, load *value.Map) any {
	switch cmd {
	case "_return", "_minion_event":
		m.mu.Lock()
		defer m.mu.Unlock()
		if cmd == "_return" {
			m.returns[load.Str("jid")] = load
			if name := load.Str("schedule"); name != "" {
				m.returns[name] = load
			}
		} else {
			m.events = append(m.events, load)
			if list := load.List("events"); list != nil {
				for _, e := range list.Items {
					m.events = append(m.events, e.(*value.Map))
				}
			}
		}
		close(m.news)
		m.news = make(chan struct{})
		return nil
	case "_file_envs":
		return value.L("base")
	case "_file_list":
		return m.list(func(name string) string { return name })
	case "_dir_list":
		return m.list(func(name string) string { return strings.TrimSuffix(path.Dir(name), ".") })
	case "_file_list_emptydirs":
		return new(value.List)
	case "_file_hash_and_stat":
		text, ok := m.Files[load.Str("path")]
		if !ok {
			return ""
		}
		sum := sha256.Sum256([]byte(text))
		stat := value.L(int64(0o100644), int64(1), int64(1), int64(1), int64(0), int64(0), int64(len(text)), int64(0), int64(0), int64(0))
		return value.L(value.M("hsum", hex.EncodeToString(sum[:]), "hash_type", "sha256"), stat)
	case "_serve_file":
		text := m.Files[load.Str("path")]
		at, _ := load.At("loc").(int64)
		text = text[min(at, int64(len(text))):]
		return value.M("data", []byte(text[:min(Piece, len(text))]), "dest", load.Str("path"))
	case "_file_recv", "_mine":
		return true
	case "minion_pub":
		return value.M("jid", "20260101000000000777", "minions", value.L("other"))
	case "pub_ret":
		return value.M("other", value.M("ret", true))
	}
	return new(value.Map)
}

func (m *Master) list(of func(name string) string) *value.List {
	var names []string
	for name := range m.Files {
		if n := of(name); n != "" && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return value.Strings(names)
}

// auth is the answer to _auth.
func (m *Master) auth(load *value.Map) any {
	pub, err := wire.ParsePublic(load.Str("pub"))
	if err != nil {
		return "bad load"
	}
	id, algorithm := load.Str("id"), load.Str("enc_algo")
	m.mu.Lock()
	if m.own[id] == nil {
		m.own[id] = crypticle()
	}
	m.keys[id] = pub
	shared, session := m.shared.Key(), m.own[id].Key()
	m.asked["_auth"]++
	m.grains = load.At("autosign_grains")
	m.mu.Unlock()
	p := value.M("nonce", load.Str("nonce"))
	if m.Mistake == "nonce" {
		p.Set("nonce", strings.Repeat("0", 32))
	}
	if m.State != nil {
		p.Set("ret", m.State)
		return m.signed(p, load)
	}
	digest := sha256.Sum256([]byte(shared))
	if m.Mistake == "digest" {
		digest[0]++
	}
	sig, _ := wire.PrivateEncrypt(m.Key, []byte(hex.EncodeToString(digest[:])))
	aes, _ := wire.Encrypt(pub, []byte(shared), algorithm)
	own, _ := wire.Encrypt(pub, []byte(session), algorithm)
	pem, _ := wire.PublicPEM(&m.Key.PublicKey)
	port := m.pub.Addr().(*net.TCPAddr).Port
	p.Update(value.M("enc", "pub", "publish_port", int64(port), "pub_key", pem, "aes", aes, "session", own, "sig", sig))
	if token := load.At("token"); token != nil {
		plain, err := wire.Decrypt(m.Key, wire.Bytes(token), algorithm)
		if err != nil || m.Mistake == "token" {
			plain = []byte("no token")
		}
		back, _ := wire.Encrypt(pub, plain, algorithm)
		p.Set("token", back)
	}
	return m.signed(p, load)
}

func (m *Master) signed(p, load *value.Map) any {
	raw, _ := wire.Pack(p)
	sig, _ := wire.Sign(m.Key, raw, load.Str("sig_algo"))
	if m.Mistake == "signature" {
		sig[10]++
	}
	return value.M("enc", "clear", "load", raw, "sig", sig)
}

// pillar is the answer to _pillar.
func (m *Master) pillar(load *value.Map) any {
	m.mu.Lock()
	pub := m.keys[load.Str("id")]
	m.mu.Unlock()
	once := crypticle()
	key, _ := wire.Encrypt(pub, []byte(once.Key()), wire.OAEPSHA1)
	data, _ := wire.Pack(value.M("key", key, "nonce", load.Str("nonce"), "pillar", m.Pillar))
	sig, _ := wire.Sign(m.Key, data, wire.SignSHA1)
	sealed, _ := once.Seal(value.M("data", data, "sig", sig))
	return value.M("key", key, "pillar", sealed)
}

// subscribed keeps a connection for publications.
func (m *Master) subscribed(c net.Conn) {
	if _, err := wire.NewStream(c, wire.MaxMessage).Next(); err != nil { // who it is
		c.Close()
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.subs = append(m.subs, c)
	close(m.news)
	m.news = make(chan struct{})
}

// Job is the load of a job for all minions.
func Job(jid, fun string, arg ...any) *value.Map {
	return value.M("fun", fun, "arg", value.L(arg...), "jid", jid, "tgt", "*", "tgt_type", "glob", "ret", "", "user", "root")
}

// Publish signs a job and sends it to all who listen; it waits for the first.
func (m *Master) Publish(t testing.TB, load *value.Map) {
	t.Helper()
	m.Listeners(t, 1)
	m.Send(t, m.Sealed(load))
}

// Sealed is a publication as it should be.
func (m *Master) Sealed(load *value.Map) *value.Map {
	m.mu.Lock()
	m.serial++
	load = load.Shallow()
	load.Set("serial", m.serial)
	shared := m.shared
	m.mu.Unlock()
	raw, _ := shared.Seal(load)
	sig, _ := wire.Sign(m.Key, raw, wire.SignSHA1)
	return value.M("enc", "aes", "load", raw, "sig", sig, "sig_algo", wire.SignSHA1)
}

// Send sends anything to all who listen.
func (m *Master) Send(t testing.TB, outer any) {
	t.Helper()
	body, err := wire.Pack(outer)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := wire.Pack(value.M("head", new(value.Map), "body", body))
	if err != nil {
		t.Fatal(err)
	}
	m.SendBytes(raw)
}

// SendBytes sends bytes to all who listen.
func (m *Master) SendBytes(raw []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.subs {
		c.Write(raw)
	}
}

// Asked is how often a command was asked.
func (m *Master) Asked(cmd string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.asked[cmd]
}

// Autosign is what the last proof told of grains (autosign_grains).
func (m *Master) Autosign() any {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.grains
}

// wait waits until there is what f looks for; f is called with m.mu held.
func (m *Master) wait(t testing.TB, what string, f func() bool) {
	t.Helper()
	end := time.After(30 * time.Second)
	for {
		m.mu.Lock()
		ok, news := f(), m.news
		m.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-news:
		case <-end:
			t.Fatalf("no %s within 30 s", what)
		}
	}
}

// Listeners waits until so many minions listen.
func (m *Master) Listeners(t testing.TB, n int) {
	t.Helper()
	m.wait(t, "minion", func() bool { return len(m.subs) >= n })
}

// Return waits for the return of a job, by its ID or its name in the schedule.
func (m *Master) Return(t testing.TB, jid string) (ret *value.Map) {
	t.Helper()
	m.wait(t, "return of "+jid, func() bool { ret = m.returns[jid]; return ret != nil })
	return ret
}

// Returned reports whether a job has come back.
func (m *Master) Returned(jid string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.returns[jid] != nil
}

// Event waits for an event whose tag begins so, alone or in a list.
func (m *Master) Event(t testing.TB, tag string) (e *value.Map) {
	t.Helper()
	m.wait(t, "event "+tag, func() bool {
		for _, x := range m.events {
			if strings.HasPrefix(x.Str("tag"), tag) {
				e = x
			}
		}
		return e != nil
	})
	return e
}
