package archive

import (
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// findSource picks the source.
func (x *extraction) findSource() *salt.Result {
	v, err := x.c.Call("file.source_list", x.Source, x.SourceHash, x.c.Env)
	if err != nil {
		return x.failed(err)
	}
	if t, ok := v.(value.Tuple); ok && len(t) > 0 && value.Truth(t[0]) {
		x.source = value.Str(t[0])
	}
	if x.source == "" {
		return x.fail("Invalid source \"%s\"", value.Str(x.Source))
	}
	u := parseURL(x.source)
	if x.isLocal = u.local(); x.isLocal {
		path := strings.TrimRight(u.host+u.path, "/")
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			if me, err := x.c.Sys.UserID(x.c.Sys.Getuid()); err == nil {
				path = filepath.Join(me.Home, rest)
			}
		}
		if x.source = path; sys.IsFile(x.c.Sys, path) {
			if real, err := x.c.Sys.EvalSymlinks(path); err == nil {
				x.source = real
			}
		} else {
			return x.fail("Source file '%s' does not exist", redact(x.source))
		}
	}
	if !value.Truth(x.Format) {
		if x.format = guess(strings.TrimRight(u.file(), "/")); x.format == "" {
			return x.fail("Could not guess archive_format from the value of the 'source' argument. Please set this archive_format to one of the following: tar, rar, zip")
		}
		return nil
	}
	x.format = strings.ToLower(value.Str(x.Format))
	switch x.format {
	case "tar", "rar", "zip", "7z":
		return nil
	}
	return x.fail("Invalid archive_format '%s'. Either set it to a supported value (tar, rar, zip) or remove this argument and the archive format will be guessed based on file extension.", x.format)
}

// checkFormat looks at the arguments that only some formats have.
func (x *extraction) checkFormat() *salt.Result {
	if x.Options != nil {
		x.options = value.Str(x.Options)
	}
	options := value.Truth(x.options)
	switch {
	case x.format == "tar" && options:
		x.strips = stripIn(x.options.(string))
	case x.format == "zip":
		if r := x.checkZip(options); r != nil {
			return r
		}
	case options:
		return x.fail("The 'options' argument is only compatible with the following archive formats: tar, zip")
	}
	if value.Truth(x.Password) && x.format != "zip" && x.format != "7z" {
		return x.fail("The 'password' argument is only supported for zip archives")
	}
	switch t := x.TrimOutput.(type) {
	case bool:
		if t {
			x.trim = 100
		}
	case nil:
	default:
		n, ok := integer(t)
		if !ok {
			return x.fail("Invalid value for trim_output, must be True/False or an integer")
		}
		x.trim = n
	}
	return nil
}

// checkZip decides whether unzip is used, which options of it need.
func (x *extraction) checkZip(options bool) *salt.Result {
	use := x.UseCmdUnzip
	if options {
		if use != nil && !value.Truth(use) {
			return x.fail("'use_cmd_unzip' cannot be set to False if CLI options are being specified (via the 'options' argument). Either remove 'use_cmd_unzip', or set it to True.")
		}
		if use = true; x.c.Sys.LookPath("unzip") == "" {
			return x.fail("archive.cmd_unzip function not available, unzip might not be installed on minion")
		}
	}
	if value.Truth(x.Password) && value.Truth(use) {
		x.warnings = append(x.warnings, "Using a password in combination with setting 'use_cmd_unzip' to True is considered insecure. It is recommended to remove the 'use_cmd_unzip' argument (or set it to False) and allow Salt to extract the archive using Python's built-in ZIP file support.")
	}
	x.cmdUnzip = value.Truth(use)
	return nil
}

