package mount

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// A format is the columns of a table of file systems.
type format struct {
	keys []string
	min  int // shorter lines are filled with 0
	line func(e entry) string
	// special are the types of which there are several without a device of
	// their own: lines are told apart by their mount point.
	special []string
}

// An entry is a line by its columns.
type entry map[string]string

var fstabFormat = format{
	keys: []string{"device", "name", "fstype", "opts", "dump", "pass_num"},
	min:  4,
	line: func(e entry) string {
		return e["device"] + "\t\t" + e["name"] + "\t" + e["fstype"] + "\t" + e["opts"] + "\t" + e["dump"] + " " + e["pass_num"] + "\n"
	},
	special: []string{"none", "tmpfs", "sysfs", "proc", "fusectl", "debugfs", "securityfs", "devtmpfs", "cgroup", "nfs", "nfs4", "glusterfs", "btrfs", "ceph"},
}

// parse reads a line; nil when it is none of the format.
func (f *format) parse(line string) entry {
	words := strings.Fields(line)
	if strings.HasPrefix(line, "#") || len(words) < f.min || len(words) > len(f.keys) {
		return nil
	}
	e := make(entry, len(f.keys))
	for i, key := range f.keys {
		e[key] = "0"
		if i < len(words) {
			e[key] = words[i]
		}
	}
	return e
}

// has reports whether an entry is as wanted, as far as that says anything;
// the order of options does not matter.
func (e entry) has(want entry) bool {
	for key, val := range want {
		if key == "opts" && len(e[key]) == len(val) {
			a, b := strings.Split(e[key], ","), strings.Split(val, ",")
			slices.Sort(a)
			slices.Sort(b)
			if slices.Equal(a, b) {
				continue
			}
		}
		if e[key] != val {
			return false
		}
	}
	return true
}

type configArgs struct {
	Config string `py:"config='/etc/fstab'"` // the file
}

// fstab returns the file systems of fstab(5), by mount point. A further one
// for the same mount point has an underscore behind its name.
func fstab(c *salt.Ctx, a configArgs) (*value.Map, error) {
	m := new(value.Map)
	if !sys.IsFile(c.Sys, a.Config) {
		return m, nil
	}
	b, err := c.Sys.ReadFile(a.Config)
	if err != nil {
		return nil, salt.OSError(err)
	}
	for line := range strings.Lines(string(b)) {
		e := fstabFormat.parse(line)
		if e == nil {
			continue
		}
		name := e["name"]
		for m.Has(name) {
			name += "_"
		}
		m.Set(name, value.M("device", e["device"], "fstype", e["fstype"], "opts", value.Strings(strings.Split(e["opts"], ",")), "dump", e["dump"], "pass", e["pass_num"]))
	}
	return m, nil
}

type rmFstabArgs struct {
	Name   any    `py:"name"`                // the mount point
	Device any    `py:"device"`              // the device, or None for any
	Config string `py:"config='/etc/fstab'"` // the file
}

// rmFstab removes the lines of a mount point and device from fstab(5).
func rmFstab(c *salt.Ctx, a rmFstabArgs) (bool, error) {
	b, err := c.Sys.ReadFile(a.Config)
	if err != nil {
		return false, salt.CommandError("Couldn't read from %s: %s", a.Config, salt.OSError(err))
	}
	want := entry{}
	for key, v := range map[string]any{"name": a.Name, "device": a.Device} {
		if v != nil {
			want[key] = value.Str(v)
		}
	}
	var out strings.Builder
	for line := range strings.Lines(string(b)) {
		if e := fstabFormat.parse(line); e == nil || !e.has(want) {
			out.WriteString(line)
		}
	}
	if out.Len() == len(b) {
		return true, nil
	}
	if err := sys.WriteFile(c.Sys, a.Config, []byte(out.String()), sys.FileAttrs{}); err != nil {
		return false, salt.CommandError("Couldn't write to %s: %s", a.Config, salt.OSError(err))
	}
	return true, nil
}

