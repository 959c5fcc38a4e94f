package state_test

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkApply renders, compiles and runs an SLS of 5,000 states, a tenth of
// them with a requisite.
func BenchmarkApply(b *testing.B) {
	h := newHost(b, map[string]string{"root/big.sls": bigSLS(5000)}, nil)
	for _, fun := range []string{"state.show_sls", "state.show_low_sls", "state.apply"} {
		b.Run(fun, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := h.call(fun, "big"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func bigSLS(n int) string {
	var s strings.Builder
	for i := range n {
		fmt.Fprintf(&s, "s%d:\n  test.succeed_without_changes:\n    - name: name %d\n", i, i)
		if i%10 == 9 {
			fmt.Fprintf(&s, "    - require:\n      - test: s%d\n", i-3)
		}
	}
	return s.String()
}
