package git

import (
	"regexp"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type cloneArgs struct {
	Cwd            string `py:"cwd"`                  // where to clone to; with name the directory above
	URL            any    `py:"url=None"`             // the repository
	Name           any    `py:"name=None"`            // the folder to make below cwd
	Opts           any    `py:"opts=''"`              // more options of the subcommand: a text, or a list
	GitOpts        any    `py:"git_opts=''"`          // options of git itself, before the subcommand
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	Identity       any    `py:"identity=None"`        // a private key for SSH, or several to try: paths or salt://…
	HTTPSUser      any    `py:"https_user=None"`      // the user for HTTPS
	HTTPSPass      any    `py:"https_pass=None"`      // the password for HTTPS
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	Saltenv        string `py:"saltenv='base'"`       // the environment of salt:// identities
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// clone clones a repository.
func clone(c *salt.Ctx, a cloneArgs) (bool, error) {
	if !value.Truth(a.URL) {
		return false, salt.InvocationError("Missing 'url' argument")
	}
	address, err := withAuth(value.Str(a.URL), a.HTTPSUser, a.HTTPSPass)
	if err != nil {
		return false, err
	}
	j := newJob(c, a)
	argv, err := j.withOpts("clone")
	if err != nil {
		return false, err
	}
	argv = append(argv, "--", address)
	if a.Name != nil {
		argv = append(argv, value.Str(a.Name))
		if err := sys.MkdirAll(c.Sys, j.dir, 0o755); err != nil {
			return false, err
		}
	} else {
		argv = append(argv, j.dir)
		j.dir = "/tmp"
	}
	_, err = j.out(c, argv)
	return err == nil, err
}

type fetchArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	Remote         any    `py:"remote=None"`          // the remote
	Force          bool   `py:"force=False"`          // do it although something is in the way
	Refspecs       any    `py:"refspecs=None"`        // what to fetch: a list, or a text with commas
	Opts           any    `py:"opts=''"`              // more options of the subcommand: a text, or a list
	GitOpts        any    `py:"git_opts=''"`          // options of git itself, before the subcommand
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	Identity       any    `py:"identity=None"`        // a private key for SSH, or several to try: paths or salt://…
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	Saltenv        string `py:"saltenv='base'"`       // the environment of salt:// identities
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// fetch fetches from a remote and returns new and updated branches and tags.
func fetch(c *salt.Ctx, a fetchArgs) (*value.Map, error) {
	j := newJob(c, a)
	j.merged = true
	sub := []string{"fetch"}
	if a.Force {
		sub = append(sub, "--force")
	}
	argv, err := j.command(sub...)
	if err != nil {
		return nil, err
	}
	opts, err := words(j.Opts)
	if err != nil {
		return nil, err
	}
	argv = append(argv, without(opts, 0, "-f", "--force")...)
	if value.Truth(a.Remote) {
		argv = append(argv, value.Str(a.Remote))
	}
	out, err := j.out(c, append(argv, texts(a.Refspecs)...))
	if err != nil {
		return nil, err
	}
	return fetched(out), nil
}

type pullArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	Opts           any    `py:"opts=''"`              // more options of the subcommand: a text, or a list
	GitOpts        any    `py:"git_opts=''"`          // options of git itself, before the subcommand
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	Identity       any    `py:"identity=None"`        // a private key for SSH, or several to try: paths or salt://…
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	Saltenv        string `py:"saltenv='base'"`       // the environment of salt:// identities
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// pull pulls from the remote of the branch.
func pull(c *salt.Ctx, a pullArgs) (string, error) {
	j := newJob(c, a)
	argv, err := j.withOpts("pull")
	if err != nil {
		return "", err
	}
	return j.out(c, argv)
}

type pushArgs struct {
	Cwd            string     `py:"cwd"`                  // the checkout
	Remote         any        `py:"remote=None"`          // the remote
	Ref            any        `py:"ref=None"`             // the reference
	Opts           any        `py:"opts=''"`              // more options of the subcommand: a text, or a list
	GitOpts        any        `py:"git_opts=''"`          // options of git itself, before the subcommand
	User           any        `py:"user=None"`            // the user to run git as
	Password       any        `py:"password=None"`        // for Windows only, ignored here
	Identity       any        `py:"identity=None"`        // a private key for SSH, or several to try: paths or salt://…
	IgnoreRetcode  bool       `py:"ignore_retcode=False"` // a failure is not logged
	Saltenv        string     `py:"saltenv='base'"`       // the environment of salt:// identities
	OutputEncoding any        `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
	Kwargs         *value.Map `py:"**kwargs"`             // none; others are an error
}

// push pushes to a remote.
func push(c *salt.Ctx, a pushArgs) (string, error) {
	if _, err := only(a.Kwargs); err != nil {
		return "", err
	}
	j := newJob(c, a)
	argv, err := j.withOpts("push")
	if err != nil {
		return "", err
	}
	argv = append(argv, value.Str(a.Remote), value.Str(a.Ref))
	return j.out(c, argv)
}

type submoduleArgs struct {
	Cwd            string     `py:"cwd"`                  // the checkout
	Command        string     `py:"command"`              // what git submodule shall do
	Opts           any        `py:"opts=''"`              // more options of the subcommand: a text, or a list
	GitOpts        any        `py:"git_opts=''"`          // options of git itself, before the subcommand
	User           any        `py:"user=None"`            // the user to run git as
	Password       any        `py:"password=None"`        // for Windows only, ignored here
	Identity       any        `py:"identity=None"`        // a private key for SSH, or several to try: paths or salt://…
	IgnoreRetcode  bool       `py:"ignore_retcode=False"` // a failure is not logged
	Saltenv        string     `py:"saltenv='base'"`       // the environment of salt:// identities
	OutputEncoding any        `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
	Kwargs         *value.Map `py:"**kwargs"`             // none; others are an error
}

// submodule runs git submodule.
func submodule(c *salt.Ctx, a submoduleArgs) (string, error) {
	kw, err := only(a.Kwargs, "init")
	if err != nil {
		return "", err
	}
	if kw.Truth("init") {
		return "", salt.InvocationError("The 'init' argument is no longer supported. Either set 'command' to 'init', or include '--init' in the 'opts' argument and set 'command' to 'update'.")
	}
	j := newJob(c, a)
	argv, err := j.withOpts("submodule", a.Command)
	if err != nil {
		return "", err
	}
	return j.out(c, argv)
}

type lsRemoteArgs struct {
	Cwd            any    `py:"cwd=None"`             // the checkout that knows the remote; not needed with a URL
	Remote         string `py:"remote='origin'"`      // the remote, or a URL
	Ref            any    `py:"ref=None"`             // the reference
	Opts           any    `py:"opts=''"`              // more options of the subcommand: a text, or a list
	GitOpts        any    `py:"git_opts=''"`          // options of git itself, before the subcommand
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	Identity       any    `py:"identity=None"`        // a private key for SSH, or several to try: paths or salt://…
	HTTPSUser      any    `py:"https_user=None"`      // the user for HTTPS
	HTTPSPass      any    `py:"https_pass=None"`      // the password for HTTPS
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
	Saltenv        string `py:"saltenv='base'"`       // the environment of salt:// identities
}

// lsRemote returns the references of a remote with their hashes.
func lsRemote(c *salt.Ctx, a lsRemoteArgs) (*value.Map, error) {
	address, err := withAuth(a.Remote, a.HTTPSUser, a.HTTPSPass)
	if err != nil {
		return nil, err
	}
	j := newJob(c, a)
	argv, err := j.withOpts("ls-remote")
	if err != nil {
		return nil, err
	}
	argv = append(argv, address)
	if value.Truth(a.Ref) {
		argv = append(argv, value.Str(a.Ref))
	}
	out, err := j.out(c, argv)
	if err != nil {
		return nil, err
	}
	return hashes(out), nil
}

type remoteRefsArgs struct {
	URL            string     `py:"url"`                  // the repository
	Heads          bool       `py:"heads=False"`          // only branches
	Tags           bool       `py:"tags=False"`           // only tags
	User           any        `py:"user=None"`            // the user to run git as
	Password       any        `py:"password=None"`        // for Windows only, ignored here
	Identity       any        `py:"identity=None"`        // a private key for SSH, or several to try: paths or salt://…
	HTTPSUser      any        `py:"https_user=None"`      // the user for HTTPS
	HTTPSPass      any        `py:"https_pass=None"`      // the password for HTTPS
	IgnoreRetcode  bool       `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any        `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
	Saltenv        string     `py:"saltenv='base'"`       // the environment of salt:// identities
	Kwargs         *value.Map `py:"**kwargs"`             // filter: a pattern for names
}

// remoteRefs returns the references of a repository with their hashes.
func remoteRefs(c *salt.Ctx, a remoteRefsArgs) (*value.Map, error) {
	kw, err := only(a.Kwargs, "filter")
	if err != nil {
		return nil, err
	}
	argv := []string{"git", "ls-remote"}
	if a.Heads {
		argv = append(argv, "--heads")
	}
	if a.Tags {
		argv = append(argv, "--tags")
	}
	address, err := withAuth(a.URL, a.HTTPSUser, a.HTTPSPass)
	if err != nil {
		return nil, err
	}
	argv = append(argv, address)
	if f := kw.Str("filter"); f != "" {
		argv = append(argv, f)
	}
	out, err := newJob(c, a).out(c, argv)
	if err != nil {
		return nil, err
	}
	return hashes(out), nil
}

type remotesArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	RedactAuth     bool   `py:"redact_auth=True"`     // hide user and password in URLs
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// remotes returns the remotes with their URLs for fetch and push.
func remotes(c *salt.Ctx, a remotesArgs) (*value.Map, error) {
	out, err := newJob(c, a).out(c, []string{"git", "remote", "--verbose"})
	if err != nil {
		return nil, err
	}
	ret := new(value.Map)
	for line := range strings.SplitSeq(out, "\n") {
		name, rest, ok := strings.Cut(line, "\t")
		i := strings.LastIndexByte(rest, ' ')
		if !ok || i < 0 {
			continue
		}
		address, action := strings.TrimSpace(rest[:i]), strings.ToLower(strings.Trim(rest[i+1:], "()"))
		if action != "fetch" && action != "push" {
			continue
		}
		if a.RedactAuth {
			address = redact(address)
		}
		if !ret.Has(name) {
			ret.Set(name, new(value.Map))
		}
		ret.Map(name).Set(action, address)
	}
	return ret, nil
}

type remoteGetArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	Remote         string `py:"remote='origin'"`      // the remote
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	RedactAuth     bool   `py:"redact_auth=True"`     // hide user and password in URLs
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// remoteGet returns the URLs of a remote for fetch and push.
func remoteGet(c *salt.Ctx, a remoteGetArgs) (*value.Map, error) {
	all, err := remotes(c, remotesArgs{Cwd: a.Cwd, User: a.User, RedactAuth: a.RedactAuth, IgnoreRetcode: a.IgnoreRetcode, OutputEncoding: a.OutputEncoding})
	if err != nil {
		return nil, err
	}
	m := all.Map(a.Remote)
	if m == nil {
		return nil, salt.CommandError("Remote '%s' not present in git checkout located at %s", a.Remote, newJob(c, a).dir)
	}
	return m, nil
}

type remoteSetArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	URL            string `py:"url"`                  // the repository
	Remote         string `py:"remote='origin'"`      // the remote
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	HTTPSUser      any    `py:"https_user=None"`      // the user for HTTPS
	HTTPSPass      any    `py:"https_pass=None"`      // the password for HTTPS
	PushURL        any    `py:"push_url=None"`        // another URL to push to
	PushHTTPSUser  any    `py:"push_https_user=None"` // the user for HTTPS when pushing
	PushHTTPSPass  any    `py:"push_https_pass=None"` // the password for HTTPS when pushing
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// remoteSet makes a remote, or gives it another URL.
func remoteSet(c *salt.Ctx, a remoteSetArgs) (*value.Map, error) {
	all, err := remotes(c, remotesArgs{Cwd: a.Cwd, User: a.User, RedactAuth: true, OutputEncoding: a.OutputEncoding})
	if err != nil {
		return nil, err
	}
	j := newJob(c, a)
	address, err := withAuth(a.URL, a.HTTPSUser, a.HTTPSPass)
	if err != nil {
		return nil, err
	}
	var calls [][]string
	if all.Has(a.Remote) {
		calls = append(calls, []string{"git", "remote", "rm", a.Remote})
	}
	calls = append(calls, []string{"git", "remote", "add", a.Remote, address})
	if value.Truth(a.PushURL) {
		push, err := withAuth(value.Str(a.PushURL), a.PushHTTPSUser, a.PushHTTPSPass)
		if err != nil {
			return nil, err
		}
		calls = append(calls, []string{"git", "remote", "set-url", "--push", a.Remote, push})
	}
	for _, argv := range calls {
		if _, err := j.out(c, argv); err != nil {
			return nil, err
		}
	}
	return remoteGet(c, remoteGetArgs{Cwd: a.Cwd, Remote: a.Remote, User: a.User, RedactAuth: true, IgnoreRetcode: a.IgnoreRetcode, OutputEncoding: a.OutputEncoding})
}

var fetchLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\s*]*(?:([0-9a-f]+)\.\.([0-9a-f]+)|\[(?:new (tag|branch)|tag update)\])\s+(.+)->`)
})

// fetched reads what git fetch printed.
func fetched(out string) *value.Map {
	ret := new(value.Map)
	for line := range strings.SplitSeq(out, "\n") {
		m := fetchLine().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		name, key := strings.TrimRight(m[4], " "), "updated tags"
		switch {
		case m[1] != "":
			if !ret.Has("updated branches") {
				ret.Set("updated branches", new(value.Map))
			}
			ret.Map("updated branches").Set(name, value.M("old", m[1], "new", m[2]))
			continue
		case m[3] == "tag":
			key = "new tags"
		case m[3] == "branch":
			key = "new branches"
		}
		if !ret.Has(key) {
			ret.Set(key, value.L())
		}
		ret.List(key).Append(name)
	}
	return ret
}

// hashes reads lines of a hash and a name.
func hashes(out string) *value.Map {
	ret := new(value.Map)
	for line := range strings.SplitSeq(out, "\n") {
		if f := strings.Fields(line); len(f) == 2 {
			ret.Set(f[1], f[0])
		}
	}
	return ret
}
