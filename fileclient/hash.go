package fileclient

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"strings"

	"pinch/salt"
)

// NewHash makes a hash by the name that Python's hashlib gives it.
func NewHash(name string) (hash.Hash, error) {
	switch strings.ToLower(name) {
	case "md5":
		return md5.New(), nil
	case "sha1":
		return sha1.New(), nil
	case "sha224":
		return sha256.New224(), nil
	case "sha256", "":
		return sha256.New(), nil
	case "sha384":
		return sha512.New384(), nil
	case "sha512":
		return sha512.New(), nil
	}
	return nil, fmt.Errorf("unknown hash type %q", name)
}

// Hash is the hex digest of what the URL names; "" as algorithm is hash_type.
func (c *Client) Hash(ctx *salt.Ctx, u, env, algorithm string) (string, error) {
	f, err := c.Get(ctx, u, env, salt.GetOptions{})
	if err != nil {
		return "", err
	}
	if algorithm == "" {
		algorithm = c.o.HashType
	}
	return digest(f, algorithm)
}

func digest(f *salt.File, algorithm string) (string, error) {
	h, err := NewHash(algorithm)
	if err != nil {
		return "", err
	}
	r, err := f.Open()
	if err != nil {
		return "", err
	}
	defer r.Close()
	if _, err := io.Copy(h, r); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
