package git

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// refresh is latest where the repository exists.
func (l *update) refresh() salt.Result {
	r, err := l.bring()
	if err != nil {
		return l.fail(plain(err), l.done...)
	}
	if r != nil {
		return *r
	}
	now, _ := l.revision()
	switch {
	case !l.a.Bare && !l.same(now):
		return l.fail("Failed to update repository", l.done...)
	case l.localRev == now:
		return l.upToDate(l.done, false)
	}
	l.changes.Set("revision", value.M("old", orNone(l.localRev), "new", orNone(now)))
	return l.result(salt.True(), sentences(l.done))
}

// bring updates the checkout; a result ends the state early.
func (l *update) bring() (*salt.Result, error) {
	end := func(r salt.Result) (*salt.Result, error) { return &r, nil }
	a := &l.a
	if err := l.names(); err != nil {
		return nil, err
	}
	l.localRev, l.localBranch = l.revision()
	if !a.Bare && l.remoteRev == "" && l.localRev != "" {
		return end(l.fail("Remote repository is empty, cannot update from a non-empty to an empty repository"))
	}
	if msg := l.base(); msg != "" {
		return end(l.fail(msg))
	}
	known, err := remotes(l.look, remotesArgs{Cwd: l.target, User: a.User, OutputEncoding: a.OutputEncoding})
	if err != nil {
		return nil, err
	}
	l.match = l.same(l.localRev)
	if !a.Bare {
		text, _ := diff(l.look, diffArgs{Cwd: l.target, Item1: "HEAD", User: a.User, OutputEncoding: a.OutputEncoding})
		l.dirty = text != ""
	}
	if l.dirty && l.match {
		switch {
		case !l.resetAlways:
			return end(l.upToDate(nil, true))
		case l.c.Test:
			l.changes.Set("forced update", true)
			return end(l.result(nil, l.target+" is up-to-date, but with uncommitted changes. Since 'force_reset' is set to True, these local changes would be reset. To only reset when there are changes in the remote repository, set 'force_reset' to 'remote-changes'."))
		}
	}
	if msg := l.have(known.Has(l.remote)); msg != "" {
		return end(l.fail(msg))
	}
	if l.dirty && a.ForceReset != "remote-changes" {
		l.forward = salt.False()
	}
	if l.present {
		if l.stays() {
			return end(l.kept())
		}
		if l.forward == nil {
			if l.forward, err = l.ancestor(); err != nil {
				return nil, err
			}
		}
	}
	if l.is(false) && l.keepLocal {
		return end(l.refused())
	}
	l.tracking = l.trackedBy(l.baseBranch)
	if l.remoteRev == "" && !a.Bare {
		return nil, nil
	}
	return l.act(known)
}

func (l *update) is(forward bool) bool { return l.forward != nil && *l.forward == forward }

// base finds what will be updated: the branch that is checked out, or the one
// that will be.
func (l *update) base() string {
	l.baseRev, l.baseBranch = l.localRev, l.localBranch
	switch {
	case !l.switches():
	case !slices.Contains(l.branches, l.branch):
		l.baseRev = l.remoteRev
	default:
		l.baseBranch = l.branch
		rev, err := l.parse(l.branch + "^{commit}")
		if err != nil {
			return "Unable to get position of local branch '" + l.branch + "': " + plain(err)
		}
		l.baseRev = rev
	}
	return ""
}

func (l *update) switches() bool { return l.a.Branch != nil && l.branch != l.localBranch }

// stays reports whether HEAD is left alone because of update_head.
func (l *update) stays() bool { return !l.match && !l.a.UpdateHead && !l.switches() }

func (l *update) kept() salt.Result {
	loc := l.loc
	if l.rev == "HEAD" {
		loc = "Remote head" + strings.TrimPrefix(loc, "remote HEAD")
	}
	return l.result(salt.True(), loc+" is already present and local HEAD ("+short(l.localRev)+") does not match, but update_head=False. HEAD has not been updated locally.")
}

// have looks whether a fetch is needed.
func (l *update) have(remote bool) string {
	if l.kind == "sha1" && l.baseRev != "" && strings.HasPrefix(l.baseRev, l.remoteRev) {
		l.present = true
		return ""
	}
	if l.remoteRev == "" {
		return ""
	}
	if _, err := l.parse(l.remoteRev + "^{commit}"); err != nil {
		return ""
	}
	switch {
	case l.kind == "sha1":
		l.present = true
	case l.kind == "branch" && remote:
		local, err := l.parse(l.upstream)
		l.present = err == nil && local == l.remoteRev
	case l.kind == "tag" && slices.Contains(l.tags, l.rev):
		local, _ := l.parse(l.rev + "^{commit}")
		l.present = local == l.remoteRev
		if !l.present && !value.Truth(l.a.ForceReset) {
			return "'" + l.rev + "' is a tag, but the remote SHA1 for this tag (" + short(l.remoteRev) + ") doesn't match the local SHA1 (" + short(local) + "). Set 'force_reset' to True to force this update."
		}
	}
	return ""
}

// refused says why the update is not made without force_reset.
func (l *update) refused() salt.Result {
	s := "Repository would be updated to " + short(l.remoteRev)
	if l.dirty && l.baseRev != l.remoteRev {
		s = "Repository would be updated from " + short(l.baseRev) + " to " + short(l.remoteRev)
	}
	if l.switches() {
		s += " (after checking out local branch '" + l.branch + "')"
	}
	if l.dirty {
		s += ", but there are uncommitted changes. Set 'force_reset' to True (or 'remote-changes') to force this update and discard these changes."
	} else {
		s += ", but this is not a fast-forward merge. Set 'force_reset' to True to force this update."
	}
	switch {
	case l.a.Branch != nil:
	case l.rev != "HEAD" && l.localBranch != l.rev:
		s += " The desired rev (" + l.rev + ") differs from the name of the local branch (" + l.localBranch + "), if the desired rev is a branch name then a forced update could possibly be avoided by setting the 'branch' argument to '" + l.rev + "' instead."
	case l.rev == "HEAD" && l.defaultBranch != "" && l.localBranch != l.defaultBranch:
		s += " The default remote branch (" + l.defaultBranch + ") differs from the local branch (" + l.localBranch + "). This could be caused by changing the default remote branch, or if the local branch was manually changed. Rather than forcing an update, it may be advisable to set the 'branch' argument to '" + l.defaultBranch + "' instead. To ensure that this state follows the '" + l.defaultBranch + "' branch instead of the remote HEAD, set the 'rev' argument to '" + l.defaultBranch + "'."
	}
	return l.fail(s, l.done...)
}
