package lvm

import (
	"pinch/command"
	"pinch/salt"
	"pinch/value"
)

type lvcreateArgs struct {
	Lvname     string     `py:"lvname"`           // the logical volume
	Vgname     string     `py:"vgname"`           // its volume group, for a thin volume with /POOL behind it
	Size       any        `py:"size=None"`        // its size, such as 10G
	Extents    any        `py:"extents=None"`     // its size in extents, or such as 100%FREE
	Snapshot   any        `py:"snapshot=None"`    // the volume to make a snapshot of
	Pv         any        `py:"pv=None"`          // the physical volume to use
	Thinvolume bool       `py:"thinvolume=False"` // make a thin volume
	Thinpool   bool       `py:"thinpool=False"`   // make a pool of thin volumes
	Force      bool       `py:"force=False"`      // answer yes to all questions
	Kwargs     *value.Map `py:"**kwargs"`         // options of lvcreate(8): activate, chunksize, contiguous, discards, stripes, stripesize, minor, persistent, mirrors, nosync, noudevsync, monitor, ignoremonitoring, permission, poolmetadatasize, readahead, regionsize, type, virtualsize, zero
}

// lvcreate makes a logical volume. It returns the volume as lvm.lvdisplay
// does, with "Output from lvcreate".
func lvcreate(c *salt.Ctx, a lvcreateArgs) (any, error) {
	words := []string{"lvcreate"}
	switch {
	case value.Truth(a.Size) && value.Truth(a.Extents):
		return "Error: Please specify only one of size or extents", nil
	case a.Thinvolume && a.Thinpool:
		return "Error: Please set only one of thinvolume or thinpool to True", nil
	case a.Thinvolume:
		words = append(words, "--thin", "-n", a.Lvname)
	case a.Thinpool:
		words = append(words, "--thinpool", a.Lvname)
	default:
		words = append(words, "-n", a.Lvname)
	}
	if value.Truth(a.Snapshot) {
		words = append(words, "-s", a.Vgname+"/"+value.Str(a.Snapshot))
	} else {
		words = append(words, a.Vgname)
	}
	switch {
	case value.Truth(a.Size) && a.Thinvolume:
		words = append(words, "-V", value.Str(a.Size))
	case value.Truth(a.Extents) && a.Thinvolume:
		return "Error: Thin volume size cannot be specified as extents", nil
	case value.Truth(a.Size):
		words = append(words, "-L", value.Str(a.Size))
	case value.Truth(a.Extents):
		words = append(words, "-l", value.Str(a.Extents))
	default:
		return "Error: Either size or extents must be specified", nil
	}
	if value.Truth(a.Pv) {
		words = append(words, value.Str(a.Pv))
	}
	words = append(words, lvOptions(a.Kwargs)...)
	r, err := command.Do(c, append(words, answer(a.Force))...)
	if err != nil {
		return nil, err
	}
	m, err := lvdisplay(c, lvdisplayArgs{"/dev/" + a.Vgname + "/" + a.Lvname, false})
	m.Set("Output from lvcreate", outcome(r, `Logical volume "`+a.Lvname+`" created.`))
	return m, err
}

const (
	lvFlags = "nosync noudevsync ignoremonitoring thin"
	lvValid = "activate chunksize contiguous discards stripes stripesize minor persistent mirrors monitor permission poolmetadatasize readahead regionsize type virtualsize zero"
)

// lvOptions are options as they are given: False and 0 have a meaning.
func lvOptions(kw *value.Map) []string {
	all := new(value.Map)
	for key, v := range kw.Items() {
		all.Set(key, value.Str(v))
	}
	return options(all, lvValid, lvFlags)
}

type lvremoveArgs struct {
	Lvname string `py:"lvname"`     // the logical volume
	Vgname string `py:"vgname"`     // its volume group
	Force  bool   `py:"force=True"` // answer yes to all questions
}

// lvremove removes a logical volume and returns what was said.
func lvremove(c *salt.Ctx, a lvremoveArgs) (string, error) {
	r, err := command.Do(c, "lvremove", a.Vgname+"/"+a.Lvname, answer(a.Force))
	return outcome(r, `Logical volume "`+a.Lvname+`" successfully removed`), err
}

type lvresizeArgs struct {
	Size     any  `py:"size=None"`      // the new size, or +SIZE
	Lvpath   any  `py:"lvpath=None"`    // the path of the volume
	Extents  any  `py:"extents=None"`   // the new size in extents, or such as +100%FREE
	Force    bool `py:"force=False"`    // ask nothing
	Resizefs bool `py:"resizefs=False"` // the file system too
}

func (a *lvresizeArgs) run(c *salt.Ctx, tool, force, done string) (*value.Map, error) {
	words := []string{tool, "-qq"}
	if a.Force {
		words[1] = force
	}
	if a.Resizefs {
		words = append(words, "--resizefs")
	}
	switch {
	case value.Truth(a.Size) && value.Truth(a.Extents):
		c.Log.Error("Error: Please specify only one of size or extents")
		return new(value.Map), nil
	case value.Truth(a.Size):
		words = append(words, "-L", value.Str(a.Size))
	case value.Truth(a.Extents):
		words = append(words, "-l", value.Str(a.Extents))
	default:
		c.Log.Error("Error: Either size or extents must be specified")
		return new(value.Map), nil
	}
	path := value.Str(a.Lvpath)
	r, err := command.Do(c, append(words, path)...)
	return value.M("Output from "+tool, outcome(r, `Logical volume "`+path+`" successfully `+done+`.`)), err
}

// lvresize gives a logical volume another size. It returns "Output from
// lvresize", {} when the arguments make no sense.
func lvresize(c *salt.Ctx, a lvresizeArgs) (*value.Map, error) {
	return a.run(c, "lvresize", "--force", "resized")
}

// lvextend makes a logical volume larger. It returns "Output from lvextend", {}
// when the arguments make no sense.
func lvextend(c *salt.Ctx, a lvresizeArgs) (*value.Map, error) {
	return a.run(c, "lvextend", "--yes", "extended")
}
