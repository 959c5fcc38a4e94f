package render

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"pinch/diag"
	"pinch/salt"
	"pinch/value"
)

// A stage is what flows through a pipe: text with a map of its lines to the
// file that the user wrote, or data.
type stage struct {
	t    salt.Template
	text string
	line func(n int) diag.Pos // of the text; nil: it is the file itself
	data *salt.Data

	untouched bool // no renderer has seen it yet
	piped     bool // it is to be data, see Renderer.vars
	show      func(Stage)
}

func (s *stage) pos(line, col int) diag.Pos {
	if s.line == nil {
		return diag.Pos{File: s.t.Place(), Line: line, Col: col}
	}
	p := s.line(line)
	if p.File == s.t.Place() && lineOf(s.text, line) == lineOf(s.t.Text, p.Line) {
		p.Col = col // the line stands in the file as it was rendered
	}
	return p
}

// An engine is one renderer of a pipe; arg is what follows its name.
type engine func(r *Renderer, c *salt.Ctx, s *stage, arg string) error

// engine is the renderer of that name, nil if there is none.
func (r *Renderer) engine(c *salt.Ctx, name string) engine {
	if custom(c, name) {
		return customEngine(name)
	}
	switch name {
	case "jinja":
		return jinjaEngine
	case "yaml":
		return yamlEngine
	case "yamlex":
		return yamlexEngine
	case "json":
		return jsonEngine
	case "json5":
		return json5Engine
	case "msgpack":
		return msgpackEngine
	case "toml":
		return tomlEngine
	case "text":
		return textEngine
	case "gotmpl":
		return gotmplEngine
	case "gpg":
		return gpg.engine
	case "age":
		return ageFile.engine
	case "nacl":
		return naclEngine
	case "pass":
		return passEngine
	case "stateconf":
		return stateconfEngine
	}
	return nil
}

// custom reports whether custom modules bring the renderer, or the process
// that runs them.
func custom(c *salt.Ctx, name string) bool {
	if c.Run == nil || c.Run.Custom == nil {
		return false
	}
	return name == "py" || name == "mako" || name == "pyobjects" || c.Run.Custom.Has(c, "renderers", name)
}

// customEngine is such a renderer.
func customEngine(name string) engine {
	return func(_ *Renderer, c *salt.Ctx, s *stage, arg string) error {
		t := s.t
		if name != "py" { // which reads the file itself, whatever was before it
			t.Text = s.text
			if first, rest, _ := strings.Cut(t.Text, "\n"); name != "pyobjects" && name != "mako" && strings.HasPrefix(first, "#!") {
				t.Text = rest
			}
		}
		v, err := c.Run.Custom.Render(c, name, t, arg)
		if err != nil {
			return err
		}
		if text, ok := v.(string); ok {
			s.become(text)
			return nil
		}
		s.data = &salt.Data{Value: v}
		return nil
	}
}

// python are Salt's renderers that are Python all through: named when they are
// asked for and nothing was given for them.
var python = []string{"py", "pyobjects", "pydsl", "mako", "cheetah", "genshi", "wempy", "hjson", "dson", "aws_kms"}

func (r *Renderer) pipe(c *salt.Ctx, s *stage, pipe string) error {
	parts := strings.Split(pipe, "|")
	if len(parts) == 1 {
		if data, text, ok := strings.Cut(pipe, "_"); ok && !strings.Contains(pipe, " ") && r.engine(c, pipe) == nil {
			parts = []string{text, data} // the old spelling yaml_jinja
		}
	}
	s.untouched = true
	// As in Salt no renderer works when one of them is not there.
	for _, part := range parts {
		name, _, _ := strings.Cut(strings.TrimSpace(part), " ")
		if allowed(c, name) && r.engine(c, name) == nil {
			return missing(s, name)
		}
	}
	for _, part := range parts {
		name, arg, _ := strings.Cut(strings.TrimSpace(part), " ")
		if !allowed(c, name) {
			c.Log.Warn(fmt.Sprintf("The renderer \"%s\" is disallowed by configuration and will be skipped.", name))
			continue
		}
		s.untouched = false
		if err := r.engine(c, name)(r, c, s, strings.TrimSpace(arg)); err != nil {
			return err
		}
		s.done(c, name)
	}
	return nil
}

// A Stage is what one renderer of a pipe made: text, or data.
type Stage struct {
	Renderer string
	Text     string
	Data     *salt.Data // nil when it made text
}

// done shows what a renderer made to whoever asked for it, and to the log.
func (s *stage) done(c *salt.Ctx, name string) {
	if s.show != nil {
		s.show(Stage{name, s.text, s.data})
	}
	if s.data == nil && s.t.SLSFile && !s.t.Private && c.Log.Enabled(c, slog.LevelDebug) {
		c.Log.Debug(fmt.Sprintf("Rendered data from file: %s:\n%s", s.t.Place(), s.text))
	}
}

// Stages renders a template through its pipe (see Data) and hands out what
// each renderer made.
func (r *Renderer) Stages(c *salt.Ctx, t salt.Template, show func(Stage)) error {
	pipe := pipeOf(c, t)
	s := &stage{t: t, text: t.Text, piped: true, show: show}
	return r.pipe(c, s, pipe)
}

// missing says that there is no renderer of that name, and what there is.
func missing(s *stage, name string) error {
	f := s.fail("render", fmt.Sprintf("The renderer \"%s\" is not available", name))
	known := []string{"jinja", "yaml", "yamlex", "json", "json5", "toml", "msgpack", "text", "gotmpl", "gpg", "age", "nacl", "pass", "stateconf"}
	if slices.Contains(python, name) {
		f.Diag.Hint = "it is one of Salt's that pinch has not: write the file for jinja|yaml or py"
	} else {
		f.Diag.Hint = diag.DidYouMean(name, known)
	}
	return f
}

// allowed asks renderer_blacklist and renderer_whitelist.
func allowed(c *salt.Ctx, name string) bool {
	has := func(l *value.List) bool {
		for _, it := range l.Items {
			if it == name {
				return true
			}
		}
		return false
	}
	if l := c.Opts.List("renderer_whitelist"); l.Len() > 0 && !has(l) {
		return false
	}
	l := c.Opts.List("renderer_blacklist")
	return l.Len() == 0 || !has(l)
}
