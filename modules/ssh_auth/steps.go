package ssh_auth

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

// kw are the keyword arguments that the key functions share.
func (k *wanted) kw(more ...any) *value.Map {
	m := value.M(more...)
	m.Set("config", k.config)
	m.Set("fingerprint_hash_type", k.hash)
	return m
}

// tryPresent says what present would do.
func (k *wanted) tryPresent(c *salt.Ctx) salt.Result {
	if k.source != "" {
		return k.tryFile(c, "exists", func(key, status string) string { return "Set to " + status + ": " + key + "\n" }, "present")
	}
	check, err := c.CallKw("ssh.check_key", k.kw(), k.user, k.name, k.enc, k.comment, k.list())
	switch {
	case err != nil:
		return salt.Raised(err)
	case check == "update":
		return salt.Would(nil, "Key %s for user %s is set to be updated", k.name, k.user)
	case check == "add":
		return salt.Would(nil, "Key %s for user %s is set to be added", k.name, k.user)
	}
	return salt.Correct("The authorized host key %s is already present for user %s", k.name, k.user)
}

// tryAbsent says what absent would do.
func (k *wanted) tryAbsent(c *salt.Ctx) salt.Result {
	if k.source != "" {
		return k.tryFile(c, "add", func(key, _ string) string { return "Set to remove: " + key + "\n" }, "absent")
	}
	check, err := c.CallKw("ssh.check_key", k.kw(), k.user, k.name, k.enc, k.comment, k.list())
	switch {
	case err != nil:
		return salt.Raised(err)
	case check == "update" || check == "exists":
		return salt.Would(nil, "Key %s for user %s is set for removal", k.name, k.user)
	}
	return salt.Correct("Key is already absent")
}

// tryFile says for the keys of the source what would happen to them, but for
// those of the status that is wanted already.
func (k *wanted) tryFile(c *salt.Ctx, done string, say func(key, status string) string, state string) salt.Result {
	v, err := c.CallKw("ssh.check_key_file", k.kw("saltenv", c.Env), k.user, k.source)
	if err != nil {
		return salt.Raised(err)
	}
	keys, _ := v.(*value.Map)
	comment := ""
	for key, status := range keys.Items() {
		if status != done {
			comment += say(key, value.Str(status))
		}
	}
	if comment != "" {
		return salt.Would(nil, "%s", comment)
	}
	if err := why(c); err != "" {
		return salt.Failed("%s", err)
	}
	return salt.Correct("All host keys in file %s are already %s", k.source, state)
}

// there says whether the source can be had.
func (k *wanted) there(c *salt.Ctx) (bool, error) {
	v, err := c.CallKw("cp.get_url", value.M("saltenv", c.Env), k.source, nil)
	return value.Truth(v), err
}

// present adds the key or the keys of the source.
func (k *wanted) present(c *salt.Ctx) salt.Result {
	var data any
	if k.source == "" {
		v, err := c.CallKw("ssh.set_auth_key", k.kw("enc", k.enc, "comment", k.comment, "options", k.list()), k.user, k.name)
		if err != nil {
			return salt.Raised(err)
		}
		data = v
	} else {
		switch there, err := k.there(c); {
		case err != nil:
			return salt.Raised(err)
		case !there:
			return salt.Failed("Failed to add the ssh key. Source file %s is missing", k.source)
		}
		v, err := c.CallKw("ssh.set_auth_key_from_file", k.kw("saltenv", c.Env, "options", k.options), k.user, k.source)
		if err != nil {
			return salt.Raised(err)
		}
		data = v
	}
	about := "The authorized host key " + k.name
	switch data {
	case "replace":
		return salt.Changed(value.M(k.name, "Updated"), "%s for user %s was updated", about, k.user)
	case "no change":
		return salt.Correct("%s is already present for user %s", about, k.user)
	case "new":
		return salt.Changed(value.M(k.name, "New"), "%s for user %s was added", about, k.user)
	case "fail":
		if err := why(c); err != "" {
			return salt.Failed("%s", err)
		}
		return salt.Failed("Failed to add the ssh key. Is the home directory available, and/or does the key file exist?")
	case "invalid", "Invalid public key":
		return salt.Failed("Invalid public ssh key, most likely has spaces or invalid syntax")
	}
	return salt.Correct("")
}

