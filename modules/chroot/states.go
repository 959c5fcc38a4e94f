package chroot

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type applyArgs struct {
	Root   string     `py:"root"`      // the folder
	Mods   any        `py:"mods=None"` // SLS with commas between, or a list; none means those of the top file
	Kwargs *value.Map `py:"**kwargs"`  // test, saltenv, exclude, pillar
}

// apply applies states inside: those given, or the highstate.
func apply(c *salt.Ctx, a applyArgs) (any, error) {
	if !value.Truth(a.Mods) {
		return highstate(c, highstateArgs{a.Root, a.Kwargs})
	}
	in := slsArgs{Root: a.Root, Mods: a.Mods, Saltenv: "base", Kwargs: a.Kwargs.Shallow()}
	if v, ok := in.Kwargs.Pop("saltenv"); ok {
		in.Saltenv = value.Str(v)
	}
	in.Test, _ = in.Kwargs.Pop("test")
	in.Exclude, _ = in.Kwargs.Pop("exclude")
	return sls(c, in)
}

type slsArgs struct {
	Root    string     `py:"root"`           // the folder
	Mods    any        `py:"mods"`           // SLS with commas between, or a list
	Saltenv string     `py:"saltenv='base'"` // the environment
	Test    any        `py:"test=None"`      // only say what would change
	Exclude any        `py:"exclude=None"`   // SLS and IDs to leave out
	Kwargs  *value.Map `py:"**kwargs"`       // pillar, extra_filerefs
}

// sls applies SLS inside. They are compiled here, with this machine's grains
// and pillar.
func sls(c *salt.Ctx, a slsArgs) (any, error) {
	kw := value.M("saltenv", a.Saltenv)
	if p := a.Kwargs.At("pillar"); p != nil {
		kw.Set("pillar", p)
	}
	if value.Truth(a.Exclude) {
		kw.Set("exclude", a.Exclude)
	}
	lows, err := c.CallKw("state.show_low_sls", kw, a.Mods)
	if err != nil {
		return nil, err
	}
	return run(c, a.Root, lows, a.Saltenv, a.Test, a.Kwargs)
}

type highstateArgs struct {
	Root   string     `py:"root"`     // the folder
	Kwargs *value.Map `py:"**kwargs"` // test, pillar, extra_filerefs
}

// highstate applies the states of the top file inside.
func highstate(c *salt.Ctx, a highstateArgs) (any, error) {
	kw := new(value.Map)
	if p := a.Kwargs.At("pillar"); p != nil {
		kw.Set("pillar", p)
	}
	lows, err := c.CallKw("state.show_lowstate", kw)
	if err != nil {
		return nil, err
	}
	return run(c, a.Root, lows, "base", a.Kwargs.At("test"), a.Kwargs)
}

// run packs low chunks, the pillar and the files that they name, and has the
// copy inside apply them.
func run(c *salt.Ctx, root string, v any, env string, test any, kw *value.Map) (any, error) {
	lows, ok := v.(*value.List)
	if ok && lows.Len() > 0 && lows.Items[0] != nil {
		_, ok = lows.Items[0].(*value.Map)
	}
	if !ok {
		c.Run.SetRetcode(1)
		return v, nil
	}
	if !complete(c, root) {
		return nil, salt.CommandError("Chroot environment not found")
	}
	pillar := c.Pillar.Shallow()
	if p := kw.Map("pillar"); p != nil {
		pillar.Update(p)
	}
	b, err := pack(c, lows, pillar, env, strings.Split(kw.Str("extra_filerefs"), ","))
	if err != nil {
		return nil, err
	}
	file := sys.TempName(root, ".tgz")
	mode := sys.Mode(0o600)
	if err := sys.WriteFile(c.Sys, file, b, sys.FileAttrs{Mode: &mode}); err != nil {
		return nil, err
	}
	defer c.Sys.Remove(file)
	sum := sha256.Sum256(b)
	args := value.M("pkg_sum", hex.EncodeToString(sum[:]), "hash_type", "sha256")
	if test != nil {
		args.Set("test", test)
	}
	return call(c, callArgs{Root: root, Function: "state.pkg", Args: []any{"/" + filepath.Base(file)}, Kwargs: args})
}

// pack is the package that state.pkg reads.
func pack(c *salt.Ctx, lows *value.List, pillar *value.Map, env string, extra []string) ([]byte, error) {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	w := tar.NewWriter(z)
	add := func(name string, mode int64, b []byte) error {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: mode, Size: int64(len(b)), Typeflag: tar.TypeReg}); err != nil {
			return err
		}
		_, err := w.Write(b)
		return err
	}
	for name, v := range map[string]any{"lowstate.json": lows, "pillar.json": pillar} {
		s, err := value.JSON(v, value.JSONOptions{})
		if err != nil {
			return nil, err
		}
		if err := add(name, 0o600, []byte(s)); err != nil {
			return nil, err
		}
	}
	refs := map[ref]bool{}
	for _, it := range lows.Items {
		low, _ := it.(*value.Map)
		in := env
		if e := low.Str("__env__"); e != "" {
			in = e
		}
		collect(low, in, refs)
	}
	for _, e := range extra {
		collect(strings.TrimSpace(e), env, refs)
	}
	done := map[string]bool{}
	for r := range refs {
		files, err := c.Files().List(c, r.env, r.path)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			name := path.Join(r.env, f)
			if f != r.path && !strings.HasPrefix(f, strings.TrimSuffix(r.path, "/")+"/") || done[name] {
				continue
			}
			done[name] = true
			found, err := c.Files().Find(c, f, r.env)
			if err != nil || found == nil {
				return nil, fmt.Errorf("salt://%s: %v", f, err)
			}
			b, err := found.Read()
			if err != nil {
				return nil, err
			}
			if err := add(name, int64(found.Mode.Perm()), b); err != nil {
				return nil, err
			}
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err := z.Close()
	return out.Bytes(), err
}

// A ref is a file or folder of the tree that a chunk names.
type ref struct{ env, path string }

// collect finds salt:// addresses in a value.
func collect(v any, env string, refs map[ref]bool) {
	switch v := v.(type) {
	case string:
		p, ok := strings.CutPrefix(v, "salt://")
		if !ok {
			return
		}
		p, query, _ := strings.Cut(p, "?")
		if e, ok := strings.CutPrefix(query, "saltenv="); ok {
			env = e
		}
		refs[ref{env, strings.Trim(p, "/")}] = true
	case *value.List:
		for _, it := range v.Items {
			collect(it, env, refs)
		}
	case *value.Map:
		for _, it := range v.All() {
			collect(it, env, refs)
		}
	}
}
