package grains

import (
	"regexp"
	"strconv"
	"strings"

	"pinch/value"
)

// gatherOS makes the grains os, os_family, osfullname, oscodename, osrelease,
// osrelease_info, osmajorrelease, osfinger and lsb_distrib_*. The order in
// which release files overrule each other is Salt's, oddities included: what
// /etc/lsb-release says counts, the rest comes from os-release, then from the
// files of single distributions.
func (c *core) gatherOS() *value.Map {
	g, rel := c.lsbFile(), c.release()
	if !rel.found {
		if mac := c.macOS(); mac != nil {
			return osMap(mac)
		}
	}
	if rel.found {
		g["os"] = deriveOS(rel.get("NAME"), rel.get("ID"))
		g["osfullname"] = strings.TrimSpace(rel.get("NAME"))
	}
	_, lsb := g["lsb_distrib_id"]
	switch {
	case strings.HasPrefix(strings.ToLower(g["lsb_distrib_description"]), "antergos"):
		g["osfullname"] = "Antergos Linux"
	case lsb:
	case rel.found:
		lsbFromRelease(g, rel)
	default:
		c.lsbFromFiles(g)
	}
	d := c.distributionFor(g)
	fill(g, d)
	finish(g, rel, d.codename)
	return osMap(g)
}

// distributionFor reads the further release files only when something is missing.
func (c *core) distributionFor(g map[string]string) distribution {
	centos := strings.Contains(g["lsb_distrib_codename"], "CentOS Linux 7") || strings.Contains(g["lsb_distrib_codename"], "CentOS Linux 8")
	_, release := g["lsb_distrib_release"]
	code := strings.TrimSpace(g["lsb_distrib_codename"])
	if g["osfullname"] != "" && release && !centos && code != "" && !strings.Contains(code, "Red Hat") {
		return distribution{}
	}
	if centos {
		delete(g, "lsb_distrib_release")
	}
	return c.distribution()
}

// fill sets osfullname, osrelease and os where they are missing.
func fill(g map[string]string, d distribution) {
	if _, ok := g["osfullname"]; !ok {
		id, ok := g["lsb_distrib_id"]
		switch {
		case strings.HasPrefix(strings.ToLower(id), "nilrt"):
			g["osfullname"] = "nilrt"
		case ok:
			g["osfullname"] = strings.TrimSpace(id)
		default:
			g["osfullname"] = strings.TrimSpace(d.name)
		}
	}
	if _, ok := g["osrelease"]; !ok {
		r, ok := g["lsb_distrib_release"]
		if !ok {
			r = d.version
		}
		g["osrelease"] = strings.TrimSpace(r)
	}
}

// finish sets the codename and the family.
func finish(g map[string]string, rel osRelease, codename string) {
	code := g["lsb_distrib_codename"]
	if os := g["os"]; code != "" && (strings.Contains(os, "Rocky") || strings.Contains(os, "AlmaLinux") || strings.Contains(os, "AstraLinuxSE")) {
		if _, inner, ok := strings.Cut(code, "("); ok {
			inner, _, _ = strings.Cut(inner, ")")
			if f := strings.Fields(inner); os == "AstraLinuxSE" && len(f) > 0 {
				inner = strings.ToLower(f[0])
			}
			code = inner
			g["lsb_distrib_codename"] = code
		}
	}
	if code = strings.TrimSpace(code); code == "" || strings.Contains(code, "Red Hat") {
		code = codename
	}
	g["oscodename"] = code
	if _, ok := g["os"]; !ok {
		g["os"] = deriveOS(g["osfullname"], "")
	}
	if product := rel.get("SUSE_SUPPORT_PRODUCT"); rel.has("SUSE_SUPPORT_PRODUCT") {
		version := rel.get("SUSE_SUPPORT_PRODUCT_VERSION")
		g["oscodename"], g["osrelease"] = product+" "+version, version
		if pretty, ok := rel.vars["SUSE_PRETTY_NAME"]; ok {
			g["oscodename"] = pretty
		}
		if product == "SUSE Linux Micro" {
			g["osfullname"] = "SL-Micro"
		}
	}
	g["os_family"] = family(g["os"])
}

// osMap adds the grains that are made of osrelease.
func osMap(g map[string]string) *value.Map {
	m := new(value.Map)
	for _, k := range osKeys {
		if v, ok := g[k]; ok {
			m.Set(k, v)
		}
	}
	release := g["osrelease"]
	if release == "" {
		return m
	}
	var info value.Tuple
	for _, part := range strings.Split(release, ".") {
		if n, err := strconv.ParseInt(part, 10, 64); err == nil && strings.Trim(part, "0123456789") == "" {
			info = append(info, n)
		} else {
			info = append(info, part)
		}
	}
	m.Set("osrelease_info", info)
	switch major := info[0].(type) {
	case int64:
		m.Set("osmajorrelease", major)
	case string:
		if n, err := strconv.ParseInt(strings.TrimSpace(major), 10, 64); err == nil {
			m.Set("osmajorrelease", n)
		}
	}
	name, version := g["osfullname"], value.Str(info[0])
	switch g["os"] {
	case "Debian", "Raspbian", "AlmaLinux":
		name = g["os"]
	case "Ubuntu", "Pop", "NixOS":
		version = release
	}
	m.Set("osfinger", name+"-"+version)
	return m
}

