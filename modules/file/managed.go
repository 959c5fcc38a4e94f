package file

import (
	"io/fs"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type managedArgs struct {
	Name        string     `py:"name"`                           // the file
	Source      any        `py:"source=None"`                    // where its content comes from: salt://, a path, a URL, or a list of which the first that exists counts
	SourceHash  any        `py:"source_hash=''"`                 // the digest that a source outside of the tree must have: digest, algorithm=digest, or where a hash file is
	HashName    any        `py:"source_hash_name=None"`          // the name to look for in a hash file
	KeepSource  bool       `py:"keep_source=True"`               // False drops the downloaded copy afterwards
	User        any        `py:"user=None"`                      // the owner
	Group       any        `py:"group=None"`                     // the group
	Mode        any        `py:"mode=None"`                      // octal digits, or keep: that of the source
	Attrs       *string    `py:"attrs=None"`                     // attributes as lsattr shows them
	Template    string     `py:"template=None"`                  // the language of the content, such as jinja
	Makedirs    bool       `py:"makedirs=False"`                 // makes the missing folders above
	DirMode     any        `py:"dir_mode=None"`                  // the mode of those folders; by default the file's, and who may read may enter
	Context     any        `py:"context=None"`                   // what the template sees
	Replace     bool       `py:"replace=True"`                   // False leaves the content of a file that is there
	Defaults    any        `py:"defaults=None"`                  // what the template sees where context has nothing
	Backup      string     `py:"backup=''"`                      // minion: the old file is saved in cachedir/file_backup
	ShowChanges bool       `py:"show_changes=True"`              // False keeps the diff out of the result
	Create      bool       `py:"create=True"`                    // False manages only a file that is there
	Contents    any        `py:"contents=None"`                  // the content itself: a text, or a list of lines
	TmpDir      any        `py:"tmp_dir=None"`                   // where the file for check_cmd lies
	TmpExt      string     `py:"tmp_ext=''"`                     // what its name ends in
	Pillar      any        `py:"contents_pillar=None"`           // the pillar key that holds the content, or a list of keys
	Grains      any        `py:"contents_grains=None"`           // the grain that holds the content, or a list
	Newline     bool       `py:"contents_newline=True"`          // False leaves no newline at the end
	Delimiter   string     `py:"contents_delimiter=':'"`         // parts the keys of contents_pillar and contents_grains
	Encoding    string     `py:"encoding=None"`                  // how the content is encoded; UTF-8 by default
	EncErrors   string     `py:"encoding_errors='strict'"`       // what becomes of characters that the encoding lacks: strict, ignore, replace, xmlcharrefreplace, backslashreplace
	AllowEmpty  bool       `py:"allow_empty=True"`               // False refuses empty contents
	Follow      bool       `py:"follow_symlinks=True"`           // False replaces a link by a file
	CheckCmd    string     `py:"check_cmd=None"`                 // a command that gets the path of the new file and must succeed before it is put into place
	SkipVerify  bool       `py:"skip_verify=False"`              // needs no source_hash for a download
	Selinux     *value.Map `py:"selinux=None"`                   // seuser, serole, setype and serange of the file
	WinOwner    any        `py:"win_owner=None"`                 // Windows only
	WinPerms    any        `py:"win_perms=None"`                 // Windows only
	WinDeny     any        `py:"win_deny_perms=None"`            // Windows only
	WinInherit  any        `py:"win_inheritance=True"`           // Windows only
	WinReset    any        `py:"win_perms_reset=False"`          // Windows only
	VerifySSL   bool       `py:"verify_ssl=True"`                // False takes any certificate of an https server
	UseETag     bool       `py:"use_etag=False"`                 // downloads again only when the server's ETag changed
	Signature   any        `py:"signature=None"`                 // where the signature of the source is; True: in the file
	HashSig     any        `py:"source_hash_sig=None"`           // where the signature of the hash file is; True: in the file
	SignedAny   any        `py:"signed_by_any=None"`             // one of these keys must have signed
	SignedAll   any        `py:"signed_by_all=None"`             // all of these keys must have signed
	Keyring     any        `py:"keyring=None"`                   // the keyring to use
	GnupgHome   any        `py:"gnupghome=None"`                 // GnuPG's folder
	IgnOrder    bool       `py:"ignore_ordering=False"`          // requisites take no note of lines that only moved
	IgnSpace    bool       `py:"ignore_whitespace=False"`        // requisites take no note of white space around lines
	IgnComment  any        `py:"ignore_comment_characters=None"` // requisites take no note of what follows these characters
	NewDiff     bool       `py:"new_file_diff=False"`            // shows the content of a new file as a diff
	SigBackend  string     `py:"sig_backend='gpg'"`              // the module that checks signatures
	Kwargs      *value.Map `py:"**kwargs"`                       // everything else is seen by the template
}

// managed makes a file have a content, an owner and a mode. The content comes
// from a source, or stands in the state itself; either may be a template.
//
//	/etc/motd:
//	  file.managed:
//	    - contents: Managed by Salt
//	    - mode: '0644'
//
//	/etc/nginx/nginx.conf:
//	  file.managed:
//	    - source: salt://nginx/nginx.conf.j2
//	    - template: jinja
//	    - context:
//	        workers: 4
func managed(c *salt.Ctx, a managedArgs) salt.Result {
	name := expandUser(c, a.Name)
	s := &managedState{managedArgs: &a, m: managing{name: name}}
	return renamed(a.Name, name, s.run(c))
}

// renamed puts the name that a state worked on into its return, where it
// differs from the one that was given.
func renamed(given, name string, r salt.Result) salt.Result {
	if given != name {
		if r.Extra == nil {
			r.Extra = new(value.Map)
		}
		r.Extra.Set("name", name)
	}
	return r
}

// managedState is one run of file.managed.
type managedState struct {
	*managedArgs
	m        managing
	source   string
	hash     any
	context  *value.Map
	defaults *value.Map
	warnings []string
}

func (s *managedState) run(c *salt.Ctx) salt.Result {
	r := s.result(c)
	r.Warnings = append(r.Warnings, s.warnings...)
	return r
}

func (s *managedState) result(c *salt.Ctx) salt.Result {
	if s.m.name == "" {
		return salt.Failed("Destination file name is required")
	}
	keep, bad := s.prepare(c)
	if bad != nil {
		return *bad
	}
	from := contentsFrom{s.Contents, s.Pillar, s.Grains, s.Newline, s.Delimiter, s.AllowEmpty, s.Template, nil, nil, s.Encoding, s.EncErrors}
	n := from.count()
	switch hasSource := value.Truth(s.Source); {
	case hasSource && n > 0:
		return salt.Failed("'source' cannot be used in combination with 'contents', 'contents_pillar', or 'contents_grains'")
	case keep && n > 0:
		return salt.Failed("Mode preservation cannot be used in combination with 'contents', 'contents_pillar', or 'contents_grains'")
	case n > 1:
		return salt.Failed("Only one of 'contents', 'contents_pillar', and 'contents_grains' is permitted")
	case !hasSource && n == 0:
		s.Replace = false
	}
	if s.Kwargs.Has("file_mode") {
		s.warnings = append(s.warnings, "The 'file_mode' argument will be ignored.  Please use 'mode' instead to set file permissions.")
	}
	if n > 0 {
		from.context, _ = s.Context.(*value.Map)
		from.defaults, _ = s.Defaults.(*value.Map)
		data, msg, err := from.read(c)
		if err != nil {
			return salt.Failed("Unable to manage file: %s", text(err))
		}
		if msg != "" {
			return salt.Failed("%s", msg)
		}
		s.m.content, s.m.inline = &content{data: data}, true
		if data == nil {
			s.m.content.data = []byte{}
		}
	}
	i, bad := s.check(c)
	if bad != nil {
		return *bad
	}
	return s.apply(c, i, keep)
}

// prepare fills in the permissions; keep says that the source's mode counts.
func (s *managedState) prepare(c *salt.Ctx) (keep bool, bad *salt.Result) {
	sign := signing{s.SignedAny, s.SignedAll, s.Keyring, s.GnupgHome, s.SigBackend, s.HashSig}
	if value.Truth(s.Signature) || value.Truth(s.HashSig) {
		if _, err := c.Registry().Exec(c, s.SigBackend+".verify"); err != nil {
			r := salt.Failed("Cannot verify signatures because the %s module was not loaded", s.SigBackend)
			return false, &r
		}
	}
	m := &s.m
	m.env, m.backup, m.makedirs, m.dirMode = c.Env, s.Backup, s.Makedirs, normalMode(s.DirMode)
	m.hide, m.newDiff, m.signature, m.sign, m.noVerify = !s.ShowChanges, s.NewDiff, s.Signature, sign, !s.VerifySSL
	m.ignore = ignoring{s.IgnOrder, s.IgnSpace, s.IgnComment}
	m.perms = perms{user: s.User, group: s.Group, attrs: s.Attrs, follow: s.Follow}
	if s.Selinux.Len() > 0 {
		m.perms.se = seContext{s.Selinux.Str("seuser"), s.Selinux.Str("serole"), s.Selinux.Str("setype"), s.Selinux.Str("serange")}
	}
	if mode, ok := s.Mode.(string); ok && strings.EqualFold(mode, "keep") {
		return true, nil
	}
	m.perms.mode = normalMode(s.Mode)
	return false, nil
}

// check looks at the path, the accounts and the context. info is nil when
// nothing is there.
func (s *managedState) check(c *salt.Ctx) (fs.FileInfo, *salt.Result) {
	name := s.m.name
	fail := func(format string, a ...any) (fs.FileInfo, *salt.Result) {
		r := salt.Failed(format, a...)
		return nil, &r
	}
	s.m.perms.user = ownerArg(c, s.m.perms.user, s.Kwargs)
	i, err := c.Sys.Stat(name)
	if !s.Create && (err != nil || !i.Mode().IsRegular()) {
		r := salt.Correct("File %s is not present and is not set for creation", name)
		return nil, &r
	}
	if msg := checkUser(c, s.m.perms.user, s.m.perms.group); msg != "" {
		return fail("%s", msg)
	}
	if !isAbs(name) {
		return fail("Specified file %s is not an absolute path", name)
	}
	if err == nil && i.IsDir() {
		return fail("Specified target %s is a directory", name)
	}
	if s.Context != nil {
		var ok bool
		if s.context, ok = s.Context.(*value.Map); !ok {
			return fail("Context must be formed as a dict")
		}
	}
	if value.Truth(s.Defaults) {
		var ok bool
		if s.defaults, ok = s.Defaults.(*value.Map); !ok {
			return fail("Defaults must be formed as a dict")
		}
	}
	if err != nil {
		return nil, nil
	}
	return i, nil
}

// apply brings the file about, or foretells it.
func (s *managedState) apply(c *salt.Ctx, i fs.FileInfo, keep bool) salt.Result {
	m := &s.m
	source, hash, err := chooseSource(c, s.Source, s.SourceHash, c.Env)
	if i != nil && s.Replace && err == nil && s.hashMatches(c, argText(source), hash) {
		s.Replace = false
	}
	if !s.Replace && i != nil {
		return s.permsOnly(c)
	}
	if err != nil {
		return salt.Failed("Unable to manage file: %s", text(err))
	}
	s.source, s.hash = argText(source), hash
	if acc := accumulators(c).texts(m.name); acc != nil {
		s.context = layer(s.context, value.M("accumulator", acc))
	}
	if !m.inline && s.source != "" {
		t, msg, err := s.fetch().get(c)
		if err != nil {
			return salt.Failed("Unable to manage file: %s", text(err))
		}
		if msg != "" {
			if c.Test {
				return salt.Failed("%s", msg)
			}
			return salt.Failed("Unable to manage file: %s", msg)
		}
		m.content = t
		if keep && t.mode != 0 {
			m.perms.mode = octal(t.mode)
		}
		if !s.KeepSource && isRemote(parseURL(s.source).scheme) && t.path != "" && !c.Test {
			defer c.Sys.Remove(t.path)
		}
	}
	if c.Test {
		return m.foretell(c)
	}
	if s.CheckCmd != "" {
		if bad := m.checkWith(c, s.CheckCmd, argText(s.TmpDir), s.TmpExt); bad != nil {
			return *bad
		}
	}
	r, err := m.run(c)
	if err != nil {
		return salt.Failed("Unable to manage file: %s", text(err))
	}
	return r
}

// hashMatches reports whether the file that is there has the digest that the
// state gives for a download, which then need not be made.
func (s *managedState) hashMatches(c *salt.Ctx, source string, hash any) bool {
	if s.m.inline || s.Template != "" || source == "" || s.SkipVerify || !value.Truth(hash) {
		return false
	}
	if u := parseURL(source); u.scheme == "salt" || u.scheme == "file" || isAbs(source) {
		return false
	}
	want, err := sourceSum(c, sumRequest{s.m.name, source, hash, argText(s.HashName), c.Env, !s.VerifySSL, s.m.sign})
	if err != nil {
		c.Log.Error("Failed checking existing file's hash against specified source_hash: " + text(err))
		return false
	}
	have, err := hashFile(c, s.m.name, want.form)
	return err == nil && have == want.hex
}

func (s *managedState) fetch() *fetch {
	f := &fetch{name: s.m.name, source: s.source, hash: s.hash, hashName: argText(s.HashName), env: s.m.env, template: s.Template,
		skipVerify: s.SkipVerify, noVerify: !s.VerifySSL, useETag: s.UseETag, sign: s.m.sign}
	if s.Template == "" {
		return f
	}
	p := &s.m.perms
	f.vars = value.M("name", s.m.name, "source", s.source, "user", p.user, "group", p.group, "mode", nil, "attrs", nil, "saltenv", s.m.env)
	if p.mode != "" {
		f.vars.Set("mode", p.mode)
	}
	if p.attrs != nil {
		f.vars.Set("attrs", *p.attrs)
	}
	for k, v := range s.Kwargs.Items() {
		if k != "env" {
			f.vars.Set(k, v)
		}
	}
	f.vars.Update(s.defaults)
	f.vars.Update(s.context)
	return f
}

// permsOnly leaves the content and looks after owner and mode.
func (s *managedState) permsOnly(c *salt.Ctx) salt.Result {
	m := &s.m
	st, err := lookPerms(c, m.name, &m.perms)
	if err != nil {
		return salt.Failed("%s", text(err))
	}
	r := salt.Result{Result: salt.True(), Changes: new(value.Map)}
	st.merge(c, &r)
	switch {
	case c.Test && m.perms.mode != "" && m.perms.mode != st.mode:
		r.Comment = "File " + m.name + " will be updated with permissions " + m.perms.mode + " from its current state of " + st.mode
	case c.Test:
		r.Comment = "File " + m.name + " not updated"
	case r.Changes.Len() == 0 && r.OK():
		r.Comment = "File " + m.name + " exists with proper permissions. No changes made."
	}
	return r
}
