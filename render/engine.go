package render

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"pinch/diag"
	"pinch/render/jinja"
	"pinch/salt"
	"pinch/value"
)

// scope is what a running template's loader and functions need (State.Data).
type scope struct {
	c      *salt.Ctx
	t      salt.Template
	loaded map[string]bool // templates that imports asked for already
}

// envKey tells the environments apart that differ in their options.
type envKey struct {
	options jinja.Options
	lenient bool
}

// jinjaEngine renders the text with Jinja.
func jinjaEngine(r *Renderer, c *salt.Ctx, s *stage, arg string) error {
	if arg != "" && arg != "-s" {
		return fail(s.t, "jinja", diag.Pos{File: s.t.Place(), Line: 1}, "", "Unknown renderer option: "+arg)
	}
	text, gone, o := s.options(c)
	env := r.env(c, o)
	name := s.t.Place()
	s.without(gone)
	t, err := env.Template(jinja.Source{File: name, Text: text})
	var out *jinja.Output
	if err == nil {
		vars := r.vars(c, s.t, s.piped)
		end := ""
		if strings.HasSuffix(s.text, "\n") { // Jinja takes the last one off
			end = "\n"
		}
		out, err = t.Render(c, jinja.Input{Vars: vars, Globals: vars, End: end, Types: classes(vars, s.t), Data: &scope{c: c, t: s.t, loaded: map[string]bool{}}})
	}
	if err != nil {
		return s.jinjaError(c, err, text, r.vars(c, s.t, s.piped))
	}
	before := s.line
	s.text = out.Text
	s.line = func(n int) diag.Pos {
		p := out.Line(n)
		if before != nil && p.File == name {
			return before(p.Line)
		}
		return p
	}
	return nil
}

// env is the environment with the given options.
func (r *Renderer) env(c *salt.Ctx, o jinja.Options) *jinja.Env {
	k := envKey{o, c.Opts.Truth("allow_undefined")}
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.envs[k]; e != nil {
		return e
	}
	e := &jinja.Env{
		Options: o, Filters: filterTable(), Tests: testTable(), Globals: globals,
		Tags: tags, Loader: loader{}, Undefined: jinja.Strict, Finalize: printable,
	}
	if k.lenient {
		e.Undefined = jinja.Lenient
	}
	r.envs[k] = e
	return e
}

// Inspect compiles a Jinja template and looks through it without running it.
// The error is an *Error, as from a render.
func (r *Renderer) Inspect(c *salt.Ctx, t salt.Template) (*jinja.Inspection, error) {
	s := &stage{t: t, text: t.Text}
	text, gone, o := s.options(c)
	s.without(gone)
	in, err := r.env(c, o).Inspect(jinja.Source{File: t.Place(), Text: text})
	if err != nil {
		return nil, s.jinjaError(c, err, text, new(value.Map))
	}
	return in, nil
}

// options are those of jinja_env, or jinja_sls_env for SLS files, and of the
// template's own "#jinja2: {…}" header, which is taken out of the text; gone is
// the line that it was, 0 when there is none.
func (s *stage) options(c *salt.Ctx) (text string, gone int, o jinja.Options) {
	conf := c.Opts.Map("jinja_env")
	if s.t.SLS != "" {
		conf = c.Opts.Map("jinja_sls_env")
	}
	o.TrimBlocks = c.Opts.Truth("jinja_trim_blocks")
	o.LstripBlocks = c.Opts.Truth("jinja_lstrip_blocks")
	for k, v := range conf.Items() {
		set(&o, c, k, v)
	}
	lines := headLines(s.text)
	at := 0
	if strings.HasPrefix(lines[0], "#!") && !strings.HasPrefix(lines[0], "#!/") {
		at = 1
	}
	if at >= len(lines) || !strings.HasPrefix(lines[at], "#jinja2:") {
		return s.text, 0, o
	}
	payload := strings.TrimSpace(strings.TrimPrefix(lines[at], "#jinja2:"))
	if payload == "" {
		return s.text, 0, o
	}
	v, err := value.ParseJSON(payload)
	head, ok := v.(*value.Map)
	switch {
	case err != nil:
		c.Log.Warn("Ignoring malformed '#jinja2:' header in template: " + strings.TrimRight(lines[at], "\r\n"))
		return s.text, 0, o
	case !ok:
		c.Log.Warn("Ignoring '#jinja2:' header that is not a JSON object: " + strings.TrimRight(lines[at], "\r\n"))
		return s.text, 0, o
	}
	for k, v := range head.Items() {
		set(&o, c, k, v)
	}
	lines[at] = ""
	return strings.Join(lines, ""), at + 1, o
}

// without makes places those of the text before a line of it was taken out.
func (s *stage) without(gone int) {
	if gone == 0 {
		return
	}
	before, name := s.line, s.t.Place()
	s.line = func(n int) diag.Pos {
		if n >= gone {
			n++
		}
		if before != nil {
			return before(n)
		}
		return diag.Pos{File: name, Line: n}
	}
}

