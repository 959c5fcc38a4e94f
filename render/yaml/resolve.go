package yaml

// resolve is the tag that PyYAML gives a plain scalar, but for timestamps,
// which Salt keeps as strings. The first byte decides what it can be.
func resolve(s string) tag {
	if s == "" {
		return tagNull
	}
	switch c := s[0]; c {
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '-', '.':
		if isFloat(s) {
			return tagFloat
		}
		if c != '.' && isInt(s) {
			return tagInt
		}
	case 'y', 'Y', 'n', 'N', 't', 'T', 'f', 'F', 'o', 'O':
		return resolveWord(s)
	case '~':
		if s == "~" {
			return tagNull
		}
	case '<':
		if s == "<<" {
			return tagMerge
		}
	case '=':
		if s == "=" {
			return tagValue
		}
	}
	return tagStr
}

func resolveWord(s string) tag {
	if len(s) > 5 {
		return tagStr
	}
	switch s {
	case "yes", "Yes", "YES", "no", "No", "NO", "true", "True", "TRUE", "false", "False", "FALSE",
		"on", "On", "ON", "off", "Off", "OFF":
		return tagBool
	case "null", "Null", "NULL":
		return tagNull
	}
	return tagStr
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// span is the number of leading bytes that are digits or underscores.
func span(s string) int {
	for i := range len(s) {
		if !digit(s[i]) && s[i] != '_' {
			return i
		}
	}
	return len(s)
}

func unsigned(s string) string {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return s[1:]
	}
	return s
}

// sexagesimal returns what follows one or more groups ":59" of s.
func sexagesimal(s string) (rest string, ok bool) {
	for len(s) >= 2 && s[0] == ':' && digit(s[1]) {
		if len(s) >= 3 && digit(s[2]) {
			if s[1] > '5' {
				return s, false
			}
			s = s[3:]
		} else {
			s = s[2:]
		}
		ok = true
	}
	return s, ok
}

func isInt(s string) bool {
	s = unsigned(s)
	if s == "" || !digit(s[0]) {
		return false
	}
	if s[0] != '0' {
		n := span(s)
		if n == len(s) {
			return true
		}
		rest, ok := sexagesimal(s[n:])
		return ok && rest == ""
	}
	if len(s) == 1 {
		return true
	}
	within := func(s string, ok func(byte) bool) bool {
		for i := range len(s) {
			if s[i] != '_' && !ok(s[i]) {
				return false
			}
		}
		return s != ""
	}
	switch s[1] {
	case 'b':
		return within(s[2:], func(c byte) bool { return c == '0' || c == '1' })
	case 'x':
		return within(s[2:], func(c byte) bool { _, ok := unhex(c); return ok })
	}
	return within(s[1:], func(c byte) bool { return c >= '0' && c <= '7' })
}

func isFloat(s string) bool {
	switch s {
	case ".nan", ".NaN", ".NAN":
		return true
	}
	t := unsigned(s)
	switch t {
	case ".inf", ".Inf", ".INF":
		return true
	case "":
		return false
	}
	if t[0] == '.' {
		return len(t) == len(s) && len(t) > 1 && digit(t[1]) && exponent(t[1+span(t[1:]):])
	}
	if !digit(t[0]) {
		return false
	}
	t = t[span(t):]
	if t == "" {
		return false
	}
	if t[0] == '.' {
		return exponent(t[1+span(t[1:]):])
	}
	rest, ok := sexagesimal(t)
	return ok && rest != "" && rest[0] == '.' && span(rest[1:]) == len(rest)-1
}

// exponent reports nothing, or an exponent with the sign that YAML 1.1 wants.
func exponent(s string) bool {
	if s == "" {
		return true
	}
	if len(s) < 3 || s[0] != 'e' && s[0] != 'E' || s[1] != '+' && s[1] != '-' {
		return false
	}
	for i := 2; i < len(s); i++ {
		if !digit(s[i]) {
			return false
		}
	}
	return true
}

// timestamp reports a date, or a date with a time.
func timestamp(s string) bool {
	if len(s) < 8 || !digit(s[0]) {
		return false
	}
	digits := func(low, high int) bool {
		n := 0
		for n < high && n < len(s) && digit(s[n]) {
			n++
		}
		if n < low {
			return false
		}
		s = s[n:]
		return true
	}
	lit := func(c byte) bool {
		if s == "" || s[0] != c {
			return false
		}
		s = s[1:]
		return true
	}
	blanks := func() bool {
		t := s
		for s != "" && (s[0] == ' ' || s[0] == '\t') {
			s = s[1:]
		}
		return len(s) < len(t)
	}
	if len(s) == 10 {
		return digits(4, 4) && lit('-') && digits(2, 2) && lit('-') && digits(2, 2)
	}
	return stamp(digits, lit, blanks, &s)
}

func stamp(digits func(int, int) bool, lit func(byte) bool, blanks func() bool, s *string) bool {
	if !digits(4, 4) || !lit('-') || !digits(1, 2) || !lit('-') || !digits(1, 2) {
		return false
	}
	if !lit('T') && !lit('t') && !blanks() {
		return false
	}
	if !digits(1, 2) || !lit(':') || !digits(2, 2) || !lit(':') || !digits(2, 2) {
		return false
	}
	if lit('.') {
		for *s != "" && digit((*s)[0]) {
			*s = (*s)[1:]
		}
	}
	if *s == "" {
		return true
	}
	blanks()
	if lit('Z') {
		return *s == ""
	}
	if !lit('+') && !lit('-') || !digits(1, 2) {
		return false
	}
	return *s == "" || lit(':') && digits(2, 2) && *s == ""
}
