package file

import (
	"os"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type checkFileMetaArgs struct {
	Name       string  `py:"name"`                           // the file
	Sfn        any     `py:"sfn"`                            // where the content lies
	Source     any     `py:"source"`                         // where it comes from
	SourceSum  any     `py:"source_sum"`                     // {hash_type, hsum} of it
	User       any     `py:"user"`                           // the owner
	Group      any     `py:"group"`                          // the group
	Mode       any     `py:"mode"`                           // the mode
	Attrs      *string `py:"attrs"`                          // the attributes
	Env        string  `py:"saltenv"`                        // the environment of salt:// URLs
	Contents   any     `py:"contents=None"`                  // the content itself
	SeUser     string  `py:"seuser=None"`                    // SELinux user
	SeRole     string  `py:"serole=None"`                    // SELinux role
	SeType     string  `py:"setype=None"`                    // SELinux type
	SeRange    string  `py:"serange=None"`                   // SELinux range
	VerifySSL  bool    `py:"verify_ssl=True"`                // False takes any certificate
	Follow     bool    `py:"follow_symlinks=False"`          // looks at what a link leads to
	IgnOrder   bool    `py:"ignore_ordering=False"`          // tells whether more than the order differs
	IgnSpace   bool    `py:"ignore_whitespace=False"`        // tells whether more than white space differs
	IgnComment any     `py:"ignore_comment_characters=None"` // tells whether more than comments differ
	NewDiff    bool    `py:"new_file_diff=False"`            // shows a new file as a diff
}

// checkFileMeta tells what would change at a file.
func checkFileMeta(c *salt.Ctx, a checkFileMetaArgs) (any, error) {
	m := &managing{name: a.Name, env: a.Env, newDiff: a.NewDiff, ignore: ignoring{a.IgnOrder, a.IgnSpace, a.IgnComment},
		perms: perms{a.User, a.Group, normalMode(a.Mode), a.Attrs, seContext{a.SeUser, a.SeRole, a.SeType, a.SeRange}, a.Follow}}
	want := sumArg(a.SourceSum)
	switch {
	case a.Contents != nil:
		m.inline = true
		if b, ok := a.Contents.([]byte); ok {
			m.content = &content{data: b}
		} else {
			m.content = &content{data: []byte(value.Str(a.Contents))}
		}
	case value.Truth(a.Sfn):
		if want.hex != "" {
			m.content = &content{path: value.Str(a.Sfn), sum: want}
		}
	case want.hex != "" && value.Truth(a.Source):
		f := &fetch{name: a.Name, source: value.Str(a.Source), env: a.Env, noVerify: !a.VerifySSL, skipVerify: true}
		t, msg, err := f.get(c)
		if err != nil {
			return nil, err
		}
		if f.failed != nil {
			return nil, f.failed
		}
		if msg != "" {
			return sumOnly(c, m, want)
		}
		m.content, t.sum = t, want
	case want.hex != "":
		return sumOnly(c, m, want)
	}
	changes, matters, err := m.predict(c)
	if err != nil {
		return nil, err
	}
	if m.ignore.any() {
		return value.Tuple{matters, changes}, nil
	}
	return changes, nil
}

// sumOnly compares a file with a digest when there is no content to show.
func sumOnly(c *salt.Ctx, m *managing, want sum) (any, error) {
	changes, _, err := m.predict(c)
	if err == nil && !changes.Has("newfile") {
		var have string
		if have, err = hashFile(c, m.name, want.form); have != want.hex && err == nil {
			out := value.M("sum", "Checksum differs")
			out.Update(changes)
			changes = out
		}
	}
	return changes, err
}

type checkManagedArgs struct {
	Name       string     `py:"name"`                  // the file
	Source     any        `py:"source"`                // where its content comes from
	SourceHash any        `py:"source_hash"`           // the digest it must have
	HashName   any        `py:"source_hash_name"`      // the name to look for in a hash file
	User       any        `py:"user"`                  // the owner
	Group      any        `py:"group"`                 // the group
	Mode       any        `py:"mode"`                  // the mode
	Attrs      *string    `py:"attrs"`                 // the attributes
	Template   string     `py:"template"`              // the language of the source
	Context    *value.Map `py:"context"`               // what the template sees
	Defaults   *value.Map `py:"defaults"`              // what it sees where context has nothing
	Env        string     `py:"saltenv"`               // the environment of salt:// URLs
	Contents   any        `py:"contents=None"`         // the content itself
	SkipVerify bool       `py:"skip_verify=False"`     // needs no source_hash for a download
	SeUser     string     `py:"seuser=None"`           // SELinux user
	SeRole     string     `py:"serole=None"`           // SELinux role
	SeType     string     `py:"setype=None"`           // SELinux type
	SeRange    string     `py:"serange=None"`          // SELinux range
	Follow     bool       `py:"follow_symlinks=False"` // looks at what a link leads to
	Kwargs     *value.Map `py:"**kwargs"`              // everything else is seen by the template
}

// checkManaged tells in words whether a file is what it shall be.
func checkManaged(c *salt.Ctx, a checkManagedArgs) (any, error) {
	v, err := checkManagedChanges(c, checkChangesArgs{a.Name, a.Source, a.SourceHash, a.HashName, a.User, a.Group, a.Mode, a.Attrs, a.Template,
		a.Context, a.Defaults, a.Env, a.Contents, a.SkipVerify, false, a.SeUser, a.SeRole, a.SeType, a.SeRange, true, a.Follow, false, false, nil, false, a.Kwargs})
	changes, ok := v.(*value.Map)
	if err != nil || !ok {
		return v, err
	}
	if strings.HasPrefix(a.Name, os.TempDir()) {
		for _, k := range []string{"user", "group", "mode"} {
			changes.Pop(k)
		}
	}
	if changes.Len() == 0 {
		return value.Tuple{true, "The file " + a.Name + " is in the correct state"}, nil
	}
	msg := "The following values are set to be changed:\n"
	for k, v := range changes.Items() {
		msg += k + ": " + value.Str(v) + "\n"
	}
	return value.Tuple{nil, msg}, nil
}

type checkChangesArgs struct {
	Name       string     `py:"name"`                           // the file
	Source     any        `py:"source"`                         // where its content comes from
	SourceHash any        `py:"source_hash"`                    // the digest it must have
	HashName   any        `py:"source_hash_name"`               // the name to look for in a hash file
	User       any        `py:"user"`                           // the owner
	Group      any        `py:"group"`                          // the group
	Mode       any        `py:"mode"`                           // the mode
	Attrs      *string    `py:"attrs"`                          // the attributes
	Template   string     `py:"template"`                       // the language of the source
	Context    *value.Map `py:"context"`                        // what the template sees
	Defaults   *value.Map `py:"defaults"`                       // what it sees where context has nothing
	Env        string     `py:"saltenv"`                        // the environment of salt:// URLs
	Contents   any        `py:"contents=None"`                  // the content itself
	SkipVerify bool       `py:"skip_verify=False"`              // needs no source_hash for a download
	KeepMode   bool       `py:"keep_mode=False"`                // takes the mode of the source
	SeUser     string     `py:"seuser=None"`                    // SELinux user
	SeRole     string     `py:"serole=None"`                    // SELinux role
	SeType     string     `py:"setype=None"`                    // SELinux type
	SeRange    string     `py:"serange=None"`                   // SELinux range
	VerifySSL  bool       `py:"verify_ssl=True"`                // False takes any certificate
	Follow     bool       `py:"follow_symlinks=False"`          // looks at what a link leads to
	IgnOrder   bool       `py:"ignore_ordering=False"`          // tells whether more than the order differs
	IgnSpace   bool       `py:"ignore_whitespace=False"`        // tells whether more than white space differs
	IgnComment any        `py:"ignore_comment_characters=None"` // tells whether more than comments differ
	NewDiff    bool       `py:"new_file_diff=False"`            // shows a new file as a diff
	Kwargs     *value.Map `py:"**kwargs"`                       // everything else is seen by the template
}

// checkManagedChanges tells what file.managed would change.
func checkManagedChanges(c *salt.Ctx, a checkChangesArgs) (any, error) {
	source, hash, err := chooseSource(c, a.Source, a.SourceHash, a.Env)
	if err != nil {
		return nil, err
	}
	m := &managing{name: a.Name, env: a.Env, newDiff: a.NewDiff, ignore: ignoring{a.IgnOrder, a.IgnSpace, a.IgnComment},
		perms: perms{a.User, a.Group, normalMode(a.Mode), a.Attrs, seContext{a.SeUser, a.SeRole, a.SeType, a.SeRange}, a.Follow}}
	if a.Contents != nil {
		m.inline = true
		m.content = &content{data: []byte(value.Str(a.Contents))}
		if b, ok := a.Contents.([]byte); ok {
			m.content.data = b
		}
	} else if src := argText(source); src != "" {
		f := &fetch{name: a.Name, source: src, hash: hash, hashName: argText(a.HashName), env: a.Env, template: a.Template,
			skipVerify: a.SkipVerify, noVerify: !a.VerifySSL}
		f.vars = value.M("name", a.Name, "source", src, "user", a.User, "group", a.Group, "mode", a.Mode, "attrs", nil, "saltenv", a.Env)
		f.vars.Update(a.Kwargs)
		f.vars.Update(a.Defaults)
		f.vars.Update(a.Context)
		t, msg, err := f.get(c)
		if err != nil {
			return nil, err
		}
		if msg != "" {
			return value.Tuple{false, msg}, nil
		}
		if m.content = t; a.KeepMode && t.mode != 0 {
			m.perms.mode = octal(t.mode)
		}
	}
	changes, matters, err := m.predict(c)
	if err != nil {
		return nil, err
	}
	if m.ignore.any() {
		return value.Tuple{matters, changes}, nil
	}
	return changes, nil
}
