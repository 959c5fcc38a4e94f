package gitfs

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"pinch/diag"
	"pinch/value"
)

func compile(expr string) (*regexp.Regexp, error) { return regexp.Compile(expr) }

// The parameters of a remote, per role. Those after the first line of each
// role cannot be given for all remotes at once.
var (
	shared    = []string{"base", "fallback", "root", "ssl_verify", "refspecs", "disable_saltenv_mapping", "ref_types", "proxy", "depth"}
	auth      = []string{"user", "password", "pubkey", "privkey", "passphrase", "insecure_auth"}
	ours      = []string{"pin", "verify", "allow_rollback", "timeout", "ca_bundle"}
	ofGitfs   = []string{"mountpoint", "saltenv_whitelist", "saltenv_blacklist", "update_interval", "all_saltenvs", "name", "saltenv"}
	ofPillar  = []string{"env", "name", "mountpoint", "all_saltenvs"}
	refTypes  = []string{"branch", "tag", "sha"}
	inGeneral = []string{"name", "all_saltenvs", "saltenv", "pin"} // per remote only
	providers = []string{"pygit2", "gitpython", "gitcli"}          // the names are known, the work is done here
)

func parameters(role string) []string {
	if role == "git_pillar" {
		return slices.Concat(shared, auth, ofPillar, ours)
	}
	return slices.Concat(shared, auth, ofGitfs, ours)
}

// Parse reads the remotes of a role ("gitfs": the options gitfs_*, or
// "git_pillar") from the options of a minion. isSet reports whether the user
// set an option himself; nil takes every option that there is. The error is a
// *diag.Diagnostic that names the remote.
func Parse(role string, opts *value.Map, remotes *value.List, isSet func(key string) bool) ([]*Remote, error) {
	if isSet == nil {
		isSet = opts.Has
	}
	if remotes == nil {
		return nil, nil
	}
	if p := opts.At(role + "_provider"); value.Truth(p) && !slices.Contains(providers, strings.ToLower(value.Str(p))) {
		return nil, mistake("Invalid %s_provider '%s'. Valid choices are: %s", role, strings.ToLower(value.Str(p)), strings.Join(providers, ", "))
	}
	var out []*Remote
	for _, it := range remotes.Items {
		r, err := parseRemote(role, opts, it, isSet)
		if err != nil {
			return nil, err
		}
		for _, o := range out {
			if o.dirName() == r.dirName() {
				return nil, mistake("The following %s remotes have conflicting cachedirs: %s, %s. Resolve this using a per-remote parameter called 'name'.", role, o.ID, r.ID)
			}
		}
		out = append(out, r)
	}
	return out, nil
}

func mistake(format string, args ...any) error {
	return &diag.Diagnostic{ID: "config", Summary: fmt.Sprintf(format, args...)}
}

func parseRemote(role string, opts *value.Map, it any, isSet func(string) bool) (*Remote, error) {
	r := &Remote{Role: role, Timeout: 30 * time.Second}
	set := new(value.Map)
	switch it := it.(type) {
	case *value.Map:
		for id, conf := range it.Items() {
			r.ID = id
			set = dictList(conf)
			break
		}
		if set.Len() == 0 {
			return nil, mistake("Invalid per-remote configuration for %s remote '%s'. If no per-remote parameters are being specified, there may be a trailing colon after the URL, which should be removed. Check the master configuration file.", role, r.ID)
		}
	case string:
		r.ID = it
	default:
		return nil, mistake("Invalid %s remote '%s'. Remotes must be strings, you may need to enclose the URL in quotes", role, value.Str(it))
	}
	valid := parameters(role)
	for key := range set.Items() {
		if !slices.Contains(valid, key) {
			err := mistake("Invalid %s configuration parameter '%s' in remote '%s'. Valid parameters are: %s.", role, key, r.ID, strings.Join(valid, ", "))
			err.(*diag.Diagnostic).Hint = diag.DidYouMean(key, valid)
			return nil, err
		}
	}
	if role == "git_pillar" && set.Has("base") && !strings.HasPrefix(r.ID, "__env__ ") {
		return nil, mistake("Invalid per-remote configuration for %s remote '%s'. base can only be specified if __env__ is specified as the branch name.", role, r.ID)
	}
	for _, key := range valid {
		full := role + "_" + key
		switch {
		case set.Has(key):
		case slices.Contains(inGeneral, key), !opts.Has(full):
			continue
		case key == "update_interval" && !isSet(full):
			continue // Salt's default is for the master: a run of its own fetches
		default:
			set.Set(key, opts.At(full))
		}
	}
	r.URL = r.ID
	if role == "git_pillar" {
		if branch, url, ok := strings.Cut(r.ID, " "); ok {
			r.Branch, r.URL = branch, strings.TrimSpace(url)
		} else {
			r.Branch = opts.Str("git_pillar_branch")
		}
	}
	r.RefTypes, r.Depth = refTypes, 1
	r.Refspecs = []string{"+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"}
	if err := r.apply(set); err != nil {
		return nil, err
	}
	r.Global = envConfs(dictList(opts.At(role + "_saltenv")))
	if base, ok := r.Envs["base"]; ok && base.Ref != "" {
		r.Base = base.Ref
	}
	return r, nil
}

