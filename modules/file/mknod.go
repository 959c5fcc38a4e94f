package file

import (
	"errors"
	"io/fs"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// node is a device node or a pipe to make.
type node struct {
	name         string
	kind         string // c, b or p
	major, minor int64
	user, group  any
	mode         any
}

// nodeKinds are the words for the kinds of nodes in messages, and S_IFMT.
var nodeKinds = map[string]struct {
	title, lower string
	bits         uint32
	mode         fs.FileMode
}{
	"c": {"Character device", "character device", 0o020000, fs.ModeDevice | fs.ModeCharDevice},
	"b": {"Block device", "block device", 0o060000, fs.ModeDevice},
	"p": {"Fifo pipe", "fifo pipe", 0o010000, fs.ModeNamedPipe},
}

// makedev is the number of a device as Linux packs it.
func makedev(major, minor int64) uint64 {
	ma, mi := uint64(major), uint64(minor)
	return ma&0xfff<<8 | ma&^0xfff<<32 | mi&0xff | mi&^0xff<<12
}

func devmm(dev uint64) (major, minor int64) {
	return int64(dev>>8&0xfff | dev>>32&^0xfff), int64(dev&0xff | dev>>12&^0xff)
}

// create makes the node.
func (n *node) create(c *salt.Ctx) (*value.Map, error) {
	k := nodeKinds[n.kind]
	ret := value.M("name", n.name, "changes", new(value.Map), "comment", "", "result", false)
	bits, ok := modeBits(value.Str(n.mode))
	if !ok {
		return nil, value.Errorf("ValueError", "invalid literal for int() with base 8: %s", value.Quote(value.Str(n.mode)))
	}
	done := value.M("new", k.title+" "+n.name+" created.")
	if c.Test {
		ret.Set("changes", done)
		ret.Set("result", nil)
		return ret, nil
	}
	err := c.Sys.Mknod(n.name, k.bits|sys.Bits(bits), makedev(n.major, n.minor))
	switch {
	case errors.Is(err, fs.ErrExist):
		ret.Set("comment", "File "+n.name+" exists and cannot be overwritten")
	case err != nil:
		return nil, osError(&fs.PathError{Op: "mknod", Path: n.name, Err: err})
	default:
		ret.Set("changes", done)
		ret.Set("result", true)
	}
	_, err = lookPerms(c, n.name, &perms{user: n.user, group: n.group, mode: normalMode(n.mode)})
	return ret, err
}

type mknodExecArgs struct {
	Name  string `py:"name"`        // the node
	Type  string `py:"ntype"`       // c: a character device, b: a block device, p: a pipe
	Major int64  `py:"major=0"`     // the major number of the device
	Minor int64  `py:"minor=0"`     // the minor number
	User  any    `py:"user=None"`   // the owner
	Group any    `py:"group=None"`  // the group
	Mode  any    `py:"mode='0600'"` // the mode
}

// mknodExec makes a device node or a pipe.
func mknodExec(c *salt.Ctx, a mknodExecArgs) (*value.Map, error) {
	name := expandUser(c, a.Name)
	if _, err := makeParents(c, name, a.User, a.Group, ""); err != nil {
		return nil, err
	}
	if _, ok := nodeKinds[a.Type]; !ok {
		return nil, salt.InvocationError("Node type unavailable: '%s'. Available node types are character ('c'), block ('b'), and pipe ('p').", a.Type)
	}
	return (&node{name, a.Type, a.Major, a.Minor, a.User, a.Group, a.Mode}).create(c)
}

type mknodDevArgs struct {
	Name  string `py:"name"`        // the node
	Major int64  `py:"major"`       // the major number of the device
	Minor int64  `py:"minor"`       // the minor number
	User  any    `py:"user=None"`   // the owner
	Group any    `py:"group=None"`  // the group
	Mode  any    `py:"mode='0660'"` // the mode
}

// mknodChrdev makes a character device.
func mknodChrdev(c *salt.Ctx, a mknodDevArgs) (*value.Map, error) {
	return (&node{expandUser(c, a.Name), "c", a.Major, a.Minor, a.User, a.Group, a.Mode}).create(c)
}

// mknodBlkdev makes a block device.
func mknodBlkdev(c *salt.Ctx, a mknodDevArgs) (*value.Map, error) {
	return (&node{expandUser(c, a.Name), "b", a.Major, a.Minor, a.User, a.Group, a.Mode}).create(c)
}

type mknodFifoArgs struct {
	Name  string `py:"name"`        // the pipe
	User  any    `py:"user=None"`   // the owner
	Group any    `py:"group=None"`  // the group
	Mode  any    `py:"mode='0660'"` // the mode
}

// mknodFifo makes a pipe.
func mknodFifo(c *salt.Ctx, a mknodFifoArgs) (*value.Map, error) {
	return (&node{expandUser(c, a.Name), "p", 0, 0, a.User, a.Group, a.Mode}).create(c)
}

type nameArgs struct {
	Name string `py:"name"` // the path in question
}

// isNode reports whether there is a node of a kind; not being there is no error.
func isNode(c *salt.Ctx, name, kind string) (bool, error) {
	i, err := c.Sys.Stat(expandUser(c, name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, osError(err)
	}
	return i.Mode()&(fs.ModeDevice|fs.ModeCharDevice|fs.ModeNamedPipe) == nodeKinds[kind].mode, nil
}

// isChrdev reports whether there is a character device.
func isChrdev(c *salt.Ctx, a nameArgs) (bool, error) { return isNode(c, a.Name, "c") }

// isBlkdev reports whether there is a block device.
func isBlkdev(c *salt.Ctx, a nameArgs) (bool, error) { return isNode(c, a.Name, "b") }

// isFifo reports whether there is a pipe.
func isFifo(c *salt.Ctx, a nameArgs) (bool, error) { return isNode(c, a.Name, "p") }

// getDevmm gives the major and minor number of a device, zeros for other files.
func getDevmm(c *salt.Ctx, a nameArgs) (any, error) {
	i, err := c.Sys.Stat(expandUser(c, a.Name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, osError(err)
	}
	if err != nil || i.Mode()&fs.ModeDevice == 0 {
		return value.Tuple{int64(0), int64(0)}, nil
	}
	major, minor := devmm(statOf(i).device)
	return value.Tuple{major, minor}, nil
}

type mknodArgs struct {
	Name  string `py:"name"`        // the node
	Type  string `py:"ntype"`       // c: a character device, b: a block device, p: a pipe
	Major int64  `py:"major=0"`     // the major number of the device
	Minor int64  `py:"minor=0"`     // the minor number
	User  any    `py:"user=None"`   // the owner
	Group any    `py:"group=None"`  // the group
	Mode  any    `py:"mode='0600'"` // the mode
}

// mknod makes a device node or a pipe.
//
//	/run/app.fifo:
//	  file.mknod:
//	    - ntype: p
//	    - mode: '0660'
func mknod(c *salt.Ctx, a mknodArgs) salt.Result {
	name := expandUser(c, a.Name)
	return renamed(a.Name, name, mknodState(c, name, a))
}

func mknodState(c *salt.Ctx, name string, a mknodArgs) salt.Result {
	if name == "" {
		return salt.Failed("Must provide name to file.mknod")
	}
	k, ok := nodeKinds[a.Type]
	if !ok {
		return salt.Failed("Node type unavailable: '%s'. Available node types are character ('c'), block ('b'), and pipe ('p')", a.Type)
	}
	if sys.IsFile(c.Sys, name) {
		return salt.Failed("File %s exists and is not a %s. Refusing to continue", name, k.lower)
	}
	there, err := isNode(c, name, a.Type)
	if err != nil {
		return salt.Failed("%s", text(err))
	}
	if !there {
		if c.Test {
			return salt.Would(nil, "%s %s is set to be created", k.title, name)
		}
		m, err := mknodExec(c, mknodExecArgs{name, a.Type, a.Major, a.Minor, a.User, a.Group, a.Mode})
		if err != nil {
			return salt.Failed("%s", text(err))
		}
		r := salt.Changed(m.Map("changes"), "%s", m.Str("comment"))
		if m.At("result") != true {
			r.Result = salt.False()
		}
		return r
	}
	i, err := c.Sys.Stat(name)
	if err != nil {
		return salt.Failed("%s", osText(err))
	}
	if major, minor := devmm(statOf(i).device); a.Type != "p" && (major != a.Major || minor != a.Minor) {
		return salt.Failed("%s %s exists and has a different major/minor %d/%d. Refusing to continue", k.title, name, major, minor)
	}
	r := salt.Correct("")
	st := applyPerms(c, name, standingOf(i), &perms{user: a.User, group: a.Group, mode: normalMode(a.Mode)})
	st.merge(c, &r)
	if r.Changes.Len() == 0 {
		r.Comment = k.title + " " + name + " is in the correct state"
	}
	return r
}
