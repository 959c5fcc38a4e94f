package git

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// act sets the remote and takes, or announces, the steps.
func (l *update) act(known *value.Map) (*salt.Result, error) {
	end := func(r salt.Result) (*salt.Result, error) { return &r, nil }
	a := &l.a
	old := known.Map(l.remote).Str("fetch")
	if l.remoteRev != "" && old != l.url {
		if l.c.Test {
			return end(l.wouldMove(old))
		}
		if _, err := remoteSet(l.c, remoteSetArgs{Cwd: l.target, URL: a.Name, Remote: l.remote, User: a.User, HTTPSUser: a.HTTPSUser, HTTPSPass: a.HTTPSPass, OutputEncoding: a.OutputEncoding}); err != nil {
			return nil, err
		}
		if old == "" {
			l.done = append(l.done, "Remote '"+l.remote+"' set to "+redact(l.url))
			l.changes.Set("new", a.Name+" => "+l.remote)
		} else {
			l.done = append(l.done, "Remote '"+l.remote+"' changed from "+redact(old)+" to "+redact(l.url))
		}
	}
	if l.remoteRev == "" {
		return l.fetchBare()
	}
	if l.c.Test {
		return end(l.would())
	}
	opts, did, _ := l.track()
	if opts != nil && l.localBranch == "" {
		return end(l.fail("Cannot set/unset upstream tracking branch, local HEAD refers to nonexistent branch. This may have been caused by cloning a remote repository for which the default branch was renamed or deleted. If you are unable to fix the remote repository, you can work around this by setting the 'branch' argument (which will ensure that the named branch is created if it does not already exist).", l.done...))
	}
	if err := l.syncTags(); err != nil {
		return nil, err
	}
	if !l.present {
		if r, err := l.obtain(); r != nil || err != nil {
			return r, err
		}
	}
	if r, err := l.move(opts, did); r != nil || err != nil {
		return r, err
	}
	if a.Submodules {
		if err := l.submodules(); err != nil {
			return end(l.fail("Failed to update submodules: "+plain(err), l.done...))
		}
	}
	return nil, nil
}

const failedFetch = "Fetch failed. Set 'force_fetch' to True to force the fetch if the failure was due to not being able to fast-forward. Output of the fetch command follows:\n\n"

func (l *update) fetchBare() (*salt.Result, error) {
	if l.c.Test {
		// Salt joins the letters of this text as if they were comments.
		r := l.upToDate(strings.Split("Bare repository at "+l.target+" would be fetched", ""), false)
		return &r, nil
	}
	news, err := l.fetch()
	if err != nil {
		r := l.fail(failedFetch+plain(err), l.done...)
		return &r, nil
	}
	s := "Bare repository at " + l.target + " was fetched"
	if news {
		s += ", resulting in updated refs"
	}
	l.done = append(l.done, s)
	return nil, nil
}

// obtain fetches, and looks again whether the update is a fast-forward.
func (l *update) obtain() (*salt.Result, error) {
	end := func(r salt.Result) (*salt.Result, error) { return &r, nil }
	news, err := l.fetch()
	if err != nil {
		return end(l.fail(failedFetch+plain(err), l.done...))
	}
	if news {
		l.done = append(l.done, l.a.Name+" was fetched, resulting in updated refs")
	}
	if _, err := l.parse(l.remoteRev + "^{commit}"); err != nil {
		return end(l.fail("Fetch did not successfully retrieve rev '" + l.rev + "' from " + l.a.Name + ": " + err.Error()))
	}
	if l.stays() {
		return end(l.kept())
	}
	if l.forward, err = l.ancestor(); err != nil {
		return nil, err
	}
	if l.keepLocal && (l.is(false) || l.dirty) {
		return end(l.refused())
	}
	return nil, nil
}

// syncTags compares the tags with the remote's and deletes those it lacks.
func (l *update) syncTags() error {
	a := &l.a
	refs, err := lsRemote(l.look, lsRemoteArgs{Cwd: l.target, Remote: l.remote, Opts: "--tags", User: a.User, Identity: a.Identity, IgnoreRetcode: true, Saltenv: l.c.Env, OutputEncoding: a.OutputEncoding})
	if err != nil {
		return err
	}
	var theirs []string
	var added, gone []string
	for ref := range refs.Items() {
		if name := strings.ReplaceAll(ref, "refs/tags/", ""); !strings.Contains(name, "^{}") {
			if theirs = append(theirs, name); !slices.Contains(l.tags, name) {
				added = append(added, name)
			}
		}
	}
	if added != nil {
		set, _ := value.NewSet(value.Strings(added).Items...)
		l.changes.Set("new_tags", set)
	}
	for _, name := range l.tags {
		if slices.Contains(theirs, name) {
			continue
		}
		l.present = false
		if !a.SyncTags {
			continue
		}
		if _, err := tag(l.c, tagArgs{Cwd: l.target, Name: name, Opts: "-d", User: a.User, OutputEncoding: a.OutputEncoding}); err != nil {
			l.warnings = append(l.warnings, "Failed to remove local tag '"+name+"':\n\n"+err.Error()+"\n\n")
			continue
		}
		gone = append(gone, name)
	}
	l.present = l.present && added == nil
	if gone != nil {
		l.changes.Set("deleted_tags", value.Strings(gone))
		l.done = append(l.done, "The following tags were removed from the local checkout: "+strings.Join(gone, ", "))
	}
	return nil
}

