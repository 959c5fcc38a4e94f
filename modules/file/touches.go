package file

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

// reaching are arguments with which a state does more than change its file:
// it renders a template, which may look at anything, or runs commands.
var reaching = [...]string{"template", "check_cmd", "selinux", "signature", "contents_grains", "clean", "require", "sources"}

// touches is salt.Func.Touches of the states that change the file or folder
// they are named for, and read a source.
func touches(c *salt.Ctx, kw *value.Map) ([]string, bool) {
	for _, k := range reaching {
		if kw.Truth(k) {
			return nil, false
		}
	}
	if kw.Has("contents_pillar") || kw.Has("dataset_pillar") {
		c.Pillar.Len() // compiled here and not beside other states
	}
	name, ok := kw.At("name").(string)
	if !ok {
		return nil, false
	}
	name = expandUser(c, name)
	paths := []string{name}
	for _, k := range [...]string{"backup", "backupname"} {
		switch b := kw.At(k).(type) {
		case nil, bool:
			paths = append(paths, name+".bak")
		case string:
			switch {
			case b == "":
			case strings.HasPrefix(b, "."):
				paths = append(paths, name+b)
			default:
				return nil, false // minion: copied to the cache
			}
		default:
			return nil, false
		}
	}
	for _, k := range [...]string{"source", "source_hash", "target"} {
		for _, s := range sourceWords(kw.At(k)) {
			if strings.HasPrefix(s, "/") {
				paths = append(paths, s)
			} else if strings.HasPrefix(s, "file://") {
				paths = append(paths, strings.TrimPrefix(s, "file://"))
			}
		}
	}
	return paths, true
}

// touchesText is touches of file.append and file.prepend, whose source is
// always a template.
func touchesText(c *salt.Ctx, kw *value.Map) ([]string, bool) {
	if kw.Truth("source") {
		return nil, false
	}
	return touches(c, kw)
}

// sourceWords are all texts in a source, which may be a list.
func sourceWords(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case *value.List:
		var out []string
		for _, it := range v.Items {
			out = append(out, sourceWords(it)...)
		}
		return out
	case *value.Map:
		var out []string
		for k, it := range v.All() {
			out = append(out, value.Str(k))
			out = append(out, sourceWords(it)...)
		}
		return out
	}
	return nil
}
