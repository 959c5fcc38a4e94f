package archive

import (
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type extractedArgs struct {
	Name        string     `py:"name"`                         // the folder to extract into
	Source      any        `py:"source"`                       // the archive: salt://, a path, a URL, or a list of which the first that exists counts
	SourceHash  any        `py:"source_hash=None"`             // the digest that it must have: digest, algorithm=digest, or where a hash file is
	HashName    any        `py:"source_hash_name=None"`        // the name to look for in a hash file
	HashUpdate  bool       `py:"source_hash_update=False"`     // extracts again when the digest has changed since the last time
	SkipList    bool       `py:"skip_files_list_verify=False"` // does not look at the files while the digest is the one of the last time
	SkipVerify  bool       `py:"skip_verify=False"`            // needs no source_hash for a download
	Password    any        `py:"password=None"`                // of a zip archive
	Options     any        `py:"options=None"`                 // options for tar, or for unzip
	ListOptions any        `py:"list_options=None"`            // a command that decompresses the tar archive to its output
	Force       bool       `py:"force=False"`                  // removes files where folders must be, and the other way round
	Overwrite   bool       `py:"overwrite=False"`              // extracts in any case
	Clean       bool       `py:"clean=False"`                  // removes what has the names of the archive's top level first
	CleanParent bool       `py:"clean_parent=False"`           // removes the folder first
	User        any        `py:"user=None"`                    // the owner of all that the archive holds
	Group       any        `py:"group=None"`                   // its group
	IfMissing   any        `py:"if_missing=None"`              // nothing is done while this path exists
	TrimOutput  any        `py:"trim_output=False"`            // how many files to name in the changes; True is 100
	UseCmdUnzip any        `py:"use_cmd_unzip=None"`           // has unzip extract a zip archive
	Perms       bool       `py:"extract_perms=True"`           // False: files of a zip archive get the usual modes
	Toplevel    bool       `py:"enforce_toplevel=True"`        // refuses an archive that has more than one folder on top
	OwnershipOn any        `py:"enforce_ownership_on=None"`    // sets the owners below this path instead
	Format      any        `py:"archive_format=None"`          // tar, zip, rar or 7z; None goes by the name
	UseETag     bool       `py:"use_etag=False"`               // downloads again only when the server's ETag changed
	Signature   any        `py:"signature=None"`               // where the signature of the archive is
	HashSig     any        `py:"source_hash_sig=None"`         // where the signature of the hash file is; True: in the file
	SignedAny   any        `py:"signed_by_any=None"`           // one of these keys must have signed
	SignedAll   any        `py:"signed_by_all=None"`           // all of these keys must have signed
	Keyring     any        `py:"keyring=None"`                 // the keyring to use
	GnupgHome   any        `py:"gnupghome=None"`               // GnuPG's folder
	SigBackend  string     `py:"sig_backend='gpg'"`            // the module that checks signatures
	Kwargs      *value.Map `py:"**kwargs"`                     // keep_source or keep: False drops the downloaded copy; others are for unzip
}

// extracted makes sure that the contents of an archive are in a folder. They
// are looked for by name: that one of them changed is not seen, unless
// source_hash_update or overwrite says so.
//
//	/opt:
//	  archive.extracted:
//	    - source: https://example.org/app-1.0.tar.gz
//	    - source_hash: sha256=6f1b…
//	    - user: app
func extracted(c *salt.Ctx, a extractedArgs) salt.Result {
	x := &extraction{c: c, extractedArgs: a, uid: -1, gid: -1, changes: new(value.Map)}
	r := x.run()
	if x.warnings != nil {
		r.Warnings = append(r.Warnings, x.warnings...)
	}
	return r
}

// An extraction is one run of archive.extracted.
type extraction struct {
	c *salt.Ctx
	extractedArgs
	dir                 string // the target, with a slash at the end
	uid, gid            int    // -1: as they are
	source, cached      string
	isLocal, keep       bool
	format              string
	options             any
	strips, trim        int // trim 0: all files are named
	cmdUnzip            bool
	sum                 *value.Map // the wanted digest
	kept, now           string     // the digest of the last time and now
	contents            *listing
	wrong               []string // paths that are of another type on the disk
	missing, dueToHash  bool
	created             bool // the target was made
	files               []string
	comment             string
	changes             *value.Map
	warnings            []string
	ownMissing, ownFail []string
}

func (x *extraction) fail(format string, v ...any) *salt.Result {
	r := salt.Failed(format, v...)
	r.Changes = x.changes
	return &r
}

func (x *extraction) failed(err error) *salt.Result { return x.fail("%s", osText(err)) }

func (x *extraction) run() salt.Result {
	for _, stage := range []func() *salt.Result{x.checkPaths, x.checkOwner, x.findSource, x.checkFormat, x.wantedSum, x.fetch, x.list, x.compare} {
		if r := stage(); r != nil {
			return *r
		}
	}
	need := x.Overwrite || x.missing || len(x.wrong) > 0
	if !need && x.HashUpdate && x.kept != "" && x.kept != x.now {
		need, x.dueToHash = true, true
	}
	if need {
		if r := x.extract(); r != nil {
			return *r
		}
	}
	if x.SourceHash != nil && x.now != "" && !x.c.Test {
		if err := keepSum(x.c, x.cached, x.now); err != nil {
			x.c.Log.Warn("Failed to update checksum for " + x.cached + ": " + err.Error())
		}
	}
	x.own()
	return x.finish(need)
}

// checkPaths looks at the arguments that are paths.
func (x *extraction) checkPaths() *salt.Result {
	if x.SkipList && x.SkipVerify {
		return x.fail(`Only one of "skip_files_list_verify" and "skip_verify" can be set to True`)
	}
	x.Kwargs = withoutPrivate(x.Kwargs)
	x.keep = true
	both := x.Kwargs.Has("keep_source") && x.Kwargs.Has("keep")
	for _, key := range []string{"keep", "keep_source"} {
		if v, ok := x.Kwargs.Pop(key); ok {
			x.keep = value.Truth(v)
		}
	}
	if both {
		x.warnings = append(x.warnings, "Both 'keep_source' and 'keep' were used. Since these both do the same thing, 'keep' was ignored.")
	}
	if !isAbs(x.Name) {
		return x.fail("%s is not an absolute path", x.Name)
	}
	x.dir = strings.TrimRight(x.Name, "/")
	if sys.IsFile(x.c.Sys, x.dir) {
		return x.fail("%s exists and is not a directory", x.dir)
	}
	x.dir += "/"
	if !isAbs(x.IfMissing) {
		return x.fail("Value for 'if_missing' is not an absolute path")
	}
	if !isAbs(x.OwnershipOn) {
		return x.fail("Value for 'enforce_ownership_on' is not an absolute path")
	}
	if x.OwnershipOn != nil {
		if rel, err := filepath.Rel(x.dir, value.Str(x.OwnershipOn)); err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
			return x.fail("Value for 'enforce_ownership_on' must be within %s", x.dir)
		}
	}
	if x.IfMissing != nil && sys.Exists(x.c.Sys, value.Str(x.IfMissing)) {
		r := salt.Correct("Path %s exists", value.Str(x.IfMissing))
		return &r
	}
	return nil
}