type setFstabArgs struct {
	Name      string     `py:"name"`                // the mount point
	Device    string     `py:"device"`              // the device, UUID=…, LABEL=…
	Fstype    string     `py:"fstype"`              // the type of the file system
	Opts      any        `py:"opts='defaults'"`     // options: a list, or text with commas
	Dump      any        `py:"dump=0"`              // whether dump(8) saves it
	PassNum   any        `py:"pass_num=0"`          // when fsck(8) checks it
	Config    string     `py:"config='/etc/fstab'"` // the file
	Test      bool       `py:"test=False"`          // only say what would be done
	MatchOn   any        `py:"match_on='auto'"`     // the columns (device, name, fstype, opts, dump, pass_num) that tell which line is meant; auto: the device, or for types without one the name
	NotChange bool       `py:"not_change=False"`    // leave a line as it is that is there
	Kwargs    *value.Map `py:"**kwargs"`            // ignored
}

// setFstab makes sure that fstab(5) has a file system. It returns present,
// new or change.
func setFstab(c *salt.Ctx, a setFstabArgs) (string, error) {
	e := entry{"name": a.Name, "device": strings.ReplaceAll(a.Device, `\ `, `\040`), "fstype": a.Fstype,
		"opts": strings.ReplaceAll(joined(a.Opts), `\ `, `\040`), "dump": value.Str(a.Dump), "pass_num": value.Str(a.PassNum)}
	return fstabFormat.set(c, e, a.Config, a.MatchOn, a.Test || a.Kwargs.Truth("test"), a.NotChange)
}

// joined are options as fstab(5) has them.
func joined(opts any) string { return strings.Join(options(opts), ",") }

// options are the items of a list, or of text with commas.
func options(v any) []string {
	switch v := v.(type) {
	case nil:
		return nil
	case *value.List:
		out := make([]string, v.Len())
		for i, it := range v.Items {
			out[i] = value.Str(it)
		}
		return out
	}
	return strings.Split(value.Str(v), ",")
}

// set makes a file have an entry in place of those that match it.
func (f *format) set(c *salt.Ctx, e entry, config string, matchOn any, test, keep bool) (string, error) {
	want, err := f.criteria(e, matchOn)
	if err != nil {
		return "", err
	}
	if !sys.IsFile(c.Sys, config) {
		return "", salt.CommandError(`Bad config file "%s"`, config)
	}
	b, err := c.Sys.ReadFile(config)
	if err != nil {
		return "", salt.CommandError("Couldn't read from %s: %s", config, salt.OSError(err))
	}
	out, answer := f.with(string(b), e, want, keep)
	if answer == "present" || test {
		return answer, nil
	}
	if err := sys.WriteFile(c.Sys, config, []byte(out), sys.FileAttrs{}); err != nil {
		return "", salt.CommandError("File not writable %s", config)
	}
	return answer, nil
}

// with is the text of a file with an entry, and what that changes: present,
// new or change.
func (f *format) with(text string, e, want entry, keep bool) (out, answer string) {
	var b strings.Builder
	for line := range strings.Lines(text) {
		old := f.parse(line)
		switch {
		case old == nil || !old.has(want):
		case keep || old.has(e):
			answer = "present"
		default:
			answer = "change"
			line = f.line(e)
		}
		b.WriteString(line)
	}
	if answer == "" {
		answer = "new"
		if text != "" && !strings.HasSuffix(text, "\n") {
			b.WriteByte('\n')
		}
		b.WriteString(f.line(e))
	}
	return b.String(), answer
}

// criteria are the columns that tell which lines an entry stands for.
func (f *format) criteria(e entry, matchOn any) (entry, error) {
	var keys []string
	switch v := matchOn.(type) {
	case *value.List:
		keys = options(v)
	case string:
		keys = []string{v}
		if v == "auto" {
			keys[0] = "device"
			if slices.Contains(f.special, e["fstype"]) {
				keys[0] = "name"
			}
		}
	default:
		return nil, salt.CommandError("match_on must be a string or list of strings")
	}
	want, bad := entry{}, value.L()
	for _, key := range keys {
		if !slices.Contains(f.keys, key) {
			bad.Append(key)
		}
		want[key] = e[key]
	}
	if bad.Len() > 0 {
		return nil, salt.CommandError(`Unrecognized keys in match_on: "%s"`, value.Repr(bad))
	}
	return want, nil
}
