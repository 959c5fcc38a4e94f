package test

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// version returns the version of Salt that is spoken here.
func version(c *salt.Ctx, a salt.NoArgs) (string, error) { return saltVersion(c), nil }

func saltVersion(c *salt.Ctx) string {
	if v, ok := c.Grains.At("saltversion").(string); ok {
		return v
	}
	return "3008.4"
}

// versionsInformation returns what test.versions_report prints, as data.
func versionsInformation(c *salt.Ctx, a salt.NoArgs) (*value.Map, error) {
	deps := new(value.Map)
	if info, ok := debug.ReadBuildInfo(); ok {
		slices.SortFunc(info.Deps, func(a, b *debug.Module) int {
			return strings.Compare(strings.ToLower(short(a.Path)), strings.ToLower(short(b.Path)))
		})
		for _, d := range info.Deps {
			deps.Set(short(d.Path), strings.TrimPrefix(d.Version, "v"))
		}
	}
	g := func(names ...string) string {
		var words []string
		for _, n := range names {
			if v := c.Grains.Str(n); v != "" {
				words = append(words, v)
			}
		}
		return strings.Join(words, " ")
	}
	dist := strings.TrimSpace(strings.ToLower(g("os")) + " " + g("osrelease", "oscodename"))
	return value.M(
		"Salt Version", value.M("Salt", saltVersion(c)),
		"Python Version", value.M("Python", nil),
		"Go Version", value.M("Go", strings.TrimPrefix(runtime.Version(), "go")),
		"Dependency Versions", deps,
		"System Versions", value.M(
			"system", g("kernel"), "dist", dist, "release", g("kernelrelease"), "machine", g("cpuarch"),
			"version", g("osfullname", "osrelease", "oscodename"), "locale", "utf-8"),
		"Salt Package Information", value.M("Package Type", nil),
	), nil
}

// short is the name of a Go module without host, owner and major version.
func short(path string) string {
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if len(parts) > 1 && len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		last = parts[len(parts)-2]
	}
	return last
}

// versionsReport returns the versions of Salt, of what it is built from, and of
// the system, as a text for people.
func versionsReport(c *salt.Ctx, a salt.NoArgs) (string, error) {
	info, err := versionsInformation(c, a)
	if err != nil {
		return "", err
	}
	width := 0
	for _, section := range info.Items() {
		for k := range section.(*value.Map).Items() {
			width = max(width, len(k))
		}
	}
	var b strings.Builder
	sections := []string{"Salt Version", "Python Version", "Go Version", "Dependency Versions", "Salt Package Information", "System Versions"}
	for i, name := range sections {
		if i > 0 {
			b.WriteString("\n \n")
		}
		b.WriteString(name + ":")
		m := info.Map(name)
		keys := make([]string, 0, m.Len())
		for k := range m.Items() {
			keys = append(keys, k)
		}
		slices.SortFunc(keys, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
		for _, k := range keys {
			v := m.At(k)
			if v == nil {
				v = "Not Installed"
			}
			fmt.Fprintf(&b, "\n%*s: %s", width+2, k, value.Str(v))
		}
	}
	return b.String(), nil
}
