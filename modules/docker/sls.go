package docker

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type applyArgs struct {
	Name   string     `py:"name"`      // name or ID of the container
	Mods   any        `py:"mods=None"` // SLS files; None: those of the top file
	Kwargs *value.Map `py:"**kwargs"`  // as in docker.sls
}

// apply applies states in a container that runs: sls with mods, highstate
// without.
func apply(c *salt.Ctx, a applyArgs) (any, error) { return applyStates(c, a) }

// sls applies SLS files in a container that runs. They are rendered here, with
// the container's grains, and run there.
//
//	salt-call docker.sls compassionate_mirzakhani mods=rails,web
func sls(c *salt.Ctx, a slsArgs) (any, error) { return applyStates(c, applyArgs(a)) }

type slsArgs struct {
	Name   string     `py:"name"`      // name or ID of the container
	Mods   any        `py:"mods=None"` // SLS files, with commas between them
	Kwargs *value.Map `py:"**kwargs"`  // saltenv, pillarenv, pillar; test; extra_filerefs: further files to hand over, with commas between
}

type highstateArgs struct {
	Name    string     `py:"name"`           // name or ID of the container
	Saltenv any        `py:"saltenv='base'"` // the environment
	Kwargs  *value.Map `py:"**kwargs"`       // as in docker.sls
}

// highstate applies in a container that runs what the top file has for it.
func highstate(c *salt.Ctx, a highstateArgs) (any, error) {
	kw := a.Kwargs.Shallow()
	kw.Set("saltenv", a.Saltenv)
	return applyStates(c, applyArgs{Name: a.Name, Kwargs: kw})
}

func applyStates(c *salt.Ctx, a applyArgs) (any, error) {
	return answer(changing(c, func(d daemon) (any, error) {
		g, err := d.enter(a.Name)
		if err != nil {
			return nil, err
		}
		defer g.leave()
		v, err := g.apply(splitInput(a.Mods), clean(a.Kwargs))
		if err != nil {
			return nil, err
		}
		code := 0
		if m, ok := v.(*value.Map); !ok {
			code = 1
		} else if !succeeded(m) {
			code = 2
		}
		c.Run.SetRetcode(code)
		return v, nil
	}))
}

// succeeded reports whether no state failed.
func succeeded(m *value.Map) bool {
	for _, v := range m.Items() {
		if r, ok := v.(*value.Map); !ok || r.At("result") == false {
			return false
		}
	}
	return m.Len() > 0
}

// apply renders states, hands them over, and runs them.
func (g *guest) apply(mods []string, kw *value.Map) (any, error) {
	v, err := g.call("grains.items", nil, nil)
	if err != nil {
		return nil, err
	}
	grains, ok := v.(*value.Map)
	if !ok {
		return v, nil
	}
	c, err := g.world(grains, kw)
	if err != nil {
		return nil, err
	}
	defer c.Run.End()
	fun, args, opts := "state.show_lowstate", []any(nil), value.M("saltenv", c.Env)
	if len(mods) > 0 {
		fun, args = "state.show_low_sls", []any{value.Strings(mods)}
	} else {
		opts = nil
	}
	v, err = c.CallFunc(c, fun, args, opts)
	if err != nil {
		return nil, err
	}
	chunks, ok := v.(*value.List)
	if !ok {
		return v, nil
	}
	for _, it := range chunks.Items {
		if _, ok := it.(*value.Map); !ok {
			return chunks, nil // errors
		}
	}
	pack, err := packed(c, chunks, splitInput(kw.At("extra_filerefs")))
	if err != nil {
		return nil, err
	}
	if err := g.put(func(w *tar.Writer, in string) error { return file(w, in+"/salt_state.tgz", pack) }); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(pack)
	more := new(value.Map)
	if kw.Truth("test") {
		more.Set("test", true)
	}
	return g.call("state.pkg", []any{g.dir + "/salt_state.tgz", hex.EncodeToString(sum[:]), "sha256"}, more)
}

