// Package caller is one run of functions on this machine, what Salt calls a
// Caller: it puts together the configuration, grains, pillar, file client,
// renderer and the table of functions, and is the Host that functions see.
//
//	r := caller.New(caller.Options{Config: conf, Registry: modules.Registry(), Log: log})
//	out, err := r.Ctx(ctx).Call("test.ping")
//
// Everything is made at its first use: a test.ping reads no grain, no pillar
// and no tree.
package caller

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"pinch/bridge"
	"pinch/config"
	"pinch/diag"
	"pinch/events"
	"pinch/fileclient"
	"pinch/grains"
	"pinch/pillar"
	"pinch/render"
	"pinch/render/jinja"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Options are what a run is made of.
type Options struct {
	Config   *config.Config
	Registry *salt.Registry
	Log      *slog.Logger
	Sys      sys.Sys     // nil: this machine
	Grains   *value.Map  // nil: gathered
	Bus      *events.Bus // of this process, if it serves one
	Master   salt.Master // files and pillar come from it; nil: from this machine
	Pillar   *value.Map  // with a master: the pillar as it was last compiled, or nil
}

// A Caller is one run.
type Caller struct {
	o        Options
	renderer *render.Renderer
	run      *salt.Run
	files    func() salt.Files
	trees    func() salt.Files // of the pillar
	grains   *value.Map
	pillar   *value.Map
	base     context.Context
	custom   *bridge.Bridge
	noPillar error
}

var _ salt.Host = (*Caller)(nil)