// absent removes the key or the keys of the source. A source that cannot be had
// removes nothing.
func (k *wanted) absent(c *salt.Ctx) salt.Result {
	var said any = ""
	if k.source == "" {
		v, err := c.CallKw("ssh.rm_auth_key", k.kw(), k.user, k.name)
		if err != nil {
			return salt.Raised(err)
		}
		said = v
	} else if there, err := k.there(c); err != nil {
		return salt.Raised(err)
	} else if there {
		if said, err = c.CallKw("ssh.rm_auth_key_from_file", k.kw("saltenv", c.Env), k.user, k.source); err != nil {
			return salt.Raised(err)
		}
	}
	switch said {
	case "User authorized keys file not present":
		return salt.Failed("%s", said)
	case "Key removed":
		return salt.Changed(value.M(k.name, "Removed"), "Key removed")
	}
	return salt.Correct("%s", value.Str(said))
}

type manageArgs struct {
	Name    string     `py:"name"`                          // a name for the state
	Keys    []string   `py:"ssh_keys"`                      // the keys: each a key, or a whole line of authorized_keys
	User    string     `py:"user"`                          // whose file it is
	Enc     string     `py:"enc='ssh-rsa'"`                 // the type of keys that do not say it
	Comment string     `py:"comment=''"`                    // the comment of keys that have none
	Source  string     `py:"source=''"`                     // a file of keys, see present
	Options any        `py:"options=None"`                  // the options of keys that have none
	Config  string     `py:"config='.ssh/authorized_keys'"` // the file, below the user's home; %u and %h are the name and the home
	Hash    any        `py:"fingerprint_hash_type=None"`    // how fingerprints are hashed, sha256 by default
	Kwargs  *value.Map `py:"**kwargs"`                      // any other is ignored
}

// manage makes sure that the given keys, and no others, may log in as a user.
//
//	deploy-keys:
//	  ssh_auth.manage:
//	    - user: deploy
//	    - ssh_keys:
//	      - ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI… me@laptop
func manage(c *salt.Ctx, a manageArgs) salt.Result {
	out := salt.Correct("")
	out.Extra = value.M("name", "")
	v, err := c.CallKw("ssh.auth_keys", value.M("user", a.User, "config", a.Config, "fingerprint_hash_type", a.Hash))
	if err != nil {
		return salt.Raised(err)
	}
	there, _ := v.(*value.Map)
	named := map[string]bool{}
	for _, k := range a.Keys {
		for _, w := range strings.Split(k, " ") {
			named[w] = true
		}
	}
	of := func(name string) *wanted {
		k := &wanted{name, a.User, a.Enc, a.Comment, a.Source, a.Options, a.Config, a.Hash}
		k.split()
		return k
	}
	for key := range there.Items() {
		switch {
		case named[key]:
		case c.Test:
			out.Comment, out.Result = key+" Key set for removal", nil
		default:
			r := of(key).absent(c)
			if r.Err() != nil {
				return r
			}
			out.Changes.Set(key, r.Comment)
		}
	}
	for _, name := range a.Keys {
		r := present(c, presentArgs{name, a.User, a.Enc, a.Comment, a.Source, a.Options, a.Config, a.Hash, nil})
		switch {
		case r.Err() != nil:
			return r
		case r.Changes.Len() > 0:
			out.Changes.Update(r.Changes)
		default:
			out.Comment = strings.TrimSpace(out.Comment + "\n" + r.Comment)
		}
		if r.Result == nil || r.Bad() {
			out.Result = r.Result
		}
	}
	return out
}
