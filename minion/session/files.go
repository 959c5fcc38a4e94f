package session

import (
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"pinch/minion/wire"
	"pinch/sys"
)

// The names of the key files in pki_dir.
const (
	privateFile = "minion.pem"
	publicFile  = "minion.pub"
	masterFile  = "minion_master.pub"
)

// loadKeys reads this minion's key, or makes one, and the master's if it is known.
func (s *Session) loadKeys() error {
	if err := os.MkdirAll(s.o.PKIDir, 0o700); err != nil {
		return err
	}
	path := filepath.Join(s.o.PKIDir, privateFile)
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if s.key, err = rsa.GenerateKey(rand.Reader, s.o.KeySize); err != nil {
			return err
		}
		if err = store(path, wire.PrivatePEM(s.key), 0o400); err != nil {
			return err
		}
	case err != nil:
		return err
	default:
		if s.key, err = wire.ParsePrivate(text); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if s.pub, err = wire.PublicPEM(&s.key.PublicKey); err != nil {
		return err
	}
	public := filepath.Join(s.o.PKIDir, publicFile)
	if old, err := os.ReadFile(public); err != nil || wire.CleanPEM(string(old)) != s.pub {
		if err := store(public, []byte(s.pub), 0o644); err != nil {
			return err
		}
	}
	return s.loadPin()
}

func (s *Session) loadPin() error {
	path := s.masterPath()
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	s.pinned = wire.CleanPEM(string(text))
	if s.master, err = wire.ParsePublic(s.pinned); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func (s *Session) masterPath() string { return filepath.Join(s.o.PKIDir, masterFile) }

// pin keeps the master's key from the first contact on.
func (s *Session) pin(text string) error { return store(s.masterPath(), []byte(text), 0o644) }

func store(path string, data []byte, mode fs.FileMode) error {
	return sys.WriteFile(sys.Real{}, path, data, sys.FileAttrs{Mode: &mode})
}

// Finger is the fingerprint of a key's text in the configured hash.
func (s *Session) finger(text string) (string, error) {
	h, err := newHash(s.o.HashType)
	if err != nil {
		return "", err
	}
	return wire.Fingerprint(text, h), nil
}

// OwnFinger is the fingerprint of this minion's key, as salt-key -F shows it.
func (s *Session) OwnFinger() (string, error) { return s.finger(s.pub) }

// MasterFinger is the fingerprint of the master's key, "" before the first contact.
func (s *Session) MasterFinger() (string, error) {
	s.mu.Lock()
	pinned := s.pinned
	s.mu.Unlock()
	if pinned == "" {
		return "", nil
	}
	return s.finger(pinned)
}
