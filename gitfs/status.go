package gitfs

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// A Status is what is known about a remote after FS looked at it.
type Status struct {
	Remote  *Remote
	Fetched time.Time // of the last good fetch; zero: never
	Error   string    // of the last fetch, "" when it was good
	Locked  bool      // a lock file says which commits are served
	Heads   []Head
	Refused map[string]string // ref → why its newest commit is not used
}

// A Head is one environment, or the branch of a git_pillar remote, and the
// commit that it shows.
type Head struct {
	Env, Ref, Commit string
	Time             time.Time
	Subject          string // first line of the message
	Signature        string // "good: SIGNER", "none", "not checked", or what is wrong
}

// Status looks at every remote; it fetches what is due.
func (f *FS) Status(ctx context.Context) []Status {
	f.ready(ctx)
	var out []Status
	for _, c := range f.clones {
		s := Status{Remote: c.r, Fetched: c.st.Fetched, Error: c.st.Error, Refused: c.st.Refused, Locked: c.o.Locked[c.r.ID] != nil}
		if c.err != nil && (!f.o.Offline || !s.Fetched.IsZero()) {
			s.Error = c.err.Error()
		}
		heads := map[string]string{}
		if c.r.Role == "git_pillar" {
			ref := c.r.Branch
			if ref == "__env__" {
				ref = c.r.Base
			}
			heads[c.r.Branch] = ref
		} else {
			for _, env := range c.envs() {
				heads[env] = c.r.ref(env)
			}
		}
		for _, env := range slices.Sorted(maps.Keys(heads)) {
			if h, ok := c.head(ctx, heads[env]); ok {
				h.Env = env
				s.Heads = append(s.Heads, h)
			}
		}
		out = append(out, s)
	}
	return out
}

func (c *clone) head(ctx context.Context, ref string) (h Head, ok bool) {
	err := c.with(ctx, func() error {
		if c.repo == nil {
			return nil
		}
		commit, err := c.at(ctx, ref)
		if commit == nil || err != nil {
			return err
		}
		ok = true
		subject, _, _ := strings.Cut(strings.TrimSpace(commit.Message), "\n")
		h = Head{Ref: ref, Commit: commit.Hash.String(), Time: commit.Committer.When, Subject: subject}
		h.Signature = c.signature(ref, commit.Hash)
		return nil
	})
	return h, ok && err == nil
}

// signature says who signed what a ref shows.
func (c *clone) signature(ref string, commit plumbing.Hash) string {
	k := &keyring{t: &c.r.Trust}
	object := commit
	if tag, ok := c.refs["refs/tags/"+ref]; ok {
		object = tag
	}
	var err error
	if object != commit {
		err = k.checkTag(c.repo, object, ref)
	} else {
		err = k.checkCommit(c.repo, commit)
	}
	switch {
	case err == nil:
		return "good: " + k.who
	case strings.Contains(err.Error(), errUnsigned.Error()):
		return "none"
	case !c.r.Trust.on():
		return "not checked"
	}
	return err.Error()
}

// Lock is the commit of every ref as it is now, for ReadLock.
func (f *FS) Lock(ctx context.Context) Lock {
	f.ready(ctx)
	out := Lock{}
	for _, c := range f.clones {
		if c.repo == nil {
			continue
		}
		refs := map[string]string{}
		for name, h := range c.refs {
			if commit, err := c.repo.commit(h); err == nil && commit != nil {
				refs[name] = commit.Hash.String()
			}
		}
		out[c.r.ID] = refs
	}
	return out
}
