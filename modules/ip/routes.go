package ip

import (
	"io/fs"
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type buildArgs struct {
	Iface    string     `py:"iface"`      // the interface
	Settings *value.Map `py:"**settings"` // routes: a list of name, ipaddr, netmask, gateway, metric; test
}

// script is what adds or removes the routes of an interface.
func script(kind, iface string, routes *value.List) string {
	var b strings.Builder
	b.WriteString("#!/bin/sh\n# " + kind + "\ntest \"${IFACE}\" = \"" + iface + "\" || exit 0\n")
	for _, it := range routes.Items {
		r, _ := it.(*value.Map)
		part := func(before, key string) {
			if r.Truth(key) {
				b.WriteString(before + r.Str(key))
			}
		}
		if r.Truth("name") {
			b.WriteString("# " + strings.ReplaceAll(r.Str("name"), "\n", " ") + "\n")
		}
		b.WriteString("ip route " + kind + " ")
		part("", "ipaddr")
		part("/", "netmask")
		b.WriteByte(' ')
		part("via ", "gateway")
		b.WriteString(" dev " + iface)
		part(" metric ", "metric")
		b.WriteByte('\n')
	}
	return b.String()
}

// buildRoutes writes the scripts that add and remove the routes of an
// interface, and returns their lines.
func buildRoutes(c *salt.Ctx, a buildArgs) (*value.List, error) {
	var routes *value.List
	for k, v := range a.Settings.Items() {
		if strings.EqualFold(k, "routes") {
			routes, _ = v.(*value.List)
		}
	}
	if routes == nil {
		return nil, mistake("Invalid option -- Route interface: %s, Option: routes, Expected: [List of routes]", a.Iface)
	}
	add, del := script("add", a.Iface, routes), script("del", a.Iface, routes)
	if trying(c, a.Settings) {
		return lines(add + del), nil
	}
	name := "route-" + strings.ReplaceAll(a.Iface, ".", "_")
	for dir, text := range map[string]string{upDir: add, downDir: del} {
		if !sys.IsDir(c.Sys, dir) {
			return nil, mistake("%s cannot be written. %s does not exist", dir+name, dir)
		}
		mode := fs.FileMode(0o755)
		if err := sys.WriteFile(c.Sys, dir+name, []byte(text), sys.FileAttrs{Mode: &mode}); err != nil {
			return nil, salt.OSError(err)
		}
	}
	return lines(add + del), nil
}

// getRoutes returns the lines of those scripts.
func getRoutes(c *salt.Ctx, a ifaceArgs) (*value.List, error) {
	name := "route-" + strings.ReplaceAll(a.Iface, ".", "_")
	l := fileLines(c, filepath.Join(upDir, name))
	l.Append(fileLines(c, filepath.Join(downDir, name)).Items...)
	return l, nil
}
