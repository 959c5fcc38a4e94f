// Package locale holds Salt's locale module: the locales that are compiled,
// and the one the system uses. Its main variable is Module.
//
//	de_DE.UTF-8:
//	  locale.present
package locale

import (
	"errors"
	"regexp"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's locale module.
var Module = salt.Module{
	Name: "locale",
	States: func() salt.Funcs {
		return salt.Funcs{
			"present": salt.State(present),
			"system":  salt.State(system),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"avail":      salt.Exec(avail),
			"gen_locale": salt.Exec(genLocale),
			"get_locale": salt.Exec(getLocale),
			"list_avail": salt.Exec(listAvail),
			"set_locale": salt.Exec(setLocale),
		}
	},
}

// A spec is a locale by its parts: language_territory.codeset@modifier charmap.
type spec struct{ language, territory, codeset, modifier, charmap string }

func parse(s string) spec {
	var p spec
	s, p.charmap, _ = strings.Cut(s, " ")
	s, p.modifier, _ = strings.Cut(s, "@")
	s, p.codeset, _ = strings.Cut(s, ".")
	p.language, p.territory, _ = strings.Cut(s, "_")
	return p
}

func (p spec) String() string {
	s := p.language
	for _, part := range [][2]string{{"_", p.territory}, {".", p.codeset}, {"@", p.modifier}, {" ", p.charmap}} {
		if part[1] != "" {
			s += part[0] + part[1]
		}
	}
	return s
}

// normal is a locale as locale(1) lists it: de_DE.utf8.
func normal(s string) string {
	p := parse(s)
	p.territory = strings.ToUpper(p.territory)
	p.codeset = strings.ReplaceAll(strings.ToLower(p.codeset), "-", "")
	p.charmap = ""
	return p.String()
}

type localeArgs struct {
	Locale string `py:"locale"` // a locale: de_DE.UTF-8
}

// avail reports whether a locale is compiled.
func avail(c *salt.Ctx, a localeArgs) (bool, error) {
	want := normal(a.Locale)
	for _, name := range available(c) {
		if normal(name) == want {
			return true, nil
		}
	}
	return false, nil
}

// listAvail returns the compiled locales, as locale -a does.
func listAvail(c *salt.Ctx, _ salt.NoArgs) (*value.List, error) {
	return value.Strings(available(c)), nil
}

type genLocaleArgs struct {
	Locale string     `py:"locale"`   // a locale, with its character map where they differ: uk_UA KOI8-U
	Kwargs *value.Map `py:"**kwargs"` // verbose: return what the command did
}

// genLocale compiles a locale and, where there is a list of them, adds it.
//
//	salt-call locale.gen_locale 'en_IE.UTF-8 UTF-8'
func genLocale(c *salt.Ctx, a genLocaleArgs) (any, error) {
	p := parse(a.Locale)
	search := p.language + "_" + p.territory
	system := c.Grains.Str("os")
	ubuntu, gentoo := system == "Ubuntu", c.Grains.Str("os_family") == "Gentoo"
	name := a.Locale
	if p.charmap == "" && !ubuntu {
		p.charmap = p.codeset
		name = p.String()
	}
	where, known, err := supported(c, name, search, system == "Debian" || gentoo)
	switch {
	case err != nil:
		return nil, err
	case !known:
		c.Log.Error("The provided locale \"" + name + "\" is not found in " + where)
		return false, nil
	}
	if err := enlist(c, name, p.language, ubuntu); err != nil {
		return nil, err
	}
	argv := value.L("locale-gen")
	switch {
	case c.Sys.LookPath("locale-gen") != "" && gentoo:
		argv.Append("--generate", name)
	case c.Sys.LookPath("locale-gen") != "" && ubuntu:
		argv.Append(normal(name))
	case c.Sys.LookPath("locale-gen") != "":
		argv.Append(name)
	case c.Sys.LookPath("localedef") != "":
		volume := "--quiet"
		if a.Kwargs.Truth("verbose") {
			volume = "--verbose"
		}
		argv = value.L("localedef", "--force", "-i", search, "-f", p.codeset, search+"."+p.codeset, volume)
	default:
		return nil, salt.CommandError(`Command "locale-gen" or "localedef" was not found on this system.`)
	}
	v, err := c.Call("cmd.run_all", argv)
	if err != nil {
		return nil, err
	}
	r, _ := v.(*value.Map)
	failed := value.Truth(r.At("retcode"))
	if failed {
		c.Log.Error(r.Str("stderr"))
	}
	if a.Kwargs.Truth("verbose") {
		return r, nil
	}
	return !failed, nil
}

// supported looks a locale up in the sources of locales.
func supported(c *salt.Ctx, name, search string, list bool) (where string, known bool, err error) {
	if list {
		where = "/usr/share/i18n/SUPPORTED"
		b, err := c.Sys.ReadFile(where)
		if err != nil {
			return where, false, value.Errorf("SaltInvocationError", "File path '%s' not found", where)
		}
		for line := range strings.Lines(string(b)) {
			known = known || strings.TrimRight(line, "\n") == name
		}
		return where, known, nil
	}
	where = "/usr/share/i18n/locales"
	if c.Grains.Str("os_family") == "Suse" {
		where = "/usr/share/locale"
	}
	entries, err := c.Sys.ReadDir(where)
	if err != nil {
		c.Log.Error(err.Error())
		return where, false, salt.CommandError(`Locale "%s" is not available.`, name)
	}
	for _, e := range entries {
		known = known || e.Name() == search
	}
	return where, known, nil
}

// enlist adds a locale to the list of those to compile.
func enlist(c *salt.Ctx, name, language string, ubuntu bool) error {
	path, pattern, text := "/etc/locale.gen", `^\s*#\s*`+regexp.QuoteMeta(name)+`\s*$`, name+"\n"
	if !sys.Exists(c.Sys, path) {
		if !ubuntu {
			return nil
		}
		path, pattern, text = "/var/lib/locales/supported.d/"+language, regexp.QuoteMeta(name), name
		if _, err := c.Call("file.touch", path); err != nil {
			return err
		}
	}
	b, err := c.Sys.ReadFile(path)
	if err != nil {
		return salt.OSError(err)
	}
	for line := range strings.Lines(string(b)) {
		if strings.TrimSpace(line) == name {
			return nil
		}
	}
	_, err = c.CallKw("file.replace", value.M("append_if_not_found", true), path, pattern, text)
	return err
}

type nameArgs struct {
	Name string `py:"name"` // a locale: de_DE.UTF-8
}

// present makes sure that a locale is compiled.
//
//	en_US.UTF-8:
//	  locale.present
func present(c *salt.Ctx, a nameArgs) salt.Result {
	has, err := avail(c, localeArgs{a.Name})
	switch {
	case err != nil:
		return salt.Raised(err)
	case has:
		return salt.Correct("Locale %s is already present", a.Name)
	case c.Test:
		return salt.Would(nil, "Locale %s needs to be generated", a.Name)
	}
	done, err := genLocale(c, genLocaleArgs{Locale: a.Name})
	switch {
	case err != nil:
		return salt.Raised(err)
	case done != true:
		return salt.Failed("Failed to generate locale %s", a.Name)
	}
	return salt.Changed(value.M("locale", a.Name), "Generated locale %s", a.Name)
}

// system makes sure that the system uses a locale.
//
//	en_US.UTF-8:
//	  locale.system
func system(c *salt.Ctx, a nameArgs) salt.Result {
	fail := func(err error) salt.Result {
		var e *value.Exception
		if errors.As(err, &e) && e.Class == "CommandExecutionError" {
			return salt.Failed("Failed to set system locale: %s", err)
		}
		return salt.Raised(err)
	}
	now, err := getLocale(c, salt.NoArgs{})
	switch {
	case err != nil:
		return fail(err)
	case now == a.Name:
		return salt.Correct("System locale %s already set", a.Name)
	case c.Test:
		return salt.Would(nil, "System locale %s needs to be set", a.Name)
	}
	done, err := setLocale(c, localeArgs{a.Name})
	switch {
	case err != nil:
		return fail(err)
	case !done:
		return salt.Failed("Failed to set system locale to %s", a.Name)
	}
	return salt.Changed(value.M("locale", a.Name), "Set system locale %s", a.Name)
}
