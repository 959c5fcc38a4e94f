package caller_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pinch/salt"
	"pinch/value"
)

type takeArgs struct {
	V any `py:"v"` // any value
}

// What filters mark as safe in HTML is ordinary text to a function, at any depth.
func TestFunctionsGetPlainText(t *testing.T) {
	root := t.TempDir()
	r := newRun(t, root, options(root, new(value.Map)), new(value.Map))
	var got any
	r.Registry().Add(&salt.Module{Name: "probe", Exec: func() salt.Funcs {
		return salt.Funcs{
			"take": salt.Exec(func(_ *salt.Ctx, a takeArgs) (any, error) { got = a.V; return nil, nil }),
		}
	}})
	ctx := r.Ctx(context.Background())
	for _, expr := range []string{"'x'|json", "{'a': ['x'|json]}", "['x']|map('json')"} {
		if _, err := r.Render(ctx, salt.Template{Text: "{% do salt['probe.take'](" + expr + ") %}", Engine: "jinja", Env: "base"}); err != nil {
			t.Fatal(err)
		}
		text := got
		for {
			if m, ok := text.(*value.Map); ok {
				text = m.At("a")
			} else if l, ok := text.(*value.List); ok {
				text = l.Items[0]
			} else {
				break
			}
		}
		if text != `"x"` {
			t.Errorf("%s: the function got %T %v", expr, text, text)
		}
	}
}

// The time of a profile block is that of the block, in every turn of a loop.
func TestProfileMeasuresTheBlock(t *testing.T) {
	root := t.TempDir()
	r := newRun(t, root, options(root, new(value.Map)), new(value.Map))
	ctx := r.Ctx(context.Background())
	var log bytes.Buffer
	ctx.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	out, err := r.Render(ctx, salt.Template{Text: "{% for i in [1, 2] %}{% profile as 'p' %}{{ i }}{% endprofile %}{% endfor %}", Engine: "jinja", Env: "base"})
	if err != nil || out != "12" {
		t.Fatal(out, err)
	}
	times := regexp.MustCompile(`profile block 'p': ([0-9.]+)`).FindAllStringSubmatch(log.String(), -1)
	if len(times) != 2 {
		t.Fatal(log.String())
	}
	for _, m := range times {
		if s, _ := strconv.ParseFloat(m[1], 64); s > 3600 {
			t.Errorf("%s seconds were not spent in the block", m[1])
		}
	}
}

// A template's cmd.run is the function itself, which uses no shell unless told to, however it is called.
func TestTemplatesCallTheNamedFunction(t *testing.T) {
	root := t.TempDir()
	r := newRun(t, root, options(root, new(value.Map)), new(value.Map))
	named := func(name string) *salt.Func {
		return salt.Exec(func(_ *salt.Ctx, _ takeArgs) (any, error) { return name, nil })
	}
	r.Registry().Add(&salt.Module{Name: "cmd", Exec: func() salt.Funcs { return salt.Funcs{"run": named("run"), "shell": named("shell")} }})
	for text, engine := range map[string]string{
		`{{ salt['cmd.run']('x') }}`:     "jinja",
		`{{ salt.cmd.run('x') }}`:        "jinja",
		`{{ salt.get('cmd.run')('x') }}`: "jinja",
		`{{ salt "cmd.run" "x" }}`:       "gotmpl",
	} {
		out, err := r.Render(r.Ctx(context.Background()), salt.Template{Text: text, Engine: engine, Env: "base"})
		if err != nil || out != "run" {
			t.Errorf("%s: called %s, %v", text, out, err)
		}
	}
}

// An absolute path names the file itself, in the trees or outside; the top of the trees has no slash in front.
func TestImportByAbsolutePath(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	r := newRun(t, root, options(root, new(value.Map)), new(value.Map))
	file := filepath.Join(other, "m.jinja")
	if err := os.WriteFile(file, []byte("{% set v = 'outside' %}"), 0o644); err != nil {
		t.Fatal(err)
	}
	render := func(text string) (string, error) {
		return r.Render(r.Ctx(context.Background()), salt.Template{Text: text, Engine: "jinja", Env: "base"})
	}
	if out, err := render("{% from '" + file + "' import v %}{{ v }}"); err != nil || out != "outside" {
		t.Errorf("%q, %v", out, err)
	}
	if out, err := render("{% include '/nosuch.jinja' %}"); err == nil {
		t.Errorf("a file that is not there: %q", out)
	}
}

// A template's header is a line, whatever ends its lines.
func TestHeaderOfEveryKindOfLine(t *testing.T) {
	root := t.TempDir()
	r := newRun(t, root, options(root, new(value.Map)), new(value.Map))
	for _, end := range []string{"\n", "\r\n", "\r"} {
		for _, first := range []string{"", "#!jinja|yaml" + end} {
			text := first + `#jinja2: {"variable_start_string": "<<", "variable_end_string": ">>"}` + end + "a<< 1 >>" + end + "b"
			got, err := r.Render(r.Ctx(context.Background()), salt.Template{Text: text, Engine: "jinja", Env: "base"})
			if err != nil || !strings.Contains(got, "a1") || !strings.HasSuffix(got, "b") || strings.Contains(got, "#jinja2") {
				t.Errorf("%q: %q, %v", text, got, err)
			}
		}
	}
}
