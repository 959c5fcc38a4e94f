package git

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/py"
)

// A job is one call of git. The fields are named as those of the argument
// structs.
type job struct {
	User, Identity, OutputEncoding any
	IgnoreRetcode                  bool
	Saltenv                        string
	Opts, GitOpts                  any

	dir    string // where to run; "" is the user's home
	merged bool   // stderr goes into stdout
}

// newJob fills a job from an argument struct; Cwd becomes an absolute path.
func newJob(c *salt.Ctx, args any) *job {
	j := &job{Saltenv: "base"}
	from, to := reflect.ValueOf(args), reflect.ValueOf(j).Elem()
	t := from.Type()
	for i := range t.NumField() {
		if f := to.FieldByName(t.Field(i).Name); f.IsValid() && t.Field(i).Type.AssignableTo(f.Type()) {
			f.Set(from.Field(i))
		}
	}
	if f := from.FieldByName("Cwd"); f.IsValid() && !f.IsZero() {
		j.dir = j.path(c, value.Str(f.Interface()))
	}
	return j
}

// path is absolute; relative ones are below the user's home.
func (j *job) path(c *salt.Ctx, p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	home := os.Getenv("HOME")
	if value.Truth(j.User) {
		if u, err := c.Sys.User(value.Str(j.User)); err == nil {
			home = u.Home
		}
	}
	return filepath.Join(home, p)
}

// command starts the words of a call: git, its own options, the subcommand.
func (j *job) command(sub ...string) ([]string, error) {
	opts, err := words(j.GitOpts)
	return append(append([]string{"git"}, opts...), sub...), err
}

// withOpts is command followed by the options of the subcommand.
func (j *job) withOpts(sub ...string) ([]string, error) {
	argv, err := j.command(sub...)
	if err != nil {
		return nil, err
	}
	opts, err := words(j.Opts)
	return append(argv, opts...), err
}

// words splits options: a list as it is, a text as a shell would. A -- at the
// end is dropped.
func words(opts any) ([]string, error) {
	switch o := opts.(type) {
	case nil:
		return nil, nil
	case *value.List:
		return texts(o), nil
	case string:
		w, err := py.ShellSplit(o)
		if n := len(w); n > 0 && w[n-1] == "--" {
			w = w[:n-1]
		}
		return w, err
	}
	return []string{value.Str(opts)}, nil
}

// texts are the items of a list; a text is split at commas.
func texts(v any) []string {
	var items []any
	switch v := v.(type) {
	case nil:
		return nil
	case *value.List:
		items = v.Items
	case value.Tuple:
		items = v
	default:
		return strings.Split(value.Str(v), ",")
	}
	out := make([]string, len(items))
	for i, it := range items {
		out[i] = value.Str(it)
	}
	return out
}

// try runs git and returns what cmd.run_all does, whatever its exit code.
func (j *job) try(c *salt.Ctx, argv []string, env *value.Map) (*value.Map, error) {
	kw := value.M("runas", j.User, "python_shell", false, "ignore_retcode", j.IgnoreRetcode, "redirect_stderr", j.merged, "output_encoding", j.OutputEncoding)
	if j.dir != "" {
		kw.Set("cwd", j.dir)
	}
	if env != nil {
		kw.Set("env", env)
	}
	v, err := c.CallKw("cmd.run_all", kw, value.Strings(argv))
	ret, _ := v.(*value.Map)
	return ret, err
}

func (j *job) complaint(ret *value.Map) string {
	if j.merged {
		return redact(ret.Str("stdout"))
	}
	return redact(ret.Str("stderr"))
}

// all runs git and fails with Salt's text when its exit code is not 0.
func (j *job) all(c *salt.Ctx, argv []string) (*value.Map, error) {
	if value.Truth(j.Identity) {
		return j.identified(c, argv)
	}
	ret, err := j.try(c, argv, nil)
	if err != nil || !value.Truth(ret.At("retcode")) {
		return ret, err
	}
	msg := "Command '" + redact(strings.Join(argv, " ")) + "' failed"
	if text := j.complaint(ret); text != "" {
		msg += ": " + text
	}
	return nil, salt.CommandError("%s", msg)
}

// out is all's stdout.
func (j *job) out(c *salt.Ctx, argv []string) (string, error) {
	ret, err := j.all(c, argv)
	if err != nil {
		return "", err
	}
	return ret.Str("stdout"), nil
}

var credentials = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)(https?)://.*@`) })

// redact hides user and password in URLs.
func redact(s string) string { return credentials().ReplaceAllString(s, "${1}://<redacted>@") }

// identified tries one private key after the other.
func (j *job) identified(c *salt.Ctx, argv []string) (*value.Map, error) {
	keys := value.L(j.Identity)
	if l, ok := j.Identity.(*value.List); ok {
		keys = l
	}
	var problems, missing []string
	for _, it := range keys.Items {
		key := value.Str(it)
		if strings.Contains(key, "salt://") {
			local, done, err := j.fetchKey(c, key)
			if err != nil {
				c.Log.Error("identity " + key + " does not exist.")
				continue
			}
			defer done()
			key = local
		} else if !sys.IsFile(c.Sys, key) {
			missing = append(missing, key)
			c.Log.Error("identity " + key + " does not exist.")
			continue
		}
		ret, err := j.try(c, argv, value.M("GIT_IDENTITY", key, "GIT_SSH_COMMAND", sshCommand(key)))
		if err != nil {
			return nil, err
		}
		if !value.Truth(ret.At("retcode")) {
			return ret, nil
		}
		if text := j.complaint(ret); text != "" {
			problems = append(problems, text)
		}
	}
	msg := "Unable to authenticate using identity file:\n\n" + strings.Join(problems, "\n")
	if len(missing) > 0 {
		if len(problems) > 0 {
			msg += "\n\n"
		}
		msg += "The following identity file(s) were not found: " + strings.Join(missing, ", ")
	}
	return nil, salt.CommandError("%s", msg)
}

// sshCommand uses one key and asks nothing.
func sshCommand(key string) string {
	return "ssh -oStrictHostKeyChecking=no -oPasswordAuthentication=no -oKbdInteractiveAuthentication=no -oChallengeResponseAuthentication=no -i '" +
		strings.ReplaceAll(key, "'", `'\''`) + "'"
}

// fetchKey puts a key from the file server where only the user can read it.
func (j *job) fetchKey(c *salt.Ctx, url string) (path string, done func(), err error) {
	f, err := c.Files().Get(c, url, j.Saltenv, salt.GetOptions{})
	if err != nil {
		return "", nil, err
	}
	data, err := f.Read()
	if err != nil {
		return "", nil, err
	}
	mode, attrs := sys.Mode(0o600), sys.FileAttrs{}
	attrs.Mode = &mode
	if value.Truth(j.User) {
		u, err := c.Sys.User(value.Str(j.User))
		if err != nil {
			return "", nil, err
		}
		attrs.UID = &u.UID
	}
	path = sys.TempName("", "")
	return path, func() { c.Sys.Remove(path) }, sys.WriteFile(c.Sys, path, data, attrs)
}
