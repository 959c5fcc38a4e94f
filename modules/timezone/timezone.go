// Package timezone holds Salt's timezone module: the time zone of the machine
// and what its hardware clock counts. Its main variable is Module.
//
//	Europe/Berlin:
//	  timezone.system:
//	    - utc: True
package timezone

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's timezone module.
var Module = salt.Module{
	Name: "timezone",
	States: func() salt.Funcs {
		return salt.Funcs{
			"system": salt.State(system),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"get_hwclock":  salt.Exec(getHwclock),
			"get_offset":   salt.Exec(getOffset),
			"get_zone":     salt.Exec(getZone),
			"get_zonecode": salt.Exec(getZonecode),
			"set_hwclock":  salt.Exec(setHwclock),
			"set_zone":     salt.Exec(setZone),
			"zone_compare": salt.Exec(zoneCompare),
		}
	},
}

const (
	localtime = "/etc/localtime"
	zoneinfo  = "/usr/share/zoneinfo/"
	running   = "/run/systemd/system" // there while systemd runs
)

// zoneFile is the file of a zone, "" for a name that leads elsewhere.
func zoneFile(zone string) string {
	path := filepath.Join(zoneinfo, zone)
	if !strings.HasPrefix(path, zoneinfo) {
		return ""
	}
	return path
}

// getZone returns the time zone, such as Europe/Berlin.
func getZone(c *salt.Ctx, _ salt.NoArgs) (string, error) {
	if v, ok := ask(c, "Timezone").(string); ok && v != "" {
		return v, nil
	}
	if zone := linked(c); zone != "" {
		return zone, nil
	}
	if b, err := c.Sys.ReadFile("/etc/timezone"); err == nil && len(bytes.TrimSpace(b)) > 0 {
		return string(bytes.TrimSpace(b)), nil
	}
	if !sys.LExists(c.Sys, localtime) {
		return "UTC", nil // as glibc and systemd take it
	}
	return "", salt.CommandError("Unable to get timezone")
}

// linked is the zone that /etc/localtime is a link to, "" when it is none.
func linked(c *salt.Ctx) string {
	to, err := c.Sys.Readlink(localtime)
	if err != nil {
		return ""
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(filepath.Dir(localtime), to)
	}
	zone, ok := strings.CutPrefix(filepath.Clean(to), zoneinfo)
	if !ok {
		return ""
	}
	return zone
}

type zoneArgs struct {
	Timezone string `py:"timezone"` // a zone, such as Europe/Berlin
}

// zoneCompare reports whether the machine has a time zone. Where only a copy
// of a zone is in use, the contents are compared.
func zoneCompare(c *salt.Ctx, a zoneArgs) (bool, error) {
	if sys.LExists(c.Sys, running) {
		zone, err := getZone(c, salt.NoArgs{})
		return err == nil && zone == a.Timezone, err
	}
	if linked(c) == a.Timezone && a.Timezone != "" {
		return true, nil
	}
	have, err := c.Sys.ReadFile(localtime)
	if err != nil {
		return false, salt.CommandError("Failed to read %s to determine current timezone: %s", localtime, reason(err))
	}
	want, err := c.Sys.ReadFile(zoneFile(a.Timezone))
	if err != nil {
		return false, salt.InvocationError(`Can't find a local timezone "%s"`, a.Timezone)
	}
	return bytes.Equal(have, want), nil
}

func reason(err error) string {
	if e, ok := err.(*os.PathError); ok {
		err = e.Err
	}
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:]
}

// now is the time in the zone that a new process would have. TZ may hold what
// only libc understands; then date(1) tells.
func now(c *salt.Ctx) (t time.Time, ok bool) {
	tz, set := os.LookupEnv("TZ")
	var zone *time.Location
	var err error
	if set {
		zone, err = time.LoadLocation(strings.TrimPrefix(tz, ":"))
	} else {
		var b []byte
		if b, err = c.Sys.ReadFile(localtime); err != nil {
			return c.Sys.Now().UTC(), true
		}
		zone, err = time.LoadLocationFromTZData("local", b)
	}
	if err != nil {
		return time.Time{}, false
	}
	return c.Sys.Now().In(zone), true
}

func date(c *salt.Ctx, layout, format string) (string, error) {
	if t, ok := now(c); ok {
		return t.Format(layout), nil
	}
	r, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"date", format}, Query: true})
	return strings.TrimSpace(string(r.Stdout)), err
}

// getZonecode returns the short name of the time zone: CET.
func getZonecode(c *salt.Ctx, _ salt.NoArgs) (string, error) { return date(c, "MST", "+%Z") }

