// Package salt is the contract between the engine and a module: what a module
// is (Module, Func), what a function is given (Ctx) and what a state answers
// (Result). Read this package first.
//
// A function is an ordinary Go function with an argument struct, whose tags
// are Salt's Python signature and whose comments are the manual:
//
//	type absentArgs struct {
//		Name   string     `py:"name"`     // the path to remove
//		Kwargs *value.Map `py:"**kwargs"` // Salt takes and ignores any other
//	}
//
//	// absent makes sure that the named file or directory does not exist.
//	func absent(c *salt.Ctx, a absentArgs) salt.Result { … }
//
//	var Module = salt.Module{Name: "file", States: func() salt.Funcs { return salt.Funcs{"absent": salt.State(absent)} }}
package salt

import (
	"context"
	"log/slog"
	"sync"

	"pinch/diag"
	"pinch/sys"
	"pinch/value"
)

// A Module is a named set of functions, such as file or pkg.
type Module struct {
	Name    string
	Aliases []string // further names of the module (__virtual_aliases__)
	// Named reports whether the module has that further name here; nil: always.
	Named  func(c *Ctx, alias string) bool
	States func() Funcs // file.managed in an SLS; asked for once, when the module is first used
	Exec   func() Funcs // file.chown on the command line and in templates

	// Virtual says why the module cannot be used here (its error text is the
	// reason), nil: always usable. It is asked when a function is first needed,
	// and anew after Registry.Forget. Kind is "states" or "exec".
	Virtual func(c *Ctx, kind string) error

	// Outputter says how results of execution functions are shown, by function
	// (__outputter__); the rest is nested.
	Outputter map[string]string

	// Watch is mod_watch: what a state of this module does when something it
	// watches changed. Its kwargs have sfun, the state's function.
	Watch *Func
	// Aggregate is mod_aggregate: it may widen the chunk low, whose turn it is,
	// with what later chunks of the same function ask for.
	Aggregate func(c *Ctx, low *value.Map, chunks []*value.Map, running *value.Map) *value.Map
	// Init is mod_init, called once before the first state of the module runs;
	// true means that it is done.
	Init func(c *Ctx, low *value.Map) bool
	// CheckCmd is mod_run_check_cmd for states that evaluate check_cmd themselves:
	// the names of those functions.
	CheckCmd []string

	states, exec declared
}

// declared are functions that were asked for.
type declared struct {
	once  sync.Once
	funcs Funcs
}

// Funcs are functions by name.
type Funcs map[string]*Func

// Ctx is what a function knows about the run it takes part in. It is copied
// for each call; what calls share hangs on Run.
type Ctx struct {
	context.Context
	Sys    sys.Sys // refuses changes when Test is set
	Log    *slog.Logger
	Grains *value.Map // lazy: reading one value gathers that one only
	Pillar *value.Map
	Opts   *value.Map
	Env    string     // saltenv
	Test   bool       // test=True
	Mask   bool       // a person asked for this very call: pillar functions hide values
	Low    *value.Map // the chunk of the state that runs (__id__, __sls__, state, fun …); nil outside of states
	Run    *Run
	// Before are the results as they were when a state began that runs beside
	// others; see Results.
	Before *value.Map
	Host
}

// Results are those of the states that ran so far, by tag; nil outside of a
// state run.
func (c *Ctx) Results() *value.Map {
	if c.Before != nil {
		return c.Before
	}
	return c.Run.Running
}

// Host is the engine as functions see it.
type Host interface {
	// CallFunc runs an execution function as __salt__[fun](*args, **kw) does.
	CallFunc(c *Ctx, fun string, args []any, kw *value.Map) (any, error)
	// CallState runs a state function as __states__[fun](**kw) does.
	CallState(c *Ctx, fun string, kw *value.Map) (Result, error)
	Registry() *Registry
	Files() Files
	// Render renders a template to text; see Template.
	Render(c *Ctx, t Template) (string, error)
	// RenderData renders through a pipe that ends in data, such as jinja|yaml.
	RenderData(c *Ctx, t Template) (*Data, error)
	// CompilePillar compiles the pillar anew.
	CompilePillar(c *Ctx, o PillarOptions) (*value.Map, error)
}

// Place is where positions point: the file on the disk, else the name.
func (t Template) Place() string {
	if t.File != "" {
		return t.File
	}
	return t.Name
}

// Data is what a data renderer made of a template.
type Data struct {
	Value any
	// Pos is where the item with that key (of a *value.Map) or index (of a
	// *value.List) stands in the file that the user wrote. It may be nil.
	Pos func(container any, key any) diag.Pos
	// Marks are what yamlex's tag !aggregate stood at; nil for other renderers.
	Marks value.Marks
}

// PillarOptions choose a pillar.
type PillarOptions struct {
	Env      string // pillarenv
	SaltEnv  string
	Override *value.Map // the pillar= of a call
}

// A Template is a text to render.
type Template struct {
	Text   string
	Name   string     // for messages; salt://web/x.conf, or a path
	File   string     // where it lies on the disk, if it does
	Engine string     // "jinja", "gotmpl", "mako", "py" …; for RenderData a pipe, "" = the configured renderer
	Env    string     // saltenv
	SLS    string     // the name of the SLS; "" for other templates and for top files
	Vars   *value.Map // what the template sees besides the usual names
	// Files is where imports come from; nil: the run's trees. The pillar has its own.
	Files Files
	// SLSFile marks SLS and top files: the configured renderer applies, and
	// jinja_sls_env where SLS is set.
	SLSFile bool
	// Private says that the text may hold secrets: the log does not show it.
	Private bool
}

// Call runs an execution function with positional arguments.
func (c *Ctx) Call(fun string, args ...any) (any, error) {
	return c.CallFunc(c, fun, args, nil)
}

// CallKw runs an execution function with positional and keyword arguments.
func (c *Ctx) CallKw(fun string, kw *value.Map, args ...any) (any, error) {
	return c.CallFunc(c, fun, args, kw)
}

// With returns a copy of c whose Sys may change the machine or not.
func (c *Ctx) With(test bool) *Ctx {
	n := *c
	n.Test = test
	if ro, ok := c.Sys.(sys.ReadOnly); ok && !test {
		n.Sys = ro.Sys
	} else if !ok && test {
		n.Sys = sys.ReadOnly{Sys: c.Sys}
	}
	return &n
}
