package file

import (
	"fmt"
	"testing"
	"time"

	"pinch/value"
)

func TestSizesAndTimes(t *testing.T) {
	for in, want := range map[string]string{"10": "10 10", "1k": "1024 2047", "+1m": "1048576 9223372036854775807", "-2b": "0 2", "1.5k": "1536 2559", "x": "0 0"} {
		lo, hi, _ := sizeRange(in)
		if got := fmt.Sprint(lo, hi); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	now := time.Unix(1000000, 0)
	for in, want := range map[string]string{"1d": "913600 false", "-1w": "395200 true", "1h 30m": "994600 false", "": "0 false"} {
		limit, newer, _ := timeLimit(in, now)
		if got := fmt.Sprint(int64(limit), newer); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]int64{"10": 10, "1K": 1024, "1KB": 1000, "1.5MiB": 1572864, "1X": 0} {
		if got := humanBytes(in); got != want {
			t.Errorf("%s: %d, want %d", in, got, want)
		}
	}
}

func FuzzPlanners(f *testing.F) {
	f.Add("a\nb\r\n# BEGIN\nx\n# END", "b")
	f.Fuzz(func(t *testing.T, text, s string) {
		planBlock(text, &block{start: "# BEGIN", end: "# END", content: s, appendMissing: true})
		planLines(text, &lineEdit{content: &s, mode: "insert", location: "end", indent: true})
		extractHash(text, "", s, s, s)
		k := &keyValues{values: value.M(s, "1"), separator: "=", appendNew: true, count: 1}
		k.plan(splitBytes(text))
	})
}

func BenchmarkRecurseUnchanged(b *testing.B) {
	root := b.TempDir()
	for i := range 100 {
		put(b, fmt.Sprintf("%s/srv/salt/t/d%d/f%d", root, i%10, i), "text\n")
	}
	c := testCtx(b, root)
	kw := value.M("name", root+"/t", "source", "salt://t")
	c.CallState(c, "file.recurse", kw)
	for b.Loop() {
		if r, err := c.CallState(c, "file.recurse", kw); err != nil || r.Changes.Len() > 0 {
			b.Fatal(r, err)
		}
	}
}
