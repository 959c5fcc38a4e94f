package pillar

import (
	"encoding/csv"
	"fmt"
	"net/url"
	"strings"

	"pinch/value"
)

// httpPillar makes the external pillars http_json and http_yaml: the answer of
// a URL. %s in it is the minion's ID, <name> with with_grains a grain.
func httpPillar(format string) external {
	return func(p *compiler, _ *value.Map, args []any, kw *value.Map) (any, error) {
		names := []string{"url", "with_grains", "header_dict", "auth", "username", "password"}
		given := kw.Shallow()
		for i, a := range args {
			if i < len(names) {
				given.Set(names[i], a)
			}
		}
		at := strings.ReplaceAll(given.Str("url"), "%s", quote(p.o.ID))
		if at == "" {
			return nil, value.Errorf("TypeError", "ext_pillar() missing 1 required positional argument: 'url'")
		}
		if given.Truth("with_grains") {
			var err error
			if at, err = p.withGrains(at); err != nil {
				p.c.Log.Error(err.Error())
				return nil, nil
			}
		}
		query := value.M("url", at, "decode", true, "decode_type", format)
		for _, k := range []string{"header_dict", "auth", "username", "password"} {
			if v := given.At(k); v != nil {
				query.Set(k, v)
			}
		}
		v, err := p.c.CallFunc(p.c, "http.query", nil, query)
		if err != nil {
			return nil, err
		}
		m, _ := v.(*value.Map)
		if d, ok := m.Get("dict"); ok {
			return d, nil
		}
		why := "no data"
		if e, ok := m.Get("error"); ok {
			why = value.Str(e)
		}
		return nil, fmt.Errorf("%s: %s", bare(at), why)
	}
}

// quote is Python's urllib.parse.quote.
func quote(s string) string { return strings.ReplaceAll(url.PathEscape(s), "%2F", "/") }

// bare is a URL without what may be secret.
func bare(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return "the URL"
	}
	u.User, u.RawQuery = nil, ""
	return u.String()
}

// withGrains puts the grains in for their names in angle brackets.
func (p *compiler) withGrains(s string) (string, error) {
	var out strings.Builder
	for {
		head, rest, ok := strings.Cut(s, "<")
		name, tail, closed := strings.Cut(rest, ">")
		if !ok || !closed {
			out.WriteString(s)
			return out.String(), nil
		}
		v, _ := value.Traverse(p.c.Grains, name, ":")
		if !value.Truth(v) {
			return "", fmt.Errorf("Unable to get minion '%s' grain '%s'", p.o.ID, name)
		}
		out.WriteString(head + quote(value.Str(v)))
		s = tail
	}
}

// csvPillar is the external pillar csv: the row of a file whose column idkey
// (default id) is the minion's ID, under the key namespace if there is one.
func csvPillar(p *compiler, _ *value.Map, args []any, kw *value.Map) (any, error) {
	names := []string{"path", "idkey", "namespace", "fieldnames"}
	given := kw.Shallow()
	for i, a := range args {
		if i < len(names) {
			given.Set(names[i], a)
		}
	}
	path := given.Str("path")
	if path == "" {
		return nil, value.Errorf("TypeError", "ext_pillar() missing 1 required positional argument: 'path'")
	}
	text, err := p.c.Sys.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := csv.NewReader(strings.NewReader(string(text)))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var fields []string
	if l := given.List("fieldnames"); l != nil {
		for _, it := range l.Items {
			fields = append(fields, value.Str(it))
		}
	} else if len(rows) > 0 {
		fields, rows = rows[0], rows[1:]
	}
	id := str(given.At("idkey"), "id")
	for _, row := range rows {
		m := new(value.Map)
		for i, f := range fields {
			if i < len(row) {
				m.Set(f, row[i])
			} else {
				m.Set(f, nil)
			}
		}
		if m.Str(id) != p.o.ID {
			continue
		}
		if ns := given.Str("namespace"); ns != "" {
			return value.M(ns, m), nil
		}
		return m, nil
	}
	return nil, nil
}
