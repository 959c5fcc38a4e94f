package archive

import (
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/value"
	"pinch/value/py"
)

// expand is what sources name: a list, or a text with commas, each perhaps
// with wildcards. Those that match nothing are dropped.
func expand(sources any) []string {
	var out []string
	for _, s := range texts(sources) {
		if !strings.ContainsAny(s, "*?[") {
			out = append(out, s)
			continue
		}
		found, _ := filepath.Glob(s)
		out = append(out, found...)
	}
	return out
}

// need fails when a command is not installed.
func need(c *salt.Ctx, name string) error {
	if c.Sys.LookPath(name) == "" {
		return value.Errorf("CommandNotFoundError", "The '%s' binary was not found in $PATH.", name)
	}
	return nil
}

// run returns the lines that a command prints.
func run(c *salt.Ctx, argv []string, cwd, template, runas any) (*value.List, error) {
	if err := need(c, argv[0]); err != nil {
		return nil, err
	}
	v, err := c.CallKw("cmd.run", value.M("cwd", cwd, "template", template, "runas", runas, "python_shell", false), value.Strings(argv))
	if err != nil {
		return nil, err
	}
	return value.Strings(lines(value.Str(v))), nil
}

func lines(s string) []string {
	out := []string{}
	for line := range strings.Lines(s) {
		out = append(out, strings.TrimRight(line, "\r\n"))
	}
	return out
}

type tarArgs struct {
	Options  any `py:"options"`       // tar's options, such as czf
	Tarfile  any `py:"tarfile"`       // the archive
	Sources  any `py:"sources=None"`  // what to pack: a list, or a text with commas; wildcards are expanded
	Dest     any `py:"dest=None"`     // the folder to unpack into
	Cwd      any `py:"cwd=None"`      // where to run tar
	Template any `py:"template=None"` // renders the command, such as with jinja
	Runas    any `py:"runas=None"`    // the user to run tar as
}

// tarExec runs tar and returns what it prints.
//
//	salt-call archive.tar czf /srv/etc.tar.gz /etc/nginx,/etc/ssl
func tarExec(c *salt.Ctx, a tarArgs) (*value.List, error) {
	if err := need(c, "tar"); err != nil {
		return nil, err
	}
	if !value.Truth(a.Options) {
		return nil, salt.InvocationError("Tar options can not be empty")
	}
	argv := append([]string{"tar"}, strings.Fields(value.Str(a.Options))...)
	argv = append(argv, value.Str(a.Tarfile))
	if value.Truth(a.Dest) {
		argv = append(argv, "-C", value.Str(a.Dest))
	}
	return run(c, append(argv, expand(a.Sources)...), a.Cwd, a.Template, a.Runas)
}

type gzipArgs struct {
	Sourcefile any `py:"sourcefile"`    // the file to compress
	Template   any `py:"template=None"` // renders the command, such as with jinja
	Runas      any `py:"runas=None"`    // the user to run gzip as
	Options    any `py:"options=None"`  // one more option of gzip
}

// gzipExec compresses a file with gzip, in place, and returns what gzip prints.
func gzipExec(c *salt.Ctx, a gzipArgs) (*value.List, error) {
	return run(c, withOption("gzip", a.Options, a.Sourcefile), nil, a.Template, a.Runas)
}

type gunzipArgs struct {
	Gzipfile any `py:"gzipfile"`      // the file to decompress
	Template any `py:"template=None"` // renders the command, such as with jinja
	Runas    any `py:"runas=None"`    // the user to run gunzip as
	Options  any `py:"options=None"`  // one more option of gunzip
}

// gunzip decompresses a file with gunzip, in place, and returns what it prints.
func gunzip(c *salt.Ctx, a gunzipArgs) (*value.List, error) {
	return run(c, withOption("gunzip", a.Options, a.Gzipfile), nil, a.Template, a.Runas)
}