// move brings the checkout to the revision.
func (l *update) move(opts *value.List, did string) (*salt.Result, error) {
	end := func(r salt.Result) (*salt.Result, error) { return &r, nil }
	a := &l.a
	if l.switches() {
		if l.dirty && !a.ForceCheckout {
			return end(l.fail("Local branch '" + l.localBranch + "' has uncommitted changes. Set 'force_checkout' to True to discard them and proceed."))
		}
		rev, how, text := l.branch, value.L(), "'"+l.branch+"' was checked out"
		if !slices.Contains(l.branches, l.branch) {
			rev, how, text = l.start(), value.L("-b", l.branch), "New branch '"+l.branch+"' was checked out, with "+l.loc+" as a starting point"
		}
		if err := l.checkout(rev, how); err != nil {
			return nil, err
		}
		l.done = append(l.done, text)
	}
	switch {
	case l.is(false):
		if err := l.reset(l.remoteRev); err != nil {
			return nil, err
		}
		l.changes.Set("forced update", true)
		if l.dirty {
			l.done = append(l.done, "Uncommitted changes were discarded")
		}
		l.done = append(l.done, "Repository was hard-reset to "+l.loc)
	case l.is(true) && l.dirty && !l.keepLocal:
		if _, err := discardLocalChanges(l.c, discardLocalChangesArgs{Cwd: l.target, Path: ".", User: a.User, OutputEncoding: a.OutputEncoding}); err != nil {
			return nil, err
		}
		l.done = append(l.done, "Uncommitted changes were discarded")
	}
	if opts != nil {
		if err := l.setBranch(opts); err != nil {
			return nil, err
		}
		l.done = append(l.done, did)
	}
	if !l.is(true) || l.same(l.baseRev) {
		return nil, nil
	}
	if l.upstream == "" && l.rev != "HEAD" {
		l.done = append(l.done, "Repository was reset to "+l.rev+" (fast-forward)")
		return nil, l.reset(l.rev)
	}
	if ref, _ := symbolicRef(l.look, symbolicRefArgs{Cwd: l.target, Ref: "HEAD", Opts: value.L("--quiet"), User: a.User, IgnoreRetcode: true}); ref == "" {
		return end(l.fail("Unable to fast-forward, HEAD is detached", l.done...))
	}
	if _, err := merge(l.c, mergeArgs{Cwd: l.target, Rev: l.remoteRev, Opts: value.L("--ff-only"), User: a.User, OutputEncoding: a.OutputEncoding}); err != nil {
		return nil, err
	}
	l.done = append(l.done, "Repository was fast-forwarded to "+l.loc)
	return nil, nil
}

// announce ends a test: with changes, or with an up-to-date repository.
func (l *update) announce(will []string) salt.Result {
	switch {
	case l.changes.Len() > 0:
		return l.result(nil, sentences(will))
	case !l.match && !l.a.UpdateHead && len(will) > 0:
		return l.result(salt.True(), sentences(will))
	}
	return l.upToDate(will, false)
}

func (l *update) wouldMove(old string) salt.Result {
	from := redact(old)
	if old == "" {
		from = "None"
	}
	will := []string{"Remote '" + l.remote + "' would be changed from " + from + " to " + redact(l.url)}
	if !l.present {
		will = append(will, "Remote would be fetched")
	}
	if !l.match && l.a.UpdateHead {
		l.changes.Set("revision", value.M("old", orNone(l.localRev), "new", l.remoteRev))
		how := "updated"
		if l.is(true) {
			how = "fast-forwarded"
		} else if l.is(false) {
			how = "hard-reset"
			l.changes.Set("forced update", true)
		}
		will = append(will, "Repository would be "+how+" to "+short(l.remoteRev))
	}
	return l.announce(will)
}

// would says what an apply does.
func (l *update) would() salt.Result {
	var will []string
	how := "updated"
	if l.is(true) {
		how = "fast-forwarded"
	} else if l.is(false) {
		how = "hard-reset"
	}
	if !l.present {
		will = append(will, "Remote '"+l.remote+"' would be fetched")
	}
	if !l.match && (l.a.UpdateHead || l.switches()) {
		l.changes.Set("revision", value.M("old", orNone(l.localRev), "new", l.remoteRev))
	}
	_, _, tracking := l.track()
	switch {
	case l.switches() && slices.Contains(l.branches, l.branch):
		will = append(will, "Branch '"+l.branch+"' would be checked out and "+how+" to "+short(l.remoteRev))
	case l.switches():
		will = append(will, "New branch '"+l.branch+"' would be checked out, with "+l.loc+" as a starting point")
		if l.upstream != "" {
			will = append(will, "Tracking branch would be set to "+l.upstream)
		}
	case l.match:
	case !l.a.UpdateHead:
		will = append(will, "Local HEAD ("+short(l.localRev)+") does not match "+l.loc+" but update_head=False, HEAD would not be updated locally")
	default:
		if how = "updated"; l.is(true) {
			how = "fast-forwarded"
		} else if value.Truth(l.a.ForceReset) && l.present {
			how = "hard-reset"
		}
		will = append(will, "Repository would be "+how+" from "+short(l.localRev)+" to "+short(l.remoteRev))
	}
	if tracking != "" {
		will = append(will, tracking)
	}
	return l.announce(will)
}
