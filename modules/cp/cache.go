package cp

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/pyre"
)

type urlArgs struct {
	URL     string  `py:"url"`          // what would be cached
	Saltenv *string `py:"saltenv=None"` // the environment; that of the run if there is none
}

// cacheDest tells where a URL would be cached.
func cacheDest(c *salt.Ctx, a urlArgs) (string, error) {
	u, env := split(a.URL, envOf(c, a.Saltenv))
	return dest(c, u, env), nil
}

type cacheFileArgs struct {
	Path       string  `py:"path"`             // a URL or a path of this machine
	Saltenv    *string `py:"saltenv=None"`     // the environment; that of the run if there is none
	SourceHash *string `py:"source_hash=None"` // a cached copy with this digest is not downloaded again
	VerifySSL  bool    `py:"verify_ssl=True"`  // check the certificate of https
	UseETag    bool    `py:"use_etag=False"`   // ask the server whether the copy is still good
}

// cacheFile puts a file into the cache and returns its path there, False if
// it is not to be had.
func cacheFile(c *salt.Ctx, a cacheFileArgs) (any, error) {
	u, env := split(a.Path, envOf(c, a.Saltenv))
	o := salt.GetOptions{UseETag: a.UseETag, VerifySSL: a.VerifySSL, NoVerify: !a.VerifySSL}
	if a.SourceHash != nil {
		o.Hash = *a.SourceHash
	}
	return cached(c, u, env, o)
}

// cached caches a file: False when it is not there, an error when the
// download failed or the disk has no room for it.
func cached(c *salt.Ctx, u, env string, o salt.GetOptions) (any, error) {
	p, err := c.Files().Cache(c, u, env, o)
	if salt.IsUnfetched(err) || noRoom(err) {
		return nil, err
	}
	if err != nil {
		c.Log.Error(fmt.Sprintf("Unable to cache file '%s' from saltenv '%s'.", u, env))
		return false, nil
	}
	return p, nil
}

func noRoom(err error) bool {
	for _, e := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EROFS} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

type cacheFilesArgs struct {
	Paths   []string `py:"paths"`        // URLs, a list or separated by commas
	Saltenv *string  `py:"saltenv=None"` // the environment; that of the run if there is none
}

// cacheFiles caches several files and returns their paths.
func cacheFiles(c *salt.Ctx, a cacheFilesArgs) (*value.List, error) {
	out := new(value.List)
	if len(a.Paths) == 1 {
		a.Paths = strings.Split(a.Paths[0], ",")
	}
	for _, p := range a.Paths {
		u, env := split(p, envOf(c, a.Saltenv))
		p, err := cached(c, u, env, salt.GetOptions{})
		if err != nil {
			return nil, err
		}
		out.Append(p)
	}
	return out, nil
}

type cacheDirArgs struct {
	Path         string  `py:"path"`                // salt://FOLDER
	Saltenv      *string `py:"saltenv=None"`        // the environment; that of the run if there is none
	IncludeEmpty bool    `py:"include_empty=False"` // make empty folders, too
	IncludePat   *string `py:"include_pat=None"`    // only paths that match this glob, or E@ and a regular expression
	ExcludePat   *string `py:"exclude_pat=None"`    // no paths that match this glob, or E@ and a regular expression
}

// cacheDir caches all files below a folder of the tree and returns their paths.
func cacheDir(c *salt.Ctx, a cacheDirArgs) (*value.List, error) {
	u, env := split(a.Path, envOf(c, a.Saltenv))
	dir, err := proto(u)
	if err != nil {
		return nil, err
	}
	dir = strings.Trim(dir, "/")
	all, err := c.Files().List(c, env, dir)
	if err != nil {
		return nil, err
	}
	out := new(value.List)
	for _, f := range all {
		if !inside(f, dir) {
			continue
		}
		if ok, err := wanted(f, a.IncludePat, a.ExcludePat); err != nil {
			return nil, err
		} else if ok {
			p, err := cached(c, "salt://"+f, env, salt.GetOptions{})
			if err != nil {
				return nil, err
			}
			out.Append(p)
		}
	}
	if !a.IncludeEmpty {
		return out, nil
	}
	empty, err := c.Files().EmptyDirs(c, env, dir)
	for _, d := range empty {
		if inside(d, dir) {
			p := filepath.Join(c.Opts.Str("cachedir"), "files", env, d)
			if err := sys.MkdirAll(c.Sys, p, 0o755); err != nil {
				return nil, err
			}
			out.Append(p)
		}
	}
	return out, err
}

func inside(f, dir string) bool { return dir == "" || f == dir || strings.HasPrefix(f, dir+"/") }

// wanted applies the patterns of include_pat and exclude_pat.
func wanted(f string, include, exclude *string) (bool, error) {
	in, err := matches(f, include, true)
	if err != nil {
		return false, err
	}
	out, err := matches(f, exclude, false)
	return in && !out, err
}

func matches(f string, pattern *string, none bool) (bool, error) {
	if pattern == nil || *pattern == "" {
		return none, nil
	}
	re, ok := strings.CutPrefix(*pattern, "E@")
	if !ok {
		return value.Fnmatch(f, *pattern), nil
	}
	p, err := pyre.Compile(re, 0)
	if err != nil {
		return false, err
	}
	return p.Search(f) != nil, nil
}

// cacheMaster caches all files of the tree and returns their paths.
func cacheMaster(c *salt.Ctx, a envArgs) (*value.List, error) {
	env := envOf(c, a.Saltenv)
	all, err := c.Files().List(c, env, "")
	out := new(value.List)
	for _, f := range all {
		p, err := cached(c, "salt://"+f, env, salt.GetOptions{})
		if err != nil {
			return nil, err
		}
		out.Append(p)
	}
	return out, err
}

type localArgs struct {
	Path string `py:"path"` // a file of this machine
}

// cacheLocalFile copies a file of this machine into the cache and returns its
// path there.
func cacheLocalFile(c *salt.Ctx, a localArgs) (string, error) {
	b, err := c.Sys.ReadFile(a.Path)
	if err != nil {
		return "", nil
	}
	p := filepath.Join(c.Opts.Str("cachedir"), "localfiles", a.Path)
	if err := sys.MkdirAll(c.Sys, filepath.Dir(p), 0o755); err != nil {
		return "", err
	}
	mode := fs.FileMode(0o644)
	if i, err := c.Sys.Stat(a.Path); err == nil {
		mode = i.Mode()
	}
	return p, sys.WriteFile(c.Sys, p, b, sys.FileAttrs{Mode: &mode})
}

type isCachedArgs struct {
	Path    string  `py:"path"`         // salt://PATH, another URL or a path of this machine
	Saltenv *string `py:"saltenv=None"` // the environment; that of the run if there is none
}

// isCached gives the path of a file in the cache, nothing if it is not there.
func isCached(c *salt.Ctx, a isCachedArgs) (string, error) {
	u, env := split(a.Path, envOf(c, a.Saltenv))
	for _, p := range []string{
		filepath.Join(c.Opts.Str("cachedir"), "localfiles", strings.TrimPrefix(u, "salt://")),
		dest(c, u, env),
	} {
		if strings.HasPrefix(p, c.Opts.Str("cachedir")) && sys.Exists(c.Sys, p) {
			return p, nil
		}
	}
	return "", nil
}
