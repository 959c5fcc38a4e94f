package grains_test

import (
	"os"
	"path/filepath"
	"testing"

	"pinch/golden"
	"pinch/grains"
	"pinch/sys"
	"pinch/value"
)

// TestGoldenOS derives the OS grains from release files as real Salt does,
// without and with an lsb_release command.
func TestGoldenOS(t *testing.T) {
	f := golden.Value(t, "grains/os.json").(*value.Map)
	for _, key := range f.Keys() {
		list := f.List(key.(string))
		if list == nil {
			continue
		}
		for _, it := range list.Items {
			c := it.(*value.Map)
			t.Run(c.Str("name"), func(t *testing.T) {
				root := t.TempDir()
				for path, text := range c.Map("files").Items() {
					write(t, root+path, text.(string), 0o644)
				}
				want := c.Map("grains")
				checkOS(t, root, want)
				write(t, root+"/usr/bin/lsb_release", "#!/bin/sh\n", 0o755)
				if with := c.Map("with_lsb_release_command"); with != nil {
					want = want.Shallow()
					want.Update(with)
				}
				checkOS(t, root, want)
			})
		}
	}
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func checkOS(t *testing.T, root string, want *value.Map) {
	t.Helper()
	g := grains.Core(grains.Host{Root: root, Machine: "x86_64"})
	for _, k := range []string{"os", "os_family", "osfullname", "oscodename", "osrelease", "osrelease_info", "osmajorrelease",
		"osfinger", "osarch", "lsb_distrib_id", "lsb_distrib_release", "lsb_distrib_codename", "lsb_distrib_description"} {
		got, ok := g.Get(k)
		if tuple, is := got.(value.Tuple); is {
			got = value.L(tuple...)
		}
		w, wok := want.Get(k)
		if wok && w == nil {
			wok = false
		}
		if ok != wok || ok && !value.Equal(got, w) {
			t.Errorf("%s: got %v, want %v", k, value.Repr(got), value.Repr(w))
		}
	}
}

// TestCoreShape compares type and shape of all core grains with those of real
// Salt on a Debian machine.
func TestCoreShape(t *testing.T) {
	want := golden.Value(t, "grains/core.json").(*value.Map).Map("grains")
	g := grains.Core(grains.Host{Sys: sys.Real{}, Opts: value.M("id", "minion1", "master", "salt", "enable_fqdns_grains", false)})
	optional := map[string]string{
		"systemd": "only with systemd installed", "virtual_subtype": "only in containers and some clouds",
		"machine_id": "only with a machine-id file", "dns": "only with a resolv.conf",
		"lsb_distrib_id": "from os-release", "lsb_distrib_release": "from os-release", "lsb_distrib_codename": "from os-release",
		"osmajorrelease": "only where the release is a number", "osrelease_info": "only with a release", "osfinger": "only with a release",
	}
	for k, w := range want.Items() {
		got, ok := g.Get(k)
		if !ok {
			if optional[k] == "" {
				t.Errorf("%s is missing", k)
			}
			continue
		}
		checkShape(t, k, got, w.(*value.Map).At("shape"))
	}
}

func checkShape(t *testing.T, path string, got, shape any) {
	t.Helper()
	switch s := shape.(type) {
	case string:
		name := value.TypeName(got)
		if got == nil {
			name = "null"
		}
		// a gateway is a bool where there is no route
		if name != s && !(len(path) > 3 && path[len(path)-3:] == "_gw" && name == "bool") {
			t.Errorf("%s: got %s, want %s", path, name, s)
		}
	case *value.List:
		switch got.(type) {
		case *value.List, value.Tuple:
		default:
			t.Errorf("%s: got %s, want a list", path, value.TypeName(got))
		}
	case *value.Map:
		m, ok := got.(*value.Map)
		if !ok {
			t.Errorf("%s: got %s, want a map", path, value.TypeName(got))
			return
		}
		for k, w := range s.Items() {
			if k != "<interface>" {
				checkShape(t, path+"."+k, m.At(k), w)
			}
		}
	}
}

// BenchmarkOne reads one grain; nothing else may be gathered for it.
func BenchmarkOne(b *testing.B) {
	for b.Loop() {
		if grains.Core(grains.Host{}).Str("os") == "" {
			b.Fatal("no os")
		}
	}
}

// BenchmarkAll is grains.items, without the look-ups of names in the DNS.
func BenchmarkAll(b *testing.B) {
	for b.Loop() {
		grains.Core(grains.Host{Opts: value.M("enable_fqdns_grains", false)}).Len()
	}
}

// The answers are what Salt makes of sw_vers, which reads this file.
func TestMacOS(t *testing.T) {
	root := t.TempDir()
	write(t, root+"/System/Library/CoreServices/SystemVersion.plist", `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>BuildID</key>
	<string>2C5E6B1C-0E1A-11EF-8C5A-000000000000</string>
	<key>ProductBuildVersion</key>
	<string>23F79</string>
	<key>ProductName</key>
	<string>macOS</string>
	<key>ProductVersion</key>
	<string>14.5</string>
</dict>
</plist>
`, 0o644)
	g := grains.Core(grains.Host{Root: root})
	for k, want := range map[string]any{"os": "MacOS", "os_family": "MacOS", "osfullname": "macOS 14.5", "osrelease": "14.5", "osbuild": "23F79", "osmajorrelease": int64(14), "osfinger": "macOS 14.5-14"} {
		if got := g.At(k); got != want {
			t.Errorf("%s: %v, not %v", k, got, want)
		}
	}
}
