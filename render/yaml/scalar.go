package yaml

import (
	"encoding/base64"
	"math"
	"math/big"
	"strconv"
	"strings"

	"pinch/value"
)

// scalarText is the text of a node that must be a scalar. A mapping with a
// key "=" stands for that key's value.
func (p *parser) scalarText(i int32) string {
	for range 100 {
		n := &p.nodes[i]
		if n.kind == scalarNode {
			return p.octal(n)
		}
		if n.kind != mapNode {
			break
		}
		kids := p.children(i)
		found := false
		for k := 0; k < len(kids) && !found; k += 2 {
			if found = p.nodes[kids[k]].tag == tagValue; found {
				i = kids[k+1]
			}
		}
		if !found {
			break
		}
	}
	p.bad("", noMark, "expected a scalar node, but found "+p.nodes[i].kind.id(), i)
	return ""
}

// octal is Salt's rule for ints: leading zeros are dropped, so that 0644 is
// 644. The node itself changes, as in Salt.
func (p *parser) octal(n *node) string {
	s := p.textOf(n)
	if n.tag != tagInt || len(s) < 2 || s[0] != '0' || s[1] == 'b' || s[1] == 'x' {
		return s
	}
	zeros := len(s) - len(strings.TrimLeft(s, "0"))
	if zeros == len(s) {
		zeros--
	}
	if n.own {
		p.texts[n.from] = s[zeros:]
	} else {
		n.from += int32(zeros)
	}
	return s[zeros:]
}

// scalarValue is the value of a scalar that is no string.
func (p *parser) scalarValue(i int32) any {
	n := &p.nodes[i]
	if n.tag == tagInt && n.kind != scalarNode {
		panic(pyError("AttributeError", "'list' object has no attribute 'startswith'"))
	}
	switch n.tag {
	case tagNull:
		p.scalarText(i)
		return nil
	case tagBool:
		return parseBool(p.scalarText(i))
	case tagInt:
		return parseInt(p.scalarText(i))
	case tagFloat:
		return parseFloat(p.scalarText(i))
	case tagTimestamp, tagUnicode:
		if n.tag == tagUnicode && n.kind != scalarNode {
			return p.nodeValue(i)
		}
		return p.scalarText(i)
	case tagBinary:
		return p.binary(i)
	}
	var b strings.Builder
	value.QuoteTo(&b, p.tagOf(i))
	p.bad("", noMark, "could not determine a constructor for the tag "+b.String(), i)
	return nil
}

// nodeValue is what Salt gives for a python/unicode tag on a collection: a
// list of the parser's own nodes, here as their texts.
func (p *parser) nodeValue(i int32) any {
	l := new(value.List)
	kids := p.children(i)
	for k, kid := range kids {
		var b strings.Builder
		if p.nodes[i].kind == mapNode {
			if k%2 == 1 {
				continue
			}
			p.writeNode(&b, kid, 0)
			key := b.String()
			b.Reset()
			p.writeNode(&b, kids[k+1], 0)
			l.Append(value.Tuple{key, b.String()})
			continue
		}
		p.writeNode(&b, kid, 0)
		l.Append(b.String())
	}
	return l
}

func parseBool(s string) any {
	switch strings.ToLower(s) {
	case "yes", "true", "on":
		return true
	case "no", "false", "off":
		return false
	}
	panic(pyError("KeyError", "%s", value.Quote(strings.ToLower(s))))
}

// parseInt is PyYAML's reading of an int: binary, hexadecimal, octal after a
// sign, sexagesimal or decimal, with underscores.
func parseInt(s string) any {
	if len(s) < 18 {
		if i, ok := plainInt(s); ok {
			return i
		}
	}
	s = strings.ReplaceAll(s, "_", "")
	if s == "" {
		panic(pyError("IndexError", "string index out of range"))
	}
	neg := s[0] == '-'
	if s = unsigned(s); s == "0" {
		return int64(0)
	}
	v := new(big.Int)
	switch {
	case strings.HasPrefix(s, "0b"):
		v = bigInt(s[2:], 2)
	case strings.HasPrefix(s, "0x"):
		v = bigInt(s[2:], 16)
	case s == "":
		panic(pyError("IndexError", "string index out of range"))
	case s[0] == '0':
		v = bigInt(s, 8)
	case strings.Contains(s, ":"):
		parts := strings.Split(s, ":")
		for _, part := range parts {
			v.Add(v.Mul(v, big.NewInt(60)), bigInt(part, 10))
		}
	default:
		v = bigInt(s, 10)
	}
	if neg {
		v.Neg(v)
	}
	return value.Int(v)
}

