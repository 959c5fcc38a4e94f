package py

import (
	"slices"
	"strconv"

	"github.com/pmezard/go-difflib/difflib"
)

// UnifiedDiff is Python's difflib.unified_diff: the lines of the diff between
// lists of lines, or none when they are equal. The header lines end in end.
func UnifiedDiff(a, b []string, from, to, end string) []string {
	if slices.Equal(a, b) {
		return nil
	}
	out := []string{"--- " + from + end, "+++ " + to + end}
	for _, group := range difflib.NewMatcher(a, b).GetGroupedOpCodes(3) {
		first, last := group[0], group[len(group)-1]
		out = append(out, "@@ -"+lineSpan(first.I1, last.I2)+" +"+lineSpan(first.J1, last.J2)+" @@"+end)
		for _, op := range group {
			if op.Tag == 'e' {
				out = marked(out, " ", a[op.I1:op.I2])
				continue
			}
			if op.Tag == 'r' || op.Tag == 'd' {
				out = marked(out, "-", a[op.I1:op.I2])
			}
			if op.Tag == 'r' || op.Tag == 'i' {
				out = marked(out, "+", b[op.J1:op.J2])
			}
		}
	}
	return out
}

func marked(out []string, mark string, lines []string) []string {
	for _, l := range lines {
		out = append(out, mark+l)
	}
	return out
}

func lineSpan(start, stop int) string {
	n := stop - start
	if n == 1 {
		return strconv.Itoa(start + 1)
	}
	if n == 0 {
		return strconv.Itoa(start) + ",0"
	}
	return strconv.Itoa(start+1) + "," + strconv.Itoa(n)
}
