package session

import (
	"encoding/hex"
	"strings"
	"testing"

	"pinch/value"
)

// The expected bytes are those of salt.serializers.msgpack.serialize, which a
// master verifies: text of 32 bytes and more is not as on the wire.
func TestSignedForm(t *testing.T) {
	load := value.M("cmd", "_return", "return", value.M("x", strings.Repeat("a", 40), "n", value.L(int64(1), int64(300), int64(-5), 1.5, nil, true)), "id", "m")
	got, err := signedForm(load)
	want := "83a3636d64a75f72657475726ea672657475726e82a178d928" + strings.Repeat("61", 40) + "a16e9601cd012cfbcb3ff8000000000000c0c3a26964a16d"
	if err != nil || hex.EncodeToString(got) != want {
		t.Errorf("%x, want %s: %v", got, want, err)
	}
}
