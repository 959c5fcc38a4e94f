package filters

import (
	"sort"
	"strings"
	"sync"

	"github.com/dlclark/regexp2"

	"pinch/render/jinja"
	"pinch/value"
	"pinch/value/py"
)

func htmlFilters() []Entry {
	return []Entry{
		{[]string{"safe"}, py.Signature{Name: "do_mark_safe", Required: []string{"value"}}, markSafe},
		{[]string{"forceescape"}, py.Signature{Name: "do_forceescape", Required: []string{"value"}}, forceEscape},
		{[]string{"striptags"}, py.Signature{Name: "do_striptags", Required: []string{"value"}}, stripTags},
		{[]string{"xmlattr"}, py.Signature{Name: "do_xmlattr", Hidden: 1, Required: []string{"d"}, Optional: []py.Default{{Name: "autospace", Value: true}}}, xmlattr},
		{[]string{"urlencode"}, py.Signature{Name: "do_urlencode", Required: []string{"value"}}, urlencode},
		{[]string{"urlize"}, py.Signature{Name: "do_urlize", Hidden: 1, Required: []string{"value"}, Optional: []py.Default{{Name: "trim_url_limit"}, {Name: "nofollow", Value: false}, {Name: "target"}, {Name: "rel"}, {Name: "extra_schemes"}}}, urlize},
		{[]string{"tojson"}, py.Signature{Name: "do_tojson", Hidden: 1, Required: []string{"value"}, Optional: []py.Default{{Name: "indent"}}}, tojson},
	}
}

func escape(c *jinja.Call, v any) (any, error) {
	if m, ok := v.(py.Markup); ok {
		return m, nil
	}
	s, err := c.State.Str(v)
	return py.Escape(s), err
}

func markSafe(c *jinja.Call, a []any) (any, error) {
	s, err := c.State.Str(a[0])
	return py.Markup(s), err
}

func forceEscape(c *jinja.Call, a []any) (any, error) {
	s, err := c.State.Str(a[0])
	return py.Escape(s), err
}

func stripTags(c *jinja.Call, a []any) (any, error) {
	s, err := c.State.Str(a[0])
	return py.StripTags(s), err
}

func xmlattr(c *jinja.Call, a []any) (any, error) {
	if u, ok := a[0].(*jinja.Undefined); ok {
		return nil, u.UndefinedError()
	}
	m, ok := a[0].(*value.Map)
	if !ok {
		_, err := py.Attr(a[0], "items")
		return nil, err
	}
	var parts []string
	for k, v := range m.All() {
		if _, undefined := v.(*jinja.Undefined); undefined || v == nil {
			continue
		}
		name, ok := py.Text(k)
		if !ok {
			return nil, value.Errorf("TypeError", "expected string or bytes-like object, got '%s'", py.TypeName(k))
		}
		if strings.ContainsAny(name, " \t\n\r\f\v/>=") {
			return nil, value.Errorf("ValueError", "Invalid character in attribute name: %s", value.Repr(k))
		}
		parts = append(parts, string(py.Escape(k))+`="`+string(py.Escape(v))+`"`)
	}
	out := strings.Join(parts, " ")
	if out != "" && value.Truth(a[1]) {
		out = " " + out
	}
	if c.Autoescape() {
		return py.Markup(out), nil
	}
	return out, nil
}

