package pip

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A pep440 is a version as PEP 440 defines it. Parts that are absent are nil.
type pep440 struct {
	epoch     int
	release   []int
	pre       string // a, b, rc, or "" without a number
	preN      int
	post, dev *int
	local     []string
}

var form = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^\s*v?(?:(\d+)!)?(\d+(?:\.\d+)*)` +
		`(?:[-_.]?(alpha|beta|preview|pre|a|b|c|rc)[-_.]?(\d+)?)?` +
		`(?:(?:-(\d+))|(?:[-_.]?(post|rev|r)[-_.]?(\d+)?))?` +
		`(?:[-_.]?(dev)[-_.]?(\d+)?)?` +
		`(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?\s*$`)
})

func number(s string) int { n, _ := strconv.Atoi(s); return n }

func parseVersion(s string) (v pep440, ok bool) {
	m := form().FindStringSubmatch(s)
	if m == nil {
		return v, false
	}
	v.epoch = number(m[1])
	for _, part := range strings.Split(m[2], ".") {
		v.release = append(v.release, number(part))
	}
	switch strings.ToLower(m[3]) {
	case "":
	case "a", "alpha":
		v.pre = "a"
	case "b", "beta":
		v.pre = "b"
	default:
		v.pre = "rc"
	}
	v.preN = number(m[4])
	if m[5] != "" || m[6] != "" {
		n := number(m[5] + m[7])
		v.post = &n
	}
	if m[8] != "" {
		n := number(m[9])
		v.dev = &n
	}
	if m[10] != "" {
		v.local = strings.FieldsFunc(strings.ToLower(m[10]), func(r rune) bool { return strings.ContainsRune("-_.", r) })
		for i, part := range v.local {
			if n, err := strconv.Atoi(part); err == nil {
				v.local[i] = strconv.Itoa(n)
			}
		}
	}
	return v, true
}

// String is the version in its normal form.
func (v pep440) String() string {
	s := v.public()
	if len(v.local) > 0 {
		s += "+" + strings.Join(v.local, ".")
	}
	return s
}

func (v pep440) public() string {
	var b strings.Builder
	if v.epoch > 0 {
		b.WriteString(strconv.Itoa(v.epoch) + "!")
	}
	for i, n := range v.release {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(strconv.Itoa(n))
	}
	if v.pre != "" {
		b.WriteString(v.pre + strconv.Itoa(v.preN))
	}
	if v.post != nil {
		b.WriteString(".post" + strconv.Itoa(*v.post))
	}
	if v.dev != nil {
		b.WriteString(".dev" + strconv.Itoa(*v.dev))
	}
	return b.String()
}

func (v pep440) prerelease() bool { return v.pre != "" || v.dev != nil }

// rank orders what follows the release: dev releases, then pre-releases, the
// release itself, post releases.
func (v pep440) rank() [6]int {
	stage := map[string]int{"a": 1, "b": 2, "rc": 3}[v.pre]
	if v.pre == "" {
		stage = 4
		if v.post == nil && v.dev != nil {
			stage = 0
		}
	}
	r := [6]int{stage, v.preN, 0, 0, 1, 0}
	if v.post != nil {
		r[2], r[3] = 1, *v.post
	}
	if v.dev != nil {
		r[4], r[5] = 0, *v.dev
	}
	return r
}

func compareRelease(a, b []int) int {
	for i := range max(len(a), len(b)) {
		var x, y int
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			return cmp.Compare(x, y)
		}
	}
	return 0
}

func (v pep440) compare(w pep440) int {
	if c := cmp.Compare(v.epoch, w.epoch); c != 0 {
		return c
	}
	if c := compareRelease(v.release, w.release); c != 0 {
		return c
	}
	x, y := v.rank(), w.rank()
	if c := slices.Compare(x[:], y[:]); c != 0 {
		return c
	}
	return slices.CompareFunc(v.local, w.local, func(a, b string) int {
		m, err1 := strconv.Atoi(a)
		n, err2 := strconv.Atoi(b)
		switch {
		case err1 == nil && err2 == nil:
			return cmp.Compare(m, n)
		case err1 == nil:
			return 1 // numbers sort after words
		case err2 == nil:
			return -1
		}
		return strings.Compare(a, b)
	})
}

// compareVersions orders texts; those that are no versions come first.
func compareVersions(a, b string) int {
	v, ok1 := parseVersion(a)
	w, ok2 := parseVersion(b)
	switch {
	case ok1 && ok2:
		return v.compare(w)
	case ok1:
		return 1
	case ok2:
		return -1
	}
	return strings.Compare(a, b)
}

// older reports whether a version of pip is below another; an unknown one is not.
func older(have, than string) bool { return have != "" && compareVersions(have, than) < 0 }

// A clause is one condition on a version, such as >= 1.0.
type clause struct{ op, version string }

// fulfils reports whether a version meets all conditions as PEP 440 reads
// them. Pre-releases meet them only if a condition names one.
func fulfils(version string, clauses []clause) bool {
	if len(clauses) == 0 {
		return true
	}
	v, ok := parseVersion(version)
	pre := slices.ContainsFunc(clauses, func(c clause) bool {
		if !slices.Contains([]string{"==", ">=", "<=", "~=", "===", ">", "<"}, c.op) {
			return false
		}
		w, ok := parseVersion(strings.TrimSuffix(c.version, ".*"))
		return ok && w.prerelease()
	})
	if ok && v.prerelease() && !pre {
		return false
	}
	return !slices.ContainsFunc(clauses, func(c clause) bool { return !c.met(version, v, ok) })
}

func (c clause) met(text string, v pep440, ok bool) bool {
	if c.op == "===" {
		return strings.EqualFold(text, c.version)
	}
	prefix, star := strings.CutSuffix(c.version, ".*")
	w, ok2 := parseVersion(prefix)
	if !ok || !ok2 {
		return false
	}
	pub := v
	if c.op != "==" && c.op != "!=" || len(w.local) == 0 {
		pub.local = nil
	}
	switch c.op {
	case "==", "!=":
		same := pub.compare(w) == 0
		if star {
			same = pub.within(w)
		}
		return same == (c.op == "==")
	case ">=":
		return pub.compare(w) >= 0
	case "<=":
		return pub.compare(w) <= 0
	case "<":
		return v.compare(w) < 0 && (w.prerelease() || !v.prerelease() || compareRelease(v.release, w.release) != 0 || v.epoch != w.epoch)
	case ">":
		after := v.post != nil && w.post == nil || len(v.local) > 0
		return v.compare(w) > 0 && (!after || compareRelease(v.release, w.release) != 0 || v.epoch != w.epoch)
	case "~=":
		if len(w.release) < 2 {
			return false
		}
		up := pep440{epoch: w.epoch, release: w.release[:len(w.release)-1]}
		return pub.compare(w) >= 0 && pub.within(up)
	}
	return false
}

// within reports whether v begins with the parts of w (== 1.2.*).
func (v pep440) within(w pep440) bool {
	if v.epoch != w.epoch {
		return false
	}
	for i, n := range w.release {
		if i < len(v.release) && v.release[i] != n || i >= len(v.release) && n != 0 {
			return false
		}
	}
	if w.pre != "" && (v.pre != w.pre || v.preN != w.preN || len(v.release) > len(w.release)) {
		return false
	}
	return w.post == nil || v.post != nil && *v.post == *w.post
}
