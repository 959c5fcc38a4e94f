package pillar

import (
	"fmt"
	"slices"
	"strings"

	"pinch/render"
	"pinch/salt"
	"pinch/value"
)

// decrypt decrypts what the option decrypt_pillar names; each mistake is a
// text for _errors.
func (p *compiler) decrypt(data *value.Map) []string {
	conf := p.opts.At("decrypt_pillar")
	if !value.Truth(conf) {
		return nil
	}
	keys, ok := conf.(*value.Map)
	if !ok {
		keys = repack(conf)
	}
	if keys.Len() == 0 {
		return []string{"decrypt_pillar config option is malformed"}
	}
	delimiter := str(p.opts.At("decrypt_pillar_delimiter"), ":")
	var errs []string
	for key, rend := range keys.Items() {
		name := str(rend, str(p.opts.At("decrypt_pillar_default"), "gpg"))
		v, ok := value.TraverseDict(data, key, delimiter)
		if !ok || v == nil {
			continue
		}
		out, err := p.decryptWith(name, v)
		if err != nil {
			msg := fmt.Sprintf("Failed to decrypt pillar key '%s': %s", key, err)
			p.c.Log.Error(msg)
			errs = append(errs, msg)
			continue
		}
		var parent any = data
		child := key
		if i := strings.LastIndex(key, delimiter); i >= 0 {
			parent, _ = value.TraverseDict(data, key[:i], delimiter)
			child = key[i+len(delimiter):]
		}
		if m, ok := parent.(*value.Map); ok && m.Has(child) {
			m.Set(child, out)
		}
	}
	return errs
}

// repack reads a list of names and of maps with one key.
func repack(v any) *value.Map {
	out := new(value.Map)
	l, _ := v.(*value.List)
	for i := range l.Len() {
		switch it := l.Items[i].(type) {
		case string:
			out.Set(it, nil)
		case *value.Map:
			if it.Len() == 1 {
				out.Update(it)
			}
		}
	}
	return out
}

func (p *compiler) decryptWith(name string, v any) (any, error) {
	valid := p.opts.List("decrypt_pillar_renderers")
	if valid.Len() > 0 && !slices.Contains(valid.Items, any(name)) {
		var names []string
		for _, it := range valid.Items {
			names = append(names, value.Str(it))
		}
		return nil, fmt.Errorf("'%s' is not a valid decryption renderer. Valid choices are: %s", name, strings.Join(names, ", "))
	}
	f := render.Decrypter(name)
	if f == nil {
		return nil, fmt.Errorf("Decryption renderer '%s' is not available", name)
	}
	return f(p.c, v, false)
}

// Hide has the values that secret_pillar_keys names kept out of logs and
// errors, in a pillar that was compiled elsewhere.
func Hide(c *salt.Ctx, data *value.Map) { (&compiler{c: c, opts: c.Opts}).hide(data) }

// hide notes the values of the keys that secret_pillar_keys names, so that
// logs, comments and diffs do not show them. A name is a glob over keys, at any
// depth; with colons it is a glob over the whole path.
func (p *compiler) hide(data *value.Map) {
	var globs []string
	switch v := p.opts.At("secret_pillar_keys").(type) {
	case string:
		globs = []string{v}
	case *value.List:
		for _, it := range v.Items {
			globs = append(globs, value.Str(it))
		}
	}
	if len(globs) > 0 && p.c.Run != nil {
		p.hideIn(data, "", globs, false)
	}
}

func (p *compiler) hideIn(v any, path string, globs []string, secret bool) {
	switch v := v.(type) {
	case *value.Map:
		for k, it := range v.Items() {
			at := strings.TrimPrefix(path+":"+k, ":")
			hit := slices.ContainsFunc(globs, func(g string) bool {
				return strings.Contains(g, ":") && value.Fnmatch(at, g) || value.Fnmatch(k, g)
			})
			p.hideIn(it, at, globs, secret || hit)
		}
	case *value.List:
		for _, it := range v.Items {
			p.hideIn(it, path, globs, secret)
		}
	case nil, bool:
	default:
		if secret {
			p.c.Run.Seal(value.Str(v))
		}
	}
}
