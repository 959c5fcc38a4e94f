// Package wire is what a master and a minion write to each other: msgpack
// frames, the sealed envelope, RSA in the forms that Salt 3006 to 3008 use, and
// key files.
//
//	box, err := wire.NewCrypticle(sessionKey)
//	sealed, err := box.Seal(value.M("cmd", "_file_list", "saltenv", "base"))
//	v, err := box.Open(reply, nonce)
package wire

import (
	"crypto/rand"
	"encoding/hex"

	"pinch/value"
)

// Nonce is a fresh random text of 32 hex digits.
func Nonce() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// Pack writes a message in the dialect of the wire.
func Pack(v any) ([]byte, error) { return value.MsgpackRaw(v) }

// Unpack reads a message; what follows it is an error.
func Unpack(b []byte) (any, error) { return value.ParseMsgpackRaw(b) }

// Bytes are the bytes of a field that holds them, whichever way they were
// read; nil for anything else.
func Bytes(v any) []byte {
	switch v := v.(type) {
	case string:
		return []byte(v)
	case []byte:
		return v
	}
	return nil
}

// Text is a field that holds text; "" for anything else.
func Text(v any) string { return string(Bytes(v)) }
