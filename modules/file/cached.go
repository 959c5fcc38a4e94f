package file

import (
	"errors"
	"io/fs"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type cachedArgs struct {
	Name       string `py:"name"`                  // a URL, or a path on this machine
	SourceHash any    `py:"source_hash=''"`        // the digest that it must have, in the forms of file.managed
	HashName   any    `py:"source_hash_name=None"` // the name to look for in a hash file
	SkipVerify bool   `py:"skip_verify=False"`     // needs no source_hash for a download
	Env        string `py:"saltenv='base'"`        // the environment of salt:// URLs
	UseETag    bool   `py:"use_etag=False"`        // downloads again only when the server's ETag changed
	HashSig    any    `py:"source_hash_sig=None"`  // where the signature of the hash file is; True: in the file
	SignedAny  any    `py:"signed_by_any=None"`    // one of these keys must have signed
	SignedAll  any    `py:"signed_by_all=None"`    // all of these keys must have signed
	Keyring    any    `py:"keyring=None"`          // the keyring to use
	Home       any    `py:"gnupghome=None"`        // GnuPG's folder
	Backend    string `py:"sig_backend='gpg'"`     // the module that checks signatures
}

// cached makes sure that a file is in the minion's cache.
//
//	https://example.org/big.tar.gz:
//	  file.cached:
//	    - source_hash: https://example.org/big.tar.gz.sha256
func cached(c *salt.Ctx, a cachedArgs) salt.Result {
	u := parseURL(a.Name)
	if !a.SkipVerify && !value.Truth(a.SourceHash) && !a.UseETag && isRemote(u.scheme) {
		return salt.Failed("Unable to verify upstream hash of source file %s, please set source_hash or set skip_verify or use_etag to True", redact(a.Name))
	}
	var want sum
	if value.Truth(a.SourceHash) {
		s, err := sourceSum(c, sumRequest{source: a.Name, hash: a.SourceHash, hashName: argText(a.HashName), env: a.Env,
			sign: signing{a.SignedAny, a.SignedAll, a.Keyring, a.Home, a.Backend, a.HashSig}})
		if err != nil {
			return salt.Failed("%s", text(err))
		}
		want = s
	}
	if c.Test {
		return cachedTest(c, a, want)
	}
	if u.scheme == "" || u.scheme == "file" {
		return cachedLocal(c, a, realPath(c.Sys, expandUser(c, u.path)), want)
	}
	return cacheIt(c, a, want)
}

// form is the algorithm to compare with.
func (s sum) algorithm(c *salt.Ctx) string {
	return orText(s.form, orText(c.Opts.Str("hash_type"), "sha256"))
}

func isCached(c *salt.Ctx, name, env string) string {
	v, err := c.CallKw("cp.is_cached", value.M("saltenv", env), name)
	if err != nil {
		return ""
	}
	return argText(v)
}

func cachedTest(c *salt.Ctx, a cachedArgs, want sum) salt.Result {
	local := isCached(c, a.Name, a.Env)
	if local == "" {
		return salt.Would(nil, "File will be cached: %s", a.Name)
	}
	if want.hex == "" {
		return salt.Would(nil, "No hash found. File will be cached: %s", a.Name)
	}
	if have, err := hashFile(c, local, want.form); err == nil && have == want.hex {
		return salt.Would(nil, "File already cached: %s", a.Name)
	}
	return salt.Would(nil, "Hashes don't match.\nFile will be cached: %s", a.Name)
}

func cachedLocal(c *salt.Ctx, a cachedArgs, path string, want sum) salt.Result {
	if !sys.Exists(c.Sys, path) {
		return salt.Failed("File %s is not present on the minion", path)
	}
	if a.SkipVerify || want.hex == "" {
		return salt.Correct("File %s is present on the minion", path)
	}
	have, err := hashFile(c, path, want.form)
	switch {
	case err != nil:
		return salt.Failed("%s", text(err))
	case have != want.hex:
		return salt.Failed("File %s is present on the minion, but the hash (%s) does not match the specified hash (%s)", path, have, want.hex)
	}
	return salt.Correct("File %s is present on the minion and has hash %s", path, have)
}

func cacheIt(c *salt.Ctx, a cachedArgs, want sum) salt.Result {
	form := want.algorithm(c)
	var pre any
	if local := isCached(c, a.Name, a.Env); local != "" {
		if have, err := hashFile(c, local, form); err == nil {
			pre = have
		}
	}
	local, err := c.Files().Cache(c, a.Name, a.Env, salt.GetOptions{Hash: want.hex, UseETag: a.UseETag})
	if errors.Is(err, fs.ErrNotExist) || err == nil && local == "" {
		return salt.Failed("Failed to cache %s, check minion log for more information", redact(a.Name))
	}
	if err != nil {
		return salt.Failed("%s", redact(text(err)))
	}
	post, err := hashFile(c, local, form)
	if err != nil {
		return salt.Failed("%s", text(err))
	}
	changes := new(value.Map)
	if pre != post {
		changes.Set("hash", value.M("old", pre, "new", post))
	}
	var r salt.Result
	switch {
	case a.SkipVerify || want.hex == "":
		r = salt.Correct("File is cached to %s", local)
	case post == want.hex:
		r = salt.Correct("File is already cached to %s with hash %s", local, post)
	default:
		r = salt.Failed("File is cached to %s, but the hash (%s) does not match the specified hash (%s)", local, post, want.hex)
	}
	r.Changes = changes
	return r
}

type notCachedArgs struct {
	Name string `py:"name"`           // a URL
	Env  string `py:"saltenv='base'"` // the environment of salt:// URLs
}

// notCached removes a file from the minion's cache.
//
//	https://example.org/big.tar.gz:
//	  file.not_cached: []
func notCached(c *salt.Ctx, a notCachedArgs) salt.Result {
	if u := parseURL(a.Name); u.scheme == "" || u.scheme == "file" {
		return salt.Correct("File %s is a local path, no action taken", realPath(c.Sys, expandUser(c, u.path)))
	}
	local := isCached(c, a.Name, a.Env)
	if local == "" {
		return salt.Correct("%s is not cached", a.Name)
	}
	if c.Test {
		return salt.Would(value.M("deleted", true), "%s is set to be deleted", local)
	}
	if err := c.Sys.Remove(local); err != nil {
		return salt.Failed("Failed to delete %s: %s", local, osText(err))
	}
	return salt.Changed(value.M("deleted", true), "%s was deleted", local)
}
