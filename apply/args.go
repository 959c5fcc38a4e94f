package apply

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"pinch/diag"
	"pinch/salt"
	"pinch/value"
)

// verify finds the function of a chunk and what is wrong with the chunk, in
// Salt's words. It turns umask into __umask__.
func (p *Compiler) verify(ch *Chunk) (*salt.Func, []string) {
	low := ch.Low
	var errs []string
	for _, k := range [...]string{"state", "fun", "name"} {
		if !low.Has(k) {
			errs = append(errs, `Missing "`+k+`" data`)
		}
	}
	name := low.At("name")
	if _, str := name.(string); !str && value.Truth(name) {
		in := ""
		if low.Has("__sls__") {
			in = "in SLS '" + ch.SLS + "' "
		}
		errs = append(errs, fmt.Sprintf("ID '%s' %sis not formed as a string, but is a %s", value.Str(name), in, value.TypeName(name)))
	}
	if v, ok := low.Pop("umask"); ok {
		n, err := strconv.ParseInt(strings.TrimPrefix(strings.TrimSpace(value.Str(v)), "0o"), 8, 32)
		if err != nil {
			errs = append(errs, "Invalid umask: "+value.Str(v))
		} else {
			low.Set("__umask__", n)
		}
	}
	if len(errs) > 0 {
		return nil, errs
	}
	full := ch.State + "." + ch.Fun
	fn, err := p.function(ch)
	if err != nil {
		if !low.Has("__sls__") {
			return nil, []string{"Specified state '" + full + "' was not found"}
		}
		return nil, []string{"State '" + full + "' was not found in SLS '" + ch.SLS + "'", "Reason: " + err.Error()}
	}
	params := fn.Signature().Params
	for i := range params {
		if prm := &params[i]; prm.Required && !prm.KeywordOnly && !low.Has(prm.Name) {
			errs = append(errs, "Missing parameter "+prm.Name+" for state "+full)
		}
	}
	return fn, errs
}

// unknown are the arguments that a function does not take.
func unknown(fn *salt.Func, low *value.Map) []string {
	sig := fn.Signature()
	if sig.Kwargs != "" {
		return nil
	}
	var bad []string
	for k := range low.Items() {
		if !internal[k] && !strings.HasPrefix(k, "__") && sig.Param(k) == nil {
			bad = append(bad, k)
		}
	}
	return bad
}

func invalidKeywords(bad []string, full string) string {
	last := len(bad) - 1
	if last == 0 {
		return fmt.Sprintf("'%s' is an invalid keyword argument for '%s'", bad[0], full)
	}
	q := make([]string, last)
	for i, b := range bad[:last] {
		q[i] = "'" + b + "'"
	}
	return fmt.Sprintf("%s and '%s' are invalid keyword arguments for '%s'", strings.Join(q, ", "), bad[last], full)
}

// checkArguments refuses a run in which a function gets an argument that it
// does not take, before anything is changed. What only fails its own state (a
// function that is not there, an argument that is missing) is reported, unless
// a state before may bring the module; so is
// an argument that a function swallows and that is nearly one of its own.
func (p *Compiler) checkArguments(pl *Plan) diag.List {
	var errs diag.List
	seen := map[string]bool{}
	once := func(key string) bool {
		if seen[key] {
			return false
		}
		seen[key] = true
		return true
	}
	mayCome := false // with a state before, which may bring what a module needs
	for _, ch := range pl.Chunks {
		if ch.prereq && !once(ch.Tag) {
			continue // its second entry in the plan
		}
		full := ch.State + "." + ch.Fun
		fn, err := p.function(ch)
		mayCome = mayCome || brings(ch) || ch.Low.Truth("reload_modules")
		if err != nil {
			var here *salt.LookupError
			if mayCome && errors.As(err, &here) && here.Reason != "" {
				continue
			}
			if once("missing " + full) {
				p.c.Run.Report(p.missing(pl.high, ch, full, err))
			}
			continue
		}
		bad := unknown(fn, ch.Low)
		if len(bad) > 0 {
			pos, src := p.argumentPlace(pl.high, ch, bad[0])
			d := src.mistake("argument", pos, "%s", invalidKeywords(bad, full))
			if d.Hint = argumentHint(bad[0], fn); d.Hint == "" {
				d.Hint = "see its arguments with sys.state_doc " + full
			}
			errs = append(errs, d)
			continue
		}
		for _, prm := range fn.Signature().Params {
			if prm.Required && !prm.KeywordOnly && !ch.Low.Has(prm.Name) {
				p.c.Run.Report(pl.high.mistake("argument", ch.Low.At("__id__"), ch.body, ch.State, "Missing parameter %s for state %s", prm.Name, full))
			}
		}
		for _, k := range misspelt(fn, ch.Low) {
			if once("argument " + full + " " + k) {
				p.warnArgument(pl.high, ch, full, k, fn)
			}
		}
	}
	return errs
}