// world is the context in which states of the container are rendered: its
// grains, and the pillar that belongs to them.
func (g *guest) world(grains, kw *value.Map) (*salt.Ctx, error) {
	n := *g.d.c
	n.Run = salt.NewRun()
	n.Run.Custom, n.Run.Master = g.d.c.Run.Custom, g.d.c.Run.Master
	n.Grains, n.Opts = grains, g.d.c.Opts.Shallow()
	if n.Env = kw.Str("saltenv"); n.Env == "" {
		n.Env = "base"
	}
	pillarenv := text(kw.At("pillarenv"))
	if pillarenv == "" {
		pillarenv = n.Opts.Str("pillarenv")
	}
	over, _ := kw.At("pillar").(*value.Map)
	pillar, err := n.CompilePillar(&n, salt.PillarOptions{Env: pillarenv, SaltEnv: n.Env, Override: over})
	if err != nil {
		return nil, err
	}
	n.Pillar = pillar
	return &n, nil
}

// synced are the folders of a tree with code that goes along.
var synced = []string{"_modules", "_states", "_grains", "_renderers", "_returners", "_output", "_utils"}

// packed is what state.pkg takes: the low chunks, the pillar, and the files
// that they speak of.
func packed(c *salt.Ctx, chunks *value.List, extra []string) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, v := range map[string]any{"lowstate.json": chunks, "pillar.json": c.Pillar} {
		s, err := value.JSON(v, value.JSONOptions{})
		if err != nil {
			return nil, err
		}
		if err := file(w, name, []byte(s)); err != nil {
			return nil, err
		}
	}
	p := packer{c: c, w: w, done: map[string]bool{}}
	for _, it := range chunks.Items {
		low := it.(*value.Map)
		env := low.Str("__env__")
		if env == "" {
			env = "base"
		}
		for key, v := range low.Items() {
			if !strings.HasPrefix(key, "__") {
				p.refs(v, env)
			}
		}
		for _, name := range append(extra, synced...) {
			p.add(name, env)
		}
	}
	for _, f := range []func() error{func() error { return p.err }, w.Close, z.Close} {
		if err := f(); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// A packer collects files of the trees.
type packer struct {
	c    *salt.Ctx
	w    *tar.Writer
	done map[string]bool
	err  error
}

// refs adds the files that a value of a state names.
func (p *packer) refs(v any, env string) {
	switch x := v.(type) {
	case string:
		if strings.HasPrefix(x, "salt://") {
			p.add(x, env)
		}
	case *value.List:
		for _, it := range x.Items {
			p.refs(it, env)
		}
	case *value.Map:
		for _, it := range x.Items() {
			p.refs(it, env)
		}
	}
}

// add adds a file, or all files of a folder.
func (p *packer) add(url, env string) {
	name, query, _ := strings.Cut(strings.TrimPrefix(url, "salt://"), "?")
	name = strings.Trim(strings.TrimPrefix(name, "|"), "/")
	if e, ok := strings.CutPrefix(query, "saltenv="); ok {
		env = e
	}
	if p.err != nil || p.done[env+"/"+name] {
		return
	}
	p.done[env+"/"+name] = true
	f, err := p.c.Files().Find(p.c, name, env)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.err = err
		return
	}
	if f != nil {
		p.file(f, env+"/"+name)
		return
	}
	inside, err := p.c.Files().List(p.c, env, name+"/")
	if err != nil {
		p.err = err
		return
	}
	for _, n := range inside {
		if strings.HasPrefix(n, name+"/") {
			p.add(n, env)
		}
	}
}

func (p *packer) file(f *salt.File, name string) {
	b, err := f.Read()
	if err == nil {
		mode := int64(f.Mode.Perm())
		if mode == 0 {
			mode = 0o644
		}
		err = p.w.WriteHeader(&tar.Header{Name: name, Mode: mode, Size: int64(len(b)), Typeflag: tar.TypeReg})
	}
	if err == nil {
		_, err = p.w.Write(b)
	}
	p.err = err
}
