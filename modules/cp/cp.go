// Package cp holds Salt's cp module: files of the state tree and from
// elsewhere, copied to this machine. Its main variable is Module.
//
//	pinch cp.get_file salt://web/motd /etc/motd
package cp

import (
	"errors"
	"io/fs"
	"net/url"
	"path/filepath"
	"strings"

	"pinch/fileclient"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's cp module.
var Module = salt.Module{
	Name: "cp",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"cache_dest":           salt.Exec(cacheDest),
			"cache_dir":            salt.Exec(cacheDir),
			"cache_file":           salt.Exec(cacheFile),
			"cache_file_ssh":       salt.Exec(cacheFile).Named("cache_file"),
			"cache_files":          salt.Exec(cacheFiles),
			"cache_local_file":     salt.Exec(cacheLocalFile),
			"cache_master":         salt.Exec(cacheMaster),
			"envs":                 salt.Exec(envs),
			"get_dir":              salt.Exec(getDir),
			"get_file":             salt.Exec(getFile),
			"get_file_str":         salt.Exec(getFileStr),
			"get_template":         salt.Exec(getTemplate),
			"get_url":              salt.Exec(getURL),
			"hash_file":            salt.Exec(hashFile),
			"hash_file_ssh":        salt.Exec(hashFile).Named("hash_file"),
			"is_cached":            salt.Exec(isCached),
			"list_master":          salt.Exec(listMaster),
			"list_master_dirs":     salt.Exec(listMasterDirs),
			"list_master_symlinks": salt.Exec(listMasterSymlinks),
			"list_minion":          salt.Exec(listMinion),
			"list_states":          salt.Exec(listStates),
			"push":                 salt.Exec(push),
			"push_dir":             salt.Exec(pushDir),
			"recv":                 salt.Exec(recv),
			"recv_chunked":         salt.Exec(recvChunked),
			"stat_file":            salt.Exec(statFile),
		}
	},
}

// envOf is the environment that an argument asks for.
func envOf(c *salt.Ctx, given *string) string {
	if given != nil && *given != "" {
		return *given
	}
	if env := c.Opts.Str("saltenv"); env != "" {
		return env
	}
	return "base"
}

// split takes the environment of salt://path?saltenv=NAME.
func split(u, env string) (rest, e string) {
	rest, query, ok := strings.Cut(u, "?saltenv=")
	if ok && strings.HasPrefix(u, "salt://") {
		return rest, query
	}
	return u, env
}

// proto takes the scheme of a path in the tree away.
func proto(p string) (string, error) {
	rest, ok := strings.CutPrefix(p, "salt://")
	if !ok {
		return "", value.Errorf("MinionError", "Unsupported path: %s", p)
	}
	return strings.TrimPrefix(rest, "|"), nil
}

// open finds what a URL names; nil when it is not there.
func open(c *salt.Ctx, u, env string, o salt.GetOptions) (*salt.File, error) {
	f, err := c.Files().Get(c, u, env, o)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}

// dest is where a URL is cached.
func dest(c *salt.Ctx, u, env string) string {
	cache := c.Opts.Str("cachedir")
	p, err := url.Parse(u)
	switch {
	case strings.HasPrefix(u, "salt://"):
		rest, _ := proto(u)
		return filepath.Join(cache, "files", env, rest)
	case err != nil || p.Scheme == "" || p.Scheme == "file":
		return strings.TrimPrefix(u, "file://")
	}
	return fileclient.DownloadPath(cache, env, p)
}
