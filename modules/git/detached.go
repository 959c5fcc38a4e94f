package git

import (
	"path/filepath"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type detachedArgs struct {
	Name           string     `py:"name"`                 // the repository
	Rev            any        `py:"rev"`                  // the branch, tag or commit to check out
	Target         any        `py:"target"`               // where the clone is
	Remote         any        `py:"remote='origin'"`      // the name of the remote
	User           any        `py:"user=None"`            // the user to run git as
	Password       any        `py:"password=None"`        // for Windows only, ignored here
	ForceClone     bool       `py:"force_clone=False"`    // empty a target that is no repository
	ForceCheckout  bool       `py:"force_checkout=False"` // throw local changes away that are in the way
	FetchRemote    bool       `py:"fetch_remote=True"`    // False: only what the clone has already
	HardReset      bool       `py:"hard_reset=False"`     // throw all local changes away
	Submodules     bool       `py:"submodules=False"`     // update submodules as well
	Identity       any        `py:"identity=None"`        // a private key for SSH, or several to try: paths or salt://…
	HTTPSUser      any        `py:"https_user=None"`      // the user for HTTPS
	HTTPSPass      any        `py:"https_pass=None"`      // the password for HTTPS
	OutputEncoding any        `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
	Kwargs         *value.Map `py:"**kwargs"`             // none; others are an error
}

// detached makes sure that a commit is checked out without a branch. What it
// is of a branch or tag is asked of the remote each time.
//
//	https://example.com/app.git:
//	  git.detached:
//	    - target: /opt/app
//	    - rev: v1.2
func detached(c *salt.Ctx, a detachedArgs) salt.Result {
	l := &update{c: c, look: c.With(false), changes: new(value.Map), a: latestArgs{Name: a.Name, Target: a.Target, Rev: a.Rev, Remote: a.Remote, User: a.User,
		ForceClone: a.ForceClone, ForceCheckout: a.ForceCheckout, Identity: a.Identity, HTTPSUser: a.HTTPSUser, HTTPSPass: a.HTTPSPass, OutputEncoding: a.OutputEncoding,
		ForceFetch: true, FetchTags: true, RefspecBranch: "*", RefspecTag: "*"}}
	if msg := l.checkDetached(a.Kwargs); msg != "" {
		return l.fail(msg)
	}
	d := &detaching{update: l, detachedArgs: a, isHash: len(l.rev) <= 40 && strings.Trim(l.rev, "0123456789abcdefABCDEF") == ""}
	if d.isHash {
		l.rev = strings.ToLower(l.rev)
	}
	r, err := d.run()
	switch {
	case err != nil && commandFailed(err):
		return l.fail(plain(err), l.done...)
	case err != nil:
		return salt.Raised(err)
	}
	return r
}

func (l *update) checkDetached(kwargs *value.Map) string {
	a := &l.a
	if _, err := only(kwargs); err != nil {
		return err.Error()
	}
	switch {
	case !value.Truth(a.Rev):
		return "'" + value.Str(a.Rev) + "' is not a valid value for the 'rev' argument"
	case !value.Truth(a.Target):
		return "'" + value.Str(a.Target) + "' is not a valid value for the 'target' argument"
	case !value.Truth(a.Remote):
		return "'remote' argument is required"
	}
	l.target, l.rev, l.remote = value.Str(a.Target), value.Str(a.Rev), value.Str(a.Remote)
	if !filepath.IsAbs(l.target) {
		return "Target '" + l.target + "' is not an absolute path"
	}
	if msg := l.keys(); msg != "" {
		return strings.Replace(msg, "identity", "Identity", 1)
	}
	if sys.IsFile(l.c.Sys, l.target) {
		return "Target '" + l.target + "' exists and is a regular file, cannot proceed"
	}
	_, err := withAuth(a.Name, a.HTTPSUser, a.HTTPSPass)
	if err != nil {
		return err.Error()
	}
	return ""
}

// detaching is one run of git.detached.
type detaching struct {
	*update
	detachedArgs
	isHash, haveHash bool
}

// would ends a test run.
func (d *detaching) would(s string) (salt.Result, error) { return d.result(nil, s), nil }

func (d *detaching) run() (salt.Result, error) {
	l := d.update
	there := sys.IsDir(l.c.Sys, filepath.Join(l.target, ".git"))
	if !there && sys.Exists(l.c.Sys, l.target) {
		there, _ = isWorktree(l.look, isWorktreeArgs{Cwd: l.target, User: l.a.User, OutputEncoding: l.a.OutputEncoding})
	}
	step := d.cloneIt
	if there {
		step = d.compareRemote
	}
	if r, err := step(); r != nil || err != nil {
		return orZero(r), err
	}
	if r, err := d.fetchIt(); r != nil || err != nil {
		return orZero(r), err
	}
	commit, msg := d.commit()
	if msg != "" {
		return l.fail(msg, l.done...), nil
	}
	if d.HardReset {
		if l.c.Test {
			return d.would("Hard reset to HEAD would be performed on " + l.target)
		}
		if err := l.reset("HEAD"); err != nil {
			return salt.Result{}, err
		}
		l.done = append(l.done, "Repository was reset to HEAD before checking out revision")
	}
	return d.checkOut(commit)
}

func orZero(r *salt.Result) salt.Result {
	if r == nil {
		return salt.Result{}
	}
	return *r
}

// compareRemote looks at a clone that is there.
func (d *detaching) compareRemote() (*salt.Result, error) {
	l := d.update
	l.localRev, _ = l.revision()
	if d.isHash {
		_, err := l.parse(l.rev+"^{commit}", "--verify", "--quiet")
		d.haveHash = err == nil
		return nil, nil
	}
	known, err := remotes(l.look, remotesArgs{Cwd: l.target, User: l.a.User, OutputEncoding: l.a.OutputEncoding})
	if err != nil {
		return nil, err
	}
	old := known.Map(l.remote).Str("fetch")
	switch {
	case strings.Contains(old, l.a.Name) && known.Has(l.remote):
		return nil, nil
	case l.c.Test:
		r, _ := d.would("Remote " + l.remote + " would be set to " + l.a.Name)
		return &r, nil
	}
	if _, err := remoteSet(l.c, remoteSetArgs{Cwd: l.target, URL: l.a.Name, Remote: l.remote, User: l.a.User, HTTPSUser: l.a.HTTPSUser, HTTPSPass: l.a.HTTPSPass, OutputEncoding: l.a.OutputEncoding}); err != nil {
		return nil, err
	}
	if old == "" {
		old = "None"
	}
	l.done = append(l.done, "Remote "+l.remote+" updated from '"+redact(old)+"' to '"+redact(l.a.Name)+"'")
	return nil, nil
}

func (d *detaching) cloneIt() (*salt.Result, error) {
	l := d.update
	if r, err := l.makeWay(); r != nil || err != nil {
		if r != nil && l.c.Test {
			r.Changes = new(value.Map)
		}
		return r, err
	}
	if l.c.Test {
		r, _ := d.would("Repository " + l.a.Name + " would be cloned to " + l.target)
		return &r, nil
	}
	opts := value.L("--no-checkout")
	if l.remote != "origin" {
		opts.Append("--origin", l.remote)
	}
	if err := l.cloneWith(opts); err != nil {
		return nil, err
	}
	l.done = append(l.done, l.a.Name+" cloned to "+l.target)
	return nil, nil
}

func (d *detaching) fetchIt() (*salt.Result, error) {
	l := d.update
	if d.haveHash || !d.FetchRemote {
		return nil, nil
	}
	if l.c.Test {
		r, _ := d.would("Repository remote " + l.remote + " would be fetched")
		return &r, nil
	}
	news, err := l.fetch()
	if err != nil {
		r := l.fail("Fetch failed:\n\n"+err.Error(), l.done...)
		return &r, nil
	}
	if news {
		l.done = append(l.done, "Remote "+l.remote+" was fetched, resulting in updated refs")
	}
	return nil, nil
}

// commit is what rev means in the clone, or why it means nothing.
func (d *detaching) commit() (string, string) {
	l := d.update
	names := []string{l.rev}
	if !d.isHash {
		names = []string{"refs/remotes/" + l.remote + "/" + l.rev, "refs/tags/" + l.rev}
	}
	for _, name := range names {
		if hash, err := l.parse(name+"^{commit}", "--verify", "--quiet"); err == nil {
			return hash, ""
		}
	}
	return "", "Revision '" + l.rev + "' does not exist"
}

func (d *detaching) checkOut(commit string) (salt.Result, error) {
	l := d.update
	now := ""
	if commit != l.localRev {
		if l.c.Test {
			l.changes.Set("HEAD", value.M("old", orNone(l.localRev), "new", commit))
			return d.would("Commit ID " + commit + " would be checked out at " + l.target)
		}
		if err := l.checkout(commit, value.L()); err != nil {
			return salt.Result{}, err
		}
		l.done = append(l.done, "Commit ID "+commit+" was checked out at "+l.target)
		now, _ = l.revision()
	}
	if d.Submodules {
		if l.c.Test {
			return d.would("Submodules would be updated")
		}
		if err := l.submodules(); err != nil {
			return l.fail("Failed to update submodules: "+plain(err), l.done...), nil
		}
		l.done = append(l.done, "Submodules were updated")
	}
	if now != "" {
		l.changes.Set("HEAD", value.M("old", orNone(l.localRev), "new", now))
	} else {
		l.done = append(l.done, "Already checked out at correct revision")
	}
	return l.result(salt.True(), sentences(slices.Clip(l.done))), nil
}
