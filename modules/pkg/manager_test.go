package pkg

import (
	"slices"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// A having machine has these commands.
type having struct {
	sys.Sys
	commands []string
}

func (h having) LookPath(name string) string {
	if slices.Contains(h.commands, name) {
		return "/usr/bin/" + name
	}
	return ""
}

// The module loads where its tool is, or where Salt's loads without a look
// (aptpkg, pacmanpkg): on a RedHat without dnf or yum no package state has a
// mod_watch, so watches of it are requires.
func TestVirtual(t *testing.T) {
	for _, tt := range []struct {
		family   string
		commands []string
		loads    bool
	}{
		{"Debian", nil, true}, {"Arch", nil, true}, {"Alpine", nil, true}, {"RedHat", nil, false}, {"RedHat", []string{"yum"}, true}, {"RedHat", []string{"dnf5"}, true},
		{"Suse", nil, false}, {"Suse", []string{"zypper"}, true}, {"Plan9", []string{"dnf", "zypper"}, false},
	} {
		c := &salt.Ctx{Sys: having{commands: tt.commands}, Grains: value.M("os_family", tt.family)}
		for _, kind := range []string{"states", "modules"} {
			if err := virtual(c, kind); (err == nil) != tt.loads {
				t.Errorf("%s with %v: %v", tt.family, tt.commands, err)
			}
		}
	}
}
