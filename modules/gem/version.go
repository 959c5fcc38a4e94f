package gem

import (
	"strings"
)

// meets reports whether a version satisfies requirements as rubygems has them:
// operators and versions with commas between, such as "~> 2.2, != 2.2.1".
func meets(version, requirements string) bool {
	for req := range strings.SplitSeq(requirements, ",") {
		req = strings.TrimSpace(req)
		bound := strings.TrimLeft(req, "<>=!~")
		op := req[:len(req)-len(bound)]
		bound = strings.TrimSpace(bound)
		n, ok := order(version, bound), false
		switch op {
		case "", "=":
			ok = n == 0
		case "!=":
			ok = n != 0
		case ">":
			ok = n > 0
		case "<":
			ok = n < 0
		case ">=":
			ok = n >= 0
		case "<=":
			ok = n <= 0
		case "~>":
			ok = n >= 0 && order(releaseOf(version), bump(bound)) < 0
		}
		if !ok {
			return false
		}
	}
	return true
}

// segments are the numbers and words of a version: "1.0.rc2" is 1, 0, rc, 2.
func segments(v string) []string {
	var out []string
	digits := func(b byte) bool { return b >= '0' && b <= '9' }
	letter := func(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
	for i := 0; i < len(v); {
		kind := digits
		if letter(v[i]) {
			kind = letter
		}
		j := i
		for j < len(v) && kind(v[j]) {
			j++
		}
		if j > i {
			out = append(out, v[i:j])
		}
		i = max(j, i+1)
	}
	return out
}

func number(s string) bool { return s[0] >= '0' && s[0] <= '9' }

// order compares versions as Gem::Version does: numbers by size, a word is
// less than any number (so 1.0.rc1 comes before 1.0), missing parts are 0.
func order(a, b string) int {
	x, y := segments(a), segments(b)
	for i := range max(len(x), len(y)) {
		p, q := "0", "0"
		if i < len(x) {
			p = x[i]
		}
		if i < len(y) {
			q = y[i]
		}
		switch {
		case number(p) && !number(q):
			return 1
		case !number(p) && number(q):
			return -1
		}
		if number(p) {
			p, q = strings.TrimLeft(p, "0"), strings.TrimLeft(q, "0")
			if len(p) != len(q) {
				return len(p) - len(q)
			}
		}
		if n := strings.Compare(p, q); n != 0 {
			return n
		}
	}
	return 0
}

// releaseOf is a version without the parts from its first word on.
func releaseOf(v string) string {
	parts := segments(v)
	for i, p := range parts {
		if !number(p) {
			parts = parts[:i]
			break
		}
	}
	return strings.Join(parts, ".")
}

// bump is the first version that "~>" excludes: 2.2.3 gives 2.3, 2 gives 3.
func bump(v string) string {
	parts := strings.Split(releaseOf(v), ".")
	if len(parts) > 1 {
		parts = parts[:len(parts)-1]
	}
	last := &parts[len(parts)-1]
	digits := []byte("0" + *last)
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i]++; digits[i] <= '9' {
			break
		}
		digits[i] = '0'
	}
	*last = strings.TrimLeft(string(digits), "0")
	return strings.Join(parts, ".")
}
