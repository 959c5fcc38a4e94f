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

// BenchmarkRequisites applies states with ten requisites each. Twice as many
// states take twice the time and the memory.
func BenchmarkRequisites(b *testing.B) {
	for _, n := range []int{1250, 2500, 5000} {
		b.Run(fmt.Sprintf("%dx10", n), func(b *testing.B) {
			h := newHost(b, map[string]string{"root/big.sls": webSLS(n)}, nil)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := h.call("state.apply", "big"); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/state")
		})
	}
}

// webSLS are states that each require ten of the 400 before them, spread by a
// fixed rule.
func webSLS(n int) string {
	var s strings.Builder
	for i := range n {
		fmt.Fprintf(&s, "s%d:\n  test.nop:\n    - order: %d\n", i, i+1)
		if i > 0 {
			s.WriteString("    - require:\n")
		}
		for j := range min(i, 10) {
			fmt.Fprintf(&s, "      - test: s%d\n", max(0, i-1-(j*41+i*7)%min(i, 400)))
		}
	}
	return s.String()
}
