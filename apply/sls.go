package apply

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pinch/diag"
	"pinch/salt"
	"pinch/value"
)

// Matches are the SLS files to render, by environment in order.
type Matches []Match

// A Match is what one environment contributes.
type Match struct {
	Env string
	SLS []any // names (strings) or what a top file has instead
}

// Names makes the matches of one environment.
func Names(env string, sls []string) Matches {
	m := Match{Env: env}
	for _, s := range sls {
		m.SLS = append(m.SLS, s)
	}
	return Matches{m}
}

func (m Matches) index(env string) int {
	return slices.IndexFunc(m, func(x Match) bool { return x.Env == env })
}

// Render renders the SLS files and what they include into one high data.
func (p *Compiler) Render(matches Matches) (*High, diag.List) {
	high := p.empty()
	var all diag.List
	for _, m := range matches {
		if !p.hasEnv(m.Env) && !p.hasEnv("__env__") {
			all = append(all, (*source)(nil).mistake("top", diag.Pos{}, "No matching salt environment for environment '%s' found", m.Env))
		}
		for _, item := range m.SLS {
			want := value.Str(item)
			for _, sls := range p.expand(want, m.Env) {
				if p.done[m.Env+":"+sls] {
					continue
				}
				state, errs := p.renderSLS(sls, m.Env, matches)
				if state != nil {
					errs = append(errs, merge(high, state)...)
				}
				renameMissing(errs, want, m.Env)
				all = append(all, errs...)
			}
		}
	}
	cleanExtends(high)
	return high, all
}

// renameMissing gives an SLS that was asked for and is not there the text
// that tells it from a missing include.
func renameMissing(errs diag.List, sls, env string) {
	for _, d := range errs {
		if t := d.Text(); strings.Contains(t, "is not available") && strings.Contains(t, "SLS "+sls+" in saltenv") {
			d.Return = fmt.Sprintf("No matching sls found for '%s' in env '%s'", sls, env)
			d.Summary = d.Return
		}
	}
}

// expand is what an SLS name or glob means in an environment; a glob that
// matches nothing stands for itself and is reported as missing.
func (p *Compiler) expand(sls, env string) []string {
	if !value.IsGlob(sls) {
		return []string{sls}
	}
	if found := p.filter(sls, env); len(found) > 0 {
		return found
	}
	return []string{sls}
}

func (p *Compiler) filter(glob, env string) []string {
	var out []string
	for _, s := range p.states(env) {
		if value.Fnmatch(s, glob) {
			out = append(out, s)
		}
	}
	return out
}

