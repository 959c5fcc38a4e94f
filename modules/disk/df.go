package disk

import (
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// A mounted file system is what df(1) lists.
type mounted struct {
	device, point, root, fstype, number string
}

// A row is a line of df(1): counts of blocks of 1 KiB or of inodes.
type row struct {
	mounted
	total, used, free string
	percent           string
}

// mounts are the mounted file systems, each device once: as df(1) chooses,
// nearest to the root.
func mounts(c *salt.Ctx) ([]mounted, error) {
	b, err := c.Sys.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, salt.OSError(err)
	}
	return chosen(string(b)), nil
}

func chosen(text string) []mounted {
	var list []mounted
	seen := map[string]int{}
	plain := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	for line := range strings.Lines(text) {
		head, tail, _ := strings.Cut(line, " - ")
		f, g := strings.Fields(head), strings.Fields(tail)
		if len(f) < 6 || len(g) < 2 {
			continue
		}
		m := mounted{device: plain.Replace(g[1]), point: plain.Replace(f[4]), root: f[3], fstype: g[0], number: f[2]}
		if dummy(m.fstype) {
			continue
		}
		i, ok := seen[m.number]
		switch {
		case !ok:
			seen[m.number] = len(list)
			list = append(list, m)
		case m.better(list[i]):
			list[i] = m
		}
	}
	return list
}

// dummy are file systems without space of their own.
func dummy(fstype string) bool {
	switch fstype {
	case "autofs", "proc", "subfs", "debugfs", "devpts", "fusectl", "fuse.portal", "mqueue", "rpc_pipefs", "sysfs", "devfs", "kernfs", "ignore":
		return true
	}
	return false
}

// better says which of two mounts of a device is shown.
func (m mounted) better(old mounted) bool {
	real := strings.Contains(m.device, "/") && !strings.Contains(old.device, "/")
	nearer := len(old.point) > len(m.point) && len(old.root) >= len(m.root)
	over := m.device != old.device && m.point == old.point
	return real || nearer || over
}

// table lists the space (or the inodes) of all file systems that have any.
func table(c *salt.Ctx, inodes bool) ([]row, error) {
	list, err := mounts(c)
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, m := range list {
		f, err := c.Sys.Statfs(m.point)
		if err != nil || f.Blocks == 0 {
			continue
		}
		total, free, avail, unit := f.Blocks, f.BlocksFree, f.BlocksAvailable, f.FragmentSize
		if inodes {
			total, free, avail, unit = f.Files, f.FilesFree, f.FilesFree, 1024
		}
		used := total - free
		r := row{mounted: m, total: kilo(total, unit), used: kilo(used, unit), free: kilo(avail, unit), percent: "-"}
		if sum := used + avail; sum > 0 {
			r.percent = strconv.FormatInt((used*100+sum-1)/sum, 10) + "%"
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// kilo is a number of units in KiB, rounded up.
func kilo(n, unit int64) string {
	if n <= 0 {
		return "0"
	}
	return strconv.FormatInt((n*unit+1023)/1024, 10)
}

type dfArgs struct {
	Args any `py:"args=None"` // letters of options of df(1): aBhHiklPtTxv
}

// rows lists file systems; with options of df(1), that is asked.
func rows(c *salt.Ctx, args any, caller string, inodes bool) ([]row, error) {
	if !value.Truth(args) {
		return table(c, inodes)
	}
	flags := value.Str(args)
	if l, ok := args.(*value.List); ok {
		flags = ""
		for _, it := range l.Items {
			flags += value.Str(it)
		}
	}
	if strings.Trim(flags, "aBhHiklPtTxv") != "" {
		return nil, salt.CommandError("Invalid flag passed to %s", caller)
	}
	argv := []string{"df", "-P"}
	if inodes {
		argv[1] = "-iP"
	}
	r, err := c.Sys.Run(c, sys.Cmd{Argv: append(argv, "-"+flags), Query: true})
	return parse(string(r.Stdout)), err
}

// parse reads what df -P prints.
func parse(text string) []row {
	var list []row
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if strings.HasPrefix(line, "Filesystem") {
			continue
		}
		for len(f) > 1 && strings.Trim(f[1], "0123456789.KMGTPEkB-") != "" { // a device with blanks
			f[1] = f[0] + " " + f[1]
			f = f[1:]
		}
		if len(f) > 5 {
			list = append(list, row{mounted: mounted{device: f[0], point: strings.Join(f[5:], " ")}, total: f[1], used: f[2], free: f[3], percent: f[4]})
		}
	}
	return list
}

// usage returns the space on each mounted file system in KiB.
func usage(c *salt.Ctx, a dfArgs) (*value.Map, error) {
	list, err := rows(c, a.Args, "disk.usage", false)
	m := new(value.Map)
	for _, r := range list {
		m.Set(r.point, value.M("filesystem", r.device, "1K-blocks", r.total, "used", r.used, "available", r.free, "capacity", r.percent))
	}
	return m, err
}

// inodeusage returns the inodes of each mounted file system.
func inodeusage(c *salt.Ctx, a dfArgs) (*value.Map, error) {
	list, err := rows(c, a.Args, "disk.inodeusage", true)
	m := new(value.Map)
	for _, r := range list {
		m.Set(r.point, value.M("inodes", r.total, "used", r.used, "free", r.free, "use", r.percent, "filesystem", r.device))
	}
	return m, err
}

type percentArgs struct {
	Args any `py:"args=None"` // only this mount point
}

// percent returns how full each mounted file system is.
func percent(c *salt.Ctx, a percentArgs) (any, error) {
	list, err := table(c, false)
	m := new(value.Map)
	for _, r := range list {
		m.Set(r.point, r.percent)
	}
	if err != nil || !value.Truth(a.Args) {
		return m, err
	}
	if v, ok := m.GetKey(a.Args); ok {
		return v, nil
	}
	c.Log.Error("Problem parsing disk usage information: Partition '" + value.Str(a.Args) + "' does not exist!")
	return new(value.Map), nil
}
