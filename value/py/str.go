package py

import (
	"strings"
	"unicode/utf8"

	"pinch/value"
)

// strMethod finds the methods of str.
func strMethod(name string) (m method[string], ok bool) {
	switch name {
	case "split":
		return named(strSplit, "sep", "maxsplit"), true
	case "rsplit":
		return named(strRsplit, "sep", "maxsplit"), true
	case "splitlines":
		return named(strSplitlines, "keepends"), true
	case "partition":
		return one(strPartition), true
	case "rpartition":
		return one(strRpartition), true
	case "join":
		return one(strJoin), true
	case "replace":
		return pos(2, 3, strReplace), true
	case "startswith":
		return span(func(s string, a args) (any, error) { return affix(s, a, "startswith", strings.HasPrefix) }), true
	case "endswith":
		return span(func(s string, a args) (any, error) { return affix(s, a, "endswith", strings.HasSuffix) }), true
	case "removeprefix":
		return one(func(s string, v any) (any, error) { return removeAffix(s, v, "removeprefix", strings.TrimPrefix) }), true
	case "removesuffix":
		return one(func(s string, v any) (any, error) { return removeAffix(s, v, "removesuffix", strings.TrimSuffix) }), true
	case "find", "index":
		return span(func(s string, a args) (any, error) { return strFind(s, a, strings.Index, name == "index") }), true
	case "rfind", "rindex":
		return span(func(s string, a args) (any, error) { return strFind(s, a, strings.LastIndex, name == "rindex") }), true
	case "count":
		return span(strCount), true
	case "encode":
		return named(strEncode, "encoding", "errors"), true
	case "expandtabs":
		return named(strExpandtabs, "tabsize"), true
	case "translate":
		return one(strTranslate), true
	case "maketrans":
		return pos(1, 3, func(_ string, a args) (any, error) { return maketrans(a) }), true
	}
	if m, ok := strCaseMethod(name); ok {
		return m, true
	}
	if m, ok := strPadMethod(name); ok {
		return m, true
	}
	return strIsMethod(name)
}

// mustText is for arguments whose type Python names in "must be str, not int".
func mustText(v any) (string, error) {
	s, ok := Text(v)
	if !ok {
		return "", typeError("must be str, not %s", TypeName(v))
	}
	return s, nil
}

func strList(parts []string) any { return value.Strings(parts) }

func splitArgs(a args) (sep string, white bool, limit int64, err error) {
	limit, err = a.int(1, -1)
	if err != nil {
		return
	}
	v := a.or(0, nil)
	if v == nil {
		return "", true, limit, nil
	}
	sep, ok := Text(v)
	switch {
	case !ok:
		err = typeError("must be str or None, not %s", TypeName(v))
	case sep == "":
		err = valueError("empty separator")
	}
	return
}

func strSplit(s string, a args) (any, error) {
	sep, white, limit, err := splitArgs(a)
	if err != nil {
		return nil, err
	}
	n := -1
	if limit >= 0 && limit < int64(len(s))+1 {
		n = int(limit) + 1
	}
	if !white {
		return strList(strings.SplitN(s, sep, n)), nil
	}
	if n < 0 {
		return strList(strings.FieldsFunc(s, isSpace)), nil
	}
	out := []string{}
	for s = strings.TrimLeftFunc(s, isSpace); s != ""; s = strings.TrimLeftFunc(s, isSpace) {
		i := strings.IndexFunc(s, isSpace)
		if len(out) == n-1 || i < 0 {
			if len(out) == n-1 {
				s = strings.TrimRightFunc(s, func(rune) bool { return false })
			}
			out = append(out, s)
			break
		}
		out = append(out, s[:i])
		s = s[i:]
	}
	return strList(out), nil
}

func strRsplit(s string, a args) (any, error) {
	sep, white, limit, err := splitArgs(a)
	if err != nil {
		return nil, err
	}
	if limit < 0 || limit > int64(len(s)) {
		return strSplit(s, args{a.or(0, nil)})
	}
	var back []string // last part first
	for {
		i, n := strings.LastIndex(s, sep), len(sep)
		if white {
			if s = strings.TrimRightFunc(s, isSpace); s == "" {
				break
			}
			if i = strings.LastIndexFunc(s, isSpace); i >= 0 {
				n = runeLen(s[i:])
			}
		}
		if i < 0 || int64(len(back)) == limit {
			back = append(back, s)
			break
		}
		back = append(back, s[i+n:])
		s = s[:i]
	}
	out := make([]string, len(back))
	for i, p := range back {
		out[len(back)-1-i] = p
	}
	return strList(out), nil
}

func strSplitlines(s string, a args) (any, error) {
	keep, err := a.int(0, 0)
	if err != nil {
		return nil, err
	}
	return strList(SplitLines(s, keep != 0)), nil
}

