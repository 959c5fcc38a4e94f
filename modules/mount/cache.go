package mount

import (
	"os"
	"path/filepath"

	"pinch/render/yaml"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// The cache remembers the options that a file system was last mounted with:
// the kernel does not show all of them.
func cachePath(c *salt.Ctx) string { return filepath.Join(c.Opts.Str("cachedir"), "mounts") }

func readCache(c *salt.Ctx) *value.Map {
	b, err := c.Sys.ReadFile(cachePath(c))
	if err != nil {
		return new(value.Map)
	}
	v, err := yaml.Load("", string(b))
	if err != nil {
		c.Log.Warn("ignoring the cache of mounts: " + err.Error())
	}
	if m, ok := v.(*value.Map); ok {
		return m
	}
	return new(value.Map)
}

func saveCache(c *salt.Ctx, m *value.Map) error {
	text, err := yaml.Dump(m, yaml.DumpOptions{})
	if err != nil {
		return err
	}
	mode := os.FileMode(0o600) // options can have passwords
	if err := sys.WriteFile(c.Sys, cachePath(c), []byte(text), sys.FileAttrs{Mode: &mode}); err != nil {
		c.Log.Error("Failed to cache mounts: " + err.Error())
		return salt.CommandError("Unable to write mount cache.")
	}
	return nil
}

type readMountCacheArgs struct {
	Name string `py:"name"` // the mount point
}

// readMountCache returns how a file system was last mounted: device, fstype,
// mkmnt and opts; empty when nothing is known.
func readMountCache(c *salt.Ctx, a readMountCacheArgs) (*value.Map, error) {
	if m := readCache(c).Map("mounts").Map(a.Name); m != nil {
		return m, nil
	}
	return new(value.Map), nil
}

type writeMountCacheArgs struct {
	RealName  string `py:"real_name"`  // the mount point
	Device    any    `py:"device"`     // the device
	Mkmnt     any    `py:"mkmnt"`      // whether the mount point is made
	Fstype    any    `py:"fstype"`     // the type of the file system
	MountOpts any    `py:"mount_opts"` // the options
}

// writeMountCache remembers how a file system was mounted.
func writeMountCache(c *salt.Ctx, a writeMountCacheArgs) (bool, error) {
	cache := readCache(c)
	m := cache.Map("mounts")
	if m == nil {
		m = new(value.Map)
		cache.Set("mounts", m)
	}
	m.Set(a.RealName, value.M("device", a.Device, "fstype", a.Fstype, "mkmnt", a.Mkmnt, "opts", a.MountOpts))
	err := saveCache(c, cache)
	return err == nil, err
}

type deleteMountCacheArgs struct {
	RealName string `py:"real_name"` // the mount point
}

// deleteMountCache forgets how a file system was mounted.
func deleteMountCache(c *salt.Ctx, a deleteMountCacheArgs) (bool, error) {
	cache := readCache(c)
	if _, ok := cache.Map("mounts").Pop(a.RealName); !ok {
		return true, nil
	}
	err := saveCache(c, cache)
	return err == nil, err
}
