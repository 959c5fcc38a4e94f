package gitfs

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"pinch/value"
)

// A Trust says which commits of a remote may be used.
type Trust struct {
	Pin            string // commit or tag that all environments show, whatever the branches say
	AllowedSigners string // file of ssh keys, in the format of ssh-keygen -Y verify
	GPGKeyring     string // file of OpenPGP keys, armored or not
	Require        string // what must be signed: "commit" or "tag"
	AllowRollback  bool   // an older or unrelated commit may replace a newer one
}

// on reports whether signatures are asked for.
func (t *Trust) on() bool { return t.AllowedSigners != "" || t.GPGKeyring != "" }

// parse reads the verify parameter.
func (t *Trust) parse(v any) error {
	for key, v := range dictList(v).Items() {
		switch key {
		case "allowed_signers":
			t.AllowedSigners = value.Str(v)
		case "gpg_keyring":
			t.GPGKeyring = value.Str(v)
		case "require":
			t.Require = strings.ToLower(value.Str(v))
		case "allow_rollback":
			t.AllowRollback = value.Truth(v)
		default:
			return fmt.Errorf("there is no parameter '%s' (allowed_signers, gpg_keyring, require, allow_rollback)", key)
		}
	}
	if t.Require == "" {
		t.Require = "commit"
	}
	if t.Require != "commit" && t.Require != "tag" {
		return fmt.Errorf("require is 'commit' or 'tag', not '%s'", t.Require)
	}
	if !t.on() {
		return errors.New("it needs allowed_signers or gpg_keyring")
	}
	return nil
}

// A verdict is what judge found.
type verdict struct {
	refused  map[string]string // ref → why its newest object is not used
	verified map[string]string // ref → the object that was trusted last, kept for refs that are gone
}

// judge takes out of refs what may not be used and puts what was trusted last
// in its place.
func (c *clone) judge(r *repo, refs map[string]plumbing.Hash) (verdict, error) {
	v := verdict{map[string]string{}, maps.Clone(c.st.Verified)}
	if v.verified == nil {
		v.verified = map[string]string{}
	}
	keys := &keyring{t: &c.r.Trust}
	tags := c.r.Trust.tagsOf(r, refs)
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		h, last := refs[name], v.verified[name]
		if !c.judged(name) || h.String() == last {
			continue
		}
		why := c.doubt(r, keys, tags, name, h, last)
		if why == nil {
			v.verified[name] = h.String()
			continue
		}
		var d *damage
		if errors.As(why, &d) {
			return v, why
		}
		delete(refs, name)
		if old := plumbing.NewHash(last); last != "" && r.has(old) {
			refs[name] = old
			why = fmt.Errorf("%w; %s stays in use", why, last[:10])
		}
		v.refused[name] = why.Error()
		c.tell(name, why, last != "")
	}
	return v, nil
}

// judged reports whether a ref needs a verdict: all do when signatures are
// asked for, and a pinned tag may not move.
func (c *clone) judged(name string) bool {
	return c.r.Trust.on() || c.r.Trust.Pin != "" && name == "refs/tags/"+c.r.Trust.Pin
}

// tell logs a refusal, loudly when the ref is one that is surely in use.
func (c *clone) tell(name string, why error, used bool) {
	text := fmt.Sprintf("%s remote '%s': %s is refused: %s", c.r.Role, c.r.Label(), name, why)
	short := strings.TrimPrefix(strings.TrimPrefix(name, "refs/remotes/origin/"), "refs/tags/")
	_, mapped := c.r.mapped()[short]
	switch {
	case used:
		c.o.Log.Warn(text)
	case mapped || short == c.r.Base || short == c.r.AllEnvs || short == c.r.Branch || short == c.r.Trust.Pin:
		c.o.Log.Error(text)
	default:
		c.o.Log.Info(text)
	}
}