// wantedSum works source_hash out, and ends the state early with
// skip_files_list_verify when the archive is the one of the last time.
func (x *extraction) wantedSum() *salt.Result {
	x.sum = new(value.Map)
	if value.Truth(x.SourceHash) {
		v, err := x.c.CallKw("file.get_source_sum", value.M("source", x.source, "source_hash", x.SourceHash, "source_hash_name", x.HashName, "saltenv", x.c.Env,
			"source_hash_sig", x.HashSig, "signed_by_any", x.SignedAny, "signed_by_all", x.SignedAll, "keyring", x.Keyring, "gnupghome", x.GnupgHome, "sig_backend", x.SigBackend))
		if err != nil {
			return x.failed(err)
		}
		x.sum, _ = v.(*value.Map)
	}
	if !x.SkipList || x.sum.Len() == 0 {
		return nil
	}
	at := x.source
	if !x.isLocal {
		if at = x.isCached(); at == "" {
			u := parseURL(x.source)
			at = filepath.Join(x.c.Opts.Str("cachedir"), "extrn_files", x.c.Env, u.host, u.path)
		}
	}
	if keptSum(x.c, at) != x.sum.Str("hsum") {
		return nil
	}
	r := salt.Correct("Archive %s existing source sum is the same as the expected one and skip_files_list_verify argument was set to True. Extraction is not needed", redact(x.source))
	if x.c.Test {
		r.Result = nil
	}
	return &r
}

func (x *extraction) isCached() string {
	v, err := x.c.CallKw("cp.is_cached", value.M("saltenv", x.c.Env), x.source)
	s, ok := v.(string)
	if err != nil || !ok {
		return ""
	}
	return s
}

// fetch brings the archive onto this machine.
func (x *extraction) fetch() *salt.Result {
	if x.cached = x.source; !x.isLocal {
		if x.c.Test {
			r := salt.Would(nil, "Archive %s would be cached (if necessary) and checked to discover if extraction is needed", redact(x.source))
			return &r
		}
		r, err := x.c.CallState(x.c, "file.cached", value.M("name", x.source, "source_hash", x.SourceHash, "source_hash_name", x.HashName, "skip_verify", x.SkipVerify,
			"saltenv", x.c.Env, "use_etag", x.UseETag, "source_hash_sig", x.HashSig, "signed_by_any", x.SignedAny, "signed_by_all", x.SignedAll,
			"keyring", x.Keyring, "gnupghome", x.GnupgHome, "sig_backend", x.SigBackend))
		if err != nil {
			return x.fail("Failed to cache %s: %s", redact(x.source), osText(err))
		}
		if r.Extra == nil {
			r.Extra = new(value.Map)
		}
		r.Extra.Set("name", x.source)
		if !r.OK() {
			return &r
		}
		if x.cached = x.isCached(); x.cached == "" {
			return x.fail("Failed to cache %s: it is not in the cache", redact(x.source))
		}
	}
	if value.Truth(x.Signature) {
		if err := x.verify(); err != nil {
			return x.fail("Failed verifying the source file's signature: %s", osText(err))
		}
	}
	if x.HashUpdate && value.Truth(x.SourceHash) && !x.SkipVerify {
		x.kept = keptSum(x.c, x.cached)
		sum, err := sumOf(x.c, x.cached)
		if err != nil {
			return x.failed(err)
		}
		x.now = sum
	}
	return nil
}

// verify has a module check the signature of the archive. On failure the
// downloaded copies go, so that the next run asks the server again.
func (x *extraction) verify() error {
	sigs, drop := value.L(), []string(nil)
	for _, sig := range texts(x.Signature) {
		at, err := cache(x.c, sig, x.c.Env, nil, false)
		switch {
		case err == nil:
			drop = append(drop, at)
			sigs.Append(at)
		case x.SigBackend == "gpg":
			return salt.CommandError("Detached signature file %s not found", sig)
		default:
			sigs.Append(sig)
		}
	}
	final := any(sigs)
	if _, ok := x.Signature.(string); ok {
		final = sigs.Items[0]
	}
	v, err := x.c.CallKw(x.SigBackend+".verify", value.M("filename", x.cached, "signature", final, "keyring", x.Keyring, "gnupghome", x.GnupgHome,
		"signed_by_any", x.SignedAny, "signed_by_all", x.SignedAll))
	if err != nil {
		return err
	}
	m, _ := v.(*value.Map)
	if m.At("res") == true {
		return nil
	}
	if !x.isLocal {
		drop = append(drop, x.cached)
		for _, at := range drop {
			x.c.Sys.Remove(at)
		}
	}
	return salt.CommandError("The file's signature could not be verified: %s", m.Str("message"))
}
