// Package session is a minion's relation to one master: its keys, the proof of
// who is who, questions to the master, and the check of what the master
// publishes. The main type is Session.
//
//	s, err := session.New(session.Options{ID: "web1", PKIDir: "/etc/salt/pki/minion", Addr: "salt:4506"})
//	state, err := s.Auth(ctx)
//	files, err := s.Request(ctx, "_file_list", value.M("saltenv", "base", "prefix", ""))
package session

import (
	"context"
	"crypto/rsa"
	"log/slog"
	"net"
	"strconv"
	"sync"
	"time"

	"pinch/minion/transport"
	"pinch/minion/wire"
	"pinch/value"
)

// Options say which minion, which master and how.
type Options struct {
	ID        string
	PKIDir    string
	Addr      string // host:port of the master's questions
	PubPort   int    // publish_port; 0 or 4506: the one the master names
	Transport string
	Line      transport.Line
	Encrypt   string // encryption_algorithm
	Sign      string // signing_algorithm
	KeySize   int
	Finger    string // master_finger, "" for none
	HashType  string
	// SigningKey is the name of the key that signs master keys
	// (verify_master_pubkey_sign); "" for none.
	SigningKey string
	Grains     func() *value.Map // autosign_grains; nil: none
	// AuthTimeout and Timeout are how long an answer may take; Tries how often
	// a question is asked.
	AuthTimeout, Timeout time.Duration
	Tries                int
	// SignMessages signs every question (minion_sign_messages).
	SignMessages bool
	Log          *slog.Logger
}

// A Session is made by New. Its methods may be called from several goroutines.
type Session struct {
	o     Options
	t     transport.Transport
	ask   transport.Requests
	key   *rsa.PrivateKey
	pub   string // this minion's public key
	proof []byte // tok: that this minion has its private key
	token []byte // what only the holder of the master's key can send back

	auth sync.Mutex // one proof at a time

	mu     sync.Mutex // guards what follows
	master *rsa.PublicKey
	pinned string // the master's public key as text, "" before the first contact
	keys   Keys
	shared *wire.Crypticle // opens publications
	own    *wire.Crypticle // seals questions
	serial int64           // of the last publication under the shared key
}

// Keys are what a proof has brought. They are secret.
type Keys struct {
	Shared, Own string
	Version     int64 // of the protocol: 3 with a key of this minion's own
	PubPort     int
}

// New reads the keys, or makes them.
func New(o Options) (*Session, error) {
	fill(&o)
	t, err := transport.New(o.Transport, o.Line)
	if err != nil {
		return nil, err
	}
	s := &Session{o: o, t: t}
	if err := s.loadKeys(); err != nil {
		return nil, err
	}
	if s.proof, err = wire.PrivateEncrypt(s.key, []byte("salt")); err != nil {
		return nil, err
	}
	s.token = []byte(wire.Nonce() + wire.Nonce())
	s.ask = t.Requests(o.Addr)
	return s, nil
}

func fill(o *Options) {
	if o.Encrypt == "" {
		o.Encrypt = wire.OAEPSHA1
	}
	if o.Sign == "" {
		o.Sign = wire.SignSHA1
	}
	if o.KeySize < wire.MinBits {
		o.KeySize = wire.MinBits
	}
	if o.AuthTimeout <= 0 {
		o.AuthTimeout = 5 * time.Second
	}
	if o.Timeout <= 0 {
		o.Timeout = time.Minute
	}
	if o.Tries <= 0 {
		o.Tries = 3
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// Close ends the connections.
func (s *Session) Close() { s.ask.Close() }

// Addr is the master's address.
func (s *Session) Addr() string { return s.o.Addr }

// Keys are the keys of the last proof, for a process that asks in this one's place.
func (s *Session) Keys() Keys {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keys
}

// Resume takes the keys of a session that another process holds.
func (s *Session) Resume(k Keys) error {
	shared, err := wire.NewCrypticle(k.Shared)
	if err != nil {
		return err
	}
	own, err := wire.NewCrypticle(k.Own)
	if err != nil {
		return err
	}
	s.take(k, shared, own)
	return nil
}

func (s *Session) take(k Keys, shared, own *wire.Crypticle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shared == nil || s.shared.Key() != shared.Key() {
		s.serial = 0 // a new key counts anew
	}
	s.keys, s.shared, s.own = k, shared, own
}

// Subscribe connects to the master's publications.
func (s *Session) Subscribe(ctx context.Context, filtered bool) (transport.Publications, error) {
	host, _, err := net.SplitHostPort(s.o.Addr)
	if err != nil {
		return nil, err
	}
	port := s.o.PubPort
	if port == 0 || port == 4506 { // Salt takes that value for unset
		port = s.Keys().PubPort
	}
	return s.t.Subscribe(ctx, net.JoinHostPort(host, strconv.Itoa(port)), transport.Subscription{
		ID: s.o.ID, Filtered: filtered, Hello: s.hello,
	})
}

// hello makes the minion known on the connection of publications.
func (s *Session) hello() (any, error) {
	s.mu.Lock()
	shared := s.shared
	s.mu.Unlock()
	load, err := shared.Seal(value.M("id", s.o.ID, "tok", s.proof))
	if err != nil {
		return nil, err
	}
	return value.M("enc", "aes", "version", int64(3), "load", load), nil
}
