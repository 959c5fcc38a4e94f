package file

import (
	"pinch/salt"
	"pinch/value"
)

type getManagedArgs struct {
	Name       string     `py:"name"`                           // the file that will be written
	Template   string     `py:"template"`                       // the language of the source
	Source     string     `py:"source"`                         // where the content comes from
	SourceHash any        `py:"source_hash"`                    // the digest it must have
	HashName   any        `py:"source_hash_name"`               // the name to look for in a hash file
	User       any        `py:"user"`                           // the owner, for the template
	Group      any        `py:"group"`                          // the group, for the template
	Mode       any        `py:"mode"`                           // the mode, for the template
	Attrs      any        `py:"attrs"`                          // the attributes, for the template
	Env        string     `py:"saltenv"`                        // the environment of salt:// URLs
	Context    *value.Map `py:"context"`                        // what the template sees
	Defaults   *value.Map `py:"defaults"`                       // what it sees where context has nothing
	SkipVerify bool       `py:"skip_verify=False"`              // needs no source_hash for a download
	VerifySSL  bool       `py:"verify_ssl=True"`                // False takes any certificate
	UseETag    bool       `py:"use_etag=False"`                 // downloads again only when the ETag changed
	HashSig    any        `py:"source_hash_sig=None"`           // a signature of the hash file
	SignedAny  any        `py:"signed_by_any=None"`             // one of these keys must have signed
	SignedAll  any        `py:"signed_by_all=None"`             // all of these keys must have signed
	Keyring    any        `py:"keyring=None"`                   // the keyring to use
	Home       any        `py:"gnupghome=None"`                 // GnuPG's folder
	IgnOrder   bool       `py:"ignore_ordering=False"`          // of no effect here
	IgnSpace   bool       `py:"ignore_whitespace=False"`        // of no effect here
	IgnComment any        `py:"ignore_comment_characters=None"` // of no effect here
	Backend    string     `py:"sig_backend='gpg'"`              // the module that checks signatures
	Kwargs     *value.Map `py:"**kwargs"`                       // everything else is seen by the template
}

// getManaged finds the content of a source: the path of it, its digest, and
// what is wrong. A rendered template lies in a private temporary file.
func getManaged(c *salt.Ctx, a getManagedArgs) (any, error) {
	none := func(msg string) (any, error) { return value.Tuple{"", new(value.Map), msg}, nil }
	if a.Source == "" {
		return none("")
	}
	f := &fetch{name: a.Name, source: a.Source, hash: a.SourceHash, hashName: argText(a.HashName), env: a.Env, template: a.Template,
		skipVerify: a.SkipVerify, noVerify: !a.VerifySSL, useETag: a.UseETag,
		sign: signing{a.SignedAny, a.SignedAll, a.Keyring, a.Home, a.Backend, a.HashSig}}
	f.vars = value.M("name", a.Name, "source", a.Source, "user", a.User, "group", a.Group, "mode", a.Mode, "attrs", a.Attrs, "saltenv", a.Env)
	f.vars.Update(a.Kwargs)
	f.vars.Update(a.Defaults)
	f.vars.Update(a.Context)
	t, msg, err := f.get(c)
	if err != nil {
		return nil, err
	}
	if msg != "" {
		return none(msg)
	}
	s := t.sum
	if a.Template != "" {
		tmp, err := tempName(c, "", "")
		if err != nil {
			return nil, err
		}
		if err := writeFile(c, tmp, string(t.data)); err != nil {
			return nil, err
		}
		hex, _ := digest(t.data, "sha256")
		return value.Tuple{tmp, value.M("hash_type", "sha256", "hsum", hex), ""}, nil
	}
	path := t.path
	if parseURL(a.Source).scheme == "salt" {
		path = ""
	}
	if s.hex == "" {
		hex, err := hashFile(c, t.path, "sha256")
		if err != nil {
			return nil, err
		}
		return value.Tuple{path, value.M("hsum", hex, "hash_type", "sha256"), ""}, nil
	}
	return value.Tuple{path, s.toMap(), ""}, nil
}

