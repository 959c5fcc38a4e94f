package pkg

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// apkVersion is the form of apk's versions: 1.2.3a_rc1_p2~hash-r4.
var apkVersion = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)*)([a-z]?)((?:_(?:alpha|beta|pre|rc|cvs|svn|git|hg|p)[0-9]*)*)(~[0-9a-f]+)?(?:-r([0-9]+))?$`)
})

// apkSuffixes in their order; without any comes where the empty one is.
var apkSuffixes = [...]string{"alpha", "beta", "pre", "rc", "", "cvs", "svn", "git", "hg", "p"}

// compare orders versions as apk version -t does: by numbers, a letter, suffixes
// (_rc1 is before, _p1 after the version without), a commit and the release.
func (a apk) compare(x, y string, _ bool) (int, bool) {
	p, q := apkVersion().FindStringSubmatch(x), apkVersion().FindStringSubmatch(y)
	if p == nil || q == nil {
		return 0, false
	}
	return cmp.Or(
		compareNumbers(strings.Split(p[1], "."), strings.Split(q[1], ".")),
		strings.Compare(p[2], q[2]),
		compareSuffixes(strings.Split(p[3], "_")[1:], strings.Split(q[3], "_")[1:]),
		strings.Compare(p[4], q[4]),
		compareDigits(p[5], q[5]),
	), true
}

// compareNumbers compares 1.2.3: numbers, but after the first one those with a
// leading zero as digits of a fraction (1.05 is before 1.1).
func compareNumbers(x, y []string) int {
	for i := range min(len(x), len(y)) {
		n := compareDigits(x[i], y[i])
		if i > 0 && (x[i][0] == '0' || y[i][0] == '0') {
			n = strings.Compare(x[i], y[i])
		}
		if n != 0 {
			return n
		}
	}
	return cmp.Compare(len(x), len(y))
}

// compareSuffixes compares words such as rc1; a version that has fewer counts
// as having an empty one.
func compareSuffixes(x, y []string) int {
	at := func(list []string, i int) (order int, digits string) {
		if i >= len(list) {
			return slices.Index(apkSuffixes[:], ""), ""
		}
		name := strings.TrimRight(list[i], "0123456789")
		return slices.Index(apkSuffixes[:], name), list[i][len(name):]
	}
	for i := range max(len(x), len(y)) {
		m, a := at(x, i)
		n, b := at(y, i)
		if c := cmp.Or(cmp.Compare(m, n), compareDigits(a, b)); c != 0 {
			return c
		}
	}
	return 0
}

// compareDigits compares numbers of any length; none at all is the least.
func compareDigits(x, y string) int {
	if x == "" || y == "" {
		return cmp.Compare(len(x), len(y))
	}
	x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y))
}
