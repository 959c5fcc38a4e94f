package mount

import (
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// swaps returns the swap areas in use: type, size, used (both in KiB) and
// priority, by device or file.
func swaps(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	b, err := c.Sys.ReadFile("/proc/swaps")
	if err != nil {
		return nil, salt.OSError(err)
	}
	m := new(value.Map)
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) > 4 && f[0] != "Filename" {
			m.Set(f[0], value.M("type", f[1], "size", f[2], "used", f[3], "priority", f[4]))
		}
	}
	return m, nil
}

type swaponArgs struct {
	Name     string `py:"name"`          // the device or file
	Priority any    `py:"priority=None"` // from 0 to 32767
}

// swapon makes the kernel use a swap area.
func swapon(c *salt.Ctx, a swaponArgs) (*value.Map, error) {
	on, err := swaps(c, salt.NoArgs{})
	if err != nil {
		return nil, err
	}
	if stats, ok := on.Get(a.Name); ok {
		return value.M("stats", stats, "new", false), nil
	}
	argv := value.L("swapon", a.Name)
	if value.Truth(a.Priority) {
		argv.Append("-p", value.Str(a.Priority))
	}
	if _, err := c.CallKw("cmd.run", value.M("python_shell", false), argv); err != nil {
		return nil, err
	}
	if on, err = swaps(c, salt.NoArgs{}); err != nil {
		return nil, err
	}
	if stats, ok := on.Get(a.Name); ok {
		return value.M("stats", stats, "new", true), nil
	}
	return new(value.Map), nil
}

type swapoffArgs struct {
	Name string `py:"name"` // the device or file
}

// swapoff stops the use of a swap area. It returns None when it is not in use.
func swapoff(c *salt.Ctx, a swapoffArgs) (any, error) {
	on, err := swaps(c, salt.NoArgs{})
	if err != nil || !on.Has(a.Name) {
		return nil, err
	}
	if _, err := c.CallKw("cmd.run", value.M("python_shell", false), value.L("swapoff", a.Name)); err != nil {
		return nil, err
	}
	on, err = swaps(c, salt.NoArgs{})
	return !on.Has(a.Name), err
}

type swapArgs struct {
	Name    string `py:"name"`                // the device or file
	Persist bool   `py:"persist=True"`        // keep it in fstab(5)
	Config  string `py:"config='/etc/fstab'"` // the file to keep it in
}

// swap makes sure that a swap area is in use.
//
//	/swapfile:
//	  mount.swap
func swap(c *salt.Ctx, a swapArgs) salt.Result {
	on, err := swaps(c, salt.NoArgs{})
	if err != nil {
		return salt.Raised(err)
	}
	device := a.Name
	if to, err := c.Sys.Readlink(a.Name); err == nil {
		if device = to; !strings.HasPrefix(to, "/") {
			device = "/dev/" + filepath.Base(to)
		}
	}
	r := salt.Correct("Swap %s already active", a.Name)
	switch {
	case on.Has(device):
	case c.Test:
		r = salt.Would(nil, "Swap %s is set to be activated", a.Name)
	default:
		if _, err := swapon(c, swaponArgs{Name: device}); err != nil {
			return salt.Raised(err)
		}
		if on, err = swaps(c, salt.NoArgs{}); err != nil {
			return salt.Raised(err)
		}
		if stats := on.Map(device); stats != nil {
			r = salt.Changed(stats, "Swap %s activated", a.Name)
		} else {
			r = salt.Failed("Swap %s failed to activate", a.Name)
		}
	}
	if !a.Persist {
		return r
	}
	return a.persist(c, r, on)
}

func (a *swapArgs) persist(c *salt.Ctx, r salt.Result, on *value.Map) salt.Result {
	table, err := fstab(c, configArgs{a.Config})
	if err != nil {
		return salt.Raised(err)
	}
	if c.Test {
		known := table.Has(a.Name)
		for _, e := range table.Items() {
			known = known || e.(*value.Map).At("device") == a.Name
		}
		if !known {
			r.Result = nil
			if on.Has(a.Name) {
				r.Comment = "Swap " + a.Name + " is set to be added to the fstab and to be activated"
			}
		}
		return r
	}
	if none := table.Map("none"); none != nil && none.At("device") == a.Name && none.At("fstype") != "swap" {
		return r
	}
	answer, err := setFstab(c, setFstabArgs{Name: "none", Device: a.Name, Fstype: "swap", Opts: "defaults", Dump: int64(0), PassNum: int64(0), Config: a.Config, MatchOn: "auto"})
	if err != nil {
		return salt.Raised(err)
	}
	return persisted(r, answer, "")
}

// persisted adds what became of fstab(5) to a result.
func persisted(r salt.Result, answer, present string) salt.Result {
	if r.Changes == nil {
		r.Changes = new(value.Map)
	}
	r.Changes = r.Changes.Shallow()
	switch answer {
	case "present":
		r.Comment += present
	case "new":
		r.Changes.Set("persist", "new")
		r.Comment += ". Added new entry to the fstab."
	case "change":
		r.Changes.Set("persist", "update")
		r.Comment += ". Updated the entry in the fstab."
	}
	return r
}
