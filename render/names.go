package render

import (
	"cmp"
	"path"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// vars are what a template sees: the usual names, the caller's own, and those
// of its place in the tree. piped says that a renderer of a pipe is at work, not
// the template of a managed file: that one knows no SLS, unless the caller's
// own names have one.
func (r *Renderer) vars(c *salt.Ctx, t salt.Template, piped bool) *value.Map {
	m := value.NewMap(24)
	m.Set("salt", &functions{c: c, offered: t.SLSFile})
	m.Set("grains", c.Grains)
	m.Set("opts", value.LazyMap(func() *value.Map { return options(c) }))
	m.Set("pillar", c.Pillar)
	m.Set("saltenv", t.Env)
	piped = piped || t.SLSFile || t.SLS != ""
	if piped {
		m.Set("sls", t.SLS)
		m.Set("proxy", new(value.Map))
	}
	m.Update(t.Vars)
	switch {
	case piped:
		slsNames(m, t.Place())
	case m.Has("sls"):
		slsNames(m, "")
	}
	return m
}

// options are the minion's, with the grains and the pillar among them.
func options(c *salt.Ctx) *value.Map {
	m := c.Opts.Shallow()
	m.Set("grains", c.Grains)
	m.Set("pillar", c.Pillar)
	return m
}

// slsNames are the tpl* and sls* names of the SLS in m that m has not yet.
// tplpath is the file on the disk, "" if there is none; the others are relative
// to the file root (salt.utils.templates.generate_sls_context).
func slsNames(m *value.Map, file string) {
	set := func(name, v string) {
		if !m.Has(name) {
			m.Set(name, v)
		}
	}
	name := m.Str("sls")
	sls := strings.TrimRight(strings.ReplaceAll(name, ".", "/"), "/")
	if file != "" {
		tpl := file
		switch {
		case name == "":
			tpl = path.Base(file)
		case strings.HasSuffix(file, sls+".sls"):
			tpl = file[len(file)-len(sls)-4:]
		case strings.HasSuffix(file, sls+"/init.sls"):
			tpl = file[len(file)-len(sls)-9:]
		default: // no SLS file: a file that an SLS renders
			set("tplpath", file)
			set("tplfile", name)
			set("tpldir", path.Dir(name))
			return
		}
		sls = ""
		if i := strings.LastIndexByte(tpl, '/'); i >= 0 {
			sls = tpl[:i]
		}
		set("tplpath", file)
		set("tplfile", tpl)
		set("tpldir", cmp.Or(sls, "."))
		set("tpldot", strings.ReplaceAll(sls, "/", "."))
	}
	set("slspath", sls)
	set("slsdotpath", strings.ReplaceAll(sls, "/", "."))
	set("slscolonpath", strings.ReplaceAll(sls, "/", ":"))
	set("sls_path", strings.ReplaceAll(sls, "/", "_"))
}

// The classes of salt.utils.optsdict.
const optsDictClass, proxyClass = "salt.utils.optsdict.OptsDict", "salt.utils.optsdict.DictProxy"

// classes names the Python classes of the options, and of the mappings that are
// among them, as the messages about a missing key do (salt.utils.optsdict). The
// grains and the pillar that a state tree's templates see are among them; those
// that a pillar's see are not.
func classes(vars *value.Map, t salt.Template) func(any) string {
	ofPillar := t.Files != nil || t.Private
	return func(obj any) string {
		m, ok := obj.(*value.Map)
		if !ok {
			return ""
		}
		for _, name := range []string{"grains", "pillar"} {
			if vars.At(name) == obj {
				if ofPillar {
					return ""
				}
				return proxyClass
			}
		}
		opts := vars.Map("opts")
		if m == opts {
			return optsDictClass
		}
		for _, v := range opts.Items() {
			if v == obj {
				return proxyClass
			}
		}
		return ""
	}
}
