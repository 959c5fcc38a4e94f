package virtualenv

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type createArgs struct {
	Path               string     `py:"path"`                       // where to make the environment
	VenvBin            any        `py:"venv_bin=None"`              // the virtualenv command, a python, or venv for python's own module
	SystemSitePackages bool       `py:"system_site_packages=False"` // see the system's packages
	Distribute         bool       `py:"distribute=False"`           // install setuptools, for old versions of virtualenv
	Clear              bool       `py:"clear=False"`                // empty it first
	Python             any        `py:"python=None"`                // the python the environment is for
	ExtraSearchDir     any        `py:"extra_search_dir=None"`      // where virtualenv looks for packages
	NeverDownload      any        `py:"never_download=None"`        // download nothing
	Prompt             any        `py:"prompt=None"`                // the shell's prompt
	Pip                bool       `py:"pip=False"`                  // install pip if it is missing
	Symlinks           any        `py:"symlinks=None"`              // symbolic links instead of copies
	Upgrade            any        `py:"upgrade=None"`               // upgrade the environment to this python
	User               any        `py:"user=None"`                  // the user to run as
	UseVt              bool       `py:"use_vt=False"`               // show the output as it comes
	Saltenv            any        `py:"saltenv='base'"`             // the environment of salt:// files
	Kwargs             *value.Map `py:"**kwargs"`                   // further arguments for cmd.run_all
}

// create makes a virtual environment and returns what cmd.run_all does.
//
//	salt-call virtualenv.create /opt/venv python=python3.11
func create(c *salt.Ctx, a createArgs) (*value.Map, error) {
	argv, module, err := a.command(c)
	if err != nil {
		return nil, err
	}
	if a.Clear {
		argv = append(argv, "--clear")
	}
	if a.SystemSitePackages {
		argv = append(argv, "--system-site-packages")
	}
	existed := sys.Exists(c.Sys, a.Path)
	ret, err := runAll(c, append(argv, a.Path), a.User, a.Kwargs)
	if err != nil {
		return nil, err
	}
	if value.Truth(ret.At("retcode")) {
		// Half an environment would look like one to the next run.
		if !existed && sys.IsDir(c.Sys, a.Path) {
			c.Sys.RemoveAll(a.Path)
		}
		return ret, nil
	}
	if (a.Pip || a.Distribute) && !module && !sys.Exists(c.Sys, filepath.Join(a.Path, "bin/easy_install")) {
		if _, err := a.script(c, "https://bootstrap.pypa.io/ez_setup.py"); err != nil {
			return nil, err
		}
	}
	if a.Pip && !sys.Exists(c.Sys, filepath.Join(a.Path, "bin/pip")) {
		got, err := a.script(c, "https://bootstrap.pypa.io/get-pip.py")
		if err != nil {
			return nil, err
		}
		ret.Set("retcode", got.At("retcode"))
		for _, k := range []string{"stdout", "stderr"} {
			ret.Set(k, strings.TrimSpace(ret.Str(k)+"\n"+got.Str(k)))
		}
	}
	return ret, nil
}