// headLines splits off the first two lines, with their ends: \n, \r\n or \r.
func headLines(text string) []string {
	var lines []string
	for len(lines) < 2 {
		i := strings.IndexAny(text, "\r\n")
		if i < 0 {
			break
		}
		if strings.HasPrefix(text[i:], "\r\n") {
			i++
		}
		lines, text = append(lines, text[:i+1]), text[i+1:]
	}
	return append(lines, text)
}

// set sets one option by its Jinja name.
func set(o *jinja.Options, c *salt.Ctx, name string, v any) {
	text := map[string]*string{
		"block_start_string": &o.BlockStart, "block_end_string": &o.BlockEnd,
		"variable_start_string": &o.VariableStart, "variable_end_string": &o.VariableEnd,
		"comment_start_string": &o.CommentStart, "comment_end_string": &o.CommentEnd,
		"line_statement_prefix": &o.LineStatementPrefix, "line_comment_prefix": &o.LineCommentPrefix,
		"newline_sequence": &o.NewlineSequence,
	}
	flag := map[string]*bool{
		"trim_blocks": &o.TrimBlocks, "lstrip_blocks": &o.LstripBlocks, "keep_trailing_newline": &o.KeepTrailingNewline,
	}
	name = strings.ToLower(name)
	switch {
	case text[name] != nil:
		*text[name], _ = v.(string)
	case flag[name] != nil:
		*flag[name] = value.Truth(v)
	default:
		c.Log.Warn(fmt.Sprintf("Jinja2 environment %s is not recognized", name))
	}
}

// jinjaError shows a template's error as Salt does: a word for its kind, the
// text, and the lines around; when it happened in an imported file, that
// file's name and lines.
func (s *stage) jinjaError(c *salt.Ctx, err error, text string, vars *value.Map) error {
	var e *jinja.Error
	if !errors.As(err, &e) {
		return err
	}
	at := e.Reported
	if at.Line == 0 {
		at = e.Pos
	}
	msg := kind(e.Class) + e.Message
	if at.File != "" && at.File != s.t.Place() {
		msg += fmt.Sprintf("\n%s(%d):\n%s", at.File, at.Line, around(sourceOf(e, at), at.Line))
	} else if at.Line > 0 {
		msg += fmt.Sprintf("; line %d\n\n%s", at.Line, around(text, at.Line))
	}
	pos, source := e.Pos, e.Source
	if pos.File == s.t.Place() && s.line != nil {
		pos, source = s.line(pos.Line), s.t.Text
	}
	f := fail(s.t, "jinja", pos, source, msg)
	f.Diag.Summary = kind(e.Class) + cmp.Or(plainClasses.Replace(e.Message), e.Class) // MemoryError says nothing in Python
	f.Diag.Err = err
	if e.Class == "TemplateNotFound" {
		f.Diag.Summary = fmt.Sprintf("Jinja error: there is no file %s in saltenv %s", e.Message, s.t.Env)
	}
	f.Diag.Hint = s.hint(c, e, vars)
	if p := e.Opened; p.Line > 0 {
		if p.File == s.t.Place() && s.line != nil {
			p = s.line(p.Line)
		}
		f.Diag.Notes = append(f.Diag.Notes, diag.Note{Pos: p, Text: "the block begins here"})
	}
	for _, p := range e.Stack {
		f.Diag.Notes = append(f.Diag.Notes, diag.Note{Pos: p, Text: "used here"})
	}
	return f
}

// plainClasses names the classes that classes() has as people know them; the text
// of the result is Salt's.
var plainClasses = strings.NewReplacer(proxyClass+" object", "dict object", optsDictClass+" object", "dict object")

func sourceOf(e *jinja.Error, at diag.Pos) string {
	if e.Pos.File == at.File {
		return e.Source
	}
	return fail(salt.Template{}, "", at, "", "").Diag.Source
}

// kind is how Salt introduces an exception of a template.
func kind(class string) string {
	switch class {
	case "UndefinedError":
		return "Jinja variable "
	case "TemplateRuntimeError", "TemplateSyntaxError", "TemplateAssertionError", "SecurityError", "FilterArgumentError":
		return "Jinja syntax error: "
	case "SaltInvocationError", "CommandExecutionError", "CommandNotFoundError":
		return "Problem running salt function in Jinja template: "
	}
	return "Jinja error: "
}

// around shows five lines around a line (salt.utils.stringutils.get_context).
func around(text string, line int) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if line > len(lines) || line < 1 {
		return text
	}
	from, to := max(0, line-6), min(len(lines), line+5)
	out := []string{"---"}
	if from > 0 {
		out = append(out, "[...]")
	}
	for i := from; i < to; i++ {
		l := strings.TrimSuffix(lines[i], "\r")
		if i == line-1 {
			l += "    <======================"
		}
		out = append(out, l)
	}
	if to < len(lines) {
		out = append(out, "[...]")
	}
	return strings.Join(append(out, "---"), "\n")
}
