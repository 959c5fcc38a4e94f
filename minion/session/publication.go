package session

import (
	"context"
	"errors"
	"fmt"

	"pinch/minion/wire"
	"pinch/value"
)

// ErrReplay says that a publication came again.
var ErrReplay = errors.New("a publication came again, or behind a later one: ignored")

// Check is the load of a publication, if the master made it: only what the
// master's own key has signed is taken, since all minions share the other key.
func (s *Session) Check(ctx context.Context, msg any) (*value.Map, error) {
	outer, _ := msg.(*value.Map)
	if outer.At("enc") != "aes" {
		return nil, errors.New("a publication that is not encrypted: ignored")
	}
	raw := wire.Bytes(outer.At("load"))
	algorithm := outer.Str("sig_algo")
	if algorithm == "" {
		algorithm = wire.SignSHA1
	}
	s.mu.Lock()
	master, own := s.master, s.own
	s.mu.Unlock()
	if !outer.Has("sig") {
		return nil, errors.New("a publication without a signature: ignored (sign_pub_messages must be on at the master)")
	}
	if err := wire.Verify(master, raw, wire.Bytes(outer.At("sig")), algorithm); err != nil {
		return nil, fmt.Errorf("a publication: %w: ignored", err)
	}
	v, err := s.open(raw)
	if errors.Is(err, wire.ErrSealed) { // the key was renewed
		if err := s.reauth(ctx, own); err != nil {
			return nil, err
		}
		v, err = s.open(raw)
	}
	if err != nil {
		return nil, err
	}
	load, ok := v.(*value.Map)
	if !ok {
		return nil, errors.New("a publication that is no map: ignored")
	}
	return load, s.count(load)
}

func (s *Session) open(raw []byte) (any, error) {
	s.mu.Lock()
	shared := s.shared
	s.mu.Unlock()
	return shared.Open(raw, "")
}

// count refuses what came before.
func (s *Session) count(load *value.Map) error {
	n, ok := load.At("serial").(int64)
	if !ok {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n <= s.serial {
		return ErrReplay
	}
	s.serial = n
	return nil
}
