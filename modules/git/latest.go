package git

import (
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type latestArgs struct {
	Name           string     `py:"name"`                 // the repository
	Target         any        `py:"target"`               // where the clone is
	Rev            any        `py:"rev='HEAD'"`           // the branch, tag or commit of the remote
	Branch         any        `py:"branch=None"`          // the local branch to check out; None keeps the one there is
	User           any        `py:"user=None"`            // the user to run git as
	Password       any        `py:"password=None"`        // for Windows only, ignored here
	UpdateHead     bool       `py:"update_head=True"`     // False only fetches
	ForceCheckout  bool       `py:"force_checkout=False"` // throw local changes away when the branch changes
	ForceClone     bool       `py:"force_clone=False"`    // empty a target that is no repository
	ForceFetch     bool       `py:"force_fetch=False"`    // fetch although it is no fast-forward
	ForceReset     any        `py:"force_reset=False"`    // reset hard where needed; remote-changes: only when the remote changed
	Submodules     bool       `py:"submodules=False"`     // update submodules as well
	Bare           bool       `py:"bare=False"`           // without a work tree
	Mirror         bool       `py:"mirror=False"`         // a mirror, which is bare as well
	Remote         any        `py:"remote='origin'"`      // the name of the remote
	FetchTags      bool       `py:"fetch_tags=True"`      // fetch all tags
	SyncTags       bool       `py:"sync_tags=True"`       // delete tags that the remote does not have
	Depth          any        `py:"depth=None"`           // how many commits to clone; needs a branch or tag
	Identity       any        `py:"identity=None"`        // a private key for SSH, or several to try: paths or salt://…
	HTTPSUser      any        `py:"https_user=None"`      // the user for HTTPS
	HTTPSPass      any        `py:"https_pass=None"`      // the password for HTTPS
	RefspecBranch  string     `py:"refspec_branch='*'"`   // which branches to fetch
	RefspecTag     string     `py:"refspec_tag='*'"`      // which tags to fetch
	OutputEncoding any        `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
	Kwargs         *value.Map `py:"**kwargs"`             // none; others are an error
}

// latest makes sure that a repository is cloned and up to date.
//
//	https://example.com/app.git:
//	  git.latest:
//	    - target: /opt/app
//	    - rev: stable
func latest(c *salt.Ctx, a latestArgs) salt.Result {
	l := &update{c: c, look: c.With(false), a: a, changes: new(value.Map)}
	if msg := l.check(); msg != "" {
		return l.fail(msg)
	}
	if msg := l.findRemote(); msg != "" {
		return l.fail(msg)
	}
	folder := ".git"
	if l.a.Bare {
		folder = "refs"
	}
	there := sys.IsDir(c.Sys, filepath.Join(l.target, folder))
	if !there && sys.Exists(c.Sys, l.target) {
		there, _ = isWorktree(l.look, isWorktreeArgs{Cwd: l.target, User: a.User, OutputEncoding: a.OutputEncoding})
	}
	if there {
		return l.refresh()
	}
	return l.clone()
}

// An update is one run of latest. Hashes and names are "" where Salt has None.
type update struct {
	c, look *salt.Ctx
	a       latestArgs
	changes *value.Map
	done    []string // the comments so far

	target, rev, remote, branch, url string
	keepLocal, resetAlways           bool // force_reset is False, is True

	hasHead                             bool
	defaultBranch, remoteRev, kind, loc string
	upstream                            string // the tracking branch that is wanted
	unset                               bool   // there shall be none

	localRev, localBranch, baseRev, baseBranch string
	branches, tags                             []string
	dirty, match, present                      bool
	forward                                    *bool // nil: not known before a fetch
	tracking                                   string
	warnings                                   []string
}

func (l *update) result(ok *bool, comment string) salt.Result {
	return salt.Result{Result: ok, Comment: comment, Changes: l.changes, Warnings: l.warnings}
}

// fail says what was done before, if anything was.
func (l *update) fail(msg string, done ...string) salt.Result {
	if len(done) > 0 {
		msg += "\n\nChanges already made: " + sentences(done)
	}
	return l.result(salt.False(), msg)
}

func (l *update) upToDate(done []string, dirty bool) salt.Result {
	s := "Repository " + l.target + " is up-to-date"
	if dirty {
		s += ", but with uncommitted changes. Set 'force_reset' to True to purge uncommitted changes."
	}
	if len(done) > 0 {
		would := ""
		if l.c.Test {
			would = "that would be "
		}
		s += "\n\nChanges " + would + "made: " + sentences(done)
	}
	return l.result(salt.True(), s)
}

// check reads the arguments; the text says what is wrong with them.
func (l *update) check() string {
	a := &l.a
	if _, err := only(a.Kwargs); err != nil {
		return err.Error()
	}
	switch {
	case !value.Truth(a.Remote):
		return "'remote' argument is required"
	case !value.Truth(a.Target):
		return "'target' argument is required"
	case !value.Truth(a.Rev):
		return "'" + value.Str(a.Rev) + "' is not a valid value for the 'rev' argument"
	case !value.Equal(a.ForceReset, true) && !value.Equal(a.ForceReset, false) && !value.Equal(a.ForceReset, "remote-changes"):
		return "'force_reset' must be one of True, False, or 'remote-changes'"
	}
	l.keepLocal, l.resetAlways = a.ForceReset == false, a.ForceReset == true
	l.target, l.rev, l.remote = value.Str(a.Target), value.Str(a.Rev), value.Str(a.Remote)
	if !filepath.IsAbs(l.target) {
		return "target '" + l.target + "' is not an absolute path"
	}
	if a.Branch != nil {
		l.branch = value.Str(a.Branch)
	}
	if msg := l.keys(); msg != "" {
		return msg
	}
	if sys.IsFile(l.c.Sys, l.target) {
		return "Target '" + l.target + "' exists and is a regular file, cannot proceed"
	}
	var err error
	if l.url, err = withAuth(a.Name, a.HTTPSUser, a.HTTPSPass); err != nil {
		return err.Error()
	}
	a.Bare = a.Bare || a.Mirror
	if l.rev != "HEAD" && a.Bare {
		return "'rev' is not compatible with the 'mirror' and 'bare' arguments"
	}
	return ""
}

// keys makes a list of absolute paths out of identity.
func (l *update) keys() string {
	keys := value.L()
	switch id := l.a.Identity.(type) {
	case nil:
		return ""
	case string:
		keys.Append(id)
	case *value.List:
		keys = id
	default:
		return "identity must be either a list or a string"
	}
	out := value.L()
	for _, it := range keys.Items {
		key := value.Str(it)
		if rest, ok := strings.CutPrefix(key, "~/"); ok {
			if u, err := l.c.Sys.User("root"); err == nil {
				key = filepath.Join(u.Home, rest)
			}
		}
		if !strings.Contains(key, "salt://") && !filepath.IsAbs(key) {
			return "identity '" + key + "' is not an absolute path"
		}
		out.Append(key)
	}
	l.a.Identity = out
	return ""
}

// findRemote asks the remote what rev is.
func (l *update) findRemote() string {
	a := &l.a
	refs, err := remoteRefs(l.look, remoteRefsArgs{URL: a.Name, User: a.User, Identity: a.Identity, HTTPSUser: a.HTTPSUser, HTTPSPass: a.HTTPSPass,
		Saltenv: l.c.Env, OutputEncoding: a.OutputEncoding})
	if err != nil {
		return "Failed to check remote refs: " + plain(err)
	}
	head := refs.Str("HEAD")
	l.hasHead = refs.Has("HEAD")
	for name, hash := range refs.Items() {
		if b, ok := strings.CutPrefix(name, "refs/heads/"); ok && l.hasHead && hash == head {
			l.defaultBranch = b
			break
		}
	}
	heads, tags := "refs/heads/"+l.rev, "refs/tags/"+l.rev
	l.unset = true
	switch {
	case a.Bare:
	case l.rev == "HEAD" && l.hasHead:
		l.remoteRev, l.kind, l.unset = head, "sha1", false
		l.loc = "remote HEAD (" + short(head) + ")"
	case l.rev == "HEAD":
	case refs.Has(heads):
		l.remoteRev, l.kind, l.upstream, l.unset = refs.Str(heads), "branch", l.remote+"/"+l.rev, false
		l.loc = l.upstream + " (" + short(l.remoteRev) + ")"
	case refs.Has(tags+"^{}") || refs.Has(tags):
		if l.remoteRev, l.kind = refs.Str(tags+"^{}"), "tag"; l.remoteRev == "" {
			l.remoteRev = refs.Str(tags)
		}
		l.loc = l.rev + " (" + short(l.remoteRev) + ")"
	case len(l.rev) <= 40 && strings.Trim(l.rev, "0123456789abcdefABCDEF") == "":
		l.rev = strings.ToLower(l.rev)
		l.remoteRev, l.kind, l.loc = l.rev, "sha1", short(l.rev)
	}
	switch {
	case a.Depth != nil && l.kind != "branch" && l.kind != "tag":
		return "When 'depth' is used, 'rev' must be set to the name of a branch or tag on the remote repository"
	case l.remoteRev == "" && !a.Bare && l.rev != "HEAD":
		return "No revision matching '" + l.rev + "' exists in the remote repository"
	}
	return ""
}

// same compares hashes; a commit may be given short.
func (l *update) same(rev string) bool {
	if l.kind == "sha1" && rev != "" && l.remoteRev != "" {
		return strings.HasPrefix(rev, l.remoteRev)
	}
	return rev == l.remoteRev
}

func short(hash string) string { return hash[:min(7, len(hash))] }

func orNone(s string) any {
	if s == "" {
		return nil
	}
	return s
}
