package pytime

import (
	"strconv"
	"strings"
)

// number reads a word of digits and what belongs to it.
func (p *guess) number(w string) bool {
	n, _ := number(w)
	switch after := strings.ToLower(p.at(1)); {
	case p.packed(w):
		return true
	case after == ":":
		return p.clock(n)
	case after == "-" || after == "/" || after == "." && p.dotted():
		return p.separated(after)
	case p.named(n, after):
		return true
	case p.meridiem(after) != "" || after == " " && p.meridiem(strings.ToLower(p.at(2))) != "":
		skip := 1
		if after == " " {
			skip, after = 2, strings.ToLower(p.at(2))
		}
		p.hour = n
		p.min, p.sec = max(p.min, 0), max(p.sec, 0)
		if !p.half(p.meridiem(after)) {
			return false
		}
		p.i += skip
		return p.step(p.meridiemWords(after))
	case len(w) > 4:
		return false
	}
	p.ymd = append(p.ymd, part{n, len(w)})
	return p.step(1)
}

// dotted reports whether a date with dots begins here.
func (p *guess) dotted() bool {
	_, a := number(p.at(2))
	_, b := number(p.at(4))
	return a && p.at(3) == "." && b
}

// named reads 10h30m: a number with the name of its unit.
func (p *guess) named(n int, unit string) bool {
	switch unit {
	case "h", "hour", "hours":
		p.hour = n
	case "m", "minute", "minutes":
		if p.hour < 0 {
			return false
		}
		p.min = n
	case "s", "second", "seconds":
		p.sec = n
	default:
		return false
	}
	return p.step(2)
}

// clock reads h:m, h:m:s and h:m:s.fraction; of h:m,n the n is part of a minute.
func (p *guess) clock(hour int) bool {
	m, ok := number(p.at(2))
	if !ok {
		return false
	}
	p.hour, p.min = hour, m
	p.i += 3
	if f := p.at(1); (p.at(0) == "." || p.at(0) == ",") && len(f) < 6 {
		if n, ok := number(f); ok {
			p.sec = 60 * n / pow10(len(f))
			return p.step(2)
		}
	}
	if p.at(0) != ":" {
		return true
	}
	s, ok := number(p.at(1))
	if !ok {
		return false
	}
	p.sec = s
	p.i += 2
	if p.at(0) == "." || p.at(0) == "," {
		if f := p.at(1); len(f) > 0 && f[0] >= '0' && f[0] <= '9' {
			p.nano, _ = strconv.Atoi((f + "000000")[:6])
			p.nano *= 1000
			return p.step(2)
		}
	}
	return true
}

func pow10(n int) int {
	x := 1
	for range n {
		x *= 10
	}
	return x
}

// separated reads a date whose numbers stand between the same signs.
func (p *guess) separated(sep string) bool {
	for k := 0; ; k++ {
		w := p.at(0)
		n, ok := number(w)
		month := named(strings.ToLower(w), monthNames, 3)
		switch {
		case ok && len(w) <= 4:
			p.ymd = append(p.ymd, part{n, len(w)})
		case month >= 0 && p.month == 0:
			p.ymd = append(p.ymd, part{month + 1, 0})
			p.month = len(p.ymd)
		default:
			return false
		}
		p.i++
		if p.at(0) != sep || k == 2 {
			return true
		}
		p.i++
	}
}

// packed reads dates and times without signs: 20260310, 202603101200,
// 20260310120020, and the hours and minutes behind a T.
func (p *guess) packed(w string) bool {
	pair := func(i int) part { n, _ := strconv.Atoi(w[i : i+2]); return part{n, 2} }
	year := func() part { n, _ := strconv.Atoi(w[:4]); return part{n, 4} }
	if len(p.ymd) == 3 && p.hour < 0 && (len(w) == 2 || len(w) == 4 || len(w) == 6) && strings.EqualFold(p.at(-1), "t") && p.at(1) != ":" {
		p.hour = pair(0).n
		if len(w) > 2 {
			p.min = pair(2).n
		}
		if len(w) > 4 {
			p.sec = pair(4).n
		}
		return p.step(1)
	}
	if len(p.ymd) > 0 {
		return false
	}
	switch len(w) {
	case 6:
		p.ymd = []part{pair(0), pair(2), pair(4)}
	case 8:
		p.ymd = []part{year(), pair(4), pair(6)}
	case 10:
		p.ymd = []part{pair(0), pair(2), pair(4)}
		p.hour, p.min = pair(6).n, pair(8).n
	case 12, 14:
		p.ymd = []part{year(), pair(4), pair(6)}
		p.hour, p.min = pair(8).n, pair(10).n
		if len(w) == 14 {
			p.sec = pair(12).n
		}
	default:
		return false
	}
	return p.step(1)
}
