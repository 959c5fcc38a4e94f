package git

import (
	"path/filepath"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// makeWay empties a target that is no repository, if it may; a result ends
// the state.
func (l *update) makeWay() (*salt.Result, error) {
	end := func(r salt.Result) (*salt.Result, error) { return &r, nil }
	a := &l.a
	if !sys.IsDir(l.c.Sys, l.target) {
		return nil, nil
	}
	entries, err := l.c.Sys.ReadDir(l.target)
	switch {
	case err != nil:
		return nil, err
	case a.ForceClone && l.c.Test:
		l.changes.Set("forced clone", true)
		l.changes.Set("new", a.Name+" => "+l.target)
		return end(l.result(nil, "Target directory "+l.target+" exists. Since force_clone=True, the contents of "+l.target+" would be deleted, and "+a.Name+" would be cloned into this directory."))
	case a.ForceClone:
		var bad []string
		for _, e := range entries {
			p := filepath.Join(l.target, e.Name())
			if err := l.c.Sys.RemoveAll(p); err != nil {
				bad = append(bad, "  "+p+"\n    "+err.Error())
			}
		}
		if bad != nil {
			return end(l.fail("Unable to remove\n" + strings.Join(bad, "\n")))
		}
		l.changes.Set("forced clone", true)
	case len(entries) > 0:
		return end(l.fail("Target '" + l.target + "' exists, is non-empty and is not a git repository. Set the 'force_clone' option to True to remove this directory's contents and proceed with cloning the remote repository"))
	}
	return nil, nil
}

func (l *update) cloneWith(opts *value.List) error {
	a := &l.a
	_, err := clone(l.c, cloneArgs{Cwd: l.target, URL: a.Name, Opts: opts, User: a.User, Identity: a.Identity, HTTPSUser: a.HTTPSUser,
		HTTPSPass: a.HTTPSPass, Saltenv: l.c.Env, OutputEncoding: a.OutputEncoding})
	return err
}

// clone is latest where there is no repository yet.
func (l *update) clone() salt.Result {
	a := &l.a
	r, err := l.makeWay()
	switch {
	case err != nil:
		return salt.Raised(err)
	case r != nil:
		return *r
	}
	if l.c.Test {
		l.changes.Set("new", a.Name+" => "+l.target)
		return l.result(nil, "Repository "+a.Name+" would be cloned to "+l.target)
	}
	opts, how := value.L(), ""
	switch {
	case a.Mirror:
		opts, how = value.L("--mirror"), " as mirror"
	case a.Bare:
		opts, how = value.L("--bare"), " as bare repository"
	}
	if l.remote != "origin" {
		opts.Append("--origin", l.remote)
	}
	if a.Depth != nil {
		opts.Append("--depth", value.Str(a.Depth), "--branch", l.rev)
	}
	if err := l.cloneWith(opts); err != nil {
		if commandFailed(err) {
			return l.fail("Clone failed: " + plain(err))
		}
		return l.fail(plain(err))
	}
	l.changes.Set("new", a.Name+" => "+l.target)
	l.done = append(l.done, a.Name+" cloned to "+l.target+how)
	if !a.Bare && l.remoteRev != "" {
		if msg := l.settle(); msg != "" {
			return l.fail(msg, l.done...)
		}
	}
	if a.Submodules && l.remoteRev != "" {
		if err := l.submodules(); err != nil {
			return l.fail("Failed to update submodules: "+plain(err), l.done...)
		}
	}
	if now, _ := l.revision(); now != "" {
		l.changes.Set("revision", value.M("old", nil, "new", now))
	}
	return l.result(salt.True(), sentences(l.done))
}

// settle brings a new clone to the revision, the branch and its tracking branch.
func (l *update) settle() string {
	a := &l.a
	if err := l.names(); err != nil {
		return plain(err)
	}
	if l.kind == "tag" && !slices.Contains(l.tags, l.rev) {
		return "Revision '" + l.rev + "' does not exist in clone"
	}
	if a.Branch != nil && !slices.Contains(l.branches, l.branch) {
		if err := l.checkout(l.start(), value.L("-b", l.branch)); err != nil {
			return plain(err)
		}
		l.done = append(l.done, "Branch '"+l.branch+"' checked out, with "+l.loc+" as a starting point")
		if err := l.names(); err != nil {
			return plain(err)
		}
	}
	l.localRev, l.localBranch = l.revision()
	if l.localBranch == "" && !l.hasHead {
		return "Remote HEAD refers to a ref that does not exist. This can happen when the default branch on the remote repository is renamed or deleted. If you are unable to fix the remote repository, you can work around this by setting the 'branch' argument (which will ensure that the named branch is created if it does not already exist)."
	}
	if !l.same(l.localRev) {
		if err := l.reset(l.remoteRev); err != nil {
			return plain(err)
		}
		l.done = append(l.done, "Repository was reset to "+l.loc)
	}
	l.tracking = l.trackedBy(l.localBranch)
	opts, did, _ := l.track()
	if opts == nil {
		return ""
	}
	if err := l.setBranch(opts); err != nil {
		return plain(err)
	}
	l.done = append(l.done, did)
	return ""
}

// track says how the tracking branch has to change: git's options, what was
// done then, and what would be done. The options are nil when a new branch
// gets it anyway.
func (l *update) track() (opts *value.List, did, would string) {
	switch {
	case l.tracking == "" && l.upstream != "":
		did, would = "Tracking branch was set to "+l.upstream, "Tracking branch would be set to "+l.upstream
	case l.tracking != "" && l.unset:
		return value.L("--unset-upstream"), "Tracking branch was unset", "Tracking branch would be unset"
	case l.upstream != "" && l.tracking != l.upstream:
		did, would = "Tracking branch was updated to "+l.upstream, "Tracking branch would be updated to "+l.upstream
	default:
		return nil, "", ""
	}
	if l.a.Branch == nil || slices.Contains(l.branches, l.branch) {
		opts = value.L("--set-upstream-to", l.upstream)
	}
	return opts, did, would
}

// start is what a new branch starts from.
func (l *update) start() string {
	switch {
	case l.rev == "HEAD":
		return l.remoteRev
	case l.upstream != "":
		return l.upstream
	}
	return l.rev
}
