package saltfilters

import (
	"crypto/sha512"
	"hash"
	"math/big"
	mrand "math/rand/v2"

	"pinch/value"
)

// Sample is Python's random.sample(value, size), seeded as Salt seeds it; a
// nil seed picks at random.
func Sample(v, size, seed any) (any, error) { return sample(v, size, seed) }

// NewHash finds a hash by hashlib's name.
func NewHash(name string) (func() hash.Hash, bool) { return newHash(name) }

// DecodeBase64 is Python's lenient base64.b64decode.
func DecodeBase64(b []byte) ([]byte, error) { return decode64(b) }

// RandBelow gives a generator of the numbers from 0 to n-1 that Python's has
// after random.seed(seed); with a nil seed they are random.
func RandBelow(seed any) (func(n int64) int64, error) {
	n := new(big.Int)
	switch s := seed.(type) {
	case nil:
		return mrand.Int64N, nil
	case string:
		sum := sha512.Sum512([]byte(s))
		n.SetBytes(append([]byte(s), sum[:]...))
	case []byte:
		sum := sha512.Sum512(s)
		n.SetBytes(append(append([]byte{}, s...), sum[:]...))
	case bool:
		if s {
			n.SetInt64(1)
		}
	case int64:
		n.Abs(n.SetInt64(s))
	case *big.Int:
		n.Abs(s)
	default:
		return nil, value.Errorf("TypeError", "The only supported seed types are: None,\nint, float, str, bytes, and bytearray.")
	}
	return newTwister(n).below64, nil
}

// below64 is Python's _randbelow for n less than 2**63.
func (t *twister) below64(n int64) int64 {
	if n < 1<<32 {
		return t.below(n)
	}
	bits := big.NewInt(n).BitLen()
	for {
		low := int64(t.next())
		if r := int64(t.next()>>(64-bits))<<32 | low; r < n {
			return r
		}
	}
}