func withoutPrivate(kw *value.Map) *value.Map {
	out := new(value.Map)
	for k, v := range kw.Items() {
		if !strings.HasPrefix(k, "__") {
			out.Set(k, v)
		}
	}
	return out
}

// checkOwner looks up user and group.
func (x *extraction) checkOwner() *salt.Result {
	for _, o := range []struct {
		what, fun string
		name      any
		id        *int
	}{{"User", "file.user_to_uid", x.User, &x.uid}, {"Group", "file.group_to_gid", x.Group, &x.gid}} {
		if !value.Truth(o.name) {
			continue
		}
		v, err := x.c.Call(o.fun, o.name)
		if err != nil {
			return x.failed(err)
		}
		n, ok := v.(int64)
		if !ok {
			return x.fail("%s %s does not exist", o.what, value.Str(o.name))
		}
		*o.id = int(n)
	}
	if x.HashUpdate && !value.Truth(x.SourceHash) {
		x.warnings = append(x.warnings, "The 'source_hash_update' argument is ignored when 'source_hash' is not also specified.")
	}
	if value.Truth(x.Signature) || value.Truth(x.HashSig) {
		if _, err := x.c.Registry().Exec(x.c, x.SigBackend+".verify"); err != nil {
			return x.fail("Cannot verify signatures because the %s module was not loaded", x.SigBackend)
		}
	}
	return nil
}

// explain adds why the archive is extracted.
func (x *extraction) explain() {
	switch {
	case x.dueToHash:
		x.comment += ", due to source_hash update"
	case x.missing:
		x.comment += ", due to absence of one or more files/dirs"
	}
}

// finish says what was done.
func (x *extraction) finish(extracted bool) salt.Result {
	r := salt.Result{Result: salt.True(), Changes: x.changes}
	switch {
	case extracted && len(x.files) == 0:
		r.Result = salt.False()
		x.comment = "No files were extracted from " + redact(x.source)
	case extracted:
		if x.created {
			x.changes.Set("directories_created", value.L(x.dir))
		}
		x.changes.Set("extracted_files", value.Strings(x.files))
		x.comment = redact(x.source) + " extracted to " + x.dir
		x.explain()
		if x.trim > 0 {
			x.comment += ". Output was trimmed to " + value.Str(int64(x.trim)) + " number of lines"
		}
	default:
		x.comment = "All files in archive are already present"
		if x.c.Test && x.changes.Truth("updated ownership") {
			r.Result = nil
			x.comment += ". Ownership would be updated on one or more files/directories."
		}
	}
	if len(x.ownMissing) > 0 {
		if !value.Truth(x.IfMissing) {
			r.Result = salt.False()
		}
		x.comment += "\n\nWhile trying to enforce user/group ownership, the following paths were missing:\n" + bullets(x.ownMissing)
	}
	if len(x.ownFail) > 0 {
		r.Result = salt.False()
		x.comment += "\n\nWhile trying to enforce user/group ownership, Salt was unable to change ownership on the following paths:\n" + bullets(x.ownFail)
	}
	if !x.isLocal && !x.keep {
		if n, err := x.c.CallState(x.c, "file.not_cached", value.M("name", x.source, "saltenv", x.c.Env)); err == nil && n.Bad() {
			x.warnings = append(x.warnings, n.Comment)
		}
	}
	r.Comment = x.comment
	return r
}

func bullets(items []string) string {
	var b strings.Builder
	for _, it := range items {
		b.WriteString("\n- " + it)
	}
	return b.String()
}
