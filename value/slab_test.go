package value

import "testing"

// TestSlab: what is cut from one piece of memory must not grow into its
// neighbour.
func TestSlab(t *testing.T) {
	var s Slab
	a, b := s.Map(1), s.Map(1)
	c, d := s.List(1), s.List(1)
	for i := range int64(20) {
		a.SetKey(i, i)
		c.Append(i)
	}
	b.Set("k", "v")
	d.Append("v")
	if a.Len() != 20 || c.Len() != 20 || Repr(b) != "{'k': 'v'}" || Repr(d) != "['v']" {
		t.Error(Repr(a), Repr(b), Repr(c), Repr(d))
	}
	if v, _ := a.GetKey(int64(1)); v != int64(1) || c.Items[1] != int64(1) {
		t.Error(Repr(a), Repr(c))
	}
	if m := s.Map(1000); m.Len() != 0 || s.List(0).Len() != 0 {
		t.Error("not empty")
	}
}