var pythonName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(python|pypy)[0-9.]*(\.exe)?$`) })

// program is the command that makes environments: the caller's, the one of the
// pillar or the configuration, or the first there is.
func (a createArgs) program(c *salt.Ctx) string {
	for _, v := range []any{a.VenvBin, c.Pillar.At("venv_bin"), c.Opts.At("venv_bin")} {
		if s := text(v); s != "" {
			return s
		}
	}
	for _, name := range []string{"virtualenv3", "virtualenv"} {
		if p := c.Sys.LookPath(name); p != "" {
			return p
		}
	}
	return "venv"
}

// command starts the command line; module says that it is Python's own venv.
func (a createArgs) command(c *salt.Ctx) (argv []string, module bool, err error) {
	bin, wanted := a.program(c), strings.TrimSpace(text(a.Python))
	missing := func(p string) error { return salt.CommandError("Cannot find requested python (%s).", p) }
	interpreted := bin == "venv" || pythonName().MatchString(filepath.Base(bin))
	switch {
	case bin == "venv" && wanted != "":
		if c.Sys.LookPath(wanted) == "" && !sys.IsFile(c.Sys, wanted) {
			return nil, true, missing(text(a.Python))
		}
		argv = []string{wanted, "-m", "venv"}
	case bin == "venv":
		argv = []string{"python3", "-m", "venv"}
	case interpreted && wanted != "":
		return nil, true, salt.CommandError("Pass the target interpreter either as `venv_bin` or as `python`, not both.")
	case interpreted:
		if c.Sys.LookPath(bin) == "" && !sys.IsFile(c.Sys, bin) {
			return nil, true, missing(bin)
		}
		argv = []string{bin, "-m", "venv"}
	default:
		argv = []string{bin}
	}
	if interpreted || strings.Contains(filepath.Base(bin), "venv") {
		opts, err := a.venvOptions(bin, interpreted)
		return append(argv, opts...), true, err
	}
	opts, err := a.virtualenvOptions(c, bin)
	return append(argv, opts...), false, err
}

func unsupported(option, long, bin string) error {
	return salt.CommandError("The `%s`(`--%s`) option is not supported by '%s'", option, long, bin)
}

// venvOptions are the options of Python's venv module.
func (a createArgs) venvOptions(bin string, interpreted bool) (opts []string, err error) {
	extra, isText := a.ExtraSearchDir.(string)
	switch {
	case !interpreted && strings.TrimSpace(text(a.Python)) != "":
		return nil, unsupported("python", "python", bin)
	case a.ExtraSearchDir != nil && (!isText || strings.TrimSpace(extra) != ""):
		return nil, unsupported("extra_search_dir", "extra-search-dir", bin)
	case a.NeverDownload != nil:
		return nil, unsupported("never_download", "never-download", bin)
	}
	if a.Upgrade == true {
		opts = append(opts, "--upgrade")
	}
	if a.Symlinks == true {
		opts = append(opts, "--symlinks")
	}
	if p := text(a.Prompt); strings.TrimSpace(p) != "" {
		opts = append(opts, "--prompt", p)
	}
	return opts, nil
}

// virtualenvOptions are the options of virtualenv.
func (a createArgs) virtualenvOptions(c *salt.Ctx, bin string) (opts []string, err error) {
	switch {
	case a.Upgrade != nil:
		return nil, unsupported("upgrade", "upgrade", bin)
	case a.Symlinks != nil:
		return nil, unsupported("symlinks", "symlinks", bin)
	}
	have, err := virtualenvVer(c, virtualenvVerArgs{VenvBin: bin, User: a.User, Kwargs: a.Kwargs})
	if err != nil {
		return nil, err
	}
	if a.Distribute && below(have, 1, 10) {
		opts = append(opts, "--distribute")
	}
	if p := strings.TrimSpace(text(a.Python)); p != "" {
		if c.Sys.LookPath(p) == "" && !sys.IsFile(c.Sys, p) {
			return nil, salt.CommandError("Cannot find requested python (%s).", text(a.Python))
		}
		opts = append(opts, "--python="+text(a.Python))
	}
	for _, dir := range searchDirs(a.ExtraSearchDir) {
		opts = append(opts, "--extra-search-dir="+dir)
	}
	switch {
	case a.NeverDownload == true && (below(have, 1, 10) || !below(have, 14, 0)):
		opts = append(opts, "--never-download")
	case a.NeverDownload == false && !below(have, 20, 0):
		opts = append(opts, "--download")
	}
	if p := text(a.Prompt); strings.TrimSpace(p) != "" {
		opts = append(opts, "--prompt='"+p+"'")
	}
	return opts, nil
}

func searchDirs(v any) (dirs []string) {
	if l, ok := v.(*value.List); ok {
		for _, it := range l.Items {
			dirs = append(dirs, value.Str(it))
		}
		return dirs
	}
	if s := text(v); strings.TrimSpace(s) != "" {
		for _, d := range strings.Split(s, ",") {
			dirs = append(dirs, strings.TrimSpace(d))
		}
	}
	return dirs
}

// below compares the first two parts of a version.
func below(v value.Tuple, major, minor int64) bool {
	at := func(i int) int64 {
		if i < len(v) {
			return v[i].(int64)
		}
		return -1
	}
	return at(0) < major || at(0) == major && at(1) < minor
}

// script downloads a program text and runs it with the environment's Python.
func (a createArgs) script(c *salt.Ctx, url string) (*value.Map, error) {
	local, err := c.Files().Cache(c, url, text(a.Saltenv), salt.GetOptions{})
	if err != nil {
		return nil, err
	}
	data, err := c.Sys.ReadFile(local)
	if err != nil {
		return nil, err
	}
	mode, attrs := sys.Mode(0o500), sys.FileAttrs{}
	attrs.Mode = &mode
	if u := text(a.User); u != "" {
		owner, err := c.Sys.User(u)
		if err != nil {
			return nil, err
		}
		attrs.UID = &owner.UID
	}
	path := sys.TempName(a.Path, ".py")
	if err := sys.WriteFile(c.Sys, path, data, attrs); err != nil {
		return nil, err
	}
	defer c.Sys.Remove(path)
	return runAll(c, []string{filepath.Join(a.Path, "bin/python"), path}, a.User, value.M("cwd", a.Path, "env", value.M("VIRTUAL_ENV", a.Path), "use_vt", a.UseVt))
}

type virtualenvVerArgs struct {
	VenvBin string     `py:"venv_bin"`  // the virtualenv command
	User    any        `py:"user=None"` // the user to run it as
	Kwargs  *value.Map `py:"**kwargs"`  // further arguments for cmd.run_all
}

var (
	versionWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d.\d*`) })
	versionTail = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(rc|\+ds).*$`) })
)

// virtualenvVer returns the version of virtualenv as a list of numbers.
//
//	salt-call virtualenv.virtualenv_ver virtualenv
func virtualenvVer(c *salt.Ctx, a virtualenvVerArgs) (value.Tuple, error) {
	argv := []string{a.VenvBin, "--version"}
	kw := a.Kwargs.Shallow()
	kw.Set("redirect_stderr", true)
	ret, err := runAll(c, argv, a.User, kw)
	if err != nil {
		return nil, err
	}
	if value.Truth(ret.At("retcode")) || strings.TrimSpace(ret.Str("stdout")) == "" {
		return nil, salt.CommandError("Unable to get the virtualenv version output using '%s'. Returned data: %s", value.Repr(value.Strings(argv)), value.Repr(ret))
	}
	found := ""
	for _, w := range strings.Fields(ret.Str("stdout")) {
		if versionWord().MatchString(w) {
			found += w
		}
	}
	var out value.Tuple
	for _, part := range strings.Split(versionTail().ReplaceAllString(found, ""), ".") {
		n, err := strconv.ParseInt(part, 10, 64)
		if err != nil {
			return nil, value.Errorf("ValueError", "%s", fmt.Sprintf("invalid literal for int() with base 10: %s", value.Repr(part)))
		}
		out = append(out, n)
	}
	return out, nil
}
