package value

import (
	"bytes"
	"fmt"
	"testing"
)

// Long texts come in pieces: they must be the same as in one.
func TestPieces(t *testing.T) {
	for _, n := range []int{0, 1, 15, 16, 5000, 70_000} {
		m := new(Map)
		for i := range n {
			m.Set(fmt.Sprintf("key %d", i), M("n", int64(i), "l", L("a", nil, 1.5)))
		}
		want, err := Msgpack(m)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := WriteMsgpack(&got, m); err != nil || !bytes.Equal(got.Bytes(), want) {
			t.Errorf("msgpack of %d: %d bytes, not %d (%v)", n, got.Len(), len(want), err)
		}
		text, err := JSON(m, JSONOptions{Indent: 4})
		if err != nil {
			t.Fatal(err)
		}
		back, err := ParseJSON(text)
		if err != nil || !Equal(back, m) {
			t.Errorf("JSON of %d: not what was written (%v)", n, err)
		}
		pieces, err := JSONPieces(m, JSONOptions{Indent: 4})
		if err != nil || string(bytes.Join(pieces, nil)) != text {
			t.Errorf("JSON of %d: the pieces differ (%v)", n, err)
		}
		if n == 5000 && len(pieces) < 2 {
			t.Error("a long JSON is in one piece")
		}
	}
	if err := WriteMsgpack(new(bytes.Buffer), M("k", struct{}{})); err == nil {
		t.Error("a value that msgpack has no form for is written")
	}
}