// getOffset returns the distance to UTC: +0100.
func getOffset(c *salt.Ctx, _ salt.NoArgs) (string, error) { return date(c, "-0700", "+%z") }

// setZone gives the machine a time zone. It returns True, or the text that
// there is no such zone.
func setZone(c *salt.Ctx, a zoneArgs) (any, error) {
	path := zoneFile(a.Timezone)
	if path == "" || !sys.Exists(c.Sys, path) {
		if c.Low == nil {
			c.Run.SetRetcode(1)
		}
		return "Zone does not exist: " + zoneinfo + a.Timezone, nil
	}
	// timedated knows more to do (the kernel's zone), but is not needed.
	if err := tell(c, "SetTimezone", a.Timezone, false); err != nil {
		c.Log.Debug("timedated did not set the time zone: " + err.Error())
	}
	if err := link(c, path); err != nil {
		return nil, salt.OSError(err)
	}
	switch c.Grains.Str("os_family") {
	case "RedHat":
		return true, replace(c, "/etc/sysconfig/clock", "ZONE=", `"`+a.Timezone+`"`)
	case "Suse":
		return true, replace(c, "/etc/sysconfig/clock", "TIMEZONE=", `"`+a.Timezone+`"`)
	case "Debian", "Gentoo":
		return true, sys.WriteFile(c.Sys, "/etc/timezone", []byte(a.Timezone+"\n"), sys.FileAttrs{})
	}
	return true, nil
}

// link makes /etc/localtime a link, in one step.
func link(c *salt.Ctx, path string) error {
	if to, err := c.Sys.Readlink(localtime); err == nil && to == path {
		return nil
	}
	temp := sys.TempName(filepath.Dir(localtime), "")
	if err := c.Sys.Symlink(path, temp); err != nil {
		return err
	}
	err := c.Sys.Rename(temp, localtime)
	if err != nil {
		c.Sys.Remove(temp)
	}
	return err
}

// replace gives a setting of a file a value, if file and setting are there.
func replace(c *salt.Ctx, path, key, val string) error {
	b, err := c.Sys.ReadFile(path)
	if err != nil {
		return nil
	}
	var out strings.Builder
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, key) {
			line = key + val + "\n"
		}
		out.WriteString(line)
	}
	if out.String() == string(b) {
		return nil
	}
	return sys.WriteFile(c.Sys, path, []byte(out.String()), sys.FileAttrs{})
}

type systemArgs struct {
	Name string `py:"name"`     // the zone, such as Europe/Berlin
	UTC  bool   `py:"utc=True"` // the hardware clock counts UTC; False leaves it as it is
}

// system makes sure that the machine has a time zone.
func system(c *salt.Ctx, a systemArgs) salt.Result {
	same, err := zoneCompare(c, zoneArgs{a.Name})
	if err != nil {
		return salt.Failed("Unable to compare desired timezone '%s' to system timezone: %s", a.Name, err)
	}
	clock, err := getHwclock(c, salt.NoArgs{})
	if err != nil {
		return salt.Raised(err)
	}
	fix := a.UTC && clock == "localtime"
	switch {
	case same && !a.UTC:
		return salt.Correct("Timezone %s already set", a.Name)
	case same && !fix:
		return salt.Correct("Timezone %s already set, UTC already set to %s", a.Name, a.Name)
	case c.Test:
		var will []string
		if !same {
			will = append(will, "Timezone "+a.Name+" needs to be set")
		}
		if fix {
			will = append(will, "UTC needs to be set to True")
		}
		return salt.Would(nil, "%s", strings.Join(will, ", "))
	}
	return a.apply(c, !same, fix)
}

func (a *systemArgs) apply(c *salt.Ctx, zone, clock bool) salt.Result {
	r := salt.Correct("")
	var did []string
	if zone {
		out, err := setZone(c, zoneArgs{a.Name})
		if err != nil {
			return salt.Raised(err)
		}
		r.Changes.Set("timezone", a.Name)
		did = append(did, "Set timezone "+a.Name)
		if text, ok := out.(string); ok {
			mistake(c, a.Name, text)
		}
	}
	if clock {
		ok, err := setHwclock(c, setHwclockArgs{"UTC"})
		switch {
		case err != nil:
			return salt.Raised(err)
		case value.Truth(ok):
			r.Changes.Set("utc", true)
			did = append(did, "Set UTC to True")
		default:
			r.Result = salt.False()
			did = append(did, "Failed to set UTC to True")
		}
	}
	r.Comment = strings.Join(did, ", ")
	return r
}
