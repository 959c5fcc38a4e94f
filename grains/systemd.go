package grains

import (
	"bytes"
	"context"
	"io"
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
	return version, c.featuresOf(found[0])
}

// featuresOf reads a library of some megabytes piece by piece; the pieces
// overlap by more than the text is long.
func (c *core) featuresOf(path string) string {
	f, err := c.Sys.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	const size, overlap = 1 << 18, 1 << 12
	buf, kept := make([]byte, size), 0
	for {
		n, err := io.ReadFull(f, buf[kept:])
		piece := buf[:kept+n]
		if text := findFeatures(piece, err != nil); text != "" || err != nil {
			return text
		}
		kept = copy(buf, piece[len(piece)-overlap:])
	}
}

// findFeatures finds the text "+PAM +AUDIT -SELINUX …" in a piece of a library.
// A text that reaches the end of the piece counts only in the last one.
func findFeatures(b []byte, last bool) string {
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
		end := bytes.IndexAny(text, "\x00\n")
		if end < 0 && !last {
			continue
		}
		if end > 0 {
			text = text[:end]
		}
		if regexp.MustCompile(`^[+-]PAM [+-][A-Z0-9]+ [ -~]+$`).Match(text) {
			return string(text)
		}
	}
}
