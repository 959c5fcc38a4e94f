package postgres

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// olderVersion compares loose versions: numbers by value, words as texts.
func olderVersion(a, b string) bool {
	return slices.CompareFunc(versionParts(a), versionParts(b), strings.Compare) < 0
}

// versionParts are the numbers (padded), runs of lower-case letters, and
// whatever else stands between these and the dots.
func versionParts(v string) []string {
	kind := func(c byte) int {
		switch {
		case c >= '0' && c <= '9':
			return 1
		case c >= 'a' && c <= 'z':
			return 2
		case c == '.':
			return 3
		}
		return 4
	}
	var parts []string
	for i := 0; i < len(v); {
		k, j := kind(v[i]), i+1
		for j < len(v) && k != 3 && kind(v[j]) == k {
			j++
		}
		if word := v[i:j]; k == 1 {
			parts = append(parts, fmt.Sprintf("%08s", cmp.Or(strings.TrimLeft(word, "0"), "0")))
		} else if k != 3 {
			parts = append(parts, word)
		}
		i = j
	}
	return parts
}
