package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"pinch/caller"
	"pinch/cli/args"
	"pinch/diag"
	"pinch/jobs"
	"pinch/salt"
	"pinch/value"
)

// Exit codes of salt-call (salt.defaults.exitcodes).
const (
	exitGeneric  = 1
	exitNotThere = 255
)

// An answer is what a called function left.
type answer struct {
	value     any
	outputter string
	retcode   int
	jid       string
	returned  bool // handed to a returner
}

// A callError ends the program without a result on stdout: the text goes to
// stderr.
type callError struct {
	text string
	doc  string // goes to stdout: the function's manual after wrong arguments
	code int
}

func (e *callError) Error() string { return e.text }

// call runs the function of the command line as salt-call does.
func (p *program) call(ctx context.Context, run *caller.Caller, line *args.Call) (answer, error) {
	c := run.Ctx(ctx)
	c.Mask = true
	if docs := refused(c, line); docs != nil {
		return answer{value: docs, outputter: "nested", retcode: exitGeneric}, nil
	}
	f, err := run.Registry().Exec(c, line.Fun)
	if err != nil {
		if docs := beginsWith(c, line.Fun); docs.Len() > 0 {
			docs.Set(line.Fun, err.Error())
			return answer{value: docs, outputter: "nested", retcode: exitGeneric, jid: jobs.NewJID(time.Now())}, nil
		}
		return answer{}, missing(c, line.Fun, err)
	}
	a := answer{jid: jobs.NewJID(time.Now())}
	sig := f.Signature()
	pos, kw, err := args.Load(names(sig), args.Wire(args.Parse(line.Arg, line.NoParse())))
	if err != nil {
		var x *value.Exception
		if errors.As(err, &x) { // Salt prints no manual here
			return answer{}, &callError{text: x.Msg, code: exitGeneric}
		}
		return answer{}, failure(c, line.Fun, err)
	}
	if sig.Kwargs != "" {
		kw.Set("__pub_fun", line.Fun)
		kw.Set("__pub_pid", int64(os.Getpid()))
		kw.Set("__pub_jid", a.jid)
		kw.Set("__pub_tgt", "salt-call")
	}
	done := a.note(line)
	v, err := execute(c, line, f, pos, kw)
	done()
	if e := exited(line.Fun, err); e != nil {
		return answer{}, e
	}
	if err != nil {
		return answer{}, failure(c, line.Fun, err)
	}
	a.value, a.retcode, a.outputter = v, c.Run.Retcode(), run.Registry().Outputter(c, line.Fun)
	if a.retcode == 0 && saysNo(v) {
		a.retcode = exitGeneric
	}
	return a, nil
}

// names are the parameters of a function that the command line can name.
func names(s *salt.Signature) args.Signature {
	out := args.Signature{Kwargs: s.Kwargs != ""}
	for _, p := range s.Params {
		out.Names = append(out.Names, p.Name)
	}
	return out
}

// metadata is the whole return, as --metadata shows it.
func (a answer) metadata(run *caller.Caller, line *args.Call) *value.Map {
	m := value.M("jid", a.jid, "return", a.value, "retcode", int64(a.retcode))
	if a.outputter != "" {
		m.Set("out", a.outputter)
	}
	m.Set("id", line.Opts.Str("id"))
	m.Set("fun", line.Fun)
	m.Set("fun_args", value.Strings(line.Arg))
	if a.returned {
		m.Set("success", true)
	}
	return m
}

// saysNo reports whether a result is a mapping that tells of a failure.
func saysNo(v any) bool {
	m, ok := v.(*value.Map)
	if !ok {
		return false
	}
	for _, k := range []string{"result", "success"} {
		if r, ok := m.Get(k); ok && !value.Truth(r) {
			return true
		}
	}
	return false
}

// beginsWith are the manuals of the functions whose names begin so: who calls
// a module without a function sees what it has.
func beginsWith(c *salt.Ctx, fun string) *value.Map {
	v, err := c.Call("sys.doc", fun+"*")
	if err != nil {
		return nil
	}
	docs, _ := v.(*value.Map)
	return docs
}

// missing explains a function that is not there.
func missing(c *salt.Ctx, fun string, err error) error {
	text := err.Error()
	var l *salt.LookupError
	if errors.As(err, &l) && (l.Reason != "" || l.Refused) { // nothing is misspelt
		return &callError{text: text, code: exitNotThere}
	}
	if hint := c.Registry().Hint(c, "exec", fun); hint != "" {
		text += "\nhint: " + hint
	}
	return &callError{text: text, code: exitNotThere}
}

// failure turns a function's error into salt-call's words for it.
func failure(c *salt.Ctx, fun string, err error) error {
	var x *value.Exception
	var d *diag.Diagnostic
	switch {
	case errors.As(err, &d):
		return err
	case traced(fun, err) != "":
		return &callError{text: traced(fun, err), code: exitGeneric}
	case errors.As(err, &x):
		switch x.Class {
		case "TypeError", "SaltInvocationError":
			return &callError{text: "\nPassed invalid arguments: " + x.Msg + ".\n\nUsage:", doc: manual(c, fun), code: exitGeneric}
		case "CommandNotFoundError":
			return &callError{text: fmt.Sprintf("Command required for '%s' not found: %s", fun, x.Msg), code: exitGeneric}
		}
		return &callError{text: fmt.Sprintf("Error running '%s': %s", fun, x.Msg), code: exitGeneric}
	}
	return &callError{text: fmt.Sprintf("Error running '%s': %s", fun, err), code: exitGeneric}
}

// traced is the text for an exception of a custom module that is none of
// Salt's: its class, and where it arose.
func traced(fun string, err error) string {
	var t salt.Traced
	var x *value.Exception
	if !errors.As(err, &t) || !errors.As(err, &x) || t.Traceback() == "" {
		return ""
	}
	switch x.Class {
	case "CommandExecutionError", "CommandNotFoundError", "SaltInvocationError", "TypeError":
		return ""
	}
	return fmt.Sprintf("Error running '%s': %s: %s\n%s", fun, x.Class, x.Msg, strings.TrimSuffix(t.Traceback(), "\n"))
}

// manual is the manual of one function, "" when it has none.
func manual(c *salt.Ctx, fun string) string {
	v, err := c.Call("sys.doc", fun)
	if err != nil {
		return ""
	}
	m, _ := v.(*value.Map)
	return m.Str(fun)
}

// report writes an error to stderr (and a manual to stdout) and returns the exit code.
func report(err error, stdout, stderr io.Writer, color bool) int {
	var ce *callError
	if errors.As(err, &ce) {
		fmt.Fprintln(stderr, ce.text)
		if ce.doc != "" {
			fmt.Fprintln(stdout, ce.doc)
		}
		return ce.code
	}
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		diag.Print(stderr, d, color)
		return exitGeneric
	}
	fmt.Fprintln(stderr, "error: "+err.Error())
	return exitGeneric
}
