// Package jinja is the Jinja template language over Python's values (package
// value): a lexer, a parser, a compiler that resolves every name to a slot,
// and the run time. It follows Jinja 3.1 in syntax, scoping and error texts
// and knows nothing of Salt; filters, tests, globals, tags and files come
// from outside through an Env.
//
//	env := &jinja.Env{Undefined: jinja.Strict, Loader: files, Filters: filters.All()}
//	t, err := env.Template(jinja.Source{Name: "web.sls", Text: "port: {{ port }}\n"})
//	out, err := t.Render(ctx, jinja.Input{Vars: value.M("port", int64(80))})
//	out.Text           // "port: 80"
//	out.Line(1)        // web.sls:1
//
// Errors are *Error: class, message and place, as Jinja would report them.
package jinja

import (
	"sync"

	"pinch/value"
)

// An Env is what templates share: syntax options, filters, tests, globals and
// the loader. It must not change once a template was made from it; then
// templates may be made and rendered by several goroutines at once.
type Env struct {
	Options

	// Filters and Tests are found by name. A filter gets the filtered value as
	// its first argument, as a test gets the tested one.
	Filters map[string]Func
	Tests   map[string]Func
	// Globals are seen by every template, also by imported ones. The standard
	// ones (range, dict, lipsum, cycler, joiner, namespace) are always there
	// unless Globals has the same name.
	Globals *value.Map
	// Tags are further statements, by the word that begins them.
	Tags map[string]Tag
	// Loader finds templates for include, import, from and extends. Without
	// one they fail with TemplateNotFound.
	Loader Loader
	// Undefined says what a missing variable may be used for.
	Undefined Policy
	// Finalize, when set, replaces every printed value that is no int before it
	// becomes text.
	Finalize func(*State, any) (any, error)
	// Limits stop runaway templates; the zero value means DefaultLimits.
	Limits Limits

	cache sync.Map // Source name and file -> *Template
}

// Options are the syntax of templates. Empty strings stand for Jinja's defaults.
type Options struct {
	BlockStart, BlockEnd       string // {% %}
	VariableStart, VariableEnd string // {{ }}
	CommentStart, CommentEnd   string // {# #}
	LineStatementPrefix        string // none
	LineCommentPrefix          string // none
	NewlineSequence            string // "\n"
	TrimBlocks                 bool   // drop the newline after a block
	LstripBlocks               bool   // drop the white space before a block that begins a line
	KeepTrailingNewline        bool   // else one newline at the end is dropped
	Autoescape                 bool   // HTML escaping without an autoescape block
}

// Limits bound one render. A zero field means the value of DefaultLimits.
type Limits struct {
	Depth  int // macros, includes, imports, blocks and recursive loops inside each other
	Steps  int // loop turns and calls
	Output int // bytes of text, also of a captured block
	Range  int // numbers in a range
	String int // bytes of one string, items of one list made by * and digits of a number made by **
}

// DefaultLimits are wide enough for every honest template. Depth is near what
// Python's stack allows, Range is that of Jinja's sandbox.
var DefaultLimits = Limits{Depth: 250, Steps: 50_000_000, Output: 256 << 20, Range: 100_000, String: 64 << 20}

func (l Limits) orDefault() Limits {
	d := DefaultLimits
	set := func(to *int, v int) {
		if v > 0 {
			*to = v
		}
	}
	set(&d.Depth, l.Depth)
	set(&d.Steps, l.Steps)
	set(&d.Output, l.Output)
	set(&d.Range, l.Range)
	set(&d.String, l.String)
	return d
}

// A Source is the text of a template. Name is what an import calls it and what
// messages show, "" for a text that no import finds; File is the place for
// positions (Name when empty).
type Source struct{ Name, File, Text string }

// A Loader finds templates. Load gets the name as the template wrote it and
// the name of the template that asks ("" for none); st is the running render,
// nil when there is none (a loader may keep facts in st.Data and set globals
// with st.SetGlobal). When there is no such template it fails with NotFound.
//
// Texts are compiled once per Env as long as Name, File and Text are the same.
type Loader interface {
	Load(st *State, name, from string) (Source, error)
}

// NotFound is the error of a Loader that has no such template.
func NotFound(name string) error { return &Error{Class: "TemplateNotFound", Message: name} }

// Template compiles a text, or returns the compiled template of an earlier
// call with the same Source. It fails with a TemplateSyntaxError.
func (e *Env) Template(src Source) (*Template, error) {
	key := [2]string{src.Name, src.File}
	if t, ok := e.cache.Load(key); ok && t.(*Template).src.Text == src.Text {
		return t.(*Template), nil
	}
	t, err := e.compile(src)
	if err != nil {
		return nil, err
	}
	e.cache.Store(key, t)
	return t, nil
}
