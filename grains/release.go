package grains

import (
	"regexp"
	"strings"
)

// An osRelease is what /etc/os-release says (os-release(5)); found is false
// when there is no such file.
type osRelease struct {
	vars  map[string]string
	found bool
}

func (r osRelease) get(key string) string { return r.vars[key] }

func (r osRelease) has(key string) bool { _, ok := r.vars[key]; return ok }

// readRelease reads the first os-release file. NAME, ID and PRETTY_NAME have
// the defaults of the manual page.
func (c *core) readRelease() osRelease {
	for _, path := range []string{"/etc/os-release", "/usr/lib/os-release"} {
		if text, ok := c.file(path); ok {
			return osRelease{parseOSRelease(text), true}
		}
	}
	return osRelease{}
}

func parseOSRelease(text string) map[string]string {
	vars := map[string]string{"NAME": "Linux", "ID": "linux", "PRETTY_NAME": "Linux"}
	for line := range strings.Lines(text) {
		key, val, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if !ok || key == "" || strings.Trim(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			continue
		}
		if q := strings.TrimLeft(val, `"'`); len(q) < len(val) {
			quote := val[:1]
			if len(val) < 2 || !strings.HasSuffix(val, quote) {
				continue
			}
			val = val[1 : len(val)-1]
		}
		vars[key] = unescape(val)
	}
	return vars
}

// unescape takes the backslash off the characters that a shell escapes.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("\\$\"'`", s[i+1]) >= 0 {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// lsbFile reads /etc/lsb-release as Salt does: a value ends at the first
// character that is no letter, digit, space, dot, dash or underscore.
func (c *core) lsbFile() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(c.read("/etc/lsb-release")) {
		key, val, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if !ok {
			continue
		}
		switch key {
		case "DISTRIB_ID", "DISTRIB_RELEASE", "DISTRIB_CODENAME", "DISTRIB_DESCRIPTION":
		default:
			continue
		}
		if val != "" && (val[0] == '"' || val[0] == '\'') {
			val = val[1:]
		}
		end := strings.IndexFunc(val, func(r rune) bool { return !lsbChar(r) })
		if end >= 0 {
			val = val[:end]
		}
		if val != "" {
			out["lsb_"+strings.ToLower(key)] = strings.TrimRight(val, " \t\r\v\f")
		}
	}
	return out
}

func lsbChar(r rune) bool {
	return r == ' ' || r == '\t' || r == '\r' || r == '.' || r == '-' || r == '_' || r > 127 ||
		'0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// A distribution is what the release files say about name, version and
// codename where os-release leaves something out.
type distribution struct{ name, version, codename string }

// distribution looks in os-release, in what the lsb_release command would say,
// and in /etc/*-release, in this order. The version is the one with the most dots.
func (c *core) distribution() distribution {
	rel, lsb, file := c.release(), c.lsbCommand(), c.releaseFile()
	var d distribution
	for _, name := range []string{rel.rawName(c), lsb["id"], file["name"]} {
		if d.name == "" {
			d.name = name
		}
	}
	versions := []string{rel.get("VERSION_ID"), lsb["release"], file["version"],
		parseReleaseLine(rel.rawPretty(c))["version"], parseReleaseLine(lsb["description"])["version"]}
	if rel.get("ID") == "debian" || strings.Contains(" "+rel.get("ID_LIKE")+" ", " debian ") {
		versions = append(versions, c.line("/etc/debian_version"))
	}
	for _, v := range versions {
		if d.version == "" || strings.Count(v, ".") > strings.Count(d.version, ".") {
			d.version = v
		}
	}
	if code, ok := rel.codename(); ok {
		d.codename = code
	} else if d.codename = lsb["codename"]; d.codename == "" {
		d.codename = file["codename"]
	}
	for _, s := range []*string{&d.name, &d.version, &d.codename} {
		*s = strings.Trim(strings.Trim(*s, `"`), "'")
	}
	return d
}

// rawName and rawPretty are the values without the defaults.
func (r osRelease) rawName(c *core) string {
	if r.found && strings.Contains("\n"+c.releaseText(), "\nNAME=") {
		return r.get("NAME")
	}
	return ""
}

func (r osRelease) rawPretty(c *core) string {
	if r.found && strings.Contains("\n"+c.releaseText(), "\nPRETTY_NAME=") {
		return r.get("PRETTY_NAME")
	}
	return ""
}

func (c *core) releaseText() string {
	if s, ok := c.file("/etc/os-release"); ok {
		return s
	}
	return c.read("/usr/lib/os-release")
}

// codename is VERSION_CODENAME (also when it is empty on purpose), else what
// stands in parentheses or behind a comma in VERSION.
func (r osRelease) codename() (string, bool) {
	for _, key := range []string{"VERSION_CODENAME", "UBUNTU_CODENAME"} {
		if r.has(key) {
			return r.get(key), true
		}
	}
	m := regexp.MustCompile(`\((\D+)\)|,\s*(\D+)`).FindStringSubmatch(r.get("VERSION"))
	if m == nil {
		return "", false
	}
	return m[1] + m[2], true
}

// lsbCommand is what lsb_release -a would print. The command itself is a
// script over os-release, so it need not run; it has to be there.
func (c *core) lsbCommand() map[string]string {
	rel := c.release()
	if !rel.found || c.which("lsb_release") == "" {
		return nil
	}
	orNA := func(key string) string {
		if v := rel.vars[key]; v != "" {
			return v
		}
		return "n/a"
	}
	id := orNA("ID")
	if id != "n/a" {
		id = strings.ToUpper(id[:1]) + id[1:]
		if strings.EqualFold(id, rel.get("NAME")) {
			id = rel.get("NAME")
		}
	}
	return map[string]string{"id": id, "description": orNA("PRETTY_NAME"), "release": orNA("VERSION_ID"), "codename": orNA("VERSION_CODENAME")}
}

// releaseFile reads the first /etc/NAME-release or -version file that names a
// distribution.
func (c *core) releaseFile() map[string]string {
	for _, name := range c.names("/etc") {
		base := strings.TrimSuffix(strings.TrimSuffix(name, "release"), "version")
		if base == name || len(base) < 2 || !strings.HasSuffix(base, "-") && !strings.HasSuffix(base, "_") ||
			strings.Contains(base[:len(base)-1], "-") {
			continue
		}
		switch name {
		case "debian_version", "lsb-release", "oem-release", "os-release", "system-release",
			"plesk-release", "iredmail-release", "board-release", "ec2_version":
			continue
		}
		if !c.isFile("/etc/" + name) {
			continue
		}
		first, _, _ := strings.Cut(c.read("/etc/"+name), "\n")
		if info := parseReleaseLine(first); info["name"] != "" {
			return info
		}
	}
	return nil
}

// parseReleaseLine splits "Name release 1.2 (Code)". The line is read from its
// end, where the version and the codename are easiest to tell apart.
func parseReleaseLine(line string) map[string]string {
	line = strings.TrimSpace(line)
	if line == "" {
		return nil
	}
	m := regexp.MustCompile(`^(?:[^)]*\)(.*)\()? *(?:STL )?([\d.+\-a-z]*\d) *(?:esaeler *)?(.+)`).FindStringSubmatch(reverse(line))
	if m == nil {
		return map[string]string{"name": line}
	}
	return map[string]string{"name": reverse(m[3]), "version": reverse(m[2]), "codename": reverse(m[1])}
}

func reverse(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}
