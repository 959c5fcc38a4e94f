package gitfs

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"pinch/value"
)

// A Remote is one configured repository; Parse makes it.
type Remote struct {
	Role   string // gitfs or git_pillar: the prefix of its options
	ID     string // as written in the configuration
	URL    string
	Name   string // of the folder in the cache, and what update picks it by
	Branch string // git_pillar: "BRANCH URL"; "__env__" follows the environment

	Base       string // branch, tag or commit of the environment base
	Root       string
	Mountpoint string
	Fallback   string // ref for environments that have none
	AllEnvs    string // ref that every environment gets
	Env        string // git_pillar: environment of the whole remote
	NoMapping  bool   // branches and tags are no environments by themselves
	Whitelist  []string
	Blacklist  []string
	RefTypes   []string // branch, tag, sha, in the order of looking
	Envs       map[string]EnvConf
	Global     map[string]EnvConf // gitfs_saltenv, for environments not in Envs

	Refspecs []string
	Depth    int           // commits of history to get, 0 for all
	Interval time.Duration // no fetch within this time of the last one; 0: every run
	Timeout  time.Duration // without a sign of life

	User, Password             string
	InsecureAuth               bool // user and password over http are allowed
	PubKey, PrivKey, KeyPhrase string
	NoTLSVerify                bool
	CABundle                   string
	Proxy                      string

	Trust Trust
}

// An EnvConf is what the saltenv option says about one environment.
type EnvConf struct {
	Ref                  string
	Root, Mountpoint     string
	hasRoot, hasMounting bool
}

// Label is the ID without a password.
func (r *Remote) Label() string { return Redact(r.ID) }

// Redact hides the password in a URL.
func Redact(id string) string {
	scheme, rest, ok := strings.Cut(id, "://")
	if !ok {
		return id
	}
	login, host, ok := strings.Cut(rest, "@")
	user, _, secret := strings.Cut(login, ":")
	if !ok || !secret || strings.Contains(login, "/") {
		return id
	}
	return scheme + "://" + user + ":***@" + host
}

func (r *Remote) conf(env string, pick func(EnvConf) (string, bool), all string) string {
	if c, ok := r.Envs[env]; ok {
		if s, ok := pick(c); ok {
			return s
		}
	}
	if c, ok := r.Global[env]; ok {
		if s, ok := pick(c); ok {
			return s
		}
	}
	return all
}

// root is the folder of the repository that the environment starts at.
func (r *Remote) root(env string) string {
	s := r.conf(env, func(c EnvConf) (string, bool) { return c.Root, c.hasRoot }, r.Root)
	return strings.Trim(path.Clean("/"+s), "/")
}

// mountpoint is the folder that the environment appears under.
func (r *Remote) mountpoint(env string) string {
	s := r.conf(env, func(c EnvConf) (string, bool) { return c.Mountpoint, c.hasMounting }, r.Mountpoint)
	return strings.Trim(strings.TrimPrefix(s, "salt://"), "/")
}

// ref is the branch, tag or commit of an environment, "" when it has none.
func (r *Remote) ref(env string) string {
	if r.AllEnvs != "" {
		return r.AllEnvs
	}
	if env == "base" {
		return r.Base
	}
	def := env
	if r.NoMapping {
		def = ""
	}
	return r.conf(env, func(c EnvConf) (string, bool) { return c.Ref, c.Ref != "" }, def)
}

// mapped are the environments that the saltenv options give a ref.
func (r *Remote) mapped() map[string][]string {
	out := map[string][]string{}
	for env, c := range r.Envs {
		if c.Ref != "" {
			out[c.Ref] = append(out[c.Ref], env)
		}
	}
	for env, c := range r.Global {
		if own, ok := r.Envs[env]; c.Ref != "" && (!ok || own.Ref == "") {
			out[c.Ref] = append(out[c.Ref], env)
		}
	}
	return out
}

// envs names the environments that refs give, before the exposure lists.
func (r *Remote) envs(refs []string) []string {
	var out []string
	mapped := r.mapped()
	add := func(name string) {
		switch envs, ok := mapped[name]; {
		case ok:
			out = append(out, envs...)
		case name == r.Base:
			out = append(out, "base")
		case !r.NoMapping:
			out = append(out, name)
		}
	}
	if isHex(r.Base) {
		out = append(out, "base")
	}
	for _, ref := range refs {
		if name, ok := strings.CutPrefix(ref, "refs/remotes/"); ok && slices.Contains(r.RefTypes, "branch") {
			if _, rest, ok := strings.Cut(name, "/"); ok {
				name = rest
			}
			if name != "HEAD" || r.Base == "HEAD" {
				add(name)
			}
		} else if name, ok := strings.CutPrefix(ref, "refs/tags/"); ok && slices.Contains(r.RefTypes, "tag") {
			add(name)
		}
	}
	for _, envs := range mapped {
		out = append(out, envs...)
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return slices.DeleteFunc(out, func(env string) bool { return !r.exposed(env) })
}

// exposed applies the whitelist and the blacklist.
func (r *Remote) exposed(env string) bool {
	in := func(list []string) bool {
		return slices.ContainsFunc(list, func(expr string) bool { return matches(env, expr) })
	}
	switch {
	case len(r.Blacklist) > 0 && in(r.Blacklist):
		return false
	case len(r.Whitelist) > 0:
		return in(r.Whitelist)
	}
	return true
}

// matches tries an expression as a glob, then as a regular expression for
// the whole text.
func matches(s, expr string) bool {
	if value.Fnmatch(s, expr) {
		return true
	}
	re, err := compile(`\A(?:` + expr + `)\z`)
	return err == nil && re.MatchString(s)
}

// isHex reports whether Python's int(s, 16) takes it.
func isHex(s string) bool {
	s = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(s)), "0x")
	if s == "" || len(s) > 64 {
		return false
	}
	for ; len(s) > 15; s = s[15:] {
		if _, err := strconv.ParseUint(s[:15], 16, 64); err != nil {
			return false
		}
	}
	if s == "" {
		return true
	}
	_, err := strconv.ParseUint(s, 16, 64)
	return err == nil
}
