package grains

import (
	"bytes"
	"context"
	"path/filepath"
	"regexp"
	"strings"

	"pinch/sys"
	"pinch/value"
)

// systemd has the version and the compiled-in features that systemctl
// --version prints. They are read out of its library; the command runs only
// when the library does not tell.
func (c *core) systemd() (any, bool) {
	if c.which("systemctl") == "" || c.which("localectl") == "" {
		return nil, false
	}
	version, features := c.systemdLibrary()
	if (version == "" || features == "") && c.Root == "" {
		r, err := c.Sys.Run(context.Background(), sys.Cmd{Argv: []string{"systemctl", "--version"}, Query: true})
		if err == nil && r.Code == 0 {
			version, features = parseSystemctl(string(r.Stdout))
		}
	}
	if version == "" {
		version = "UNDEFINED"
	}
	return value.M("version", version, "features", features), true
}

func parseSystemctl(out string) (version, features string) {
	first, rest, _ := strings.Cut(out, "\n")
	if f := strings.Fields(first); len(f) > 1 && f[0] == "systemd" {
		features, _, _ = strings.Cut(rest, "\n")
		return f[1], features
	}
	return "", ""
}

// systemdLibrary finds libsystemd-shared-252.so: the name has the version,
// the content the features.
func (c *core) systemdLibrary() (version, features string) {
	var found []string
	for _, pattern := range []string{"/usr/lib/systemd", "/usr/lib64/systemd", "/lib/systemd", "/usr/lib/*-linux-*/systemd"} {
		m, _ := filepath.Glob(c.path(pattern) + "/libsystemd-shared-*.so")
		found = append(found, m...)
		if len(m) > 0 {
			break
		}
	}
	if len(found) != 1 {
		return "", "" // none, or one that an upgrade left behind
	}
	name := strings.TrimPrefix(filepath.Base(found[0]), "libsystemd-shared-")
	version = name[:len(name)-len(strings.TrimLeft(name, "0123456789"))]
	b, err := c.Sys.ReadFile(found[0])
	if err != nil {
		return "", ""
	}
	return version, findFeatures(b)
}

// findFeatures finds the text "+PAM +AUDIT -SELINUX …" in a library.
func findFeatures(b []byte) string {
	for at := 0; ; {
		i := bytes.Index(b[at:], []byte("PAM "))
		if i < 0 {
			return ""
		}
		at += i + 1
		start := at - 2
		if start < 0 || b[start] != '+' && b[start] != '-' {
			continue
		}
		text := b[start:min(start+2000, len(b))]
		if end := bytes.IndexAny(text, "\x00\n"); end > 0 {
			text = text[:end]
		}
		if regexp.MustCompile(`^[+-]PAM [+-][A-Z0-9]+ [ -~]+$`).Match(text) {
			return string(text)
		}
	}
}
