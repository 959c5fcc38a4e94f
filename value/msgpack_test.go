package value

import (
	"encoding/hex"
	"math/big"
	"strings"
	"testing"
	"time"
)

// The bytes are those of salt.payload.dumps(v, use_bin_type=True), as files hold them.
func TestMsgpack(t *testing.T) {
	for want, v := range map[string]any{
		"c0": nil, "c3": true, "07": int64(7), "ff": int64(-1), "ccc8": int64(200), "cd1000": int64(4096), "d1ff00": int64(-256),
		"cf8000000000000000": new(big.Int).Lsh(big.NewInt(1), 63), "cb3ff8000000000000": 1.5,
		"a3616263": "abc", "c40161": []byte("a"), "9201c0": L(int64(1), nil), "82a16101a16292c3c2": M("a", int64(1), "b", L(true, false)),
		"81019100": M(int64(1), L(int64(0))), "d920" + strings.Repeat("78", 32): strings.Repeat("x", 32),
	} {
		b, err := Msgpack(v)
		if err != nil || hex.EncodeToString(b) != want {
			t.Errorf("%s: %x %v, want %s", Repr(v), b, err, want)
		}
		back, err := ParseMsgpack(b)
		if err != nil || !Equal(back, v) {
			t.Errorf("%s: read back as %s %v", want, Repr(back), err)
		}
	}
	at := time.Date(2026, 2, 3, 4, 5, 6, 7000, time.Local)
	b, _ := Msgpack(at)
	if back, err := ParseMsgpack(b); err != nil || !back.(time.Time).Equal(at) {
		t.Error(back, err)
	}
}

func TestMsgpackPrefix(t *testing.T) {
	b := []byte("\x92\x01\xa1a\xc0")
	if v, n, err := MsgpackPrefix(b); n != 4 || err != nil || Repr(v) != "[1, 'a']" {
		t.Error(Repr(v), n, err)
	}
	if _, n, err := MsgpackPrefix(b[:3]); n != 0 || err != nil {
		t.Error(n, err)
	}
	if _, _, err := MsgpackPrefix([]byte{0xc1}); err == nil {
		t.Error("0xc1 is no type")
	}
}

func FuzzParseMsgpack(f *testing.F) {
	for _, s := range []string{"\xc0", "\x82\xa1a\x01\xa1b\x92\xc3\xc2", "\xdd\xff\xff\xff\xff", "\xc7\x18N20260203T04:05:06.000007"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := ParseMsgpack(b)
		if err != nil {
			return
		}
		if _, err := Msgpack(v); err != nil {
			t.Error(err)
		}
	})
}
