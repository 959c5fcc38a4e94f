package mount

import (
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type automasterArgs struct {
	Config string `py:"config='/etc/auto_salt'"` // the map
}

// autoline splits a line of an automounter's map: mount point, options,
// location; nil when it has another form.
func autoline(line string) []string {
	words := strings.Fields(line)
	if strings.HasPrefix(line, "#") || len(words) != 3 {
		return nil
	}
	return words
}

func autoname(word string) string { return strings.ReplaceAll(word, "/..", "") }

// automaster returns the file systems of an automounter's map, by mount point.
func automaster(c *salt.Ctx, a automasterArgs) (*value.Map, error) {
	m := new(value.Map)
	if !sys.IsFile(c.Sys, a.Config) {
		return m, nil
	}
	b, err := c.Sys.ReadFile(a.Config)
	if err != nil {
		return nil, salt.OSError(err)
	}
	for line := range strings.Lines(string(b)) {
		if w := autoline(line); w != nil {
			opts := strings.Split(w[1], ",")
			m.Set(autoname(w[0]), value.M("device", location(w[2]), "fstype", opts[0], "opts", value.Strings(opts[1:])))
		}
	}
	return m, nil
}

// location is the device in TYPE:DEVICE.
func location(word string) string {
	_, device, _ := strings.Cut(word, ":")
	device, _, _ = strings.Cut(device, ":")
	return device
}

type rmAutomasterArgs struct {
	Name   string `py:"name"`                    // the mount point
	Device string `py:"device"`                  // the device, or None for any
	Config string `py:"config='/etc/auto_salt'"` // the map
}

// rmAutomaster removes a mount point from an automounter's map.
func rmAutomaster(c *salt.Ctx, a rmAutomasterArgs) (bool, error) {
	m, err := automaster(c, automasterArgs{a.Config})
	if err != nil || !m.Has(a.Name) {
		return err == nil, err
	}
	b, err := c.Sys.ReadFile(a.Config)
	if err != nil {
		return false, salt.CommandError("Couldn't read from %s: %s", a.Config, salt.OSError(err))
	}
	var out strings.Builder
	for line := range strings.Lines(string(b)) {
		if w := autoline(line); w == nil || autoname(w[0]) != a.Name || a.Device != "" && location(w[2]) != a.Device {
			out.WriteString(line)
		}
	}
	if err := sys.WriteFile(c.Sys, a.Config, []byte(out.String()), sys.FileAttrs{}); err != nil {
		return false, salt.CommandError("Couldn't write to %s: %s", a.Config, salt.OSError(err))
	}
	_, err = c.Call("cmd.run", "automount -cv")
	return true, err
}

type setAutomasterArgs struct {
	Name      string     `py:"name"`                    // the mount point
	Device    string     `py:"device"`                  // the device
	Fstype    string     `py:"fstype"`                  // the type of the file system
	Opts      any        `py:"opts=''"`                 // options: a list, or text with commas
	Config    string     `py:"config='/etc/auto_salt'"` // the map
	Test      bool       `py:"test=False"`              // only say what would be done
	NotChange bool       `py:"not_change=False"`        // leave a line as it is that is there
	Kwargs    *value.Map `py:"**kwargs"`                // ignored
}

// setAutomaster makes sure that an automounter's map has a file system. It
// returns present, new or change.
func setAutomaster(c *salt.Ctx, a setAutomasterArgs) (string, error) {
	test := a.Test || a.Kwargs.Truth("test")
	var text []byte
	if sys.IsFile(c.Sys, a.Config) {
		var err error
		if text, err = c.Sys.ReadFile(a.Config); err != nil {
			return "", salt.CommandError("Couldn't read from %s: %s", a.Config, salt.OSError(err))
		}
	} else if !test {
		if _, err := c.Call("file.append", "/etc/auto_master", "/-\t\t\t"+a.Config); err != nil {
			return "", err
		}
	}
	out, answer := a.with(string(text))
	if answer == "present" || test {
		return answer, nil
	}
	if err := sys.WriteFile(c.Sys, a.Config, []byte(out), sys.FileAttrs{}); err != nil {
		return "", salt.CommandError("File not writable %s", a.Config)
	}
	return answer, nil
}

// with is the map with the file system, and what that changes.
func (a *setAutomasterArgs) with(text string) (out, answer string) {
	want := [3]string{"/.." + a.Name, "-fstype=" + a.Fstype + "," + joined(a.Opts), a.Fstype + ":" + a.Device}
	if a.Fstype == "smbfs" {
		want[2] = ":" + a.Device
	}
	entry := strings.Join(want[:], "\t") + "\n"
	var b strings.Builder
	for line := range strings.Lines(text) {
		if w := autoline(line); w != nil && (w[0] == want[0] || w[2] == want[2]) {
			switch {
			case a.NotChange || [3]string(w) == want:
				if answer == "" {
					answer = "present"
				}
			default:
				answer = "change"
				line = entry
			}
		}
		b.WriteString(line)
	}
	if answer == "" {
		answer = "new"
		if text != "" && !strings.HasSuffix(text, "\n") {
			b.WriteByte('\n')
		}
		b.WriteString(entry)
	}
	return b.String(), answer
}
