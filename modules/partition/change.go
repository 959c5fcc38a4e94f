package partition

import (
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/value"
)

const (
	diskFlags      = "cylinder_alignment pmbr_boot implicit_partition_table"
	partitionFlags = "boot root swap hidden raid lvm lba hp-service palo prep msftres bios_grub atvrecv diag legacy_boot msftdata irst esp type"
	fileSystems    = "btrfs ext2 ext3 ext4 fat fat32 fat16 linux-swap reiserfs hfs hfs+ hfsx NTFS ntfs ufs xfs"
)

type alignArgs struct {
	Device    string `py:"device"`    // the disk
	PartType  string `py:"part_type"` // minimal or optimal
	Partition any    `py:"partition"` // the number of the partition
}

// alignCheck says whether a partition is aligned.
func alignCheck(c *salt.Ctx, a alignArgs) (*value.List, error) {
	if err := first(device(c, a.Device), known(a.PartType, "minimal optimal", "align_check", "part_type"),
		number("partition passed to partition.align_check", a.Partition)); err != nil {
		return nil, err
	}
	r, err := command.Ask(c, "parted", "-m", a.Device, "align-check", a.PartType, value.Str(a.Partition))
	return split(r.All()), err
}

type minorArgs struct {
	Device string `py:"device"` // the disk
	Minor  any    `py:"minor"`  // the number of the partition
}

// check has parted check a partition.
func check(c *salt.Ctx, a minorArgs) (*value.List, error) {
	if err := first(device(c, a.Device), number("minor number passed to partition.check", a.Minor)); err != nil {
		return nil, err
	}
	return run(c, "parted", "-m", "-s", a.Device, "check", value.Str(a.Minor))
}

// getID returns the MBR type of a partition.
func getID(c *salt.Ctx, a minorArgs) (*value.List, error) {
	if err := first(device(c, a.Device), number("minor number passed to partition.get_id", a.Minor)); err != nil {
		return nil, err
	}
	r, err := command.Ask(c, "sfdisk", "--print-id", a.Device, value.Str(a.Minor))
	return split(r.All()), err
}

// rm removes a partition.
func rm(c *salt.Ctx, a minorArgs) (*value.List, error) {
	if err := first(device(c, a.Device), number("minor number passed to partition.rm", a.Minor)); err != nil {
		return nil, err
	}
	return run(c, "parted", "-m", "-s", a.Device, "rm", value.Str(a.Minor))
}

type cpArgs struct {
	Device    string `py:"device"`     // the disk
	FromMinor any    `py:"from_minor"` // the partition to copy
	ToMinor   any    `py:"to_minor"`   // the one to overwrite
}

// cp copies the file system of a partition over another one.
func cp(c *salt.Ctx, a cpArgs) (*value.List, error) {
	if err := first(device(c, a.Device), number("minor number passed to partition.cp", a.FromMinor, a.ToMinor)); err != nil {
		return nil, err
	}
	return run(c, "parted", "-m", "-s", a.Device, "cp", value.Str(a.FromMinor), value.Str(a.ToMinor))
}

type setIDArgs struct {
	Device   string `py:"device"`    // the disk
	Minor    any    `py:"minor"`     // the number of the partition
	SystemID string `py:"system_id"` // a type of partition.system_types
}

// setID sets the MBR type of a partition.
func setID(c *salt.Ctx, a setIDArgs) (*value.List, error) {
	if err := first(device(c, a.Device), number("minor number passed to partition.set_id", a.Minor)); err != nil {
		return nil, err
	}
	types, err := systemTypes(c, salt.NoArgs{})
	switch {
	case err != nil:
		return nil, err
	case !types.Has(a.SystemID):
		return nil, salt.CommandError("Invalid system_id passed to partition.set_id")
	}
	return run(c, "sfdisk", "--change-id", a.Device, value.Str(a.Minor), a.SystemID)
}

