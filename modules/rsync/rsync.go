// Package rsync holds Salt's rsync module. Its main variable is Module.
//
//	salt-call rsync.rsync /srv/a/ backup:/srv/a delete=True exclude='["*.tmp"]'
package rsync

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's rsync module.
var Module = salt.Module{
	Name:    "rsync",
	Virtual: salt.Needs("rsync", "The rsync execution module cannot be loaded: the rsync binary is not in the path."),
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"config":  salt.Exec(config),
			"rsync":   salt.Exec(rsync),
			"version": salt.Exec(version),
		}
	},
}

type rsyncArgs struct {
	Src            any    `py:"src"`                  // where from: a path, HOST:PATH or salt://PATH
	Dst            any    `py:"dst"`                  // where to: a path or HOST:PATH
	Delete         any    `py:"delete=False"`         // remove what the source does not have
	Force          any    `py:"force=False"`          // remove folders that are not empty, too
	Update         any    `py:"update=False"`         // leave newer files alone
	Passwordfile   any    `py:"passwordfile=None"`    // the file with the password of the daemon
	Exclude        any    `py:"exclude=None"`         // a pattern, or a list of patterns, to leave out
	Excludefrom    any    `py:"excludefrom=None"`     // a file of patterns to leave out
	Dryrun         any    `py:"dryrun=False"`         // only say what would be done
	Rsh            any    `py:"rsh=None"`             // the remote shell
	AdditionalOpts any    `py:"additional_opts=None"` // a list of further options
	Saltenv        string `py:"saltenv='base'"`       // the environment of salt://
}

// rsync copies a folder or a file. Arguments that are not given are looked up
// as rsync.src, rsync.delete and so on in configuration and pillar.
func rsync(c *salt.Ctx, a rsyncArgs) (any, error) {
	for name, p := range map[string]*any{"src": &a.Src, "dst": &a.Dst, "delete": &a.Delete, "force": &a.Force, "update": &a.Update, "passwordfile": &a.Passwordfile,
		"exclude": &a.Exclude, "excludefrom": &a.Excludefrom, "dryrun": &a.Dryrun, "rsh": &a.Rsh} {
		if value.Truth(*p) {
			continue
		}
		v, err := c.Call("config.option", "rsync."+name)
		if err != nil {
			return nil, err
		}
		*p = v
	}
	if !value.Truth(a.Src) || !value.Truth(a.Dst) {
		return nil, salt.InvocationError("src and dst cannot be empty")
	}
	src := value.Str(a.Src)
	if strings.HasPrefix(src, "salt://") {
		dir := sys.TempName("", "")
		if err := c.Sys.Mkdir(dir, 0o700); err != nil {
			return nil, err
		}
		defer c.Sys.RemoveAll(dir)
		local, err := fetch(c, src, dir, a.Saltenv)
		if err != nil {
			return nil, err
		}
		src = local
	}
	words := append(a.options(), src, value.Str(a.Dst))
	return c.CallKw("cmd.run_all", value.M("python_shell", false), value.Strings(append([]string{"rsync"}, words...)))
}

// fetch copies a source of the tree into a folder: a folder's content, or a file.
func fetch(c *salt.Ctx, src, dir, env string) (string, error) {
	path := strings.Trim(strings.TrimPrefix(src, "salt://"), "/")
	dirs, err := c.Files().Dirs(c, env, "")
	if err != nil {
		return "", err
	}
	if slices.Contains(dirs, path) {
		got, err := c.Call("cp.get_dir", "salt://"+path, dir, env)
		if err != nil {
			return "", err
		}
		if value.Truth(got) {
			return filepath.Join(dir, filepath.Base(path)) + "/", nil
		}
	} else {
		to := filepath.Join(dir, filepath.Base(path))
		got, err := c.Call("cp.get_file", src, to, env)
		if err != nil {
			return "", err
		}
		if value.Truth(got) {
			return to, nil
		}
	}
	return "", salt.CommandError("%s does not exist", src)
}

func (a rsyncArgs) options() []string {
	words := []string{"-avz"}
	flag := func(v any, name string) {
		if value.Truth(v) {
			words = append(words, name)
		}
	}
	flag(a.Delete, "--delete")
	flag(a.Force, "--force")
	flag(a.Update, "--update")
	flag(a.Rsh, "--rsh="+value.Str(a.Rsh))
	if value.Truth(a.Passwordfile) {
		words = append(words, "--password-file", value.Str(a.Passwordfile))
	}
	switch l, ok := a.Exclude.(*value.List); {
	case value.Truth(a.Excludefrom):
		words = append(words, "--exclude-from", value.Str(a.Excludefrom))
	case ok:
		for _, it := range l.Items {
			words = append(words, "--exclude", value.Str(it))
		}
	case value.Truth(a.Exclude):
		words = append(words, "--exclude", value.Str(a.Exclude))
	}
	flag(a.Dryrun, "--dry-run")
	if l, ok := a.AdditionalOpts.(*value.List); ok {
		for _, it := range l.Items {
			words = append(words, value.Str(it))
		}
	}
	return words
}

// version returns the version of rsync.
func version(c *salt.Ctx, _ salt.NoArgs) (string, error) {
	r, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"rsync", "--version"}, Query: true})
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(r.Stdout), "\n")
	if f := strings.Fields(line); len(f) > 2 {
		return f[2], nil
	}
	return "", salt.CommandError("Unable to determine rsync version")
}

type configArgs struct {
	ConfPath string `py:"conf_path='/etc/rsyncd.conf'"` // the file
}

// config returns the configuration of the daemon.
func config(c *salt.Ctx, a configArgs) (string, error) {
	b, err := c.Sys.ReadFile(a.ConfPath)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", salt.CommandError("%s does not exist", a.ConfPath)
	case errors.Is(err, fs.ErrPermission):
		return "", salt.CommandError("Unable to read %s, access denied", a.ConfPath)
	case errors.Is(err, syscall.EISDIR):
		return "", salt.CommandError("Unable to read %s, path is a directory", a.ConfPath)
	}
	return string(b), err
}
