package apache

import (
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type configArgs struct {
	Name   string      `py:"name"`      // the file
	Config *value.List `py:"config"`    // a list of directives and sections; this is what stands behind the name of a section
	Edit   bool        `py:"edit=True"` // write the file
}

// config returns a configuration as text, and writes it with edit.
//
//	salt-call apache.config /etc/httpd/conf.d/ports.conf config="[{'Listen': '22'}]"
func config(c *salt.Ctx, a configArgs) (string, error) {
	text, err := render(a.Config)
	if err == nil && a.Edit {
		err = salt.OSError(sys.WriteFile(c.Sys, a.Name, []byte("# This file is managed by Salt.\n"+text), sys.FileAttrs{}))
	}
	return text, err
}

// render writes the directives of a list of maps with one key each.
func render(config *value.List) (string, error) {
	var all []string
	for i := range config.Len() {
		m, ok := config.Items[i].(*value.Map)
		if !ok || m.Len() == 0 {
			return "", salt.InvocationError("config must be a list of mappings: %s", value.Repr(config.Items[i]))
		}
		for key, v := range m.Items() {
			text, err := section(v, key)
			if err != nil {
				return "", err
			}
			all = append(all, text)
			break
		}
	}
	return strings.Join(all, "\n"), nil
}

// word is a value behind a directive: YAML takes On and Off for truth values.
func word(v any) string {
	switch v {
	case true:
		return "On"
	case false:
		return "Off"
	}
	return value.Str(v)
}

// section writes a directive, or a section with all in it.
func section(conf any, slot string) (string, error) {
	switch conf := conf.(type) {
	case *value.Map:
		return fromMap(conf, slot)
	case *value.List:
		return fromList(conf, slot)
	}
	return slot + " " + word(conf), nil
}

func fromMap(m *value.Map, slot string) (string, error) {
	if !m.Has("this") {
		return "", value.Errorf("SaltException", `Apache section container "<%s>" expects attribute. Specify it using key "this".`, slot)
	}
	var b strings.Builder
	b.WriteString("<" + slot + " " + m.Str("this") + ">\n")
	for key, v := range m.Items() {
		if key == "this" {
			continue
		}
		text, err := section(v, key)
		if err != nil {
			return "", err
		}
		b.WriteString(text + "\n")
	}
	return b.String() + "</" + slot + ">\n", nil
}

// fromList writes a directive for each item, or a section whose directives are
// maps, one of them with this.
func fromList(l *value.List, slot string) (string, error) {
	var b strings.Builder
	this, isSection := "", false
	for _, it := range l.Items {
		if m, ok := it.(*value.Map); ok && m.Has("this") {
			this, isSection = m.Str("this"), true
		}
	}
	if isSection {
		b.WriteString("<" + slot + " " + this + ">\n")
	}
	for _, it := range l.Items {
		m, ok := it.(*value.Map)
		if !isSection || !ok {
			text, err := section(it, slot)
			if err != nil {
				return "", err
			}
			b.WriteString(text + "\n")
			continue
		}
		for key, v := range m.Items() {
			if key == "this" {
				continue
			}
			text, err := section(v, key)
			if err != nil {
				return "", err
			}
			b.WriteString(text + "\n")
		}
	}
	if isSection {
		b.WriteString("</" + slot + ">\n")
	}
	return b.String(), nil
}

type configfileArgs struct {
	Name   string      `py:"name"`   // the file
	Config *value.List `py:"config"` // a list of directives and sections, as in apache.config
}

// configfile makes sure that a file has this configuration.
func configfile(c *salt.Ctx, a configfileArgs) salt.Result {
	text, err := render(a.Config)
	if err != nil {
		return salt.Raised(err)
	}
	b, _ := c.Sys.ReadFile(a.Name)
	changes := value.M("old", string(b), "new", text)
	switch {
	case strings.TrimSpace(text) == strings.TrimSpace(string(b)):
		return salt.Correct("Configuration is up to date.")
	case c.Test:
		return salt.Would(changes, "Configuration will update.")
	}
	if err := sys.WriteFile(c.Sys, a.Name, []byte(text+"\n"), sys.FileAttrs{}); err != nil {
		return salt.Failed("Failed to create apache configuration.\n%s", salt.OSError(err))
	}
	return salt.Changed(changes, "Successfully created configuration.")
}
