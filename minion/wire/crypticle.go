package wire

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
)

const (
	aesSize  = 24 // AES-192
	macSize  = sha256.Size
	mark     = "pickle::" // what every plain text begins with; there is no pickle in it
	nonceLen = 32
)

// ErrSealed says that a message was not sealed with this key, or was changed.
var ErrSealed = errors.New("the message does not open with this key")

// ErrNonce says that an answer belongs to another question.
var ErrNonce = errors.New("the answer does not belong to this question: its nonce is another one")

// A Crypticle seals and opens messages with one shared key: AES-CBC, and an
// HMAC-SHA256 over the result.
type Crypticle struct {
	key   string
	block cipher.Block
	mac   []byte
}

// NewCrypticle takes the key as text: base64 of 24 bytes for AES and 32 for the
// HMAC.
func NewCrypticle(key string) (*Crypticle, error) {
	k, err := base64.StdEncoding.DecodeString(key)
	if err != nil || len(k) != aesSize+macSize {
		return nil, errors.New("the shared key has not 56 bytes in base64")
	}
	block, err := aes.NewCipher(k[:aesSize])
	if err != nil {
		return nil, err
	}
	return &Crypticle{key: key, block: block, mac: k[aesSize:]}, nil
}

// Key is the key as text.
func (c *Crypticle) Key() string { return c.key }

// Seal packs and seals a value.
func (c *Crypticle) Seal(v any) ([]byte, error) {
	b, err := Pack(v)
	if err != nil {
		return nil, err
	}
	return c.encrypt(append([]byte(mark), b...)), nil
}

// SealFor packs and seals a value as the answer to the question with a nonce.
func (c *Crypticle) SealFor(nonce string, v any) ([]byte, error) {
	b, err := Pack(v)
	if err != nil {
		return nil, err
	}
	return c.encrypt(append([]byte(mark+nonce), b...)), nil
}

// Open opens a sealed message. With a nonce it must be the answer to the
// question that had it.
func (c *Crypticle) Open(sealed []byte, nonce string) (any, error) {
	plain, err := c.decrypt(sealed)
	if err != nil {
		return nil, err
	}
	plain, ok := bytes.CutPrefix(plain, []byte(mark))
	if !ok {
		return nil, ErrSealed
	}
	if nonce != "" {
		if len(plain) < nonceLen || string(plain[:nonceLen]) != nonce {
			return nil, ErrNonce
		}
		plain = plain[nonceLen:]
	}
	return Unpack(plain)
}

func (c *Crypticle) encrypt(plain []byte) []byte {
	pad := aes.BlockSize - len(plain)%aes.BlockSize
	out := make([]byte, aes.BlockSize+len(plain)+pad, aes.BlockSize+len(plain)+pad+macSize)
	iv, body := out[:aes.BlockSize], out[aes.BlockSize:]
	rand.Read(iv)
	copy(body, plain)
	for i := len(plain); i < len(body); i++ {
		body[i] = byte(pad)
	}
	cipher.NewCBCEncrypter(c.block, iv).CryptBlocks(body, body)
	return c.sum(out, out)
}

// sum appends the HMAC of a body.
func (c *Crypticle) sum(dst, body []byte) []byte {
	h := hmac.New(sha256.New, c.mac)
	h.Write(body)
	return h.Sum(dst)
}

func (c *Crypticle) decrypt(sealed []byte) ([]byte, error) {
	n := len(sealed) - macSize
	if n < 2*aes.BlockSize || n%aes.BlockSize != 0 {
		return nil, ErrSealed
	}
	body := sealed[:n]
	if !hmac.Equal(c.sum(nil, body), sealed[n:]) {
		return nil, ErrSealed
	}
	plain := make([]byte, n-aes.BlockSize)
	cipher.NewCBCDecrypter(c.block, body[:aes.BlockSize]).CryptBlocks(plain, body[aes.BlockSize:])
	pad := int(plain[len(plain)-1])
	if pad < 1 || pad > aes.BlockSize {
		return nil, ErrSealed
	}
	return plain[:len(plain)-pad], nil
}
