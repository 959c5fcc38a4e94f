// Package ssh_known_hosts holds Salt's ssh_known_hosts states: the hosts whose
// keys are trusted. Its main variable is Module.
//
//	git.example:
//	  ssh_known_hosts.present:
//	    - user: deploy
//	    - enc: ssh-ed25519
//	    - key: AAAAC3NzaC1lZDI1NTE5AAAAI…
package ssh_known_hosts

import (
	"errors"
	"path/filepath"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's ssh_known_hosts module.
var Module = salt.Module{
	Name: "ssh_known_hosts",
	States: func() salt.Funcs {
		return salt.Funcs{
			"present": salt.State(present),
			"absent":  salt.State(absent),
		}
	},
}

const noPath = `If not specifying a "user", specify an absolute "config".`

// file is the known hosts file; false: nobody's relative path.
func file(config, user string) (string, bool) {
	switch {
	case config == "" && user == "":
		config = "/etc/ssh/ssh_known_hosts"
	case config == "":
		config = ".ssh/known_hosts"
	}
	return config, user != "" || filepath.IsAbs(config)
}

type presentArgs struct {
	Name        string `py:"name"`                       // the host
	User        string `py:"user=None"`                  // whose file it is; nobody: the host's
	Fingerprint string `py:"fingerprint=None"`           // the fingerprint that the host's key must have
	Key         string `py:"key=None"`                   // the key; without it the host is asked
	Port        any    `py:"port=None"`                  // its port, not with hash_known_hosts
	Enc         string `py:"enc=None"`                   // the type of the key, required with key
	Config      string `py:"config=None"`                // the file, .ssh/known_hosts below the home by default
	HashHosts   bool   `py:"hash_known_hosts=True"`      // hash the names
	Timeout     any    `py:"timeout=5"`                  // how many seconds to wait for the host
	Hash        any    `py:"fingerprint_hash_type=None"` // how fingerprints are hashed, sha256 by default
}

// orNone is None for an empty text.
func orNone(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// present makes sure that a user, or the whole host, knows the key of a host.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	config, ok := file(a.Config, a.User)
	if !ok {
		return salt.Failed(noPath)
	}
	if c.Test {
		return a.try(c, config)
	}
	v, err := c.CallKw("ssh.set_known_host", value.M("user", orNone(a.User), "hostname", a.Name, "fingerprint", orNone(a.Fingerprint), "key", orNone(a.Key),
		"port", a.Port, "enc", orNone(a.Enc), "config", config, "hash_known_hosts", a.HashHosts, "timeout", a.Timeout, "fingerprint_hash_type", a.Hash))
	if err != nil {
		return salt.Raised(err)
	}
	r, _ := v.(*value.Map)
	switch r.Str("status") {
	case "exists":
		return salt.Correct("%s already exists in %s", a.Name, config)
	case "error":
		return salt.Failed("%s", r.Str("error"))
	}
	changes := value.M("old", r.At("old"), "new", r.At("new"))
	first := new(value.Map)
	if l := r.List("new"); l != nil && l.Len() > 0 {
		first, _ = l.Items[0].(*value.Map)
	}
	switch {
	case a.Key != "":
		return salt.Changed(changes, "%s's key saved to %s (key: %s)", a.Name, config, first.Str("key"))
	case a.Fingerprint != "":
		return salt.Changed(changes, "%s's key saved to %s (fingerprint: %s)", a.Name, config, first.Str("fingerprint"))
	case a.Enc != "":
		return salt.Changed(changes, "%s's %s key saved to %s (key: %s)", a.Name, a.Enc, config, first.Str("key"))
	}
	return salt.Changed(changes, "%s's key(s) saved to %s", a.Name, config)
}

// try says what present would do.
func (a *presentArgs) try(c *salt.Ctx, config string) salt.Result {
	switch {
	case a.Key != "" && a.Fingerprint != "":
		return salt.Failed(`Specify either "key" or "fingerprint", not both.`)
	case a.Key != "" && a.Enc == "":
		return salt.Failed(`Required argument "enc" if using "key" argument.`)
	}
	v, err := c.CallKw("ssh.check_known_host", value.M("key", orNone(a.Key), "fingerprint", orNone(a.Fingerprint), "config", config, "port", a.Port,
		"fingerprint_hash_type", a.Hash), orNone(a.User), a.Name)
	var x *value.Exception
	switch {
	case errors.As(err, &x) && x.Class == "CommandNotFoundError":
		return salt.Failed("ssh.check_known_host error: %s", x.Msg)
	case err != nil:
		return salt.Raised(err)
	}
	if m, ok := v.(*value.Map); ok && m.Has("error") {
		return salt.Failed("%s", m.Str("error"))
	}
	switch v {
	case "exists":
		return salt.Correct("Host %s is already in %s", a.Name, config)
	case "add":
		return salt.Would(nil, "Key for %s is set to be added to %s", a.Name, config)
	}
	return salt.Would(nil, "Key for %s is set to be updated in %s", a.Name, config)
}

type absentArgs struct {
	Name   string `py:"name"`        // the host
	User   string `py:"user=None"`   // whose file it is; nobody: the host's
	Config string `py:"config=None"` // the file, .ssh/known_hosts below the home by default
}

// absent makes sure that no key of a host is known.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	config, ok := file(a.Config, a.User)
	if !ok {
		return salt.Failed(noPath)
	}
	kw := value.M("user", orNone(a.User), "hostname", a.Name, "config", config)
	known, err := c.CallKw("ssh.get_known_host_entries", kw)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !value.Truth(known):
		return salt.Correct("Host is already absent")
	case c.Test:
		return salt.Would(nil, "Key for %s is set to be removed from %s", a.Name, config)
	}
	v, err := c.CallKw("ssh.rm_known_host", kw)
	if err != nil {
		return salt.Raised(err)
	}
	r, _ := v.(*value.Map)
	if r.Str("status") == "error" {
		return salt.Failed("%s", r.Str("error"))
	}
	return salt.Changed(value.M("old", known, "new", nil), "%s", r.Str("comment"))
}
