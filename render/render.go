// Package render turns what a user wrote into text or data: "#!jinja|yaml"
// pipes for SLS, pillar and top files, and single engines for managed files.
// It is Salt's side of Jinja: the names that templates see, the tags that Salt
// adds, where imports come from, and how errors are shown.
//
//	r := render.New()
//	data, err := r.Data(c, salt.Template{Text: text, Name: "salt://web/init.sls", SLS: "web", SLSFile: true})
//	data.Value // the high data
//
// A Renderer lives for one run and compiles each template once.
package render

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"sync"

	"pinch/diag"
	"pinch/render/jinja"
	"pinch/render/stateconf"
	"pinch/render/yaml"
	"pinch/salt"
	"pinch/value"
)

// A Renderer renders the templates of one run. Several goroutines may use it.
type Renderer struct {
	mu    sync.Mutex
	envs  map[envKey]*jinja.Env
	confs stateconf.Confs
}

// New makes a renderer with nothing compiled yet.
func New() *Renderer { return &Renderer{envs: map[envKey]*jinja.Env{}} }

// Data renders through a pipe that ends in data. An empty or blank text is an
// empty map.
func (r *Renderer) Data(c *salt.Ctx, t salt.Template) (*salt.Data, error) {
	if strings.TrimSpace(t.Text) == "" {
		return &salt.Data{Value: new(value.Map)}, nil
	}
	c, err := deeper(c)
	if err != nil {
		return nil, err
	}
	pipe := pipeOf(c, t)
	s := &stage{t: t, text: t.Text, piped: true}
	if err := r.pipe(c, s, pipe); err != nil {
		return nil, err
	}
	switch {
	case s.data == nil && s.untouched: // all renderers are disallowed
		s.data = &salt.Data{Value: new(value.Map)}
	case s.data == nil:
		s.data = &salt.Data{Value: s.text}
	}
	return s.data, nil
}

// deepest is how many templates may be at work inside each other, one rendered
// by a function that the one before calls. Python's stack ends about there.
const deepest = 40

type depthKey struct{}

// deeper is c for a template that is rendered now, an error when too many others
// wait for it: one that renders itself would never end.
func deeper(c *salt.Ctx) (*salt.Ctx, error) {
	n, _ := c.Value(depthKey{}).(int)
	if n >= deepest {
		return nil, value.Errorf("RecursionError", "maximum recursion depth exceeded: %d templates render each other", n)
	}
	d := *c
	d.Context = context.WithValue(c.Context, depthKey{}, n+1)
	return &d, nil
}

// pipeOf is the pipe of the template's first line, or the one asked for.
func pipeOf(c *salt.Ctx, t salt.Template) string {
	pipe := t.Engine
	if first, _, _ := strings.Cut(t.Text, "\n"); strings.HasPrefix(first, "#!") && !strings.HasPrefix(first, "#!/") {
		pipe = strings.TrimSpace(first[2:])
	} else if pipe == "" {
		pipe = c.Opts.Str("renderer")
	}
	if pipe == "" {
		pipe = "jinja|yaml"
	}
	return pipe
}

// Text renders with one text engine, such as jinja.
func (r *Renderer) Text(c *salt.Ctx, t salt.Template) (string, error) {
	c, err := deeper(c)
	if err != nil {
		return "", err
	}
	s := &stage{t: t, text: t.Text}
	if err := r.pipe(c, s, t.Engine); err != nil {
		return "", err
	}
	if s.data != nil {
		return value.Str(s.data.Value), nil
	}
	return s.text, nil
}

func textEngine(_ *Renderer, _ *salt.Ctx, s *stage, _ string) error {
	s.data = &salt.Data{Value: s.text}
	return nil
}

func yamlEngine(_ *Renderer, c *salt.Ctx, s *stage, _ string) error {
	doc, err := yaml.LoadDoc("", s.text)
	if err != nil {
		return s.yamlError(c, err)
	}
	v := doc.Value
	if !value.Truth(v) {
		v = new(value.Map)
	}
	if c.Opts.Truth("use_yamlloader_old") {
		c.Log.Warn("Using the old YAML Loader for rendering, consider disabling this and using the tojson filter.")
		if v, err = each(v, unicodeLiteral); err != nil {
			return err
		}
	}
	s.data = &salt.Data{Value: v, Pos: func(container, key any) diag.Pos {
		line, col := doc.Pos(container, key)
		if line == 0 {
			return diag.Pos{}
		}
		return s.pos(line, col)
	}}
	return nil
}

