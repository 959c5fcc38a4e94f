// Package partition holds Salt's partition module: partitions of disks, by
// parted. Its main variable is Module.
//
//	salt-call partition.mklabel /dev/sdb gpt
//	salt-call partition.mkpart /dev/sdb primary start=0% end=100%
package partition

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's partition module.
var Module = salt.Module{
	Name: "partition",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"align_check":      salt.Exec(alignCheck),
			"check":            salt.Exec(check),
			"cp":               salt.Exec(cp),
			"disk_set":         salt.Exec(diskSet),
			"disk_toggle":      salt.Exec(diskToggle),
			"exists":           salt.Exec(exists),
			"get_block_device": salt.Exec(getBlockDevice),
			"get_id":           salt.Exec(getID),
			"list":             salt.Exec(list).Named("list_"),
			"mkfs":             salt.Exec(mkfs),
			"mklabel":          salt.Exec(mklabel),
			"mkpart":           salt.Exec(mkpart),
			"mkpartfs":         salt.Exec(mkpartfs),
			"name":             salt.Exec(name),
			"probe":            salt.Exec(probe),
			"rescue":           salt.Exec(rescue),
			"resize":           salt.Exec(resize),
			"rm":               salt.Exec(rm),
			"set":              salt.Exec(set).Named("set_"),
			"set_id":           salt.Exec(setID),
			"system_types":     salt.Exec(systemTypes),
			"toggle":           salt.Exec(toggle),
		}
	},
	Virtual: func(c *salt.Ctx, _ string) error {
		for _, tool := range []string{"parted", "lsblk", "partprobe"} {
			if c.Sys.LookPath(tool) == "" {
				return errors.New("The parted execution module failed to load " + tool + " binary is not in the path.")
			}
		}
		return nil
	},
}

// run runs a command and returns its lines.
func run(c *salt.Ctx, words ...string) (*value.List, error) {
	a, err := command.Do(c, words...)
	return split(a.All()), err
}

func split(text string) *value.List {
	if text == "" {
		return value.L()
	}
	return value.Strings(strings.Split(text, "\n"))
}

// isBlock reports whether a path is a block device.
func isBlock(c *salt.Ctx, path string) bool {
	info, err := c.Sys.Stat(path)
	return err == nil && info.Mode()&fs.ModeDevice != 0 && info.Mode()&fs.ModeCharDevice == 0
}

// device refuses what is no block device.
func device(c *salt.Ctx, path string) error {
	if !isBlock(c, path) {
		return salt.CommandError("Invalid device passed to partition module.")
	}
	return nil
}

// number refuses what is no number.
func number(what string, vs ...any) error {
	for _, v := range vs {
		if _, err := strconv.Atoi(strings.TrimSpace(value.Str(v))); err != nil {
			return salt.CommandError("Invalid %s", what)
		}
	}
	return nil
}

const units = " s B kB MB MiB GB GiB TB TiB % cyl chs compact "

// boundaries refuses what is no place on a disk.
func boundaries(vs ...any) error {
	for _, v := range vs {
		text := value.Str(v)
		digits := strings.TrimLeft(text, "0123456789.")
		if digits == text || digits != "" && !strings.Contains(units, " "+digits+" ") {
			return salt.CommandError("Invalid partition boundary passed: \"%s\"", text)
		}
	}
	return nil
}

// known refuses a word that is not among the known ones.
func known(word, words, function, what string) error {
	if word == "" || strings.ContainsAny(word, " ") || !strings.Contains(" "+words+" ", " "+word+" ") {
		return salt.CommandError("Invalid %s passed to partition.%s", what, function)
	}
	return nil
}

// first is the first error.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

type probeArgs struct {
	Devices []any `py:"*devices"` // disks; none: all
}

// probe tells the kernel about changed partitions.
func probe(c *salt.Ctx, a probeArgs) (*value.List, error) {
	words := []string{"partprobe", "--"}
	for _, it := range a.Devices {
		if err := device(c, value.Str(it)); err != nil {
			return nil, err
		}
		words = append(words, value.Str(it))
	}
	return run(c, words...)
}

type listArgs struct {
	Device string `py:"device"`    // the disk
	Unit   any    `py:"unit=None"` // in which unit: s, B, kB, MB, MiB, GB, GiB, TB, TiB, %, cyl, chs, compact
}

// list returns info about a disk and its partitions by number.
func list(c *salt.Ctx, a listArgs) (*value.Map, error) {
	words := []string{"parted", "-m", "-s", a.Device}
	if err := device(c, a.Device); err != nil {
		return nil, err
	}
	if value.Truth(a.Unit) {
		if !strings.Contains(units, " "+value.Str(a.Unit)+" ") {
			return nil, salt.CommandError("Invalid unit passed to partition.part_list")
		}
		words = append(words, "unit", value.Str(a.Unit))
	}
	r, err := command.Ask(c, append(words, "print")...)
	if err != nil {
		return nil, err
	}
	info, parts := new(value.Map), new(value.Map)
	bad := salt.CommandError("Problem encountered while parsing output from parted")
	for line := range strings.SplitSeq(r.Out, "\n") {
		cols := strings.Split(strings.TrimRight(line, ";"), ":")
		fields := []string{"number", "start", "end"}
		switch {
		case line == "" || line == "BYT;" || line == "CHS;" || line == "CYL;":
			continue
		case info.Len() == 0:
			if len(cols) < 7 || len(cols) > 8 {
				return nil, bad
			}
			for i, key := range []string{"disk", "size", "interface", "logical sector", "physical sector", "partition table", "model", "disk flags"}[:len(cols)] {
				info.Set(key, cols[i])
			}
			continue
		}
		if a.Unit != "chs" {
			fields = append(fields, "size")
		}
		if cols[len(cols)-1] == "free" {
			cols = cols[:len(cols)-1]
		} else {
			fields = append(fields, "file system", "name", "flags")
		}
		if len(fields) != len(cols) {
			return nil, bad
		}
		m := new(value.Map)
		for i, key := range fields {
			m.Set(key, cols[i])
		}
		parts.Set(cols[0], m)
	}
	return value.M("info", info, "partitions", parts), nil
}

type existsArgs struct {
	Device string `py:"device=''"` // a path
}

// exists reports whether a path is a block device.
func exists(c *salt.Ctx, a existsArgs) (bool, error) { return isBlock(c, a.Device), nil }

// getBlockDevice returns the disks that may be partitioned, as lsblk names
// them.
func getBlockDevice(c *salt.Ctx, _ salt.NoArgs) (*value.List, error) {
	a, err := command.Ask(c, "lsblk", "-n", "-io", "KNAME", "-d", "-e", "1,7,11", "-l")
	return split(a.All()), err
}

// systemTypes returns the names of MBR types by their numbers.
func systemTypes(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	a, err := command.Ask(c, "sfdisk", "-T")
	m := new(value.Map)
	for line := range strings.SplitSeq(a.All(), "\n") {
		if f := strings.Fields(line); len(f) > 1 && !strings.HasPrefix(line, "Id") {
			m.Set(f[0], f[1])
		}
	}
	return m, err
}