func withOption(program string, option, file any) []string {
	argv := []string{program}
	if value.Truth(option) {
		argv = append(argv, value.Str(option))
	}
	return append(argv, value.Str(file))
}

type cmdZipArgs struct {
	ZipFile  any `py:"zip_file"`      // the archive to make
	Sources  any `py:"sources"`       // what to pack: a list, or a text with commas; wildcards are expanded
	Template any `py:"template=None"` // renders the command, such as with jinja
	Cwd      any `py:"cwd=None"`      // where relative sources are
	Runas    any `py:"runas=None"`    // the user to run zip as
}

// cmdZip makes a zip archive with the command zip and returns what it prints.
func cmdZip(c *salt.Ctx, a cmdZipArgs) (*value.List, error) {
	return run(c, append([]string{"zip", "-r", value.Str(a.ZipFile)}, expand(a.Sources)...), a.Cwd, a.Template, a.Runas)
}

type cmdUnzipArgs struct {
	ZipFile    any `py:"zip_file"`          // the archive
	Dest       any `py:"dest"`              // the folder to unpack into
	Excludes   any `py:"excludes=None"`     // what to leave out: a list, or a text with commas
	Options    any `py:"options=None"`      // options of unzip
	Template   any `py:"template=None"`     // renders the command, such as with jinja
	Runas      any `py:"runas=None"`        // the user to run unzip as
	TrimOutput any `py:"trim_output=False"` // how many lines to return; True is 100
	Password   any `py:"password=None"`     // the archive's password; others can see it while unzip runs
}

// cmdUnzip unpacks a zip archive with the command unzip and returns what it prints.
func cmdUnzip(c *salt.Ctx, a cmdUnzipArgs) (*value.List, error) {
	if err := need(c, "unzip"); err != nil {
		return nil, err
	}
	argv, level := []string{"unzip"}, "debug"
	if value.Truth(a.Password) {
		argv, level = append(argv, "-P", value.Str(a.Password)), "quiet"
	}
	if value.Truth(a.Options) {
		options, err := py.ShellSplit(value.Str(a.Options))
		if err != nil {
			return nil, err
		}
		argv = append(argv, options...)
	}
	argv = append(argv, value.Str(a.ZipFile), "-d", value.Str(a.Dest))
	if a.Excludes != nil {
		argv = append(append(argv, "-x"), texts(a.Excludes)...)
	}
	v, err := c.CallKw("cmd.run_all", value.M("template", a.Template, "runas", a.Runas, "python_shell", false, "redirect_stderr", true, "output_loglevel", level), value.Strings(argv))
	if err != nil {
		return nil, err
	}
	ret, _ := v.(*value.Map)
	if value.Truth(ret.At("retcode")) {
		return nil, salt.CommandError("%s", ret.Str("stdout"))
	}
	return value.Strings(trim(lines(ret.Str("stdout")), a.TrimOutput)), nil
}

// trim cuts a list off: True is after 100 items.
func trim(files []string, by any) []string {
	n := 100
	switch by := by.(type) {
	case bool:
		if !by {
			return files
		}
	default:
		var ok bool
		if n, ok = integer(by); !ok {
			return files
		}
	}
	if len(files) > n && n >= 0 {
		return trimmed(files, n)
	}
	return files
}

type rarArgs struct {
	Rarfile  any `py:"rarfile"`       // the archive to make
	Sources  any `py:"sources"`       // what to pack: a list, or a text with commas; wildcards are expanded
	Template any `py:"template=None"` // renders the command, such as with jinja
	Cwd      any `py:"cwd=None"`      // where relative sources are
	Runas    any `py:"runas=None"`    // the user to run rar as
}

// rar makes a rar archive with the command rar and returns what it prints.
func rar(c *salt.Ctx, a rarArgs) (*value.List, error) {
	return run(c, append([]string{"rar", "a", "-idp", value.Str(a.Rarfile)}, expand(a.Sources)...), a.Cwd, a.Template, a.Runas)
}
