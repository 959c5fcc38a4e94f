package state

import (
	"fmt"
	"strings"

	"pinch/apply"
	"pinch/diag"
	"pinch/salt"
	"pinch/value"
)

// Exit codes (salt.defaults.exitcodes).
const (
	codeCompile = 1
	codeFailed  = 2
	codePillar  = 5
)

// A session is one call of a function that compiles or runs states: the
// options as the call changes them, and a compiler for them.
type session struct {
	c      *salt.Ctx
	p      *apply.Compiler
	kw     *value.Map
	pillar *value.Map // the override of the call
}

// begin makes a session from the keywords that all functions take: saltenv,
// pillarenv, pillar, pillar_enc, localconfig, test.
func begin(c *salt.Ctx, test any, kw *value.Map) (*session, error) {
	n := *c
	opts := c.Opts.Shallow()
	n.Opts = opts
	if f := kw.Str("localconfig"); f != "" {
		if err := localConfig(&n, f); err != nil {
			return nil, err
		}
	}
	if v, ok := kw.Get("saltenv"); ok {
		if v != nil {
			v = value.Str(v)
		}
		if opts.Truth("lock_saltenv") && v != nil && v != opts.At("saltenv") {
			return nil, salt.CommandError("lock_saltenv is enabled, saltenv cannot be changed")
		}
		opts.Set("saltenv", v)
	}
	if v, ok := kw.Get("pillarenv"); ok {
		if v != nil {
			v = value.Str(v)
		}
		opts.Set("pillarenv", v)
	} else if v, ok := kw.Get("saltenv"); ok && opts.Truth("pillarenv_from_saltenv") {
		opts.Set("pillarenv", v)
	}
	if v := kw.At("state_events"); v != nil {
		opts.Set("state_events", v)
	}
	s := &session{c: &n, kw: kw}
	s.autoload()
	if err := s.override(); err != nil {
		return nil, err
	}
	if err := s.compilePillar(c); err != nil {
		return nil, err
	}
	s.setTest(test)
	s.p = apply.New(s.c)
	return s, nil
}

// base makes base the environment when none was asked for.
func (s *session) base() string {
	if s.c.Opts.At("saltenv") == nil || s.c.Opts.Str("saltenv") == "" {
		s.c.Opts.Set("saltenv", "base")
		s.p.Env = "base"
	}
	return s.c.Opts.Str("saltenv")
}

// setTest decides whether the run only tests: the argument, else the pillar or
// grain of that name, else the option.
func (s *session) setTest(arg any) {
	on := true
	switch {
	case arg == false:
		on = false
	case arg == nil:
		on = s.testWord() || s.c.Pillar.At("test") == true || s.c.Opts.Truth("test")
		if !on && !s.c.Pillar.Has("test") {
			on = s.c.Grains.At("test") == true
		}
	}
	s.c.Test = on
	s.c.Opts.Set("test", on)
}

// testWord finds a keyword like Test=True.
func (s *session) testWord() bool {
	for k, v := range s.kw.Items() {
		if strings.EqualFold(k, "test") && value.Truth(v) {
			return true
		}
	}
	return false
}

// override reads pillar= and pillar_enc=.
func (s *session) override() error {
	v := s.kw.At("pillar")
	enc := s.kw.Str("pillar_enc")
	if v == nil {
		return nil
	}
	m, ok := v.(*value.Map)
	if enc == "" {
		if !ok {
			return salt.InvocationError("Pillar data must be formatted as a dictionary, unless pillar_enc is specified.")
		}
		s.pillar = m
		return nil
	}
	if !s.mayDecrypt(enc) {
		s.c.Log.Error("Failed to decrypt pillar override: '" + enc + "' is not a valid decryption renderer. Valid choices are: " + strings.Join(strs(s.c.Opts.At("decrypt_pillar_renderers")), ", "))
	} else if d, err := s.decrypt(v, strings.ToLower(enc)); err != nil {
		s.c.Log.Error("Failed to decrypt pillar override: " + err.Error())
	} else {
		v = d
	}
	if text, ok := v.(string); ok {
		d, err := s.c.RenderData(s.c, salt.Template{Text: text, Name: "pillar", Engine: "yaml"})
		if err != nil {
			s.c.Log.Error("Failed to load CLI pillar override: " + err.Error())
		} else {
			v = d.Value
		}
	}
	if m, ok = v.(*value.Map); !ok {
		s.c.Log.Error("Pillar override was not passed as a dictionary")
		return nil
	}
	s.pillar = m
	return nil
}