// plainInt reads decimal digits without a leading zero.
func plainInt(s string) (int64, bool) {
	if s == "" || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	n := int64(0)
	for i := range len(s) {
		if !digit(s[i]) {
			return 0, false
		}
		n = n*10 + int64(s[i]-'0')
	}
	return n, true
}

// bigInt is Python's int(s, base).
func bigInt(s string, base int) *big.Int {
	t := strings.TrimSpace(s)
	if base == 8 {
		t = strings.TrimPrefix(strings.TrimPrefix(t, "0o"), "0O")
	}
	u := unsigned(t)
	if u == "" || u[0] == '+' || u[0] == '-' {
		t = "?"
	}
	v, ok := new(big.Int).SetString(t, base)
	if !ok {
		panic(pyError("ValueError", "invalid literal for int() with base %d: %s", base, value.Quote(s)))
	}
	return v
}

func parseFloat(s string) any {
	s = strings.ToLower(strings.ReplaceAll(s, "_", ""))
	if s == "" {
		panic(pyError("IndexError", "string index out of range"))
	}
	sign := 1.0
	if s[0] == '-' {
		sign = -1
	}
	s = unsigned(s)
	switch {
	case s == ".inf":
		return sign * math.Inf(1)
	case s == ".nan":
		return math.NaN()
	case strings.Contains(s, ":"):
		parts := strings.Split(s, ":")
		digits := make([]float64, len(parts))
		for i, part := range parts {
			digits[i] = float(part)
		}
		v, base := 0.0, 1.0
		for i := len(parts) - 1; i >= 0; i-- {
			v += digits[i] * base
			base *= 60
		}
		return sign * v
	}
	return sign * float(s)
}

// float is Python's float(s).
func float(s string) float64 {
	t := strings.TrimSpace(s)
	v, err := strconv.ParseFloat(t, 64)
	if err != nil && !math.IsInf(v, 0) || strings.ContainsAny(t, "xp") {
		panic(pyError("ValueError", "could not convert string to float: %s", value.Quote(s)))
	}
	return v
}

// binary decodes base64 as Python's base64.decodebytes with Salt's padding.
func (p *parser) binary(i int32) any {
	s := p.scalarText(i)
	pos := 0
	for _, r := range s {
		if r > 0x7f {
			last := pos
			for _, r := range s[strings.IndexRune(s, r):] {
				if r <= 0x7f {
					break
				}
				last++
			}
			p.bad("", noMark, asciiError(s, pos, last), i)
		}
		pos++
	}
	n := len(s)
	if n%4 != 0 {
		s += strings.Repeat("=", 4-n%4)
	}
	out, problem := decodeBase64(s)
	if problem != "" {
		p.bad("", noMark, "failed to decode base64 data: "+problem, i)
	}
	return out
}

func asciiError(s string, from, to int) string {
	head := "failed to convert base64 data into ascii: 'ascii' codec can't encode character"
	tail := ": ordinal not in range(128)"
	if to-from > 1 {
		return head + "s in position " + strconv.Itoa(from) + "-" + strconv.Itoa(to-1) + tail
	}
	r := []rune(s)[from]
	esc := `\x` + strconv.FormatInt(int64(r), 16)
	switch h := strconv.FormatInt(int64(r), 16); {
	case r > 0xffff:
		esc = `\U` + strings.Repeat("0", 8-len(h)) + h
	case r > 0xff:
		esc = `\u` + strings.Repeat("0", 4-len(h)) + h
	}
	return head + " '" + esc + "' in position " + strconv.Itoa(from) + tail
}

// decodeBase64 is Python's binascii.a2b_base64: characters that are not of
// the alphabet are skipped, and padding ends the data.
func decodeBase64(s string) ([]byte, string) {
	data := make([]byte, 0, len(s))
	pads := 0
	for i := range len(s) {
		c := s[i]
		if c == '=' {
			if len(data)%4 >= 2 {
				if pads++; len(data)%4+pads >= 4 {
					break
				}
			}
			continue
		}
		if alpha(c) && c != '-' && c != '_' || c == '+' || c == '/' {
			data = append(data, c)
			pads = 0
		}
	}
	switch rest := len(data) % 4; {
	case rest == 1:
		return nil, "Invalid base64-encoded string: number of data characters (" + strconv.Itoa(len(data)) + ") cannot be 1 more than a multiple of 4"
	case rest > 0 && rest+pads < 4:
		return nil, "Incorrect padding"
	}
	out := make([]byte, base64.RawStdEncoding.DecodedLen(len(data)))
	n, _ := base64.RawStdEncoding.Decode(out, data)
	return out[:n], ""
}
