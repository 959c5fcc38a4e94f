package render

import (
	"path"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// vars are what a template sees: the usual names, those of its place in the
// tree, and the caller's own on top.
func (r *Renderer) vars(c *salt.Ctx, t salt.Template) *value.Map {
	m := value.NewMap(24)
	m.Set("salt", &functions{c: c, offered: t.SLSFile})
	m.Set("grains", c.Grains)
	m.Set("opts", c.Opts)
	m.Set("pillar", c.Pillar)
	m.Set("saltenv", t.Env)
	m.Set("sls", t.SLS)
	if t.SLSFile {
		m.Set("env", t.Env)
	}
	if t.SLSFile || t.SLS != "" {
		slsNames(m, t)
	}
	m.Update(t.Vars)
	return m
}

// slsNames are the tpl* and sls* names. tplpath is the file on the disk, the
// others are relative to the file root (salt.utils.templates.generate_sls_context).
func slsNames(m *value.Map, t salt.Template) {
	sls := strings.TrimRight(strings.ReplaceAll(t.SLS, ".", "/"), "/")
	file := t.Place()
	if file != "" {
		tpl := file
		switch {
		case t.SLS == "":
			tpl = path.Base(file)
		case strings.HasSuffix(file, sls+".sls"):
			tpl = file[len(file)-len(sls)-4:]
		case strings.HasSuffix(file, sls+"/init.sls"):
			tpl = file[len(file)-len(sls)-9:]
		default: // no SLS file: a file that an SLS renders
			m.Set("tplpath", file)
			m.Set("tplfile", t.SLS)
			m.Set("tpldir", path.Dir(t.SLS))
			return
		}
		sls = ""
		if i := strings.LastIndexByte(tpl, '/'); i >= 0 {
			sls = tpl[:i]
		}
		m.Set("tplpath", file)
		m.Set("tplfile", tpl)
		m.Set("tpldir", sls)
		if sls == "" {
			m.Set("tpldir", ".")
		}
		m.Set("tpldot", strings.ReplaceAll(sls, "/", "."))
	}
	m.Set("slspath", sls)
	m.Set("slsdotpath", strings.ReplaceAll(sls, "/", "."))
	m.Set("slscolonpath", strings.ReplaceAll(sls, "/", ":"))
	m.Set("sls_path", strings.ReplaceAll(sls, "/", "_"))
}
