package archive

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// extract unpacks the archive, or says that it would.
func (x *extraction) extract() *salt.Result {
	if x.isLocal && value.Truth(x.SourceHash) && !x.SkipVerify {
		v, err := x.c.Call("file.check_hash", x.source, x.sum.Str("hsum"))
		if err != nil {
			return x.failed(err)
		}
		if !value.Truth(v) {
			return x.fail("%s does not match the desired source_hash %s", redact(x.source), x.sum.Str("hsum"))
		}
	}
	if err := room(x.c, redact(x.source), strings.TrimRight(x.dir, "/"), x.contents.bytes, x.contents.count); err != nil {
		return x.failed(err)
	}
	if x.c.Test {
		x.comment = "Archive " + redact(x.source) + " would be extracted to " + x.dir
		if x.Clean {
			x.comment += ", after cleaning destination path(s)"
		}
		x.explain()
		r := salt.Would(nil, "%s", x.comment)
		return &r
	}
	if !sys.IsDir(x.c.Sys, x.dir) {
		if err := x.makeDir(); err != nil {
			return x.failed(err)
		}
		x.created = true
	}
	r := x.unpack()
	if r != nil && x.created {
		x.c.Sys.Remove(strings.TrimRight(x.dir, "/")) // only an empty folder goes
	}
	return r
}

func (x *extraction) makeDir() error {
	r, err := x.c.CallState(x.c, "file.directory", value.M("name", x.dir, "user", x.User, "makedirs", true))
	if err == nil && r.Bad() {
		err = salt.CommandError("%s", r.Comment)
	}
	return err
}

func (x *extraction) unpack() *salt.Result {
	switch {
	case x.format == "zip" && x.cmdUnzip:
		if err := x.clearNow(); err != nil {
			return x.failed(err)
		}
		return x.byUnzip()
	case x.format == "tar" && value.Truth(x.options):
		words, err := tarWords(x.options.(string))
		if err != nil {
			return x.failed(err)
		}
		o, ok := native(words, x.c.Sys.Getuid() == 0)
		if !ok {
			if err := x.clearNow(); err != nil {
				return x.failed(err)
			}
			return x.byTar(words)
		}
		return x.native(o, func(e *entry) {
			if strip(e.name, o.strip) != "" {
				x.files = append(x.files, shown(e.name))
			}
		})
	case x.format == "tar":
		return x.native(options{owners: true}, func(e *entry) { x.files = append(x.files, strings.TrimRight(e.name, "/")) })
	}
	o := options{usual: x.format == "zip" && !x.Perms, skip: texts(x.Kwargs.At("excludes"))}
	return x.native(o, func(e *entry) { x.files = append(x.files, e.name) })
}

// native unpacks the archive without any command.
func (x *extraction) native(o options, each func(*entry)) *salt.Result {
	command, err := words(x.ListOptions)
	if err != nil {
		return x.failed(err)
	}
	src, err := open(x.c, x.cached, x.format, command, argText(x.Password))
	if err != nil {
		return x.failed(err)
	}
	defer src.Close()
	u := &unpacker{c: x.c, archive: redact(x.source), options: o}
	if err := u.place(src, strings.TrimRight(x.dir, "/"), x.CleanParent, func() error { return x.clear(u) }, each); err != nil {
		if x.format == "zip" {
			return x.fail("Exception encountered unpacking zipfile: %s", osText(err))
		}
		return x.fail("Failed to extract %s to %s: %s", redact(x.source), x.dir, osText(err))
	}
	if x.trim > 0 && len(x.files) > x.trim {
		x.files = x.files[:x.trim]
		if x.format != "tar" {
			x.files = trimmed(x.files, x.trim)
		}
	}
	return nil
}

// trimmed marks a list that was cut off.
func trimmed(files []string, n int) []string {
	return append(files[:n:n], "List trimmed after "+value.Str(int64(n))+" files.")
}

// clear makes room in the target: the wrong types with force, the top level
// with clean, everything with clean_parent.
func (x *extraction) clear(u *unpacker) error {
	if x.CleanParent {
		if err := u.base.RemoveAll(u.into); err != nil {
			return salt.CommandError("Unable to remove the directory %s. The following errors were observed:\n%s", x.dir, bullets([]string{osText(err)}))
		}
		x.changes.Set("removed", "Directory "+x.dir+" was removed prior to the extraction")
		return x.makeDir()
	}
	var problems []string
	for _, name := range x.inTheWay() {
		at := path.Join(u.into, name)
		if _, err := u.base.Lstat(at); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := u.base.RemoveAll(at); err != nil {
			problems = append(problems, osText(err))
			continue
		}
		if !x.changes.Has("removed") {
			x.changes.Set("removed", value.L())
		}
		x.changes.List("removed").Append(x.dir + name)
	}
	switch {
	case problems == nil:
		return nil
	case x.Clean:
		return salt.CommandError("One or more paths could not be cleaned. The following errors were observed:\n%s", bullets(problems))
	}
	return salt.CommandError("One or more paths existed by were the incorrect type (i.e. file instead of directory or vice-versa), but could not be removed. The following errors were observed:\n%s", bullets(problems))
}

func (x *extraction) inTheWay() []string {
	if x.Clean {
		return append(x.contents.topDirs[:len(x.contents.topDirs):len(x.contents.topDirs)], x.contents.topFiles...)
	}
	return x.wrong
}

// clearNow clears before a command unpacks the archive.
func (x *extraction) clearNow() error {
	u := &unpacker{c: x.c, into: "."}
	at := strings.TrimRight(x.dir, "/")
	if x.CleanParent {
		u.into = path.Base(at)
		at = path.Dir(at)
	}
	var err error
	if u.base, err = x.c.Sys.OpenRoot(at); err != nil {
		return err
	}
	defer u.base.Close()
	return x.clear(u)
}

// byUnzip has unzip extract the archive.
func (x *extraction) byUnzip() *salt.Result {
	kw := x.Kwargs.Shallow()
	for k, v := range value.M("options", x.options, "trim_output", trimArg(x.trim), "password", x.Password).Items() {
		kw.Set(k, v)
	}
	v, err := x.c.CallKw("archive.cmd_unzip", kw, x.cached, x.dir)
	if err != nil {
		return x.failed(err)
	}
	x.files = texts(v)
	return nil
}

func trimArg(n int) any {
	if n == 0 {
		return false
	}
	return int64(n)
}

// byTar has the host's tar extract the archive, for options that need it.
func (x *extraction) byTar(words []string) *salt.Result {
	if x.c.Sys.LookPath("tar") == "" {
		return x.fail("tar command not available, it might not be installed on minion")
	}
	v, err := x.c.CallKw("cmd.run_all", value.M("cwd", x.dir, "python_shell", false), value.Strings(tarCommand(words, x.cached)))
	if err != nil {
		return x.failed(err)
	}
	ret, _ := v.(*value.Map)
	if value.Truth(ret.At("retcode")) {
		x.changes = ret
		return x.fail("%s", ret.Str("stderr"))
	}
	for line := range strings.Lines(ret.Str("stdout")) {
		x.files = append(x.files, strings.TrimRight(line, "\n"))
	}
	if x.trim > 0 && len(x.files) > x.trim {
		x.files = x.files[:x.trim]
	}
	return nil
}

func argText(v any) string {
	if !value.Truth(v) {
		return ""
	}
	return value.Str(v)
}
