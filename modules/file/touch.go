package file

import (
	"io/fs"
	"strconv"
	"strings"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// touchTime reads a time of file.touch: seconds since 1970.
func touchTime(v any) (time.Time, bool) {
	if s, ok := v.(string); ok {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || strings.Trim(s, "0123456789") != "" {
			return time.Time{}, false
		}
		return time.Unix(n, 0), true
	}
	f, ok := numArg(v)
	return fromSeconds(f), ok
}

// touchPath makes an empty file, or sets the times of what is there.
func touchPath(c *salt.Ctx, name string, atime, mtime any) error {
	now := c.Sys.Now()
	at, mt := now, now
	ok := true
	if atime != nil {
		at, ok = touchTime(atime)
	}
	if mtime != nil && ok {
		mt, ok = touchTime(mtime)
	}
	if !sys.Exists(c.Sys, name) {
		w, err := c.Sys.Append(realPath(c.Sys, name))
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			return salt.CommandError("%s", strError(err))
		}
		if atime == nil && mtime == nil {
			return nil
		}
	}
	if !ok {
		return salt.InvocationError("atime and mtime must be integers")
	}
	if err := c.Sys.Chtimes(name, at, mt); err != nil {
		return salt.CommandError("%s", strError(err))
	}
	return nil
}

type touchExecArgs struct {
	Name  string `py:"name"`       // the file
	ATime any    `py:"atime=None"` // the time of the last access, in seconds since 1970; by default now
	MTime any    `py:"mtime=None"` // the time of the last change, in seconds since 1970; by default now
}

// touchExec makes an empty file, or sets the times of what is there.
func touchExec(c *salt.Ctx, a touchExecArgs) (bool, error) {
	name := expandUser(c, a.Name)
	if err := touchPath(c, name, a.ATime, a.MTime); err != nil {
		return false, err
	}
	return sys.Exists(c.Sys, name), nil
}

type touchArgs struct {
	Name     string `py:"name"`           // the file
	ATime    any    `py:"atime=None"`     // the time of the last access, in seconds since 1970; by default now
	MTime    any    `py:"mtime=None"`     // the time of the last change, in seconds since 1970; by default now
	Makedirs bool   `py:"makedirs=False"` // makes the missing folders above
}

// touch makes an empty file, or sets the times of what is there. This is a
// change every time: file.managed with replace: False is not.
//
//	/var/log/app.log:
//	  file.touch: []
func touch(c *salt.Ctx, a touchArgs) salt.Result {
	name := expandUser(c, a.Name)
	return renamed(a.Name, name, touchState(c, name, a.ATime, a.MTime, a.Makedirs))
}

func touchState(c *salt.Ctx, name string, atime, mtime any, makedirs bool) salt.Result {
	switch {
	case name == "":
		return salt.Failed("Must provide name to file.touch")
	case !isAbs(name):
		return salt.Failed("Specified file %s is not an absolute path", name)
	}
	i, err := c.Sys.Stat(name)
	there := err == nil
	if c.Test {
		return touchTest(name, i, atime, mtime)
	}
	if makedirs {
		if _, err := makeParents(c, name, nil, nil, ""); err != nil {
			return salt.Failed("%s", text(err))
		}
	}
	if !sys.IsDir(c.Sys, dirName(name)) {
		return salt.Failed("Directory not present to touch file %s", name)
	}
	if err := touchPath(c, name, atime, mtime); err != nil {
		return salt.Failed("%s", text(err))
	}
	if !there {
		return salt.Changed(value.M("new", name), "Created empty file %s", name)
	}
	kind := "file"
	if i.IsDir() {
		kind = "directory"
	}
	return salt.Changed(value.M("touched", name), "Updated times on %s %s", kind, name)
}

func touchTest(name string, i fs.FileInfo, atime, mtime any) salt.Result {
	if i == nil {
		return salt.Would(value.M("new", name), "File %s is set to be created", name)
	}
	st := statOf(i)
	if differs(atime, st.atime) || differs(mtime, st.mtime) {
		return salt.Would(value.M("touched", name), "Times set to be updated on file %s", name)
	}
	r := salt.Correct("File %s exists and has the correct times", name)
	r.Changes.Set("new", name)
	return r
}

// differs compares as texts, as Salt does: a time without fraction is never
// what a file has, and the real run sets it each time.
func differs(want any, have time.Time) bool {
	return want != nil && value.Str(want) != value.Str(float64(have.UnixNano())/1e9)
}
