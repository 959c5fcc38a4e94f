package grains

import (
	"crypto/sha256"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pinch/value"
)

// Version is the version of Salt whose behaviour this program has; formulas
// compare the grains saltversion and saltversioninfo with others.
const Version = "3008.4"

// saltGrains registers what Salt says about itself. There is no Python here,
// but trees read these grains, so they are what a Salt of this version has.
func (c *core) saltGrains(m *value.Map) {
	c.one(m, "locale_info", c.localeInfo)
	c.one(m, "path", func() any { return strings.TrimSpace(c.Getenv("PATH")) })
	c.one(m, "systempath", func() any { return value.Strings(strings.Split(strings.TrimSpace(c.Getenv("PATH")), ":")) })
	c.one(m, "pythonexecutable", func() any { return c.python() })
	c.one(m, "pythonpath", func() any { return value.L(filepath.Dir(c.python())) })
	c.one(m, "pythonversion", func() any { return value.L(int64(3), int64(11), int64(14), "final", int64(0)) })
	c.one(m, "saltpath", func() any { exe, _ := os.Executable(); return filepath.Dir(exe) })
	c.one(m, "saltversion", func() any { return Version })
	c.one(m, "saltversioninfo", func() any { return value.L(int64(3008), int64(4)) })
	c.one(m, "zmqversion", func() any { return "4.3.5" })
	if v, ok := c.Opts.Get("append_domain"); ok {
		c.one(m, "append_domain", func() any { return v })
	}
}

func (c *core) python() string {
	if p := c.which("python3"); p != "" {
		return p
	}
	return "/usr/bin/python3"
}

// ServerID is Salt's number for a minion: SHA-256 of its id, modulo 2^31.
func ServerID(id string) int64 {
	h := sha256.Sum256([]byte(id))
	return int64(binary.BigEndian.Uint32(h[28:]) & (1<<31 - 1))
}

// localeInfo has language and encoding as Python reads them from the
// environment; the C and POSIX locales are C.UTF-8, which Python calls en_US.
func (c *core) localeInfo() any {
	name := ""
	for _, k := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if name = c.Getenv(k); name != "" {
			break
		}
	}
	if !c.localeInstalled(name) {
		name = "C" // as the C library falls back
	}
	zone, _ := time.Now().Zone()
	var lang, enc any
	switch base, codeset, _ := strings.Cut(name, "."); {
	case c.Getenv("LC_ALL") == "C" || c.Getenv("LC_ALL") == "POSIX":
	case base == "" || base == "C" || base == "POSIX":
		lang, enc = "en_US", "UTF-8"
	default:
		codeset, _, _ = strings.Cut(codeset, "@")
		if codeset == "" {
			codeset = "ISO8859-1"
		} else if u := strings.ToUpper(strings.ReplaceAll(codeset, "-", "")); u == "UTF8" {
			codeset = "UTF-8"
		}
		lang, enc = base, codeset
	}
	return value.M("defaultlanguage", lang, "defaultencoding", enc, "detectedencoding", "utf-8", "timezone", zone)
}

// localeInstalled looks for a locale among those that glibc keeps in folders.
// An archive of locales is taken to have it, and other C libraries know all.
func (c *core) localeInstalled(name string) bool {
	const dir = "/usr/lib/locale"
	if name == "" || !c.isDir(dir) || c.exists(dir+"/locale-archive") {
		return true
	}
	base, codeset, _ := strings.Cut(name, ".")
	short := strings.ToLower(strings.ReplaceAll(codeset, "-", ""))
	return c.exists(dir+"/"+name) || c.exists(dir+"/"+base+"."+short)
}
