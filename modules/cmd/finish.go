package cmd

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// success are the rules by which a command counts as successful.
type success struct {
	codes          []int
	stdout, stderr []string
}

func (j *job) success() (*success, error) {
	s := &success{codes: []int{0}, stdout: splitInput(j.SuccessStdout), stderr: splitInput(j.SuccessStderr)}
	if j.SuccessRetcodes == nil {
		return s, nil
	}
	s.codes = nil
	for _, w := range splitInput(j.SuccessRetcodes) {
		n, err := strconv.Atoi(strings.TrimSpace(w))
		if err != nil {
			return nil, salt.InvocationError("success_retcodes must be a list of integers")
		}
		s.codes = append(s.codes, n)
	}
	return s, nil
}

// splitInput takes a list, or a text with commas.
func splitInput(v any) []string {
	if v == nil {
		return nil
	}
	if l, ok := v.(*value.List); ok {
		out, _ := words(l)
		return out
	}
	out := strings.Split(value.Str(v), ",")
	for i := range out {
		out[i] = strings.TrimSpace(out[i])
	}
	return out
}

// code is the exit code under these rules.
func (s *success) code(o *outcome, code int) int {
	in := func(out string) func(string) bool {
		return func(part string) bool { return strings.Contains(out, part) }
	}
	if slices.Contains(s.codes, code) || slices.ContainsFunc(s.stdout, in(o.stdout)) || slices.ContainsFunc(s.stderr, in(o.stderr)) {
		return 0
	}
	return code
}

// finish reads what the command left, reports its exit code and logs it.
func (j *job) finish(c *salt.Ctx, shown any, res sys.CmdResult, rules *success) (*outcome, error) {
	o := &outcome{pid: res.PID}
	if res.TimedOut && c.Err() == nil {
		o.timedOut, o.code = true, int64(1)
		o.stdout = fmt.Sprintf("%s : Timed out after %s seconds", value.Str(shown), value.Str(j.Timeout))
		if j.UseVt {
			o.timedOut, o.code = false, nil
			o.stdout, o.stderr = string(res.Stdout), fmt.Sprintf("SALT: Timeout after %ss\n%s", value.Str(j.Timeout), res.Stderr)
		}
		return o, nil
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	var err error
	if o.stdout, err = j.decode(c, "stdout", res.Stdout); err != nil {
		return nil, err
	}
	if o.stderr, err = j.decode(c, "stderr", res.Stderr); err != nil {
		return nil, err
	}
	code := 0
	if !j.Bg {
		code = rules.code(o, res.Code)
		o.code = int64(code)
	}
	if c.Run != nil {
		if j.IgnoreRetcode {
			c.Run.SetRetcode(0)
		} else {
			c.Run.SetRetcode(code)
		}
	}
	j.log(c, o)
	return o, nil
}

func (j *job) decode(c *salt.Ctx, stream string, b []byte) (string, error) {
	s, clean, err := decode(b, value.Str(orEmpty(j.OutputEncoding)))
	if err != nil {
		return "", err
	}
	if !clean && !j.quiet() {
		title, _ := j.title()
		c.Log.Error("Failed to decode " + stream + " from command " + title + ", non-decodable characters have been replaced")
	}
	if j.Rstrip {
		s = strings.TrimRightFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f })
	}
	return s, nil
}

// levels are Salt's names of log levels.
var levels = map[string]slog.Level{
	"all": slog.LevelDebug - 8, "garbage": slog.LevelDebug - 8, "trace": slog.LevelDebug - 4, "debug": slog.LevelDebug,
	"profile": slog.LevelDebug, "info": slog.LevelInfo, "warning": slog.LevelWarn, "error": slog.LevelError,
	"critical": slog.LevelError + 4,
}

// level is the level for the output; ok is false for quiet.
func (j *job) level() (l slog.Level, ok bool) {
	name := strings.ToLower(value.Str(orEmpty(j.OutputLoglevel)))
	if name == "quiet" {
		return 0, false
	}
	if l, ok := levels[name]; ok {
		return l, true
	}
	return slog.LevelInfo, true
}

// announce logs what is going to run, without its arguments.
func (j *job) announce(c *salt.Ctx, cwd string) error {
	if j.quiet() {
		return nil
	}
	title, err := j.title()
	if err != nil {
		return err
	}
	if !c.Log.Enabled(c, slog.LevelInfo) {
		return nil
	}
	if _, isList := words(j.Cmd); !isList {
		title = "'" + title + "'"
	}
	text := "Executing command " + title + " "
	if user := j.user(); user != "" {
		text += "as user '" + user + "' "
	}
	if group := value.Str(orEmpty(j.Group)); group != "" {
		text += "in group '" + group + "' "
	}
	text += "in directory '" + cwd + "'"
	if j.Bg {
		text += ". Executing command in the background, no output will be logged."
	}
	c.Log.Info(text)
	return nil
}

// log writes the output at the wanted level, and a failure as an error.
func (j *job) log(c *salt.Ctx, o *outcome) {
	lvl, ok := j.level()
	if !ok {
		return
	}
	if failed := o.code != int64(0); failed && !j.IgnoreRetcode {
		lvl = max(lvl, slog.LevelError)
		title, _ := j.title()
		c.Log.Error(fmt.Sprintf("Command '%s' failed with return code: %s", title, value.Str(o.code)))
	}
	if !c.Log.Enabled(context.Background(), lvl) {
		return
	}
	if o.stdout != "" {
		c.Log.Log(c, lvl, "stdout: "+o.stdout)
	}
	if o.stderr != "" {
		c.Log.Log(c, lvl, "stderr: "+o.stderr)
	}
	if value.Truth(o.code) {
		c.Log.Log(c, lvl, "retcode: "+value.Str(o.code))
	}
}