// unicodeLiteral reads a text that is a string of Python 2, such as u'x', as
// the YAML loader of the option use_yamlloader_old does.
func unicodeLiteral(text string) (any, error) {
	if n := len(text); n > 3 && text[0]|0x20 == 'u' && text[1] == text[n-1] && (text[1] == '\'' || text[1] == '"') && !strings.Contains(text, "\n") {
		if v, err := value.ParseJSON5(text[1:]); err == nil {
			return v, nil
		}
	}
	return text, nil
}

// yamlexEngine reads YAML whose keys may stand twice; see yaml.LoadEx.
func yamlexEngine(_ *Renderer, c *salt.Ctx, s *stage, _ string) error {
	v, marks, err := yaml.LoadEx(s.text)
	if err != nil {
		return s.yamlError(c, err)
	}
	if !value.Truth(v) {
		v = new(value.Map)
	}
	s.data = &salt.Data{Value: v, Marks: marks}
	return nil
}

func (s *stage) yamlError(c *salt.Ctx, err error) error {
	var e *yaml.Error
	if !errors.As(err, &e) {
		return err
	}
	pos := s.pos(e.Line, e.Col)
	if e.Line == 0 {
		pos = diag.Pos{File: s.t.Place()}
	}
	f := fail(s.t, "yaml", pos, "", e.Problem)
	f.Text = yaml.RenderError(e, s.text)
	f.Diag.Return, f.Diag.Hint = f.Text, e.Hint()
	if e.Context != "" && e.ContextLine > 0 && e.ContextLine != e.Line {
		f.Diag.Notes = append(f.Diag.Notes, diag.Note{Pos: s.pos(e.ContextLine, e.ContextCol), Text: e.Context})
	}
	if got := lineOf(s.text, e.Line); s.line != nil && got != lineOf(f.Diag.Source, pos.Line) && got != "" {
		f.Diag.Detail = "rendered: " + got
	}
	if s.line != nil && (c.Opts.Truth("show_rendered") || c.Log.Enabled(c, slog.LevelDebug)) {
		f.Diag.Detail = "rendered:\n" + numbered(s.text, e.Line)
	}
	return f
}

// numbered are the lines of a text around one of them, with their numbers.
func numbered(text string, line int) string {
	var b strings.Builder
	for i, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if n := i + 1; n >= line-5 && n <= line+5 {
			mark := " "
			if n == line {
				mark = ">"
			}
			fmt.Fprintf(&b, "%s %4d | %s\n", mark, n, l)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// jsonEngine reads JSON, json5Engine its superset JSON5.
func jsonEngine(_ *Renderer, _ *salt.Ctx, s *stage, _ string) error {
	return s.json("json", value.ParseJSON)
}

func json5Engine(_ *Renderer, _ *salt.Ctx, s *stage, _ string) error {
	return s.json("json5", value.ParseJSON5)
}

func (s *stage) json(name string, parse func(string) (any, error)) error {
	v, err := parse(headless(s.text))
	if err != nil {
		var e *value.JSONError
		errors.As(err, &e)
		line := e.Line
		if strings.HasPrefix(s.text, "#!") {
			line++
		}
		return fail(s.t, name, s.pos(line, e.Col), "", err.Error())
	}
	if !value.Truth(v) {
		v = new(value.Map)
	}
	s.data = &salt.Data{Value: v}
	return nil
}

// headless is the text without its first line, if that is a #! one.
func headless(text string) string {
	if strings.HasPrefix(text, "#!") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

func lineOf(text string, n int) string {
	lines := strings.Split(text, "\n")
	if n < 1 || n > len(lines) {
		return ""
	}
	return lines[n-1]
}

// An Error is a rendering failure: Error() is Salt's text for it
// (SaltRenderError), Diag is ours.
type Error struct {
	Text string
	Diag *diag.Diagnostic
}

func (e *Error) Error() string { return e.Text }

// Unwrap gives the diagnostic.
func (e *Error) Unwrap() error { return e.Diag }

// fail says that the renderer id cannot work on the stage.
func (s *stage) fail(id, text string) *Error {
	return fail(s.t, id, diag.Pos{File: s.t.Place(), Line: 1}, "", text)
}

// fail makes an Error. Without a source the file of pos is read for the snippet.
func fail(t salt.Template, id string, pos diag.Pos, source, text string) *Error {
	if source == "" {
		switch {
		case pos.File == t.Place():
			source = t.Text
		case pos.File != "":
			if b, err := os.ReadFile(pos.File); err == nil || errors.Is(err, fs.ErrNotExist) {
				source = string(b)
			}
		}
	}
	return &Error{Text: text, Diag: &diag.Diagnostic{ID: id, Pos: pos, Summary: text, Source: source, Return: text}}
}
