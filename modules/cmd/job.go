package cmd

import (
	"reflect"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// A job is one command with all that Salt's functions can say about it. The
// fields are named as those of the argument structs.
type job struct {
	Cmd, Cwd, Stdin, Runas, Group, Shell, PythonShell any
	Env, PrependPath, Template, Umask, OutputEncoding any
	OutputLoglevel, Timeout, ResetSystemLocale        any
	Saltenv                                           any
	SuccessRetcodes, SuccessStdout, SuccessStderr     any

	CleanEnv, Rstrip, IgnoreRetcode, UseVt, Bg bool

	HideOutput     bool
	RedirectStderr bool
	Kwargs         *value.Map
}

// newJob fills a job from an argument struct.
func newJob(args any) *job {
	j := &job{OutputLoglevel: "debug", ResetSystemLocale: true, Rstrip: true}
	from, to := reflect.ValueOf(args), reflect.ValueOf(j).Elem()
	t := from.Type()
	for i := range t.NumField() {
		if f := to.FieldByName(t.Field(i).Name); f.IsValid() && t.Field(i).Type.AssignableTo(f.Type()) {
			f.Set(from.Field(i))
		}
	}
	return j
}

// defaultShell decides for a caller that said nothing: from the command line
// commands go through a shell, in templates they do not.
func (j *job) defaultShell(c *salt.Ctx) *job {
	if j.PythonShell == nil {
		if j.Kwargs.Truth("__pub_jid") || c.Opts.At("cmd_safe") == false {
			j.PythonShell = true
		}
	}
	return j
}

// shelled is Python's shell=True: any true value counts for the start of the
// command, only True keeps the text from being split.
func (j *job) shelled() bool { return value.Truth(j.PythonShell) }

// quiet says that nothing about the command may be logged.
func (j *job) quiet() bool { _, ok := j.level(); return !ok }

func (j *job) user() string { return value.Str(orEmpty(j.Runas)) }

func orEmpty(v any) any {
	if v == nil {
		return ""
	}
	return v
}

// title is the command as log lines show it: its first word, without
// arguments, which may hold secrets.
func (j *job) title() (string, error) {
	switch cmd := j.Cmd.(type) {
	case *value.List:
		if cmd.Len() > 0 {
			return strings.TrimSpace(value.Str(cmd.Items[0])), nil
		}
	case value.Tuple:
		if len(cmd) > 0 {
			return strings.TrimSpace(value.Str(cmd[0])), nil
		}
	default:
		if w := strings.Fields(value.Str(cmd)); len(w) > 0 {
			return w[0], nil
		}
	}
	return "", value.Errorf("IndexError", "list index out of range")
}

// words are the items of a list or tuple; ok is false for anything else.
func words(v any) (out []string, ok bool) {
	var items []any
	switch v := v.(type) {
	case *value.List:
		items = v.Items
	case value.Tuple:
		items = v
	default:
		return nil, false
	}
	out = make([]string, len(items))
	for i, it := range items {
		out[i] = value.Str(it)
	}
	return out, true
}

// render runs the command and the directory through a template engine.
func (j *job) render(c *salt.Ctx, cwd string) (string, error) {
	engine := value.Str(orEmpty(j.Template))
	if engine == "" {
		return cwd, nil
	}
	vars := new(value.Map)
	if override := j.Kwargs.Map("pillar"); override != nil || j.Kwargs.At("pillarenv") != nil {
		env := j.Kwargs.Str("pillarenv")
		if env == "" {
			env = c.Opts.Str("pillarenv")
		}
		pillar, err := c.CompilePillar(c, salt.PillarOptions{Env: env, SaltEnv: c.Env, Override: override})
		if err != nil {
			return "", err
		}
		if override != nil {
			pillar.Update(override)
		}
		vars.Set("pillar", pillar)
	}
	env := c.Opts.Str("saltenv")
	if j.Saltenv != nil {
		env = value.Str(j.Saltenv)
	}
	if env == "" {
		env = "base"
	}
	text := func(s string) (string, error) {
		out, err := c.Render(c, salt.Template{Text: s, Name: "the command", Engine: engine, Env: env, Vars: vars})
		if err != nil {
			return "", salt.CommandError("Failed to execute cmd with error: %s", err)
		}
		return out, nil
	}
	cmd, err := text(value.Str(j.Cmd))
	if err != nil {
		return "", err
	}
	j.Cmd = cmd
	return text(cwd)
}

// permitted applies cmd_blacklist_glob and cmd_whitelist_glob to a command
// that comes from the command line or a master.
func (j *job) permitted(c *salt.Ctx) error {
	if !j.Kwargs.Has("__pub_jid") {
		return nil
	}
	cmd := value.Str(j.Cmd)
	if w, ok := words(j.Cmd); ok {
		cmd = strings.Join(w, " ")
	}
	match := func(option string) (hit, set bool) {
		globs, _ := words(c.Opts.At(option))
		for _, g := range globs {
			if value.Fnmatch(cmd, g) {
				return true, true
			}
		}
		return false, len(globs) > 0
	}
	black, _ := match("cmd_blacklist_glob")
	white, only := match("cmd_whitelist_glob")
	if black || only && !white {
		return salt.CommandError("The shell command \"%s\" is not permitted", value.Str(j.Cmd))
	}
	return nil
}

// checkShell makes sure that the shell is there, and warns of one that
// /etc/shells does not list.
func (j *job) checkShell(c *salt.Ctx) (string, error) {
	shell, ok := j.Shell.(string)
	if !ok && j.Shell != nil {
		shell = value.Str(j.Shell)
	}
	if shell == "" && j.Shell != nil {
		shell = defaultShell()
	}
	if shell == "" {
		return "", nil
	}
	if !executable(c, shell) {
		return "", salt.CommandError("The shell %s is not available", shell)
	}
	if !j.quiet() && invalidShell(c, shell) {
		c.Log.Warn("Attempt to run a shell command with what may be an invalid shell! Check to ensure that the shell <" + shell + "> is valid for this user.")
	}
	return shell, nil
}

func executable(c *salt.Ctx, path string) bool {
	i, err := c.Sys.Stat(path)
	return err == nil && i.Mode().IsRegular() && i.Mode()&0o111 != 0
}

// directory is where the command runs: cwd, or the user's home if it can be
// entered, else /.
func (j *job) directory(c *salt.Ctx) string {
	if value.Truth(j.Cwd) {
		return value.Str(j.Cwd)
	}
	if home := homeOf(c, j.user()); home != "" && sys.IsDir(c.Sys, home) {
		return home
	}
	return "/"
}
