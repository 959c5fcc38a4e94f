package timezone

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"pinch/diag"
	"pinch/salt"
	"pinch/sys"
)

const (
	timedated     = "org.freedesktop.timedate1"
	timedatedPath = "/org/freedesktop/timedate1"
)

// ask reads a property of timedated while it runs: it keeps what it read when
// it started, and that is what timedatectl(1) tells. Otherwise it would read
// the same files as we do, and is not started; nil then.
func ask(c *salt.Ctx, property string) any {
	bus := c.Sys.Bus()
	if !sys.LExists(c.Sys, running) || !bus.Running(c, timedated) {
		return nil
	}
	v, err := bus.Property(c, timedated, timedatedPath, timedated, property)
	if err != nil {
		return nil
	}
	return v
}

// tell calls timedated, where there is systemd.
func tell(c *salt.Ctx, method string, args ...any) error {
	if !sys.LExists(c.Sys, running) {
		return sys.ErrNoBus
	}
	return c.Sys.Bus().Call(c, timedated, timedatedPath, timedated+"."+method, args...)
}

const (
	adjtime = "/etc/adjtime"
	rcS     = "/etc/default/rcS" // of Debian before systemd
)

var utcLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[^#\n]*UTC=(.*)$`) })

// getHwclock returns what the hardware clock counts: UTC or localtime.
func getHwclock(c *salt.Ctx, _ salt.NoArgs) (string, error) {
	if local, ok := ask(c, "LocalRTC").(bool); ok {
		return clockName(local), nil
	}
	if c.Grains.Str("os_family") == "Debian" && !sys.LExists(c.Sys, running) {
		if b, err := c.Sys.ReadFile(rcS); err == nil {
			if g := utcLine().FindSubmatch(b); g != nil {
				return clockName(!strings.EqualFold(string(g[1]), "yes")), nil
			}
		}
	}
	b, err := c.Sys.ReadFile(adjtime)
	if err != nil {
		return "UTC", nil // the default of hwclock(8)
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return clockName(len(lines) > 2 && strings.TrimSpace(lines[2]) == "LOCAL"), nil
}

func clockName(local bool) string {
	if local {
		return "localtime"
	}
	return "UTC"
}

type setHwclockArgs struct {
	Clock string `py:"clock"` // UTC or localtime
}

// setHwclock tells the machine what its hardware clock counts: UTC or localtime.
func setHwclock(c *salt.Ctx, a setHwclockArgs) (bool, error) {
	local := a.Clock == "localtime"
	if tell(c, "SetLocalRTC", local, false, false) == nil {
		return true, nil
	}
	if a.Clock != "UTC" && !local {
		return false, salt.InvocationError("Only 'UTC' and 'localtime' are allowed")
	}
	if err := replace(c, rcS, "UTC=", map[bool]string{true: "no", false: "yes"}[local]); err != nil {
		return false, err
	}
	b, _ := c.Sys.ReadFile(adjtime)
	err := sys.WriteFile(c.Sys, adjtime, []byte(adjusted(string(b), local)), sys.FileAttrs{})
	return err == nil, err
}

// adjusted is the text of adjtime(5) with another third line.
func adjusted(text string, local bool) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, def := range []string{"0.0 0 0", "0", ""} {
		if i >= len(lines) {
			lines = append(lines, def)
		} else if lines[i] == "" {
			lines[i] = def
		}
	}
	lines[2] = "UTC"
	if local {
		lines[2] = "LOCAL"
	}
	return strings.Join(lines, "\n") + "\n"
}

// mistake tells a person about a zone that is not there: the state's answer,
// which is Salt's, does not say so.
func mistake(c *salt.Ctx, zone, text string) {
	d := &diag.Diagnostic{ID: "argument", Summary: "timezone.system: " + text, Hint: diag.DidYouMean(zone, zones(c))}
	if c.Low != nil {
		d.Summary += " (ID " + c.Low.Str("__id__") + " in SLS " + c.Low.Str("__sls__") + ")"
	}
	c.Log.Error(d.Summary)
	c.Run.Report(d)
}

// zones are the names in the table of the time zone database.
func zones(c *salt.Ctx) []string {
	b, _ := c.Sys.ReadFile(zoneinfo + "tzdata.zi")
	var names []string
	for line := range strings.Lines(string(b)) {
		switch f := strings.Fields(line); {
		case len(f) > 1 && f[0] == "Z":
			names = append(names, f[1])
		case len(f) > 2 && f[0] == "L":
			names = append(names, f[2])
		}
	}
	slices.Sort(names)
	return names
}
