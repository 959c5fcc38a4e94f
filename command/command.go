// Package command runs the programs that a module of Salt's is a front of,
// through cmd.run_all: with the locale, the log and the errors that it has.
//
//	a, err := command.Ask(c, "vgs", "--noheadings") // looks only
//	a, err = command.Do(c, "vgcreate", name, device)
//	if a.Code != 0 { return a.Err, err }
package command

import (
	"strings"

	"pinch/salt"
	"pinch/value"
	"pinch/value/py"
)

// An Answer is what a program left; its texts have no newlines at the end.
type Answer struct {
	Out, Err string
	Code     int64
	PID      int64
}

// All is the output with what the program complained about behind it, as
// cmd.run has it.
func (a Answer) All() string {
	if a.Err == "" {
		return a.Out
	}
	return strings.Trim(a.Out+"\n"+a.Err, "\n")
}

// Text is what the program complained about, else its output.
func (a Answer) Text() string {
	if a.Err != "" {
		return a.Err
	}
	return a.Out
}

// Map is the answer as cmd.run_all returns it.
func (a Answer) Map() *value.Map {
	return value.M("pid", a.PID, "retcode", a.Code, "stdout", a.Out, "stderr", a.Err)
}

// Ask runs a program that changes nothing, under test=True too.
func Ask(c *salt.Ctx, words ...string) (Answer, error) {
	return With(c.With(false), value.M("ignore_retcode", true), words...)
}

// Do runs a program.
func Do(c *salt.Ctx, words ...string) (Answer, error) { return With(c, new(value.Map), words...) }

// With runs a program with more arguments of cmd.run_all.
func With(c *salt.Ctx, kw *value.Map, words ...string) (Answer, error) {
	kw.Set("python_shell", false)
	v, err := c.CallKw("cmd.run_all", kw, value.Strings(words))
	if err != nil {
		return Answer{}, err
	}
	m, _ := v.(*value.Map)
	code, _ := m.At("retcode").(int64)
	pid, _ := m.At("pid").(int64)
	return Answer{m.Str("stdout"), m.Str("stderr"), code, pid}, nil
}

// Words splits a command line as a shell does; what cannot be split is one word.
func Words(line string) []string {
	words, err := py.ShellSplit(line)
	if err != nil {
		return []string{line}
	}
	return words
}
