// Package ssh_auth holds Salt's ssh_auth states: the keys that may log in as a
// user. Its main variable is Module.
//
//	laptop:
//	  ssh_auth.present:
//	    - name: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI… me@laptop
//	    - user: deploy
package ssh_auth

import (
	"regexp"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's ssh_auth module.
var Module = salt.Module{
	Name: "ssh_auth",
	States: func() salt.Funcs {
		return salt.Funcs{
			"present": salt.State(present),
			"absent":  salt.State(absent),
			"manage":  salt.State(manage),
		}
	},
}

type presentArgs struct {
	Name    string     `py:"name"`                          // the key, or a whole line of authorized_keys: options, type, key and comment
	User    string     `py:"user"`                          // whose file it is
	Enc     string     `py:"enc='ssh-rsa'"`                 // the type of the key: ssh-rsa, ecdsa, ed25519, a full name …
	Comment string     `py:"comment=''"`                    // the comment behind the key
	Source  string     `py:"source=''"`                     // a file of keys; name, enc and comment then do not matter
	Options any        `py:"options=None"`                  // a list of options; for a source, those of all keys
	Config  string     `py:"config='.ssh/authorized_keys'"` // the file, below the user's home; %u and %h are the name and the home
	Hash    any        `py:"fingerprint_hash_type=None"`    // how fingerprints are hashed, sha256 by default
	Kwargs  *value.Map `py:"**kwargs"`                      // any other is ignored
}

// present makes sure that a key may log in as a user.
//
//	deploy-keys:
//	  ssh_auth.present:
//	    - user: deploy
//	    - source: salt://keys/deploy.pub
func present(c *salt.Ctx, a presentArgs) salt.Result {
	k := wanted{a.Name, a.User, a.Enc, a.Comment, a.Source, a.Options, a.Config, a.Hash}
	k.split()
	if c.Test {
		return k.tryPresent(c)
	}
	return k.present(c)
}

type absentArgs struct {
	Name    string `py:"name"`                          // the key, or a whole line of authorized_keys
	User    string `py:"user"`                          // whose file it is
	Enc     string `py:"enc='ssh-rsa'"`                 // the type of the key
	Comment string `py:"comment=''"`                    // the comment behind the key
	Source  string `py:"source=''"`                     // a file of keys to remove; name does not matter then
	Options any    `py:"options=None"`                  // the options of the key
	Config  string `py:"config='.ssh/authorized_keys'"` // the file, below the user's home; %u and %h are the name and the home
	Hash    any    `py:"fingerprint_hash_type=None"`    // how fingerprints are hashed, sha256 by default
}

// absent makes sure that a key may not log in as a user.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	k := wanted{a.Name, a.User, a.Enc, a.Comment, a.Source, a.Options, a.Config, a.Hash}
	k.split()
	if c.Test {
		return k.tryAbsent(c)
	}
	return k.absent(c)
}

// wanted is the key that a state is about.
type wanted struct {
	name, user, enc, comment, source string
	options                          any
	config                           string
	hash                             any
}

var line = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.*?)\s?((?:sk-)?(?:ssh-|ecds)[\w@.-]+\s.+)$`) })

// split takes a name that is a whole line apart.
func (k *wanted) split() {
	if k.source != "" {
		return
	}
	m := line().FindStringSubmatch(k.name)
	if m == nil {
		name, comment := word(k.name)
		if k.name = name; comment != "" {
			k.comment = comment
		}
		return
	}
	if m[1] != "" {
		k.options = value.Strings(strings.Split(m[1], ","))
	}
	var rest string
	k.enc, rest = word(m[2])
	name, comment := word(rest)
	if k.name = name; comment != "" {
		k.comment = comment
	}
}

// word is the first word of a text, and what follows it.
func word(s string) (string, string) {
	s = strings.TrimLeft(s, " \t")
	i := strings.IndexAny(s, " \t")
	if i < 0 {
		return s, ""
	}
	return s[:i], strings.TrimLeft(s[i:], " \t")
}

// list is options, or an empty list.
func (k *wanted) list() any {
	if value.Truth(k.options) {
		return k.options
	}
	return value.L()
}

// why is what the key functions noted about a failure; it is told once.
func why(c *salt.Ctx) string {
	if c.Run == nil {
		return ""
	}
	v, _ := c.Run.Context.Pop("ssh_auth.error")
	s, _ := v.(string)
	return s
}