type mkfsArgs struct {
	Device string `py:"device"`  // the partition
	FsType string `py:"fs_type"` // btrfs, ext2, ext3, ext4, fat, fat32, fat16, linux-swap, reiserfs, hfs, hfs+, hfsx, ntfs, ufs or xfs
}

// mkfs makes a file system. What was on the partition is lost.
func mkfs(c *salt.Ctx, a mkfsArgs) (any, error) {
	if err := first(device(c, a.Device), known(a.FsType, fileSystems, "mkfs", "fs_type")); err != nil {
		return nil, err
	}
	tool := "mkfs." + strings.ReplaceAll(a.FsType, "NTFS", "ntfs")
	if a.FsType == "linux-swap" {
		tool = "mkswap"
	}
	if c.Sys.LookPath(tool) == "" {
		return "Error: " + tool + " is unavailable.", nil
	}
	return run(c, tool, a.Device)
}

type mklabelArgs struct {
	Device    string `py:"device"`     // the disk
	LabelType string `py:"label_type"` // aix, amiga, bsd, dvh, gpt, loop, mac, msdos, pc98 or sun
}

// mklabel makes a new partition table. All partitions are lost.
func mklabel(c *salt.Ctx, a mklabelArgs) (*value.List, error) {
	if err := known(a.LabelType, "aix amiga bsd dvh gpt loop mac msdos pc98 sun", "mklabel", "label_type"); err != nil {
		return nil, err
	}
	return run(c, "parted", "-m", "-s", a.Device, "mklabel", a.LabelType)
}

type mkpartArgs struct {
	Device   string `py:"device"`       // the disk
	PartType string `py:"part_type"`    // primary, logical or extended
	FsType   any    `py:"fs_type=None"` // the file system that it is for
	Start    any    `py:"start=None"`   // where it begins, such as 0% or 1MiB
	End      any    `py:"end=None"`     // where it ends
}

func (a *mkpartArgs) run(c *salt.Ctx) (*value.List, error) {
	if err := first(device(c, a.Device), known(a.PartType, "primary logical extended", "mkpart", "part_type")); err != nil {
		return nil, err
	}
	words := []string{"parted", "-m", "-s", "--", a.Device, "mkpart", a.PartType}
	if value.Truth(a.FsType) {
		if err := known(value.Str(a.FsType), fileSystems, "mkpart", "fs_type"); err != nil {
			return nil, err
		}
		words = append(words, value.Str(a.FsType))
	}
	if a.Start != nil && a.End != nil {
		if err := boundaries(a.Start, a.End); err != nil {
			return nil, err
		}
	}
	for _, v := range []any{a.Start, a.End} {
		text := ""
		if v != nil {
			text = value.Str(v)
		}
		words = append(words, text)
	}
	return run(c, words...)
}

// mkpart makes a partition.
func mkpart(c *salt.Ctx, a mkpartArgs) (*value.List, error) { return a.run(c) }

// mkpartfs is mkpart: parted makes no file systems any more.
func mkpartfs(c *salt.Ctx, a mkpartArgs) (*value.List, error) { return a.run(c) }

type nameArgs struct {
	Device    string `py:"device"`    // the disk
	Partition any    `py:"partition"` // the number of the partition
	Name      string `py:"name"`      // letters, digits, blanks, _ and -
}

// name sets the name of a partition.
func name(c *salt.Ctx, a nameArgs) (*value.List, error) {
	if err := first(device(c, a.Device), number("partition passed to partition.name", a.Partition)); err != nil {
		return nil, err
	}
	for _, r := range a.Name {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == ' ' || r == '_' || r == '-') {
			return nil, salt.CommandError("Invalid characters passed to partition.name")
		}
	}
	return run(c, "parted", "-m", "-s", a.Device, "name", value.Str(a.Partition), "'"+a.Name+"'")
}

type rescueArgs struct {
	Device string `py:"device"` // the disk
	Start  any    `py:"start"`  // where it began
	End    any    `py:"end"`    // where it ended
}