// doubt is why an object may not be what a ref names; last is what it was.
func (c *clone) doubt(r *repo, keys *keyring, tags map[plumbing.Hash][]plumbing.Hash, name string, h plumbing.Hash, last string) error {
	commit, err := r.commit(h)
	if err != nil {
		return err
	}
	if commit == nil {
		return errors.New("it is no commit")
	}
	if c.r.Trust.on() {
		if err := c.signed(r, keys, tags, name, h, commit); err != nil {
			return err
		}
	}
	if last == "" || c.r.Trust.AllowRollback {
		return nil
	}
	if c.r.Trust.Pin != "" && name == "refs/tags/"+c.r.Trust.Pin {
		return fmt.Errorf("the pinned tag was moved to %s", short(commit.Hash))
	}
	old, err := r.commitOf(plumbing.NewHash(last))
	if err != nil {
		return err
	}
	if ok, err := r.follows(commit.Hash, old); err != nil || ok {
		return err
	}
	return fmt.Errorf("commit %s does not follow %s, which was trusted before (allow_rollback permits that)", short(commit.Hash), short(old))
}

// commitOf is the commit of an object; one that is gone stands for itself.
func (r *repo) commitOf(h plumbing.Hash) (plumbing.Hash, error) {
	if !r.has(h) {
		return h, nil
	}
	commit, err := r.commit(h)
	if err != nil || commit == nil {
		return h, err
	}
	return commit.Hash, nil
}

func short(h plumbing.Hash) string { return h.String()[:10] }

// signed checks the signatures of a ref's object: that of the tag, when it is
// an annotated one, or that of the commit, or that of a tag on the commit.
func (c *clone) signed(r *repo, keys *keyring, tags map[plumbing.Hash][]plumbing.Hash, name string, h plumbing.Hash, commit *object.Commit) error {
	if tag, ok := strings.CutPrefix(name, "refs/tags/"); ok && h != commit.Hash {
		err := keys.checkTag(r, h, tag)
		if err == nil || c.r.Trust.Require == "tag" {
			return err
		}
		if e := keys.checkCommit(r, commit.Hash); e != nil {
			return err
		}
		return nil
	}
	if c.r.Trust.Require != "tag" {
		return keys.checkCommit(r, commit.Hash)
	}
	why := fmt.Errorf("commit %s has no signed tag", short(commit.Hash))
	for _, t := range tags[commit.Hash] {
		err := keys.checkTag(r, t, "")
		if err == nil {
			return nil
		}
		why = fmt.Errorf("commit %s: %w", short(commit.Hash), err)
	}
	return why
}

// tagsOf are the annotated tags of each commit, when tags count.
func (t *Trust) tagsOf(r *repo, refs map[string]plumbing.Hash) map[plumbing.Hash][]plumbing.Hash {
	out := map[plumbing.Hash][]plumbing.Hash{}
	if !t.on() || t.Require != "tag" {
		return out
	}
	for name, h := range refs {
		if !strings.HasPrefix(name, "refs/tags/") {
			continue
		}
		if commit, err := r.commitOf(h); err == nil && commit != h {
			out[commit] = append(out[commit], h)
		}
	}
	return out
}

// follows reports whether old is an ancestor of h, or h itself, as far as the
// history is there.
func (r *repo) follows(h, old plumbing.Hash) (bool, error) {
	seen := map[plumbing.Hash]bool{h: true}
	todo := []plumbing.Hash{h}
	for len(todo) > 0 {
		h, todo = todo[0], todo[1:]
		if h == old {
			return true, nil
		}
		if !r.has(h) {
			continue
		}
		commit, err := r.commit(h)
		if err != nil {
			return false, err
		}
		for _, p := range commit.ParentHashes {
			if !seen[p] {
				seen[p] = true
				todo = append(todo, p)
			}
		}
	}
	return false, nil
}

// trusted reports whether a commit that was asked for by its hash may be
// used: the pin and what the lock names are, others need a signature.
func (c *clone) trusted(h plumbing.Hash) error {
	t := &c.r.Trust
	if !t.on() || strings.EqualFold(t.Pin, h.String()) || c.o.Locked.holds(c.r.ID, h.String()) {
		return nil
	}
	keys := &keyring{t: t}
	if t.Require != "tag" {
		return keys.checkCommit(c.repo, h)
	}
	for _, tag := range t.tagsOf(c.repo, c.repo.refs)[h] {
		if keys.checkTag(c.repo, tag, "") == nil {
			return nil
		}
	}
	return fmt.Errorf("commit %s has no signed tag", short(h))
}