// apply takes the parameters over.
func (r *Remote) apply(set *value.Map) error {
	texts := map[string]*string{
		"base": &r.Base, "root": &r.Root, "mountpoint": &r.Mountpoint, "fallback": &r.Fallback, "name": &r.Name, "env": &r.Env,
		"all_saltenvs": &r.AllEnvs, "user": &r.User, "password": &r.Password, "pubkey": &r.PubKey, "privkey": &r.PrivKey,
		"passphrase": &r.KeyPhrase, "proxy": &r.Proxy, "pin": &r.Trust.Pin, "ca_bundle": &r.CABundle,
	}
	lists := map[string]*[]string{
		"saltenv_whitelist": &r.Whitelist, "saltenv_blacklist": &r.Blacklist, "refspecs": &r.Refspecs, "ref_types": &r.RefTypes,
	}
	for key, v := range set.Items() {
		if p, ok := texts[key]; ok {
			if v != nil {
				*p = value.Str(v)
			}
			continue
		}
		if p, ok := lists[key]; ok {
			*p = words(v)
			continue
		}
		switch key {
		case "ssl_verify":
			r.NoTLSVerify = !value.Truth(v)
		case "insecure_auth":
			r.InsecureAuth = value.Truth(v)
		case "disable_saltenv_mapping":
			r.NoMapping = value.Truth(v)
		case "saltenv":
			r.Envs = envConfs(dictList(v))
		case "allow_rollback":
			r.Trust.AllowRollback = value.Truth(v)
		case "depth", "update_interval", "timeout":
			n, err := strconv.Atoi(value.Str(v))
			if err != nil || n < 0 {
				return mistake("The %s parameter '%s' of %s remote '%s' is not a number", key, value.Str(v), r.Role, r.ID)
			}
			switch key {
			case "depth":
				r.Depth = n
			case "timeout":
				r.Timeout = time.Duration(n) * time.Second
			default:
				r.Interval = time.Duration(n) * time.Second
			}
		case "verify":
			if err := r.Trust.parse(v); err != nil {
				return mistake("Invalid verify of %s remote '%s': %s", r.Role, r.ID, err)
			}
		}
	}
	r.RefTypes = slices.Clone(r.RefTypes) // it may be the default of all
	for i, t := range r.RefTypes {
		r.RefTypes[i] = strings.ToLower(t)
		if !slices.Contains(refTypes, r.RefTypes[i]) {
			return mistake("The following ref_types for %s remote '%s' are invalid: %s. The supported values are: %s", r.Role, r.ID, t, strings.Join(refTypes, ", "))
		}
	}
	return nil
}

// words is a list of texts, also from one text with commas.
func words(v any) []string {
	var out []string
	switch v := v.(type) {
	case nil:
	case *value.List:
		for _, it := range v.Items {
			out = append(out, value.Str(it))
		}
	default:
		for s := range strings.SplitSeq(value.Str(v), ",") {
			out = append(out, strings.TrimSpace(s))
		}
	}
	return out
}

// dictList makes one map of a list of maps with one key each.
func dictList(v any) *value.Map {
	switch v := v.(type) {
	case *value.Map:
		return v
	case *value.List:
		out := new(value.Map)
		for _, it := range v.Items {
			if m, ok := it.(*value.Map); ok {
				out.Update(m)
			}
		}
		return out
	}
	return new(value.Map)
}

func envConfs(m *value.Map) map[string]EnvConf {
	out := map[string]EnvConf{}
	for env, v := range m.All() {
		conf := dictList(v)
		c := EnvConf{hasRoot: conf.Has("root"), hasMounting: conf.Has("mountpoint")}
		for key, p := range map[string]*string{"ref": &c.Ref, "root": &c.Root, "mountpoint": &c.Mountpoint} {
			if v := conf.At(key); v != nil {
				*p = value.Str(v)
			}
		}
		out[value.Str(env)] = c
	}
	return out
}
