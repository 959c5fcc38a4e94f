package git

import (
	"pinch/value"
)

// revision is the commit and the branch that are checked out.
func (l *update) revision() (rev, branch string) {
	a := &l.a
	rev, _ = revision(l.look, revisionArgs{Cwd: l.target, Rev: "HEAD", User: a.User, IgnoreRetcode: true, OutputEncoding: a.OutputEncoding})
	branch, _ = currentBranch(l.look, workTreeArgs{Cwd: l.target, User: a.User, IgnoreRetcode: true, OutputEncoding: a.OutputEncoding})
	return rev, branch
}

// names lists the branches and tags of the checkout.
func (l *update) names() error {
	a := &l.a
	b, err := listBranches(l.look, listBranchesArgs{Cwd: l.target, User: a.User, OutputEncoding: a.OutputEncoding})
	if err != nil {
		return err
	}
	t, err := listTags(l.look, workTreeArgs{Cwd: l.target, User: a.User, OutputEncoding: a.OutputEncoding})
	l.branches, l.tags = texts(b), texts(t)
	return err
}

// parse is the hash of a revision, an error if the checkout lacks it.
func (l *update) parse(rev string, opts ...any) (string, error) {
	return revParse(l.look, revParseArgs{Cwd: l.target, Rev: rev, Opts: value.L(opts...), User: l.a.User, IgnoreRetcode: true, OutputEncoding: l.a.OutputEncoding})
}

// trackedBy is the tracking branch of a branch, "" if it has none.
func (l *update) trackedBy(branch string) string {
	s, err := l.parse(branch+"@{upstream}", "--abbrev-ref")
	if branch == "" || err != nil {
		return ""
	}
	return s
}

func (l *update) checkout(rev string, opts *value.List) error {
	_, err := checkout(l.c, checkoutArgs{Cwd: l.target, Rev: rev, Force: l.a.ForceCheckout, Opts: opts, User: l.a.User, OutputEncoding: l.a.OutputEncoding})
	return err
}

func (l *update) reset(rev string) error {
	_, err := reset(l.c, resetArgs{Cwd: l.target, Opts: value.L("--hard", rev), User: l.a.User, OutputEncoding: l.a.OutputEncoding})
	return err
}

func (l *update) setBranch(opts *value.List) error {
	_, err := branch(l.c, branchArgs{Cwd: l.target, Opts: opts, User: l.a.User, OutputEncoding: l.a.OutputEncoding})
	return err
}

func (l *update) submodules() error {
	a := &l.a
	_, err := submodule(l.c, submoduleArgs{Cwd: l.target, Command: "update", Opts: value.L("--init", "--recursive"), User: a.User, Identity: a.Identity, Saltenv: l.c.Env, OutputEncoding: a.OutputEncoding})
	return err
}

// fetch reports whether refs changed.
func (l *update) fetch() (bool, error) {
	a, specs := &l.a, value.L()
	if a.FetchTags {
		specs = value.L("refs/heads/"+a.RefspecBranch+":refs/remotes/"+l.remote+"/"+a.RefspecBranch, "+refs/tags/"+a.RefspecTag+":refs/tags/"+a.RefspecTag)
	}
	m, err := fetch(l.c, fetchArgs{Cwd: l.target, Remote: l.remote, Force: a.ForceFetch, Refspecs: specs, User: a.User, Identity: a.Identity, Saltenv: l.c.Env, OutputEncoding: a.OutputEncoding})
	return m.Len() > 0, err
}

// ancestor reports whether the update is a fast-forward.
func (l *update) ancestor() (*bool, error) {
	if l.baseRev == "" {
		yes := true
		return &yes, nil
	}
	v, err := mergeBase(l.look, mergeBaseArgs{Cwd: l.target, Refs: value.L(l.baseRev, l.remoteRev), IsAncestor: true, User: l.a.User, IgnoreRetcode: true, OutputEncoding: l.a.OutputEncoding})
	ok := v == true
	return &ok, err
}
