package locale

import (
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

const (
	localed     = "org.freedesktop.locale1"
	localedPath = "/org/freedesktop/locale1"
	conf        = "/etc/locale.conf"
)

func booted(c *salt.Ctx) bool { return sys.LExists(c.Sys, "/run/systemd/system") }

// A setting is one variable of the system's locale.
type setting struct{ name, value string }

// settings reads the variables in a file; localed reads the same ones.
func settings(c *salt.Ctx, path string) (found []setting, err error) {
	b, err := c.Sys.ReadFile(path)
	for line := range strings.Lines(string(b)) {
		name, val, ok := strings.Cut(strings.TrimSpace(line), "=")
		if ok && !strings.HasPrefix(name, "#") {
			found = append(found, setting{name, strings.Trim(val, `"'`)})
		}
	}
	return found, err
}

// current are the variables of the system's locale. Debian keeps them in a
// file of its own, which is a link to the other one since release 13.
func current(c *salt.Ctx) []setting {
	if c.Grains.Str("os_family") == "Debian" {
		if found, err := settings(c, "/etc/default/locale"); err == nil {
			return found
		}
	}
	found, _ := settings(c, conf)
	return found
}

func lang(list []setting) string {
	for _, s := range list {
		if s.name == "LANG" {
			return s.value
		}
	}
	return ""
}

// getLocale returns the locale of the system, "" when none is set.
func getLocale(c *salt.Ctx, _ salt.NoArgs) (string, error) {
	family := c.Grains.Str("os_family")
	if booted(c) {
		return lang(current(c)), nil
	}
	path, key := "", "LANG"
	switch family {
	case "Suse":
		path, key = "/etc/sysconfig/language", "RC_LANG"
	case "RedHat":
		path = "/etc/sysconfig/i18n"
		if !sys.Exists(c.Sys, path) {
			path = conf
		}
	case "Debian":
		path = "/etc/default/locale"
	case "Gentoo":
		v, err := c.Call("cmd.run", "eselect --brief locale show")
		return strings.TrimSpace(value.Str(v)), err
	default:
		return "", salt.CommandError(`Error: "%s" is unsupported!`, c.Grains.Str("oscodename"))
	}
	list, _ := settings(c, path)
	for _, s := range list {
		if s.name == key {
			return s.value, nil
		}
	}
	return "", nil
}

// setLocale sets the locale of the system.
func setLocale(c *salt.Ctx, a localeArgs) (bool, error) {
	family, release := c.Grains.Str("os_family"), c.Grains.At("osmajorrelease")
	major, _ := release.(int64)
	if booted(c) && !(family == "Debian" && major >= 13) && !(family == "Suse" && major == 12) {
		return setByBus(c, a.Locale)
	}
	path, key, text := "", "LANG", `LANG="`+a.Locale+`"`
	switch family {
	case "Suse":
		path, key, text = "/etc/sysconfig/language", "RC_LANG", `RC_LANG="`+a.Locale+`"`
	case "RedHat":
		path = "/etc/sysconfig/i18n"
	case "Debian":
		if c.Sys.LookPath("update-locale") == "" {
			return false, salt.CommandError(`Cannot set locale: "update-locale" was not found.`)
		}
		path = "/etc/default/locale"
	case "Gentoo":
		v, err := c.CallKw("cmd.retcode", value.M("python_shell", false), "eselect --brief locale set "+a.Locale)
		return value.Equal(v, int64(0)), err
	default:
		return false, salt.CommandError("Error: Unsupported platform!")
	}
	err := put(c, path, key, text)
	return err == nil, err
}

// setByBus lets localed write the locale, with the variables there are; it
// may be missing.
func setByBus(c *salt.Ctx, locale string) (bool, error) {
	var list []string
	set := false
	for _, s := range current(c) {
		if s.name == "LANG" {
			s.value, set = locale, true
		}
		list = append(list, s.name+"="+s.value)
	}
	if !set {
		list = append(list, "LANG="+locale)
	}
	err := c.Sys.Bus().Call(c, localed, localedPath, localed+".SetLocale", list, false)
	if err == nil {
		return true, nil
	}
	c.Log.Debug("localed did not set the locale, writing " + conf + ": " + err.Error())
	err = put(c, conf, "LANG", "LANG="+locale)
	return err == nil, err
}

// put replaces the lines of a variable, or adds one.
func put(c *salt.Ctx, path, key, text string) error {
	b, _ := c.Sys.ReadFile(path)
	var out strings.Builder
	found := false
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, key+"=") {
			line, found = text+"\n", true
		}
		out.WriteString(line)
	}
	if !found {
		if s := out.String(); s != "" && !strings.HasSuffix(s, "\n") {
			out.WriteByte('\n')
		}
		out.WriteString(text + "\n")
	}
	return sys.WriteFile(c.Sys, path, []byte(out.String()), sys.FileAttrs{})
}