// states lists the SLS names of an environment, sorted.
func (p *Compiler) states(env string) []string {
	if l, ok := p.avail[env]; ok {
		return l
	}
	files, err := p.c.Files().List(p.c, env, "")
	if err != nil {
		p.c.Log.Error("cannot list the files of environment " + env + ": " + err.Error())
	}
	out := []string{}
	for _, f := range files {
		if name, ok := strings.CutSuffix(f, ".sls"); ok {
			name = strings.TrimSuffix(name, "/init")
			out = append(out, strings.ReplaceAll(name, "/", "."))
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	p.avail[env] = out
	return out
}

// environments are those of the file server, base first, in env_order when
// that is set.
func (p *Compiler) environments() []string {
	if p.envs != nil {
		return p.envs
	}
	all, err := p.c.Files().Envs(p.c)
	if err != nil {
		p.c.Log.Error("cannot list the environments: " + err.Error())
	}
	envs := []string{"base"}
	if roots := p.c.Opts.Map("file_roots"); roots != nil {
		for k := range roots.Items() {
			envs = append(envs, k)
		}
	}
	envs = unique(append(envs, all...))
	if order := unique(words(p.c.Opts.At("env_order"))); len(order) > 0 {
		envs = order
		if len(all) > 0 {
			envs = slices.DeleteFunc(order, func(e string) bool { return !slices.Contains(all, e) })
		}
	}
	p.envs = envs
	return envs
}

func (p *Compiler) hasEnv(env string) bool {
	return env == "base" || slices.Contains(p.environments(), env)
}

func unique(in []string) []string {
	var out []string
	for _, s := range in {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// find locates the file of an SLS: a/b.sls before a/b/init.sls. It says, too,
// whether that is an init.sls: also when it was asked for as a.b.init, from
// where .c is then a.b.init.c, as in Salt.
func (p *Compiler) find(sls, env string) (*salt.File, bool, error) {
	base := strings.ReplaceAll(sls, ".", "/")
	f, err := p.c.Files().Find(p.c, base+".sls", env)
	if f != nil || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return f, path.Base(base) == "init", err
	}
	f, err = p.c.Files().Find(p.c, base+"/init.sls", env)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return f, true, err
}

// renderSLS renders one SLS and, through it, all that it includes.
func (p *Compiler) renderSLS(sls, env string, matches Matches) (*High, diag.List) {
	f, init, err := p.find(sls, env)
	if err != nil {
		return nil, diag.List{failedRender(sls, env, &source{}, err)}
	}
	if f == nil {
		d := (*source)(nil).mistake("include", diag.Pos{}, "Specified SLS %s in saltenv %s is not available on the salt master or through a configured fileserver", sls, env)
		d.Summary = fmt.Sprintf("there is no SLS %s in saltenv %s", sls, env)
		d.Hint = p.missingHint(sls, env)
		return nil, diag.List{d}
	}
	text, err := f.Read()
	src := &source{text: string(text), file: f.Local}
	if src.file == "" {
		src.file = "salt://" + f.Path
	}
	p.done[env+":"+sls] = true
	if err != nil {
		return nil, diag.List{failedRender(sls, env, src, err)}
	}
	t := salt.Template{Text: src.text, Name: "salt://" + f.Path, File: f.Local, Env: env, SLS: sls, SLSFile: true}
	return p.renderSource(t, src, init, matches)
}

// renderSource renders an SLS whose file was found. init says that it is the
// init.sls of its folder.
func (p *Compiler) renderSource(t salt.Template, src *source, init bool, matches Matches) (*High, diag.List) {
	sls, env := t.SLS, t.Env
	data, err := p.c.RenderData(p.c, t)
	if err != nil {
		return nil, diag.List{failedRender(sls, env, src, err)}
	}
	if data == nil || !value.Truth(data.Value) {
		p.hollow[sls] = nil
		return nil, nil
	}
	root, ok := data.Value.(*value.Map)
	if !ok {
		return nil, diag.List{
			src.mistake("sls", diag.Pos{File: src.file, Line: 1}, "SLS %s does not render to a dictionary", sls).Hinting(noIDs(data.Value)),
			src.mistake("sls", diag.Pos{File: src.file, Line: 1}, "Error when rendering state with contents: %s", value.Str(data.Value)),
		}
	}
	src.root, src.pos = root, data.Pos
	p.sources[env+":"+sls] = src
	h := p.empty()
	h.IDs = root
	var errs diag.List
	inc, d := takeIncludes(root, sls, src)
	errs = append(errs, d...)
	errs = append(errs, takeExtend(h, sls, env, src)...)
	errs = append(errs, takeExclude(h, sls, src)...)
	if root.Len() == 0 {
		p.hollow[sls] = nil
	}
	errs = append(errs, declare(h, sls, env, src)...)
	errs = append(errs, p.include(h, inc, place{sls: sls, env: env, init: init, src: src}, matches)...)
	p.stamp(h)
	return h, errs
}

// failedRender turns an error of the renderer into Salt's text for it.
func failedRender(sls, env string, src *source, err error) *diag.Diagnostic {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		n := *d
		n.Return = fmt.Sprintf("Rendering SLS '%s:%s' failed: %s", env, sls, d.Text())
		if n.Source == "" && n.Pos.File == src.file {
			n.Source = src.text
		}
		return &n
	}
	var ex *value.Exception
	var traced salt.Traced
	text := err.Error()
	custom := errors.As(err, &traced)
	if custom && errors.As(err, &ex) && ex.Class != "SaltRenderError" {
		text += "\n" + strings.TrimSuffix(traced.Traceback(), "\n")
	}
	if errors.As(err, &ex) && ex.Class != "SaltRenderError" {
		text = fmt.Sprintf("Rendering SLS %s failed, render error: %s", sls, text)
	} else {
		text = fmt.Sprintf("Rendering SLS '%s:%s' failed: %s", env, sls, text)
	}
	d = src.mistake("render", diag.Pos{File: src.file}, "%s", text)
	d.Err = err
	if custom {
		d.Return = text
		d.Summary, _, _ = strings.Cut(text, "\n")
		if p := traced.Place(); p.Line > 0 {
			d.Pos = p
			if p.File != src.file {
				d.Source = ""
			}
		}
	}
	return d
}

// RenderFile renders an SLS that lies anywhere on the disk (state.template).
func (p *Compiler) RenderFile(path, env string) (*High, diag.List) {
	b, err := p.c.Sys.ReadFile(path)
	if err != nil {
		return p.empty(), diag.List{(*source)(nil).mistake("sls", diag.Pos{}, "Specified SLS %s on local filesystem cannot be found.", path)}
	}
	src := &source{text: string(b), file: path}
	h, errs := p.renderSource(salt.Template{Text: src.text, Name: path, File: path, Env: env, SLS: path, SLSFile: true}, src, false, nil)
	if h == nil {
		h = p.empty()
	}
	return h, errs
}

// RenderText renders the text of an SLS (state.template_str).
func (p *Compiler) RenderText(text string) (*High, diag.List) {
	src := &source{text: text, file: "<template-str>"}
	data, err := p.c.RenderData(p.c, salt.Template{Text: text, Name: src.file, Env: or(p.Env, "base"), SLSFile: true})
	if err != nil {
		return p.empty(), diag.List{failedRender(src.file, or(p.Env, "base"), src, err)}
	}
	if data == nil || !value.Truth(data.Value) {
		return p.empty(), nil
	}
	root, ok := data.Value.(*value.Map)
	if !ok {
		return p.empty(), diag.List{src.mistake("sls", diag.Pos{File: src.file, Line: 1}, "Template %s does not render to a dictionary", src.file).Hinting(noIDs(data.Value))}
	}
	src.root, src.pos = root, data.Pos
	p.sources[":"] = src
	return p.single(root, src.file, src)
}

var relative = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\.+)(.*)$`) })
