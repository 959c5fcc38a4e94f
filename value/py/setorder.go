package py

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// SetOrder is the order in which Python 3.11 iterates over a set to which
// words were added in turn, without the duplicates. Python's order of strings
// depends on a random seed; this is the one of PYTHONHASHSEED=0, so that what
// Salt keeps in sets has the same order in every run of ours and of a Salt
// with that seed.
func SetOrder(words []string) []string {
	if len(words) < 2 {
		return words
	}
	s := set{table: make([]slot, 8)}
	for _, w := range words {
		s.add(w, strHash(w))
	}
	out := words[:0:0]
	for _, e := range s.table {
		if e.used {
			out = append(out, e.word)
		}
	}
	return out
}

type slot struct {
	word string
	hash uint64
	used bool
}

// A set is CPython's open addressing: ten slots in a row, then a jump.
type set struct {
	table []slot
	fill  int
}

func (s *set) add(w string, h uint64) {
	e := s.find(w, h)
	if e.used {
		return
	}
	*e = slot{w, h, true}
	s.fill++
	if mask := len(s.table) - 1; s.fill*5 >= mask*3 {
		want := s.fill * 4
		if s.fill > 50000 {
			want = s.fill * 2
		}
		s.grow(want)
	}
}

func (s *set) grow(want int) {
	old, size := s.table, 8
	for size <= want {
		size <<= 1
	}
	s.table = make([]slot, size)
	for _, e := range old {
		if e.used {
			*s.find(e.word, e.hash) = e
		}
	}
}

// find is the slot of a word, or the free one where it goes.
func (s *set) find(w string, h uint64) *slot {
	const probes = 9
	mask := uint64(len(s.table) - 1)
	i, perturb := h&mask, h
	for {
		n := uint64(0)
		if i+probes <= mask {
			n = probes
		}
		for j := i; j <= i+n; j++ {
			if e := &s.table[j]; !e.used || e.hash == h && e.word == w {
				return e
			}
		}
		perturb >>= 5
		i = (i*5 + 1 + perturb) & mask
	}
}

// strHash is hash(s) under PYTHONHASHSEED=0: SipHash-1-3 with a zero key over
// the string as Python stores it, with one, two or four bytes a character.
func strHash(s string) uint64 {
	if s == "" {
		return 0
	}
	widest := rune(0)
	for _, r := range s {
		widest = max(widest, r)
	}
	b := make([]byte, 0, len(s))
	if widest < utf8.RuneSelf {
		b, s = append(b, s...), ""
	}
	for _, r := range s {
		switch {
		case widest < 0x100:
			b = append(b, byte(r))
		case widest < 0x10000:
			b = binary.LittleEndian.AppendUint16(b, uint16(r))
		default:
			b = binary.LittleEndian.AppendUint32(b, uint32(r))
		}
	}
	h := sip13(b)
	if h == ^uint64(0) {
		return ^uint64(1)
	}
	return h
}

func sip13(b []byte) uint64 {
	v0, v1, v2, v3 := uint64(0x736f6d6570736575), uint64(0x646f72616e646f6d), uint64(0x6c7967656e657261), uint64(0x7465646279746573)
	round := func() {
		v0 += v1
		v2 += v3
		v1 = bits.RotateLeft64(v1, 13) ^ v0
		v3 = bits.RotateLeft64(v3, 16) ^ v2
		v0 = bits.RotateLeft64(v0, 32)
		v2 += v1
		v0 += v3
		v1 = bits.RotateLeft64(v1, 17) ^ v2
		v3 = bits.RotateLeft64(v3, 21) ^ v0
		v2 = bits.RotateLeft64(v2, 32)
	}
	last := uint64(len(b)) << 56
	for ; len(b) >= 8; b = b[8:] {
		m := binary.LittleEndian.Uint64(b)
		v3 ^= m
		round()
		v0 ^= m
	}
	for i, c := range b {
		last |= uint64(c) << (8 * i)
	}
	v3 ^= last
	round()
	v0 ^= last
	v2 ^= 0xff
	round()
	round()
	round()
	return v0 ^ v1 ^ v2 ^ v3
}
