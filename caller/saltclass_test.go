package caller_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"pinch/golden"
	"pinch/saltclass"
	"pinch/value"
)

// TestSaltclass compares pillar and top data of classes with Salt's.
func TestSaltclass(t *testing.T) {
	rec := golden.Value(t, "saltclass/cases.json").(*value.Map)
	for _, it := range rec.List("saltclass").Items {
		c := it.(*value.Map)
		t.Run(c.Str("name"), func(t *testing.T) {
			dir := tree(t, c.Map("files"), "")
			opts := value.M("id", c.Str("id"), "root_dir", dir, "file_client", "local", "cachedir", filepath.Join(dir, "cache"))
			ctx := newRun(t, dir, opts, value.M("id", c.Str("id"), "os", "Debian")).Ctx(context.Background())
			n, err := saltclass.Read(ctx, dir, c.Str("id"), nil)
			if err != nil {
				t.Fatal(err)
			}
			if want := value.Repr(c.At("top")); value.Repr(n.Top()) != want {
				t.Errorf("top: salt %s\nours %s", want, value.Repr(n.Top()))
			}
			got, err := n.Pillar()
			if e := c.Map("pillar").Str("error"); e != "" {
				if err == nil || "TypeError: "+err.Error() != e {
					t.Errorf("got %v %v, want %s", value.Repr(got), err, e)
				}
				return
			}
			if want := value.Repr(c.At("pillar")); err != nil || value.Repr(got) != want {
				t.Errorf("salt %s\nours %s %v", want, value.Repr(got), err)
			}
		})
	}
	for _, it := range rec.List("ext_nodes").Items {
		c := it.(*value.Map)
		t.Run(c.Str("yaml"), func(t *testing.T) {
			dir := t.TempDir()
			script := filepath.Join(dir, "nodes")
			if err := os.WriteFile(script, []byte("#!/bin/sh\n[ \"$1 $2\" = '--for web1' ] || exit 1\ncat <<X\n"+c.Str("yaml")+"X\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			opts := value.M("id", "web1", "root_dir", dir, "file_client", "local", "cachedir", filepath.Join(dir, "cache"),
				"file_roots", value.M("base", value.L(dir)), "master_tops", value.M("ext_nodes", script+" --for"))
			got, err := newRun(t, dir, opts, value.M("id", "web1")).Ctx(context.Background()).Call("state.show_top")
			if want := value.Repr(c.At("top")); err != nil || value.Repr(got) != want {
				t.Errorf("salt %s\nours %s %v", want, value.Repr(got), err)
			}
		})
	}
}

// TestClassesArePillarAndTop has both kinds configured, as users do.
func TestClassesArePillarAndTop(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"c/nodes/web1.yml": "environment: base\nclasses: [web]\n", "c/classes/web.yml": "states: [nginx]\npillars: {port: 80}\n", "salt/nginx.sls": "x: {test.nop: []}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	path := value.M("path", filepath.Join(dir, "c"))
	opts := value.M("id", "web1", "root_dir", dir, "file_client", "local", "cachedir", filepath.Join(dir, "cache"), "pillar_mask_output", false,
		"file_roots", value.M("base", value.L(filepath.Join(dir, "salt"))), "master_tops", value.M("saltclass", path), "ext_pillar", value.L(value.M("saltclass", value.L(path))))
	ctx := newRun(t, dir, opts, value.M("id", "web1")).Ctx(context.Background())
	top, err := ctx.Call("state.show_top")
	if err != nil || value.Repr(top) != "{'base': ['nginx']}" {
		t.Errorf("%s %v", value.Repr(top), err)
	}
	port, err := ctx.Call("pillar.get", "port")
	if err != nil || value.Repr(port) != "80" {
		t.Errorf("%s %v", value.Repr(port), err)
	}
}
