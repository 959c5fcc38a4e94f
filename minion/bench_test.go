package minion

import (
	"testing"

	"pinch/minion/mastertest"
)

// BenchmarkPing is a test.ping from its publication to its return, with the
// work of a master in Go.
func BenchmarkPing(b *testing.B) {
	m := mastertest.New(b)
	start(b, nil, m.Addr)
	m.Publish(b, mastertest.Job(jid(0), "test.ping"))
	m.Return(b, jid(0))
	for i := 1; b.Loop(); i++ {
		m.Publish(b, mastertest.Job(jid(i), "test.ping"))
		m.Return(b, jid(i))
	}
}
