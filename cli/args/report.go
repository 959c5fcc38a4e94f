package args

import (
	"bytes"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"pinch/config"
)

// A section of the versions report.
type section struct {
	title string
	rows  [][2]string
}

// VersionsReport is the text of --versions-report in Salt's form: titled
// sections with the names in a column.
func VersionsReport(pinch string) string {
	all := []section{
		{"Salt Version", [][2]string{{"Salt", config.SaltVersion}}},
		{"Pinch Version", [][2]string{{"Pinch", pinch}, {"Go", strings.TrimPrefix(runtime.Version(), "go")}}},
		{"Dependency Versions", dependencies()},
		{"System Versions", system()},
	}
	width := 0
	for _, s := range all {
		for _, r := range s.rows {
			width = max(width, len(r[0]))
		}
	}
	var b strings.Builder
	for _, s := range all {
		if len(s.rows) == 0 {
			continue
		}
		b.WriteString(s.title + ":\n")
		for _, r := range s.rows {
			b.WriteString(strings.Repeat(" ", width+2-len(r[0])) + r[0] + ": " + r[1] + "\n")
		}
		b.WriteString(" \n")
	}
	return b.String()
}

// dependencies are the modules that the binary was built from.
func dependencies() [][2]string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	var rows [][2]string
	for _, d := range info.Deps {
		name := d.Path
		if i := strings.IndexByte(name, '/'); i > 0 {
			name = name[i+1:] // the host says nothing
		}
		rows = append(rows, [2]string{name, strings.TrimPrefix(d.Version, "v")})
	}
	slices.SortFunc(rows, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	return rows
}

func system() [][2]string {
	release := map[string]string{}
	text, _ := os.ReadFile("/etc/os-release")
	for line := range strings.Lines(string(text)) {
		k, v, _ := strings.Cut(strings.TrimSpace(line), "=")
		release[k] = strings.Trim(v, `"'`)
	}
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		return nil
	}
	str := func(b []byte) string { return string(b[:max(0, bytes.IndexByte(b, 0))]) }
	return [][2]string{
		{"dist", strings.TrimSpace(strings.Join([]string{release["ID"], release["VERSION_ID"], release["VERSION_CODENAME"]}, " "))},
		{"locale", "utf-8"}, {"machine", str(u.Machine[:])}, {"release", str(u.Release[:])}, {"system", str(u.Sysname[:])},
		{"version", strings.TrimSpace(release["NAME"] + " " + release["VERSION_ID"] + " " + release["VERSION_CODENAME"])},
	}
}
