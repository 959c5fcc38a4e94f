package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var b bytes.Buffer
	p := newProgress(&b, func() int { return 30 })
	p.Step(3, 120, "cmd.run sleep\n"+strings.Repeat("x", 50))
	p.draw(p.since.Add(34 * time.Second))
	if got, want := b.String(), "\r\x1b[K[  3/120] cmd.run sleep x  34s"; len(strings.TrimPrefix(got, "\r\x1b[K")) != 29 || !strings.HasPrefix(got, want[:20]) || !strings.HasSuffix(got, "  34s") {
		t.Errorf("the line is %q", got)
	}
	b.Reset()
	_, _ = p.Write([]byte("log\n"))
	if b.String() != "\r\x1b[Klog\n" {
		t.Errorf("the line stays: %q", b.String())
	}
	b.Reset()
	p.End()
	p.draw(time.Now())
	if b.Len() != 0 {
		t.Errorf("drawn after the end: %q", b.String())
	}
}
