package file

import (
	"unicode/utf8"

	"pinch/salt"
	"pinch/value"
)

func validText(data []byte) bool { return utf8.Valid(data) || cutShort(data) }

// hashed is a source with its hash.
type hashed struct{ source, hash any }

// pairSources joins the arguments source, source_hash, sources and
// source_hashes. The text says what is wrong with them.
func pairSources(source, hash, sources, hashes any) ([]hashed, string) {
	if value.Truth(source) && value.Truth(sources) {
		return nil, "source and sources are mutually exclusive"
	}
	if value.Truth(hash) && value.Truth(hashes) {
		return nil, "source_hash and source_hashes are mutually exclusive"
	}
	if value.Truth(source) {
		return []hashed{{source, hash}}, ""
	}
	var out []hashed
	h := chunks(orEmpty(hashes))
	for i, s := range chunks(orEmpty(sources)) {
		p := hashed{source: s}
		if i < len(h) {
			p.hash = h[i]
		}
		out = append(out, p)
	}
	return out, ""
}

func orEmpty(v any) any {
	if v == nil {
		return new(value.List)
	}
	return v
}

// templateTexts renders sources. The result is that of a failure.
func templateTexts(c *salt.Ctx, sources []hashed, template string, defaults, context any) ([]string, *salt.Result) {
	d, _ := defaults.(*value.Map)
	x, _ := context.(*value.Map)
	var out []string
	for _, s := range sources {
		name := value.Str(s.source)
		f := &fetch{source: name, hash: s.hash, env: c.Env, template: template, vars: layer(d, x), skipVerify: !value.Truth(s.hash)}
		t, msg, err := f.get(c)
		if err != nil {
			msg = text(err)
		}
		if msg != "" {
			r := salt.Failed("Failed to load template file %s", name)
			if err != nil || isRemote(parseURL(name).scheme) || f.template != "" && !notThere(msg) {
				r.Comment += ": " + msg
			}
			r.Extra = value.M("name", name, "data", new(value.List))
			return nil, &r
		}
		if len(t.data) == 0 {
			r := salt.Failed("Failed to read rendered template file %s (%s)", name, name)
			r.Extra = value.M("name", name, "data", new(value.List))
			return nil, &r
		}
		out = append(out, string(t.data))
	}
	return out, nil
}
