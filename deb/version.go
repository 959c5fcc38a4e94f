package deb

import (
	"errors"
	"strconv"
	"strings"
)

// Compare orders two versions as dpkg --compare-versions does: -1, 0 or 1. The
// empty version, and "<unknown>", are older than any other. The error says
// that dpkg would refuse one of them.
func Compare(a, b string) (int, error) {
	va, err := split(a)
	if err != nil {
		return 0, err
	}
	vb, err := split(b)
	if err != nil {
		return 0, err
	}
	switch {
	case va.blank || vb.blank:
		return order(!va.blank, !vb.blank), nil
	case va.epoch != vb.epoch:
		return sign(va.epoch - vb.epoch), nil
	}
	if n := compareParts(va.upstream, vb.upstream); n != 0 {
		return n, nil
	}
	return compareParts(va.revision, vb.revision), nil
}

type version struct {
	epoch              int
	upstream, revision string
	blank              bool
}

func split(s string) (v version, err error) {
	s = strings.TrimSpace(s)
	if s == "" || s == "<unknown>" {
		return version{blank: true}, nil
	}
	if strings.ContainsAny(s, " \t\n") {
		return v, errors.New("version string has embedded spaces")
	}
	if epoch, rest, ok := strings.Cut(s, ":"); ok {
		n, err := strconv.ParseInt(epoch, 10, 32)
		switch {
		case err != nil:
			return v, errors.New("epoch in version is not number")
		case n < 0:
			return v, errors.New("epoch in version is negative")
		case rest == "":
			return v, errors.New("nothing after colon in version number")
		}
		v.epoch, s = int(n), rest
	}
	v.upstream = s
	if i := strings.LastIndexByte(s, '-'); i >= 0 {
		v.upstream, v.revision = s[:i], s[i+1:]
		if v.revision == "" {
			return v, errors.New("revision number is empty")
		}
		if v.upstream == "" {
			return v, errors.New("version number is empty")
		}
	}
	return v, nil
}

// compareParts compares non-digits by character and digits by number, in turn:
// ~ before the end, letters before the rest.
func compareParts(a, b string) int {
	for a != "" || b != "" {
		for a != "" && !digit(a[0]) || b != "" && !digit(b[0]) {
			if n := weight(a) - weight(b); n != 0 {
				return sign(n)
			}
			a, b = drop(a), drop(b)
		}
		na, nb := number(&a), number(&b)
		if len(na) != len(nb) {
			return sign(len(na) - len(nb))
		}
		if n := strings.Compare(na, nb); n != 0 {
			return n
		}
	}
	return 0
}

func weight(s string) int {
	if s == "" || digit(s[0]) {
		return 0
	}
	switch c := s[0]; {
	case c == '~':
		return -1
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		return int(c)
	default:
		return int(c) + 256
	}
}

// number takes the digits in front, without zeros that lead them.
func number(s *string) string {
	i := 0
	for i < len(*s) && digit((*s)[i]) {
		i++
	}
	n := strings.TrimLeft((*s)[:i], "0")
	*s = (*s)[i:]
	return n
}

func drop(s string) string {
	if s == "" {
		return ""
	}
	return s[1:]
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}