var osKeys = []string{"os", "os_family", "oscodename", "osfullname", "lsb_distrib_id", "lsb_distrib_description",
	"lsb_distrib_release", "lsb_distrib_codename", "osrelease", "osbuild"}

// lsbFromRelease makes up the lsb_distrib_* grains from os-release.
func lsbFromRelease(g map[string]string, rel osRelease) {
	g["lsb_distrib_id"] = strings.TrimSpace(rel.get("NAME"))
	if rel.has("VERSION_ID") {
		g["lsb_distrib_release"] = rel.get("VERSION_ID")
	}
	g["lsb_distrib_codename"] = rel.get("PRETTY_NAME")
	if rel.has("VERSION_CODENAME") {
		g["lsb_distrib_codename"] = rel.get("VERSION_CODENAME")
	}
	vendor, version := parseCPE(rel.get("CPE_NAME"))
	if v := strings.ToLower(vendor); v == "suse" || v == "opensuse" {
		g["os"] = "SUSE"
		if rel.get("NAME") == "openSUSE Leap" {
			g["osfullname"] = "Leap"
		} else if rel.get("VERSION") == "Tumbleweed" {
			g["osfullname"] = "Tumbleweed"
		}
		if version != "" && vendor == "opensuse" {
			g["lsb_distrib_release"] = version
		}
	}
	if f := strings.Fields(rel.get("PRETTY_NAME")); strings.TrimSpace(rel.get("ID")) == "mendel" && len(f) >= 3 {
		g["lsb_distrib_release"] = f[2]
	}
}

// parseCPE takes vendor and version out of a CPE name, as a URI
// (cpe:/o:suse:sles:15) or as a formatted string (cpe:2.3:o:amazon:…).
func parseCPE(cpe string) (vendor, version string) {
	p := strings.Split(cpe, ":")
	if len(p) <= 4 || p[0] != "cpe" {
		return "", ""
	}
	if strings.HasPrefix(p[1], "/") {
		return p[2], p[4]
	}
	if p[1] == "2.3" && (len(p) == 6 || len(p) > 7 && len(p) <= 13) {
		any := func(s string) string { return strings.Replace(s, "*", "", 1) }
		return any(p[3]), any(p[5])
	}
	return "", ""
}

// lsbFromFiles reads the files of distributions that had no os-release.
func (c *core) lsbFromFiles(g map[string]string) {
	switch {
	case c.isFile("/etc/SuSE-release"):
		suseRelease(g, c.read("/etc/SuSE-release"))
	case c.isFile("/etc/altlinux-release"):
		g["lsb_distrib_id"] = "altlinux"
		for line := range strings.Lines(c.read("/etc/altlinux-release")) {
			if f := strings.Fields(line); len(f) > 3 && f[0] == "ALT" {
				g["lsb_distrib_release"] = f[2]
				g["lsb_distrib_codename"] = strings.Trim(f[3], "()")
			}
		}
	case c.isFile("/etc/centos-release"):
		g["lsb_distrib_id"] = "CentOS"
		number, code := regexp.MustCompile(`\d+\.\d+`), regexp.MustCompile(`\((.*?)\)`)
		for line := range strings.Lines(c.read("/etc/centos-release")) {
			if v := number.FindString(line); v != "" {
				g["lsb_distrib_release"] = v
			}
			if m := code.FindStringSubmatch(line); m != nil {
				g["lsb_distrib_codename"] = m[1]
			}
		}
	case c.isFile("/etc.defaults/VERSION") && c.isFile("/etc.defaults/synoinfo.conf"):
		g["osfullname"] = "Synology"
		v := map[string]string{}
		for line := range strings.Lines(c.read("/etc.defaults/VERSION")) {
			key, val, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			v[key] = strings.Trim(val, `"`)
		}
		if v["majorversion"] != "" && v["minorversion"] != "" && v["buildnumber"] != "" {
			g["osrelease"] = v["majorversion"] + "." + v["minorversion"] + "-" + v["buildnumber"]
		}
	}
}

func suseRelease(g map[string]string, text string) {
	g["lsb_distrib_id"] = "SUSE"
	digits := func(s string) string { return regexp.MustCompile(`[^0-9]`).ReplaceAllString(s, "") }
	var version, patch string
	for line := range strings.Lines(text) {
		switch low := strings.ToLower(line); {
		case strings.Contains(low, "enterprise"):
			g["lsb_distrib_id"] = "SLES"
			g["lsb_distrib_codename"] = strings.TrimSpace(regexp.MustCompile(`\(.+\)`).ReplaceAllString(line, ""))
		case strings.Contains(low, "version"):
			version = digits(line)
		case strings.Contains(low, "patchlevel"):
			patch = digits(line)
		}
	}
	g["lsb_distrib_release"] = version
	if patch != "" {
		g["lsb_distrib_release"] += "." + patch
		if code := g["lsb_distrib_codename"]; code != "" && !strings.Contains(code, "SP"+patch) {
			g["lsb_distrib_codename"] += " SP" + patch
		}
	}
	if g["lsb_distrib_codename"] == "" {
		g["lsb_distrib_codename"] = "n.a"
	}
}