// CheckArguments are the mistakes in the arguments of a plan's states; lesser
// ones are reported to the run.
func (p *Compiler) CheckArguments(pl *Plan) diag.List { return p.checkArguments(pl) }

// MissingSource is the mistake of a state whose source is in no tree.
func (p *Compiler) MissingSource(pl *Plan, ch *Chunk, urls []string) *diag.Diagnostic {
	pos, src := p.argumentPlace(pl.high, ch, "source")
	d := src.mistake("source", pos, "no file root has salt://%s", strings.Join(urls, ", salt://"))
	files, _ := p.c.Files().List(p.c, or(ch.Low.Str("__env__"), "base"), "")
	d.Hint = diag.DidYouMean(urls[0], files)
	return d
}

// missing is the mistake of a state function that is not there.
func (p *Compiler) missing(h *High, ch *Chunk, full string, err error) *diag.Diagnostic {
	d := h.mistake("state", ch.Low.At("__id__"), ch.body, ch.State, "State '%s' was not found in SLS '%s'", full, ch.SLS)
	d.Detail = err.Error()
	d.Hint = p.c.Registry().Hint(p.c, "states", full)
	return d
}

func names(fn *salt.Func) []string {
	var out []string
	for _, prm := range fn.Signature().Params {
		out = append(out, prm.Name)
	}
	return out
}

// argumentHint says what a misspelt argument was probably meant to be.
func argumentHint(arg string, fn *salt.Func) string {
	if word := Keyword(arg); word != "" {
		return fmt.Sprintf("did you mean %q?", word)
	}
	return diag.DidYouMean(arg, names(fn))
}

// misspelt are the arguments that a function swallows and that differ by little,
// an underscore or one letter, from one of its parameters or from a requisite
// or condition.
func misspelt(fn *salt.Func, low *value.Map) []string {
	sig := fn.Signature()
	if sig.Kwargs == "" {
		return nil
	}
	var bad []string
	for k := range low.Items() {
		if internal[k] || strings.HasPrefix(k, "__") || sig.Param(k) != nil {
			continue
		}
		if Keyword(k) != "" {
			bad = append(bad, k)
			continue
		}
		if len(k) < 6 || len(sig.Params) < 3 {
			continue
		}
		for _, prm := range sig.Params {
			if strings.ReplaceAll(prm.Name, "_", "") == strings.ReplaceAll(k, "_", "") ||
				oneOff(k, prm.Name) {
				bad = append(bad, k)
				break
			}
		}
	}
	return bad
}

// oneOff reports whether two words differ by one inserted, lost or changed
// letter, or by two that changed places.
func oneOff(a, b string) bool {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 1 && len(b) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}

// warnArgument reports an argument that is swallowed, which Salt does in silence.
func (p *Compiler) warnArgument(h *High, ch *Chunk, full, arg string, fn *salt.Func) {
	pos, src := p.argumentPlace(h, ch, arg)
	d := src.mistake("argument", pos, "%s takes no argument '%s' and ignores it", full, arg)
	d.Severity = diag.Warning
	d.Hint = argumentHint(arg, fn)
	p.c.Run.Report(d)
}

// argumentPlace finds where an argument of a chunk stands.
func (p *Compiler) argumentPlace(h *High, ch *Chunk, arg string) (diag.Pos, *source) {
	for _, a := range items(ch.body.At(ch.State)) {
		if m, ok := a.(*value.Map); ok && m.Has(arg) {
			return h.argument(ch.Low.At("__id__"), ch.body, ch.State, m, arg)
		}
	}
	return h.place(ch.Low.At("__id__"), ch.body, ch.State)
}

// kwargs are the arguments that the function of a chunk is called with.
func kwargs(fn *salt.Func, low *value.Map) *value.Map {
	sig := fn.Signature()
	kw := value.NewMap(low.Len())
	for k, v := range low.All() {
		name, ok := k.(string)
		if !ok {
			continue
		}
		if sig.Param(name) != nil || sig.Kwargs != "" && !internal[name] {
			kw.Set(name, v)
		}
	}
	return kw
}