// rescue looks for a lost partition.
func rescue(c *salt.Ctx, a rescueArgs) (*value.List, error) {
	if err := first(device(c, a.Device), boundaries(a.Start, a.End)); err != nil {
		return nil, err
	}
	return run(c, "parted", "-m", "-s", a.Device, "rescue", value.Str(a.Start), value.Str(a.End))
}

type resizeArgs struct {
	Device string `py:"device"` // the disk
	Minor  any    `py:"minor"`  // the number of the partition
	Start  any    `py:"start"`  // where it begins
	End    any    `py:"end"`    // where it ends
}

// resize gives a partition other bounds, with versions of parted that can.
func resize(c *salt.Ctx, a resizeArgs) (*value.List, error) {
	if err := first(device(c, a.Device), number("minor number passed to partition.resize", a.Minor), boundaries(a.Start, a.End)); err != nil {
		return nil, err
	}
	return run(c, "parted", "-m", "-s", "--", a.Device, "resize", value.Str(a.Minor), value.Str(a.Start), value.Str(a.End))
}

type setArgs struct {
	Device string `py:"device"` // the disk
	Minor  any    `py:"minor"`  // the number of the partition
	Flag   string `py:"flag"`   // boot, swap, raid, lvm, esp, bios_grub …
	State  any    `py:"state"`  // on or off
}

// onOff is on or off; YAML takes these words for truth values.
func onOff(v any) string {
	switch v {
	case true:
		return "on"
	case false:
		return "off"
	}
	return value.Str(v)
}

// set sets a flag of a partition.
func set(c *salt.Ctx, a setArgs) (*value.List, error) {
	if err := first(device(c, a.Device), number("minor number passed to partition.set", a.Minor),
		known(a.Flag, partitionFlags, "set", "flag"), known(onOff(a.State), "on off", "set", "state")); err != nil {
		return nil, err
	}
	return run(c, "parted", "-m", "-s", a.Device, "set", value.Str(a.Minor), a.Flag, onOff(a.State))
}

type toggleArgs struct {
	Device    string `py:"device"`    // the disk
	Partition any    `py:"partition"` // the number of the partition
	Flag      string `py:"flag"`      // boot, swap, raid, lvm, esp, bios_grub …
}

// toggle turns a flag of a partition.
func toggle(c *salt.Ctx, a toggleArgs) (*value.List, error) {
	if err := first(device(c, a.Device), number("partition number passed to partition.toggle", a.Partition), known(a.Flag, partitionFlags, "toggle", "flag")); err != nil {
		return nil, err
	}
	return run(c, "parted", "-m", "-s", a.Device, "toggle", value.Str(a.Partition), a.Flag)
}

type diskSetArgs struct {
	Device string `py:"device"` // the disk
	Flag   string `py:"flag"`   // cylinder_alignment, pmbr_boot or implicit_partition_table
	State  any    `py:"state"`  // on or off
}

// diskSet sets a flag of a disk.
func diskSet(c *salt.Ctx, a diskSetArgs) (*value.List, error) {
	if err := first(device(c, a.Device), known(a.Flag, diskFlags, "disk_set", "flag"), known(onOff(a.State), "on off", "disk_set", "state")); err != nil {
		return nil, err
	}
	return run(c, "parted", "-m", "-s", a.Device, "disk_set", a.Flag, onOff(a.State))
}

type diskToggleArgs struct {
	Device string `py:"device"` // the disk
	Flag   string `py:"flag"`   // cylinder_alignment, pmbr_boot or implicit_partition_table
}

// diskToggle turns a flag of a disk.
func diskToggle(c *salt.Ctx, a diskToggleArgs) (*value.List, error) {
	if err := first(device(c, a.Device), known(a.Flag, diskFlags, "disk_toggle", "flag")); err != nil {
		return nil, err
	}
	return run(c, "parted", "-m", "-s", a.Device, "disk_toggle", a.Flag)
}