// New starts a run. Nothing is read yet.
func New(o Options) *Caller {
	if o.Sys == nil {
		o.Sys = sys.Real{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	run := salt.NewRun()
	o.Log = slog.New(hiding{o.Log.Handler(), run})
	r := &Caller{o: o, renderer: render.New(), run: run, base: context.Background()}
	r.files = sync.OnceValue(func() salt.Files { return r.client("file_roots", "fileserver_backend") })
	r.trees = sync.OnceValue(func() salt.Files { return r.client("pillar_roots", "") })
	r.custom = bridge.New(bridge.Options{Opts: o.Config.Opts, Log: o.Log, Grains: r.core})
	r.run.Custom = r.custom
	r.run.Master = o.Master
	r.grains = o.Grains
	if r.grains == nil {
		r.grains = value.LazyMap(r.gather)
		r.run.Regather = func() { r.grains.Reset(r.gather) }
	}
	r.pillar = o.Pillar
	if r.pillar == nil {
		r.pillar = value.LazyMap(r.compile)
	}
	return r
}

// compile is the pillar of the run; its errors are in it.
func (r *Caller) compile() *value.Map {
	p, err := r.CompilePillar(r.Ctx(r.base), salt.PillarOptions{Env: r.opts().Str("pillarenv"), SaltEnv: r.opts().Str("saltenv")})
	if err != nil {
		r.o.Log.Error("Pillar failed to compile: " + err.Error())
		r.noPillar = err
		return value.M("_errors", value.L(err.Error()))
	}
	return p
}

// NoPillar is why there is no pillar, nil when there is one or nobody has asked for it.
func (r *Caller) NoPillar() error { return r.noPillar }

// core are the grains that custom modules see: without theirs and those of the
// configuration, which come last.
func (r *Caller) core() *value.Map {
	opts := r.o.Config.Opts.Shallow()
	opts.Pop("grains")
	return grains.Load(grains.Host{Sys: r.o.Sys, Opts: opts, Log: r.o.Log})
}

// gather are all grains: custom modules are asked only if there are some.
func (r *Caller) gather() *value.Map {
	c := r.Ctx(r.base)
	c.Grains = value.LazyMap(r.core) // ours are in the making
	c.Pillar = new(value.Map)
	return grains.Load(grains.Host{Sys: r.o.Sys, Opts: r.o.Config.Opts, Log: r.o.Log}, r.custom.Grains(c))
}

// Close ends what the run has started: the process of the custom modules,
// connections.
func (r *Caller) Close() {
	r.custom.Close()
	r.run.End()
}

func (r *Caller) opts() *value.Map { return r.o.Config.Opts }

// Ctx is the context that the first call of the run gets.
func (r *Caller) Ctx(ctx context.Context) *salt.Ctx {
	r.base = ctx
	env := r.opts().Str("saltenv")
	if env == "" {
		env = "base"
	}
	return &salt.Ctx{
		Context: ctx, Sys: r.o.Sys, Log: r.o.Log, Grains: r.grains, Pillar: r.pillar, Opts: r.opts(),
		Env: env, Test: false, Run: r.run, Host: r,
	}
}

// Reports are the user's mistakes that were found so far.
func (r *Caller) Reports() diag.List { return r.run.Reports() }

// Registry is the table of functions.
func (r *Caller) Registry() *salt.Registry { return r.o.Registry }

// Files is the client of the state trees.
func (r *Caller) Files() salt.Files { return r.files() }

// CallFunc runs an execution function.
func (r *Caller) CallFunc(c *salt.Ctx, fun string, args []any, kw *value.Map) (any, error) {
	f, err := r.o.Registry.Exec(c, fun)
	if err != nil {
		return nil, err
	}
	if c.Mask {
		inner := *c
		inner.Mask = false
		c = &inner
	}
	return f.Call(c, args, kw)
}

// CallState runs a state function as __states__ does.
func (r *Caller) CallState(c *salt.Ctx, fun string, kw *value.Map) (salt.Result, error) {
	f, _, err := r.o.Registry.State(c, fun)
	if err != nil {
		return salt.Result{}, err
	}
	v, err := f.Call(c, nil, kw)
	if err != nil {
		return salt.Result{}, err
	}
	switch v := v.(type) {
	case salt.Result:
		return v, nil
	case *value.Map:
		return salt.ResultOf(v), nil
	}
	return salt.Result{}, fmt.Errorf("%s: no state's answer: %s", fun, value.Repr(v))
}

// Render renders a template to text.
func (r *Caller) Render(c *salt.Ctx, t salt.Template) (string, error) {
	text, err := r.renderer.Text(c, t)
	return text, r.hideIn(err)
}

// RenderData renders a template to data. The exit code that a function called
// by an SLS or top file asks for is its own matter: Salt compiles states and
// pillar with a __context__ of their own.
func (r *Caller) RenderData(c *salt.Ctx, t salt.Template) (*salt.Data, error) {
	if t.SLSFile {
		defer c.Run.SetRetcode(c.Run.Retcode())
	}
	d, err := r.renderer.Data(c, t)
	return d, r.hideIn(err)
}

// Inspect looks through a Jinja template without running it.
func (r *Caller) Inspect(c *salt.Ctx, text, file string) (*jinja.Inspection, error) {
	return r.renderer.Inspect(c, salt.Template{Text: text, Name: file, File: file, SLS: "lint"})
}

// Stages renders a template as Render and RenderData do and hands each stage
// of the pipe out as it is done.
func (r *Caller) Stages(c *salt.Ctx, t salt.Template, show func(render.Stage)) error {
	return r.hideIn(r.renderer.Stages(c, t, show))
}

// CompilePillar compiles the pillar.
func (r *Caller) CompilePillar(c *salt.Ctx, o salt.PillarOptions) (*value.Map, error) {
	if r.o.Master != nil {
		p, err := r.o.Master.Pillar(c, c.Grains, o)
		if err == nil {
			pillar.Hide(c, p)
		}
		return p, err
	}
	return pillar.Compile(c, pillar.Options{
		Files: r.trees(), ID: r.opts().Str("id"), Env: o.Env, SaltEnv: o.SaltEnv, Override: o.Override,
		External: map[string]func(*salt.Ctx, []any, *value.Map) (any, error){
			"git": func(c *salt.Ctx, args []any, _ *value.Map) (any, error) { return r.gitPillar(c, o, args) },
		},
	})
}

// client makes a file client over the roots that an option names.
func (r *Caller) client(roots, backends string) salt.Files {
	o := r.opts()
	fs := &fileclient.Roots{
		Dirs:        map[string][]string{},
		NoFollow:    o.Has("fileserver_followsymlinks") && !o.Truth("fileserver_followsymlinks"),
		IgnoreLinks: o.Truth("fileserver_ignoresymlinks"),
	}
	list := r.o.Config.FileRoots()
	if roots == "pillar_roots" {
		list = r.o.Config.PillarRoots()
	}
	for _, root := range list {
		fs.Dirs[root.Env] = root.Dirs
	}
	if slices.ContainsFunc(list, func(root config.Root) bool { return slices.ContainsFunc(root.Dirs, fileclient.IsArchive) }) {
		fs.Archives = &fileclient.Archives{Dir: filepath.Join(o.Str("cachedir"), "archives"), HTTP: HTTPOptions(o), Offline: o.Truth("offline"), Log: r.o.Log}
	}
	for _, re := range strs(o.At("file_ignore_regex")) {
		if c, err := regexp.Compile(re); err == nil {
			fs.IgnoreRegex = append(fs.IgnoreRegex, c)
		} else {
			r.o.Log.Error("Unable to parse file_ignore_regex. Skipping: " + re)
		}
	}
	fs.IgnoreGlob = strs(o.At("file_ignore_glob"))
	return fileclient.New(fileclient.Options{
		Backends: r.backends(fs, backends), CacheDir: o.Str("cachedir"), HashType: o.Str("hash_type"),
		HTTP: HTTPOptions(o),
	})
}

// HTTPOptions are how downloads go (http_connect_timeout, proxy_host and so on).
func HTTPOptions(o *value.Map) fileclient.HTTPOptions {
	seconds := func(key string) time.Duration {
		n, _ := o.At(key).(int64)
		return time.Duration(n) * time.Second
	}
	return fileclient.HTTPOptions{
		ConnectTimeout: seconds("http_connect_timeout"), RequestTimeout: seconds("http_request_timeout"),
		CABundle: o.Str("ca_bundle"), NoProxy: strs(o.At("no_proxy")), UserAgent: "pinch", Proxy: proxy(o),
	}
}

func strs(v any) []string {
	switch v := v.(type) {
	case *value.List:
		var out []string
		for _, it := range v.Items {
			out = append(out, value.Str(it))
		}
		return out
	case string:
		if v = strings.TrimSpace(v); v != "" {
			return []string{v}
		}
	}
	return nil
}
