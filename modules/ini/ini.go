// Package ini holds Salt's ini module: sections and options of ini files. Its
// main variable is Module.
//
//	/etc/app.ini:
//	  ini.options_present:
//	    - sections:
//	        main:
//	          debug: 'off'
package ini

import (
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/codec"
)

// Module is Salt's ini module.
var Module = salt.Module{
	Name: "ini",
	States: func() salt.Funcs {
		return salt.Funcs{
			"options_absent":   salt.State(optionsAbsent),
			"options_present":  salt.State(optionsPresent),
			"sections_absent":  salt.State(sectionsAbsent),
			"sections_present": salt.State(sectionsPresent),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"get_ini":        salt.Exec(getINI),
			"get_option":     salt.Exec(getOption),
			"get_section":    salt.Exec(getSection),
			"remove_option":  salt.Exec(removeOption),
			"remove_section": salt.Exec(removeSection),
			"set_option":     salt.Exec(setOption),
		}
	},
}

// codecOf is a character encoding, UTF-8 by default.
func codecOf(name string) (*codec.Codec, error) {
	if name == "" {
		name = "utf-8"
	}
	return codec.Lookup(name)
}

// open reads a file; a missing one is empty.
func open(c *salt.Ctx, path, sep, enc string, compact bool) (*section, error) {
	f := newSection(path, sep, compact)
	e, err := codecOf(enc)
	if err != nil || !sys.Exists(c.Sys, path) {
		return f, err
	}
	b, err := c.Sys.ReadFile(path)
	text := ""
	if err == nil {
		text, err = e.Decode(b, "strict")
	}
	if err != nil {
		if c.Test {
			return f, nil
		}
		return nil, salt.CommandError("Unable to open file '%s'. Exception: %s", path, salt.OSError(err))
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	text = strings.TrimSuffix(text, "\n")
	at := header().FindAllStringSubmatchIndex(text, -1)
	if len(at) == 0 {
		f.parse(text)
		return f, nil
	}
	f.parse(text[:at[0][0]])
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		s := newSection(text[m[2]:m[3]], f.sep, false)
		s.parse(text[m[1]:end])
		f.update(value.M(s.name, s.plain(false)))
	}
	return f, nil
}

// save writes the file back.
func (s *section) save(c *salt.Ctx, enc string) error {
	var b strings.Builder
	s.write(&b)
	// The first line is not an empty one; what follows it stays.
	text := strings.TrimPrefix(b.String(), "\n")
	e, err := codecOf(enc)
	if err != nil {
		return err
	}
	out, err := e.Encode(text, "strict")
	if err == nil {
		err = sys.WriteFile(c.Sys, s.name, out, sys.FileAttrs{})
	}
	if err != nil {
		return salt.CommandError("Unable to write file '%s'. Exception: %s", s.name, salt.OSError(err))
	}
	return nil
}