// Quote is Python's urllib.parse.quote of UTF-8 text: letters, digits, "_.-~"
// and what safe holds stay as they are.
func Quote(s, safe string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_.-~", c) >= 0 || strings.IndexByte(safe, c) >= 0 {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

func urlQuote(c *jinja.Call, v any, query bool) (string, error) {
	s := ""
	if b, ok := v.([]byte); ok {
		s = string(b)
	} else {
		var err error
		if s, err = c.State.Str(v); err != nil {
			return "", err
		}
	}
	if query {
		return strings.ReplaceAll(Quote(s, ""), "%20", "+"), nil
	}
	return Quote(s, "/"), nil
}

func urlencode(c *jinja.Call, a []any) (any, error) {
	if _, text := py.Text(a[0]); text || !py.CanIterate(a[0]) {
		s, err := urlQuote(c, a[0], false)
		return s, err
	}
	pairs := a[0]
	if m, ok := pairs.(*value.Map); ok {
		pairs = py.View{Kind: "items", Map: m}
	}
	items, err := py.Items(pairs)
	if err != nil {
		return nil, err
	}
	var parts []string
	for _, it := range items {
		kv, err := unpack(it, 2)
		if err != nil {
			return nil, err
		}
		k, err := urlQuote(c, kv[0], true)
		if err != nil {
			return nil, err
		}
		v, err := urlQuote(c, kv[1], true)
		if err != nil {
			return nil, err
		}
		parts = append(parts, k+"="+v)
	}
	return strings.Join(parts, "&"), nil
}

// unpack is Python's a, b = v.
func unpack(v any, n int) ([]any, error) {
	items, err := py.Items(v)
	switch {
	case err != nil:
		return nil, value.Errorf("TypeError", "cannot unpack non-iterable %s object", py.TypeName(v))
	case len(items) < n:
		return nil, value.Errorf("ValueError", "not enough values to unpack (expected %d, got %d)", n, len(items))
	case len(items) > n:
		return nil, value.Errorf("ValueError", "too many values to unpack (expected %d)", n)
	}
	return items, nil
}

func tojson(c *jinja.Call, a []any) (any, error) {
	if u, ok := a[0].(*jinja.Undefined); ok {
		return nil, value.Errorf("TypeError", "Object of type %s is not JSON serializable", u.TypeName())
	}
	o := value.JSONOptions{SortKeys: true, ASCII: true}
	if n, err := py.AsIndex(a[1]); err == nil {
		o.Indent = int(n)
	}
	s, err := value.JSON(a[0], o)
	if err != nil {
		return nil, err
	}
	return HTMLSafe(s), nil
}

// HTMLSafe escapes what JSON may not hold inside HTML.
func HTMLSafe(json string) py.Markup {
	return py.Markup(strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`, "'", `\u0027`).Replace(json))
}

var urlPatterns = sync.OnceValue(func() [2]*regexp2.Regexp {
	return [2]*regexp2.Regexp{
		regexp2.MustCompile(`^((https?://|www\.)(([\w%-]+\.)+)?([a-z]{2,63}|xn--[\w%]{2,59})|([\w%-]{2,63}\.)+(com|net|int|edu|gov|org|info|mil)|(https?://)((([\d]{1,3})(\.[\d]{1,3}){3})|(\[([\da-f]{0,4}:){2}([\da-f]{0,4}:?){1,6}\])))(?::[\d]{1,5})?(?:[/?#]\S*)?$`, regexp2.IgnoreCase),
		regexp2.MustCompile(`^\S+@\w[\w.-]*\.\w+$`, 0),
	}
})

// linker turns words into links.
type linker struct {
	rel, target string
	limit       int // of shown URLs; -1: none
	schemes     []any
}

func urlize(c *jinja.Call, a []any) (any, error) {
	l := linker{limit: -1}
	s, err := c.State.Str(a[0])
	if err != nil {
		return nil, err
	}
	if a[1] != nil {
		n, err := py.AsIndex(a[1])
		if err != nil {
			return nil, err
		}
		l.limit = int(n)
	}
	rel := map[string]bool{"noopener": true}
	for _, r := range strings.Fields(value.Str(orEmpty(a[4]))) {
		rel[r] = true
	}
	if value.Truth(a[2]) {
		rel["nofollow"] = true
	}
	var rels []string
	for r := range rel {
		rels = append(rels, r)
	}
	sort.Strings(rels)
	l.rel = ` rel="` + string(py.Escape(strings.Join(rels, " "))) + `"`
	if value.Truth(a[3]) {
		l.target = ` target="` + string(py.Escape(a[3])) + `"`
	}
	if a[5] != nil {
		if l.schemes, err = py.Items(a[5]); err != nil {
			return nil, err
		}
		for _, scheme := range l.schemes {
			if !validScheme(value.Str(scheme)) {
				return nil, argumentError("%s is not a valid URI scheme prefix.", value.Repr(scheme))
			}
		}
	}
	text := string(py.Escape(s))
	if _, safe := a[0].(py.Markup); safe {
		text = s
	}
	out := l.text(text)
	if c.Autoescape() {
		return py.Markup(out), nil
	}
	return out, nil
}

func orEmpty(v any) any {
	if v == nil {
		return ""
	}
	return v
}

// validScheme is "letters, digits, +.-" with a colon and at most two slashes.
func validScheme(s string) bool {
	name, rest, ok := strings.Cut(s, ":")
	if !ok || len(name) < 2 || strings.Trim(rest, "/") != "" || len(rest) > 10 {
		return false
	}
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r >= '0' && r <= '9'
		if !letter && (i == 0 || !strings.ContainsRune("+.-", r)) {
			return false
		}
	}
	return true
}

func (l *linker) text(s string) string {
	var b strings.Builder
	for s != "" {
		i := strings.IndexFunc(s, isBlank)
		if i < 0 {
			i = len(s)
		}
		b.WriteString(l.word(s[:i]))
		j := i
		for j < len(s) && isBlank(rune(s[j])) {
			j++
		}
		b.WriteString(s[i:j])
		s = s[j:]
	}
	return b.String()
}

func (l *linker) word(middle string) string {
	head, tail := "", ""
	for {
		n := prefixOf(middle, "(", "<", "&lt;")
		if n == 0 {
			break
		}
		head, middle = head+middle[:n], middle[n:]
	}
	for {
		n := suffixOf(middle, ")", ">", ".", ",", "&gt;")
		if n == 0 {
			break
		}
		cut := len(middle) - n
		middle, tail = middle[:cut], middle[cut:]+tail
	}
	for _, pair := range [][2]string{{"(", ")"}, {"<", ">"}, {"&lt;", "&gt;"}} {
		open := strings.Count(middle, pair[0])
		if open <= strings.Count(middle, pair[1]) {
			continue
		}
		for range min(open, strings.Count(tail, pair[1])) {
			end := strings.Index(tail, pair[1]) + len(pair[1])
			middle, tail = middle+tail[:end], tail[end:]
		}
	}
	return head + l.link(middle) + tail
}

func prefixOf(s string, list ...string) int {
	for _, p := range list {
		if strings.HasPrefix(s, p) {
			return len(p)
		}
	}
	return 0
}

func suffixOf(s string, list ...string) int {
	for _, p := range list {
		if strings.HasSuffix(s, p) {
			return len(p)
		}
	}
	return 0
}

func (l *linker) link(s string) string {
	shown := s
	if r := []rune(s); l.limit >= 0 && len(r) > l.limit {
		shown = string(r[:l.limit]) + "..."
	}
	is := urlPatterns()
	http, _ := is[0].MatchString(s)
	mail := func(s string) bool { ok, _ := is[1].MatchString(s); return ok }
	switch {
	case http && (strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")):
		return `<a href="` + s + `"` + l.rel + l.target + ">" + shown + "</a>"
	case http:
		return `<a href="https://` + s + `"` + l.rel + l.target + ">" + shown + "</a>"
	case strings.HasPrefix(s, "mailto:") && mail(s[7:]):
		return `<a href="` + s + `">` + s[7:] + "</a>"
	case strings.Contains(s, "@") && !strings.HasPrefix(s, "www.") && s[0] != '@' && !strings.Contains(s, ":") && mail(s):
		return `<a href="mailto:` + s + `">` + s + "</a>"
	}
	for _, x := range l.schemes {
		if scheme := value.Str(x); s != scheme && strings.HasPrefix(s, scheme) {
			return `<a href="` + s + `"` + l.rel + l.target + ">" + s + "</a>"
		}
	}
	return s
}
