package saltfilters

import (
	"crypto/rand"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	mrand "math/rand/v2"

	"pinch/render/jinja"
	"pinch/render/jinja/filters"
	"pinch/value"
	"pinch/value/py"
)

func randomFilters() []filters.Entry {
	return []filters.Entry{
		entry("random_str", sig("random", "", "size", int64(32)), randomStr),
		entry("random_hash", sig("random_hash", "", "size", int64(9999999999), "hash_type", nil), randomHash),
		entry("rand_str", sig("random_hash", "", "size", int64(9999999999), "hash_type", nil), randomHash),
		entry("random_sample", sig("sample", "value size", "seed", nil), func(_ *jinja.Call, a []any) (any, error) { return sample(a[0], a[1], a[2]) }),
		entry("random_shuffle", sig("shuffle", "value", "seed", nil), func(_ *jinja.Call, a []any) (any, error) {
			n, err := py.Len(a[0])
			if err != nil {
				return nil, err
			}
			return sample(a[0], int64(n), a[1])
		}),
		entry("gen_mac", sig("gen_mac", "", "prefix", "AC:DE:48"), defined(genMAC)),
	}
}

func randomStr(_ *jinja.Call, a []any) (any, error) {
	n, err := py.AsIndex(a[0])
	switch {
	case err != nil:
		return nil, err
	case n < 0:
		return nil, value.Errorf("ValueError", "negative argument not allowed")
	case n > py.MaxBytes:
		return nil, &value.Exception{Class: "MemoryError"}
	}
	b := make([]byte, n)
	rand.Read(b)
	return base64.StdEncoding.EncodeToString(b)[:n], nil
}

func randomHash(_ *jinja.Call, a []any) (any, error) {
	name := "md5"
	if value.Truth(a[1]) {
		name = value.Str(a[1])
	}
	hasher, ok := newHash(name)
	if !ok {
		return nil, value.Errorf("AttributeError", "module 'hashlib' has no attribute '%s'", name)
	}
	size, err := py.Add(a[0], int64(0))
	if err != nil {
		return nil, err
	}
	if f, ok := size.(float64); ok && f != math.Trunc(f) {
		return nil, value.Errorf("ValueError", "non-integer stop for randrange()")
	}
	if size, err = py.Int(size); err != nil {
		return nil, err
	}
	limit := new(big.Int)
	switch n := size.(type) {
	case int64:
		limit.SetInt64(n)
	case *big.Int:
		limit.Set(n)
	}
	if limit.Sign() < 0 {
		return nil, value.Errorf("ValueError", "empty range for randrange() (0, %d, %d)", new(big.Int).Add(limit, big.NewInt(1)), new(big.Int).Add(limit, big.NewInt(1)))
	}
	n, err := rand.Int(rand.Reader, limit.Add(limit, big.NewInt(1)))
	if err != nil {
		return nil, err
	}
	h := hasher()
	h.Write([]byte(n.String()))
	return hex.EncodeToString(h.Sum(nil)), nil
}

func genMAC(_ *jinja.Call, a []any) (any, error) {
	n := mrand.Uint32()
	return fmt.Sprintf("%s:%02X:%02X:%02X", value.Str(a[0]), byte(n), byte(n>>8), byte(n>>16)), nil
}

// sample is Python's random.sample; with a seed it picks what Python's
// generator picks.
func sample(v, size, seed any) (any, error) {
	switch v.(type) {
	case *value.List, value.Tuple, string, py.Markup, py.Range, []byte:
	case *jinja.Undefined:
		_, err := py.Len(v)
		return nil, err
	default:
		return nil, typeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
	}
	items, err := py.Items(v)
	if err != nil {
		return nil, err
	}
	k, err := py.AsIndex(size)
	if err != nil {
		return nil, err
	}
	n := int64(len(items))
	if k < 0 || k > n {
		return nil, value.Errorf("ValueError", "Sample larger than population or is negative")
	}
	below := func(n int64) int64 { return mrand.Int64N(n) }
	if seed != nil {
		h, err := seedOf(seed)
		if err != nil {
			return nil, err
		}
		below = newTwister(h).below
	}
	out := make([]any, k)
	setSize := int64(21)
	if k > 5 {
		setSize += int64(math.Pow(4, math.Ceil(math.Log(float64(k*3))/math.Log(4))))
	}
	if n <= setSize {
		pool := clone(items).Items
		for i := range k {
			j := below(n - i)
			out[i] = pool[j]
			pool[j] = pool[n-i-1]
		}
		return &value.List{Items: out}, nil
	}
	taken := map[int64]bool{}
	for i := range k {
		j := below(n)
		for taken[j] {
			j = below(n)
		}
		taken[j] = true
		out[i] = items[j]
	}
	return &value.List{Items: out}, nil
}

// seedOf is the number that Salt and then Python make of a seed: the SHA-512
// of the text in hex, and that of those digits behind it.
func seedOf(v any) (*big.Int, error) {
	var b []byte
	switch s := v.(type) {
	case string:
		b = []byte(s)
	case py.Markup:
		b = []byte(s)
	case []byte:
		b = s
	default:
		return nil, typeError("object supporting the buffer API required")
	}
	first := sha512.Sum512(b)
	digits := []byte(hex.EncodeToString(first[:]))
	second := sha512.Sum512(digits)
	return new(big.Int).SetBytes(append(digits, second[:]...)), nil
}

// twister is the generator MT19937, seeded as Python seeds it.
type twister struct {
	state [624]uint32
	i     int
}

func newTwister(seed *big.Int) *twister {
	var key []uint32
	for n := new(big.Int).Set(seed); n.Sign() > 0; n.Rsh(n, 32) {
		key = append(key, uint32(new(big.Int).And(n, big.NewInt(math.MaxUint32)).Uint64()))
	}
	if len(key) == 0 {
		key = []uint32{0}
	}
	t := &twister{i: 624}
	s := &t.state
	s[0] = 19650218
	for i := uint32(1); i < 624; i++ {
		s[i] = 1812433253*(s[i-1]^s[i-1]>>30) + i
	}
	i, j := 1, 0
	step := func(mul, add uint32, sub bool) {
		x := (s[i-1] ^ s[i-1]>>30) * mul
		if sub {
			s[i] = (s[i] ^ x) - add
		} else {
			s[i] = (s[i] ^ x) + add
		}
		if i++; i >= 624 {
			s[0], i = s[623], 1
		}
	}
	for range max(624, len(key)) {
		step(1664525, key[j]+uint32(j), false)
		j = (j + 1) % len(key)
	}
	for range 623 {
		step(1566083941, uint32(i), true)
	}
	s[0] = 0x80000000
	return t
}

func (t *twister) next() uint32 {
	s := &t.state
	if t.i >= 624 {
		for k := range 624 {
			y := s[k]&0x80000000 | s[(k+1)%624]&0x7fffffff
			s[k] = s[(k+397)%624] ^ y>>1
			if y&1 != 0 {
				s[k] ^= 0x9908b0df
			}
		}
		t.i = 0
	}
	y := s[t.i]
	t.i++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// below is Python's _randbelow for n less than 2**32.
func (t *twister) below(n int64) int64 {
	bits := big.NewInt(n).BitLen()
	for {
		if r := int64(t.next() >> (32 - bits)); r < n {
			return r
		}
	}
}
