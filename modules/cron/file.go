package cron

import (
	"os"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type fileArgs struct {
	Name           string     `py:"name"`                  // the crontab: salt://…, a path or a URL
	SourceHash     string     `py:"source_hash=''"`        // the hash of the source, or a file that has it
	SourceHashName any        `py:"source_hash_name=None"` // the name to look for in a file of hashes
	User           string     `py:"user='root'"`           // whose crontab
	Template       any        `py:"template=None"`         // render the source with this engine
	Context        any        `py:"context=None"`          // variables for the template
	Replace        bool       `py:"replace=True"`          // False leaves a crontab alone that is there
	Defaults       any        `py:"defaults=None"`         // variables for the template, which context overrides
	Backup         string     `py:"backup=''"`             // where to keep the old one, as in file.managed
	Kwargs         *value.Map `py:"**kwargs"`              // more arguments of file.managed
}

// file gives a user a whole crontab from a file.
//
//	salt://cron/root:
//	  cron.file:
//	    - user: root
//	    - template: jinja
func file(c *salt.Ctx, a fileArgs) salt.Result {
	group, err := groupOf(c, a.User)
	if err != nil {
		return salt.Failed("Could not identify group for user %s", a.User)
	}
	now, err := raw(c, a.User)
	if err != nil {
		return salt.Raised(err)
	}
	if !strings.HasSuffix(now, "\n") {
		now += "\n"
	}
	if !a.Replace {
		return salt.Correct("User %s already has a crontab. No changes made", a.User)
	}
	// The copy is compared with, also under test=True.
	real := c.With(false)
	path, err := tempFile(real, now)
	if err != nil {
		return salt.Raised(err)
	}
	defer real.Sys.Remove(path)
	kw := a.Kwargs.Shallow()
	kw.Update(value.M("name", path, "source_hash_name", a.SourceHashName, "user", a.User, "group", group, "mode", "0600",
		"attrs", nil, "template", a.Template, "context", a.Context, "defaults", a.Defaults, "saltenv", c.Env))
	if c.Test {
		kw.Update(value.M("source", a.Name, "source_hash", a.SourceHash))
		return preview(c, kw)
	}
	return a.replaceTab(c, kw, path)
}

func tempFile(c *salt.Ctx, text string) (string, error) {
	path := sys.TempName("", "")
	mode := os.FileMode(0o600)
	return path, sys.WriteFile(c.Sys, path, []byte(text), sys.FileAttrs{Mode: &mode})
}

// groupOf is the first of a user's groups, as user.info lists them.
func groupOf(c *salt.Ctx, user string) (any, error) {
	v, err := c.Call("user.info", user)
	if err != nil {
		return nil, err
	}
	info, _ := v.(*value.Map)
	if l := info.List("groups"); l.Len() > 0 {
		return l.Items[0], nil
	}
	return nil, salt.CommandError("no groups")
}

func preview(c *salt.Ctx, kw *value.Map) salt.Result {
	v, err := c.CallKw("file.check_managed", kw)
	if err != nil {
		return salt.Raised(err)
	}
	answer := pair(v)
	r := salt.Would(nil, "%s", value.Str(answer[1]))
	if answer[0] != nil {
		r.Result = salt.False()
		if value.Truth(answer[0]) {
			r.Result = salt.True()
		}
	}
	return r
}

// pair is a tuple or list of at least two values.
func pair(v any) []any {
	var items []any
	switch v := v.(type) {
	case value.Tuple:
		items = v
	case *value.List:
		items = v.Items
	}
	return append(items, nil, nil, nil)
}

func (a *fileArgs) replaceTab(c *salt.Ctx, kw *value.Map, path string) salt.Result {
	v, err := c.Call("file.source_list", a.Name, a.SourceHash, c.Env)
	if err != nil {
		return salt.Raised(err)
	}
	source := pair(v)
	kw.Update(value.M("source", source[0], "source_hash", source[1], "skip_verify", false))
	got, err := c.CallKw("file.get_managed", kw)
	if err != nil {
		return salt.Failed("Unable to manage file: %s", err)
	}
	managed := pair(got)
	if comment := value.Str(orEmpty(managed[2])); comment != "" {
		return salt.Failed("%s", comment)
	}
	ret := value.M("changes", new(value.Map), "comment", "", "name", a.Name, "result", true)
	v, err = c.CallKw("file.manage_file", value.M("name", path, "sfn", managed[0], "ret", ret, "source", source[0],
		"source_sum", managed[1], "user", a.User, "group", kw.At("group"), "mode", "0600", "attrs", nil, "saltenv", c.Env, "backup", a.Backup))
	if err != nil {
		return salt.Failed("Unable to manage file: %s", err)
	}
	ret, _ = v.(*value.Map)
	changes := ret.Map("changes")
	switch {
	case changes.Has("diff"):
		out, err := install(c, a.User, path)
		if err != nil {
			return salt.Raised(err)
		}
		if value.Truth(out.At("retcode")) {
			return salt.Failed("Unable to update user %s crontab %s. Error: %s", a.User, path, out.Str("stderr"))
		}
		return salt.Changed(changes, "Crontab for user %s was updated", a.User)
	case ret.Truth("result"):
		return salt.Correct("Crontab for user %s is in the correct state", a.User)
	}
	r := salt.Failed("%s", ret.Str("comment"))
	r.Changes = changes
	return r
}

func orEmpty(v any) any {
	if v == nil {
		return ""
	}
	return v
}
