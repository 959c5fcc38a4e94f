package py

import (
	"slices"
	"strconv"
	"strings"
)

// LooseCompare orders versions as LooseVersion of Python's distutils does, by
// their runs of digits and of small letters: numbers as such, and before
// words, where Python raises a TypeError.
func LooseCompare(a, b string) int {
	return slices.CompareFunc(looseParts(a), looseParts(b), func(x, y string) int {
		m, errM := strconv.Atoi(x)
		n, errN := strconv.Atoi(y)
		switch {
		case errM == nil && errN == nil:
			return m - n
		case errM == nil:
			return -1
		case errN == nil:
			return 1
		}
		return strings.Compare(x, y)
	})
}

// looseParts are the runs of digits, of small letters and of others in a
// version; dots only part them.
func looseParts(s string) []string {
	class := func(r byte) int {
		switch {
		case r == '.':
			return 0
		case r >= '0' && r <= '9':
			return 1
		case r >= 'a' && r <= 'z':
			return 2
		}
		return 3
	}
	var out []string
	for i := 0; i < len(s); {
		j := i + 1
		for j < len(s) && class(s[j]) == class(s[i]) {
			j++
		}
		if class(s[i]) != 0 {
			out = append(out, s[i:j])
		}
		i = j
	}
	return out
}