// SplitLines is str.splitlines: at \n, \r, \r\n and Unicode's line ends.
func SplitLines(s string, keepends bool) []string {
	out := []string{}
	for s != "" {
		i := strings.IndexFunc(s, isLineEnd)
		if i < 0 {
			return append(out, s)
		}
		n := runeLen(s[i:])
		if strings.HasPrefix(s[i:], "\r\n") {
			n = 2
		}
		if keepends {
			out = append(out, s[:i+n])
		} else {
			out = append(out, s[:i])
		}
		s = s[i+n:]
	}
	return out
}

func isLineEnd(r rune) bool {
	return r >= '\n' && r <= '\r' || r >= 0x1c && r <= 0x1e || r == 0x85 || r == 0x2028 || r == 0x2029
}

func strPartition(s string, v any) (any, error) {
	sep, err := separator(v)
	if err != nil {
		return nil, err
	}
	before, after, ok := strings.Cut(s, sep)
	if !ok {
		return value.Tuple{s, "", ""}, nil
	}
	return value.Tuple{before, sep, after}, nil
}

func strRpartition(s string, v any) (any, error) {
	sep, err := separator(v)
	if err != nil {
		return nil, err
	}
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return value.Tuple{"", "", s}, nil
	}
	return value.Tuple{s[:i], sep, s[i+len(sep):]}, nil
}

func separator(v any) (string, error) {
	sep, err := mustText(v)
	if err == nil && sep == "" {
		err = valueError("empty separator")
	}
	return sep, err
}

func strJoin(sep string, v any) (any, error) {
	if !CanIterate(v) {
		return nil, typeError("can only join an iterable")
	}
	items, err := Items(v)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for i, it := range items {
		s, ok := Text(it)
		if !ok {
			if err := undefined(it); err != nil {
				return nil, err
			}
			return nil, typeError("sequence item %d: expected str instance, %s found", i, TypeName(it))
		}
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(s)
	}
	return b.String(), nil
}

func strReplace(s string, a args) (any, error) {
	old, ok := Text(a[0])
	if !ok {
		return nil, typeError("replace() argument 1 must be str, not %s", TypeName(a[0]))
	}
	with, ok := Text(a[1])
	if !ok {
		return nil, typeError("replace() argument 2 must be str, not %s", TypeName(a[1]))
	}
	n, err := a.int(2, -1)
	if err != nil {
		return nil, err
	}
	n = min(n, int64(len(s))+1)
	if grow := int64(len(with)) - int64(len(old)); grow > 0 && grow*int64(len(s)+1) > MaxBytes {
		if grow*int64(strings.Count(s, old)) > MaxBytes {
			return nil, tooBig()
		}
	}
	return strings.Replace(s, old, with, int(n)), nil
}

// window cuts s to code points start:end; ok is false when start lies beyond.
func window(s string, a args) (part string, from int, ok bool, err error) {
	if !a.has(1) && !a.has(2) {
		return s, 0, true, nil
	}
	n := len(s)
	plain := ascii(s)
	if !plain {
		n = utf8.RuneCountInString(s)
	}
	from, to, _, err := slicePlaces(a.or(1, nil), a.or(2, nil), nil, n)
	if err != nil || from > to {
		return "", 0, false, err
	}
	if v := a.or(1, nil); v != nil {
		if i, _ := AsIndex(v); i > int64(n) {
			return "", 0, false, nil
		}
	}
	if plain {
		return s[from:to], from, true, nil
	}
	i := offset(s, from)
	return s[i : i+offset(s[i:], to-from)], from, true, nil
}

func strFind(s string, a args, find func(string, string) int, must bool) (any, error) {
	sub, err := mustText(a[0])
	if err != nil {
		return nil, err
	}
	part, from, ok, err := window(s, a)
	if err != nil {
		return nil, err
	}
	i := -1
	if ok {
		i = find(part, sub)
	}
	if i < 0 {
		if must {
			return nil, valueError("substring not found")
		}
		return int64(-1), nil
	}
	return int64(from + utf8.RuneCountInString(part[:i])), nil
}

func strCount(s string, a args) (any, error) {
	sub, err := mustText(a[0])
	if err != nil {
		return nil, err
	}
	part, _, ok, err := window(s, a)
	if err != nil || !ok {
		return int64(0), err
	}
	return int64(strings.Count(part, sub)), nil
}

func affix(s string, a args, name string, has func(string, string) bool) (any, error) {
	part, _, ok, err := window(s, a)
	if err != nil {
		return nil, err
	}
	if t, isTuple := a[0].(value.Tuple); isTuple {
		for _, v := range t {
			sub, isText := Text(v)
			if !isText {
				return nil, typeError("tuple for %s must only contain str, not %s", name, TypeName(v))
			}
			if ok && has(part, sub) {
				return true, nil
			}
		}
		return false, nil
	}
	sub, isText := Text(a[0])
	if !isText {
		return nil, typeError("%s first arg must be str or a tuple of str, not %s", name, TypeName(a[0]))
	}
	return ok && has(part, sub), nil
}

func removeAffix(s string, v any, name string, trim func(string, string) string) (any, error) {
	sub, ok := Text(v)
	if !ok {
		return nil, typeError("%s() argument must be str, not %s", name, TypeName(v))
	}
	return trim(s, sub), nil
}
