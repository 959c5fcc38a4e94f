package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"pinch/minion/wire"
	"pinch/value"
)

// Request asks the master with a command and its fields. The answer is what
// the master's function returned; unknown commands give an empty map.
func (s *Session) Request(ctx context.Context, cmd string, fields *value.Map) (any, error) {
	var out any
	err := s.retry(ctx, func(ctx context.Context) error {
		reply, sent, err := s.send(ctx, cmd, fields)
		if err != nil {
			return err
		}
		raw := wire.Bytes(reply)
		if raw == nil {
			return trouble(reply)
		}
		out, err = sent.own.Open(raw, sent.nonce)
		return err
	}, cmd)
	return out, err
}

// question is what was sent.
type question struct {
	nonce string
	own   *wire.Crypticle
}

// retry asks until there is a good answer. An answer that does not open means
// that the master has new keys: then it is asked for them once.
func (s *Session) retry(ctx context.Context, ask func(ctx context.Context) error, cmd string) error {
	var err error
	proved := false
	for try := range s.o.Tries {
		if try > 0 && !pause(ctx, time.Duration(try)*300*time.Millisecond) {
			return ctx.Err()
		}
		s.mu.Lock()
		own := s.own
		s.mu.Unlock()
		one, cancel := context.WithTimeout(ctx, s.o.Timeout)
		err = ask(one)
		cancel()
		if err == nil || ctx.Err() != nil {
			return err
		}
		s.o.Log.Debug(fmt.Sprintf("the master did not answer %s: %s", cmd, err))
		if (errors.Is(err, wire.ErrSealed) || errors.Is(err, errNoKeys)) && !proved {
			proved = true
			if err := s.reauth(ctx, own); err != nil {
				return err
			}
		}
	}
	return fmt.Errorf("%s: %w", cmd, err)
}

var errNoKeys = errors.New("no proof has been given yet")

// pause waits between one and two times d; false when the context ended.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d + rand.N(d))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// trouble is an answer that no function of the master gave.
func trouble(reply any) error {
	m, _ := reply.(*value.Map)
	if m.Str("msg") == "bad load" {
		return wire.ErrSealed
	}
	return fmt.Errorf("trouble at the master: %.120s", value.Repr(reply))
}

// send asks once; the reply is as it came.
func (s *Session) send(ctx context.Context, cmd string, fields *value.Map) (any, question, error) {
	s.mu.Lock()
	q := question{nonce: wire.Nonce(), own: s.own}
	version := s.keys.Version
	s.mu.Unlock()
	if q.own == nil {
		return nil, q, errNoKeys
	}
	load := value.M("cmd", cmd)
	load.Update(fields)
	load.Set("id", s.o.ID)
	load.Set("ts", time.Now().Unix())
	if s.o.SignMessages {
		raw, err := signedForm(load)
		if err != nil {
			return nil, q, err
		}
		sig, err := wire.Sign(s.key, raw, s.o.Sign)
		if err != nil {
			return nil, q, err
		}
		load.Set("sig", sig)
	}
	load.Set("nonce", q.nonce)
	load.Set("tok", s.proof)
	sealed, err := q.own.Seal(load)
	if err != nil {
		return nil, q, err
	}
	reply, err := s.ask.Do(ctx, value.M("enc", "aes", "version", version, "id", s.o.ID,
		"enc_algo", s.o.Encrypt, "sig_algo", s.o.Sign, "load", sealed))
	return reply, q, err
}

// signedForm is what a message's signature is made over: msgpack with text and
// bytes apart, other than on the wire, since the master packs what it read anew.
func signedForm(load *value.Map) ([]byte, error) { return value.Msgpack(load) }

// PillarRequest chooses a pillar.
type PillarRequest struct {
	Grains             *value.Map
	SaltEnv, PillarEnv any // names, or nil
	Override           *value.Map
	Extra              *value.Map // extra_minion_data
}

// Pillar asks the master for the pillar of this minion. By it the master
// learns the grains, too.
func (s *Session) Pillar(ctx context.Context, r PillarRequest) (*value.Map, error) {
	fields := value.M("saltenv", r.SaltEnv, "pillarenv", r.PillarEnv, "pillar_override", orEmpty(r.Override),
		"extra_minion_data", orEmpty(r.Extra), "ver", "2", "grains", orEmpty(r.Grains))
	var out *value.Map
	err := s.retry(ctx, func(ctx context.Context) error {
		reply, sent, err := s.send(ctx, "_pillar", fields)
		if err != nil {
			return err
		}
		m, ok := reply.(*value.Map)
		if !ok {
			return wire.ErrSealed // a bare text: the keys are old
		}
		if !m.Has("key") {
			return trouble(reply)
		}
		out, err = s.openPillar(m, sent.nonce)
		return err
	}, "_pillar")
	return out, err
}

func orEmpty(m *value.Map) *value.Map {
	if m == nil {
		return new(value.Map)
	}
	return m
}

// openPillar opens the envelope of a pillar: a key for this once, and data that
// the master has signed.
func (s *Session) openPillar(m *value.Map, nonce string) (*value.Map, error) {
	sealed := wire.Bytes(m.At("key"))
	key, err := wire.Decrypt(s.key, sealed, s.o.Encrypt)
	if err != nil {
		return nil, wire.ErrSealed
	}
	once, err := wire.NewCrypticle(string(key))
	if err != nil {
		return nil, err
	}
	v, err := once.Open(wire.Bytes(m.At("pillar")), "")
	if err != nil {
		return nil, err
	}
	inner, _ := v.(*value.Map)
	data := wire.Bytes(inner.At("data"))
	s.mu.Lock()
	master := s.master
	s.mu.Unlock()
	if err := wire.Verify(master, data, wire.Bytes(inner.At("sig")), s.o.Sign); err != nil {
		return nil, fmt.Errorf("the pillar: %w", err)
	}
	if v, err = wire.Unpack(data); err != nil {
		return nil, err
	}
	signed, _ := v.(*value.Map)
	if !bytes.Equal(wire.Bytes(signed.At("key")), sealed) || wire.Text(signed.At("nonce")) != nonce {
		return nil, wire.ErrNonce
	}
	pillar, ok := signed.At("pillar").(*value.Map)
	if !ok {
		return nil, fmt.Errorf("the master sent no pillar but %.80s", value.TypeName(signed.At("pillar")))
	}
	return pillar, nil
}
