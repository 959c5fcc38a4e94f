// Package extfs holds Salt's extfs module: it makes and tunes ext2, ext3 and
// ext4 file systems. Its main variable is Module.
//
//	salt-call extfs.mkfs /dev/sdb1 fs_type=ext4 label=data
package extfs

import (
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's extfs module.
var Module = salt.Module{
	Name: "extfs",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"attributes": salt.Exec(attributes),
			"blocks":     salt.Exec(blocks),
			"dump":       salt.Exec(dump),
			"mkfs":       salt.Exec(mkfs),
			"tune":       salt.Exec(tune),
		}
	},
}

// options turns keywords into letters of a command; unknown ones are dropped.
func options(kw *value.Map, letters map[string]string) []string {
	var words []string
	for k, v := range kw.Items() {
		l, ok := letters[k]
		if !ok {
			continue
		}
		words = append(words, "-"+l)
		if s := value.Str(v); !strings.EqualFold(s, "true") {
			words = append(words, s)
		}
	}
	return words
}

func run(c *salt.Ctx, words []string) (*value.Map, []string, error) {
	v, err := c.CallKw("cmd.run_all", value.M("python_shell", false), value.Strings(words))
	if err != nil {
		return nil, nil, err
	}
	ret, _ := v.(*value.Map)
	text := strings.TrimRight(ret.Str("stdout")+"\n"+ret.Str("stderr"), "\n")
	return ret, strings.Split(text, "\n"), nil
}

func answer(ret *value.Map, lines []string, full bool) any {
	if !full {
		return value.Strings(lines)
	}
	ret.Set("comment", value.Strings(lines))
	return ret
}

type mkfsArgs struct {
	Device     string     `py:"device"`            // the device
	FsType     string     `py:"fs_type"`           // ext2, ext3 or ext4
	FullReturn bool       `py:"full_return=False"` // return the whole result of the command
	Kwargs     *value.Map `py:"**kwargs"`          // options of mke2fs: block_size, label, inode_size, reserved …
}

// mkfs makes a file system; all that was on the device is lost. It returns what
// mke2fs says, without its progress.
func mkfs(c *salt.Ctx, a mkfsArgs) (any, error) {
	words := append([]string{"mke2fs", "-F", "-t", a.FsType}, options(a.Kwargs, map[string]string{
		"block_size": "b", "check": "c", "direct": "D", "ext_opts": "E", "fragment_size": "f", "force": "F", "blocks_per_group": "g",
		"number_of_groups": "G", "bytes_per_inode": "i", "inode_size": "I", "journal": "j", "journal_opts": "J", "blocks_file": "l", "label": "L",
		"reserved": "m", "last_dir": "M", "test": "n", "number_of_inodes": "N", "creator_os": "o", "opts": "O", "revision": "r", "super": "S",
		"usage_type": "T", "uuid": "U", "cluster_size": "C", "root_directory": "d", "errors_behavior": "e",
	})...)
	ret, lines, err := run(c, append(words, a.Device))
	if err != nil {
		return nil, err
	}
	kept := []string{}
	for _, l := range lines {
		noise := l == ""
		for _, p := range []string{"mke2fs", "Discarding device blocks", "Allocating group tables", "Writing inode tables", "Creating journal", "Writing superblocks"} {
			noise = noise || strings.HasPrefix(l, p)
		}
		if !noise {
			kept = append(kept, l)
		}
	}
	return answer(ret, kept, a.FullReturn), nil
}

type tuneArgs struct {
	Device     string     `py:"device"`            // the device
	FullReturn bool       `py:"full_return=False"` // return the whole result of the command
	Kwargs     *value.Map `py:"**kwargs"`          // options of tune2fs: label, max, interval, reserved, uuid …
}

// tune changes parameters of a file system and returns what tune2fs says.
func tune(c *salt.Ctx, a tuneArgs) (any, error) {
	words := append([]string{"tune2fs"}, options(a.Kwargs, map[string]string{
		"max": "c", "count": "C", "error": "e", "extended_opts": "E", "force": "f", "group": "g", "interval": "i", "journal": "j", "journal_opts": "J",
		"label": "L", "last_dir": "M", "opts": "o", "feature": "O", "mmp_check": "p", "reserved": "r", "reserved_percentage": "m", "quota_opts": "Q", "time": "T", "user": "u", "uuid": "U",
	})...)
	ret, lines, err := run(c, append(words, a.Device))
	if err != nil {
		return nil, err
	}
	return answer(ret, lines, a.FullReturn), nil
}

type dumpArgs struct {
	Device string `py:"device"`    // the device
	Args   any    `py:"args=None"` // letters of further options of dumpe2fs
}

// dump returns what dumpe2fs says: attributes, and blocks by group.
func dump(c *salt.Ctx, a dumpArgs) (*value.Map, error) {
	words := []string{"dumpe2fs", a.Device}
	if value.Truth(a.Args) {
		words = append(words, "-"+value.Str(a.Args))
	}
	r, err := c.Sys.Run(c, sys.Cmd{Argv: words, Query: true})
	if err != nil {
		return nil, err
	}
	return parse(string(r.Stdout)), nil
}

// parse reads the output of dumpe2fs.
func parse(text string) *value.Map {
	attrs, groups := new(value.Map), new(value.Map)
	var group *value.Map
	for line := range strings.Lines(text) {
		line = strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\t", " ")
		switch key, rest, _ := strings.Cut(line, ": "); {
		case line == "" || strings.HasPrefix(line, "dumpe2fs"):
		case strings.HasPrefix(line, "Group ") && !strings.HasPrefix(line, "Group descriptor size"):
			f := strings.Fields(strings.NewReplacer(":", "", "(", "", ")", "", "[", "", "]", "").Replace(line))
			group = value.M("group", f[1], "range", nil, "extra", value.L())
			if len(f) > 3 {
				group.Set("range", f[3])
			}
			groups.Set("Group "+f[1], group)
		case group == nil && key == "Filesystem features":
			attrs.Set(key, value.Strings(strings.Fields(rest)))
		case group == nil:
			if rest != "" {
				attrs.Set(key, strings.TrimSpace(strings.SplitN(rest, ": ", 2)[0]))
			}
		case strings.Contains(line, "Free blocks:"):
			group.Set("free blocks", value.Strings(strings.Split(rest, ", ")))
		case strings.Contains(line, "Free inodes:"):
			group.Set("free inodes", value.Strings(strings.Split(rest, ", ")))
		default:
			group.List("extra").Append(strings.TrimSpace(line))
		}
	}
	return value.M("attributes", attrs, "blocks", groups)
}

// attributes returns the attributes of a file system.
func attributes(c *salt.Ctx, a dumpArgs) (any, error) {
	m, err := dump(c, a)
	return m.At("attributes"), err
}

// blocks returns the block groups of a file system.
func blocks(c *salt.Ctx, a dumpArgs) (any, error) {
	m, err := dump(c, a)
	return m.At("blocks"), err
}