type manageFileArgs struct {
	Name       string     `py:"name"`                           // the file
	Sfn        any        `py:"sfn"`                            // where the content lies; '' fetches the source
	Ret        *value.Map `py:"ret"`                            // a state's return that is added to; None makes one
	Source     any        `py:"source"`                         // where the content comes from
	SourceSum  any        `py:"source_sum"`                     // {hash_type, hsum} that it must have
	User       any        `py:"user"`                           // the owner
	Group      any        `py:"group"`                          // the group
	Mode       any        `py:"mode"`                           // the mode
	Attrs      *string    `py:"attrs"`                          // the attributes
	Env        string     `py:"saltenv"`                        // the environment of salt:// URLs
	Backup     string     `py:"backup"`                         // minion saves the old file
	Makedirs   bool       `py:"makedirs=False"`                 // makes the missing folders above
	Template   any        `py:"template=None"`                  // of no effect here
	Show       bool       `py:"show_changes=True"`              // False keeps the diff out of the result
	Contents   any        `py:"contents=None"`                  // the content itself
	DirMode    any        `py:"dir_mode=None"`                  // the mode of made folders
	Follow     bool       `py:"follow_symlinks=True"`           // False replaces a link by a file
	SkipVerify bool       `py:"skip_verify=False"`              // takes the source without a check
	KeepMode   bool       `py:"keep_mode=False"`                // takes the mode of the source
	Encoding   string     `py:"encoding=None"`                  // how contents are encoded
	EncErrors  string     `py:"encoding_errors='strict'"`       // what becomes of characters that the encoding lacks
	SeUser     string     `py:"seuser=None"`                    // SELinux user
	SeRole     string     `py:"serole=None"`                    // SELinux role
	SeType     string     `py:"setype=None"`                    // SELinux type
	SeRange    string     `py:"serange=None"`                   // SELinux range
	VerifySSL  bool       `py:"verify_ssl=True"`                // False takes any certificate
	UseETag    bool       `py:"use_etag=False"`                 // downloads again only when the ETag changed
	Signature  any        `py:"signature=None"`                 // where the signature of the source is
	HashSig    any        `py:"source_hash_sig=None"`           // where the signature of the hash file is
	SignedAny  any        `py:"signed_by_any=None"`             // one of these keys must have signed
	SignedAll  any        `py:"signed_by_all=None"`             // all of these keys must have signed
	Keyring    any        `py:"keyring=None"`                   // the keyring to use
	Home       any        `py:"gnupghome=None"`                 // GnuPG's folder
	IgnOrder   bool       `py:"ignore_ordering=False"`          // requisites take no note of moved lines
	IgnSpace   bool       `py:"ignore_whitespace=False"`        // requisites take no note of white space
	IgnComment any        `py:"ignore_comment_characters=None"` // requisites take no note of what follows these
	NewDiff    bool       `py:"new_file_diff=False"`            // shows a new file as a diff
	Backend    string     `py:"sig_backend='gpg'"`              // the module that checks signatures
	Kwargs     *value.Map `py:"**kwargs"`                       // Salt takes and ignores any other
}

// manageFile gives a file its content, owner and mode and returns what a state returns.
func manageFile(c *salt.Ctx, a manageFileArgs) (*value.Map, error) {
	m := &managing{name: expandUser(c, a.Name), env: a.Env, backup: a.Backup, makedirs: a.Makedirs, dirMode: normalMode(a.DirMode),
		hide: !a.Show, newDiff: a.NewDiff, ignore: ignoring{a.IgnOrder, a.IgnSpace, a.IgnComment}, signature: a.Signature, noVerify: !a.VerifySSL,
		sign:  signing{a.SignedAny, a.SignedAll, a.Keyring, a.Home, a.Backend, a.HashSig},
		perms: perms{a.User, a.Group, normalMode(a.Mode), a.Attrs, seContext{a.SeUser, a.SeRole, a.SeType, a.SeRange}, a.Follow}}
	res, err := manageInto(c, m, &a)
	if err != nil {
		return nil, err
	}
	ret := a.Ret
	if ret.Len() == 0 {
		ret = value.M("name", m.name, "changes", new(value.Map), "comment", "", "result", true)
	}
	if old := ret.Map("changes"); old != nil {
		old.Update(res.Changes)
	} else {
		ret.Set("changes", res.Changes)
	}
	ret.Set("comment", res.Comment)
	ret.Set("result", nil)
	if res.Result != nil {
		ret.Set("result", *res.Result)
	}
	ret.Update(res.Extra)
	return ret, nil
}

func manageInto(c *salt.Ctx, m *managing, a *manageFileArgs) (salt.Result, error) {
	source := argText(a.Source)
	switch {
	case a.Contents != nil:
		m.inline = true
		data, ok := a.Contents.([]byte)
		if !ok {
			s, ok := a.Contents.(string)
			if !ok {
				return salt.Result{}, value.Errorf("TypeError", "expected str, bytes, or bytearray not %s", value.TypeName(a.Contents))
			}
			var err error
			if data, err = encode(s, orText(a.Encoding, "utf-8"), a.EncErrors); err != nil {
				return salt.Result{}, err
			}
		}
		m.content = &content{data: data}
	case value.Truth(a.Sfn):
		m.content = &content{path: value.Str(a.Sfn), url: source}
		if scheme := parseURL(source).scheme; source != "" && scheme != "salt" && !a.SkipVerify && !a.UseETag {
			m.content.sum = sumArg(a.SourceSum)
		}
	case source != "":
		f := &fetch{name: m.name, source: source, env: a.Env, noVerify: !a.VerifySSL, skipVerify: true}
		t, msg, err := f.get(c)
		if err != nil {
			return salt.Result{}, err
		}
		if f.failed != nil {
			return salt.Result{}, f.failed
		}
		if msg != "" {
			return salt.Failed("Source file '%s' not found", source), nil
		}
		m.content = t
	}
	if a.KeepMode && source != "" {
		if f, err := c.Files().Get(c, source, a.Env, salt.GetOptions{}); err == nil {
			m.perms.mode = octal(f.Mode)
		}
	}
	return m.run(c)
}

func orText(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