func (s *session) mayDecrypt(enc string) bool {
	l := s.c.Opts.List("decrypt_pillar_renderers")
	if l.Len() == 0 {
		return strings.EqualFold(enc, "gpg")
	}
	for _, it := range l.Items {
		if strings.EqualFold(value.Str(it), enc) {
			return true
		}
	}
	return false
}

// decrypt renders every text of v through the renderer.
func (s *session) decrypt(v any, engine string) (any, error) {
	switch v := v.(type) {
	case string:
		return s.c.Render(s.c, salt.Template{Text: v, Name: "pillar", Engine: engine})
	case *value.Map:
		m := new(value.Map)
		for k, x := range v.All() {
			d, err := s.decrypt(x, engine)
			if err != nil {
				return nil, err
			}
			_ = m.SetKey(k, d)
		}
		return m, nil
	case *value.List:
		l := new(value.List)
		for _, x := range v.Items {
			d, err := s.decrypt(x, engine)
			if err != nil {
				return nil, err
			}
			l.Append(d)
		}
		return l, nil
	}
	return v, nil
}

// compilePillar compiles the pillar anew when the call changes it; else the
// one of the run is used.
func (s *session) compilePillar(outer *salt.Ctx) error {
	o := s.c.Opts
	if s.pillar == nil && o.Str("pillarenv") == outer.Opts.Str("pillarenv") {
		return nil
	}
	p, err := s.c.CompilePillar(s.c, salt.PillarOptions{Env: o.Str("pillarenv"), SaltEnv: o.Str("saltenv"), Override: s.pillar})
	if err != nil {
		return err
	}
	s.c.Pillar = p
	return nil
}

// pillarErrors are the errors of the pillar, none with force=True.
func (s *session) pillarErrors() []any {
	if s.kw.Truth("force") {
		return nil
	}
	l := s.c.Pillar.List("_errors")
	if l == nil {
		return nil
	}
	return l.Items
}

const pillarFailed = "Pillar failed to render with the following messages:"

// brokenPillar is the answer of a run whose pillar has errors, nil when it has none.
func (s *session) brokenPillar() any {
	errs := s.pillarErrors()
	if len(errs) == 0 {
		return nil
	}
	s.c.Run.SetRetcode(codePillar)
	return value.L(append([]any{pillarFailed}, errs...)...)
}

// pillarError is the same for functions that only show.
func (s *session) pillarError() error {
	errs := s.pillarErrors()
	if len(errs) == 0 {
		return nil
	}
	s.c.Run.SetRetcode(codePillar)
	var b strings.Builder
	for _, e := range errs {
		fmt.Fprintf(&b, "\n- %s", value.Str(e))
	}
	return salt.CommandError("Pillar failed to render. Additional info follows:\n%s", b.String())
}

// options are those of the run itself.
func (s *session) options() apply.RunOptions {
	return apply.RunOptions{JID: s.kw.Str("__pub_jid"), Mock: s.kw.Truth("mock"), Pillar: s.pillar}
}

// mistakes is the answer to mistakes in the tree: Salt's texts. Whoever
// called the function prints them for a person too.
func (s *session) mistakes(errs diag.List) any {
	s.c.Run.SetRetcode(codeCompile)
	s.c.Run.Report(errs...)
	return value.Strings(errs.Texts())
}

// finish sets the exit code of a run, and takes sealed secrets out of its results.
func (s *session) finish(ret, high *value.Map) any {
	s.setCode(ret, high)
	return s.c.Run.Sealed(ret)
}

// setCode sets the exit code of a run.
func (s *session) setCode(ret, high *value.Map) {
	s.c.Run.SetRetcode(0)
	if !apply.Succeeded(ret, high) {
		s.c.Run.SetRetcode(codeFailed)
	}
}

// splitInput reads a comma-separated string, or a list.
func splitInput(v any) []string {
	if l, ok := v.(*value.List); ok {
		return strs(l)
	}
	out := strings.Split(value.Str(v), ",")
	for i := range out {
		out[i] = strings.TrimSpace(out[i])
	}
	return out
}

func strs(v any) []string {
	l, _ := v.(*value.List)
	if l == nil {
		return nil
	}
	out := make([]string, len(l.Items))
	for i, it := range l.Items {
		out[i] = value.Str(it)
	}
	return out
}

func anys(in []string) []any {
	out := make([]any, len(in))
	for i, s := range in {
		out[i] = s
	}
	return out
}
