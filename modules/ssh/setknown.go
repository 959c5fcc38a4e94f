package ssh

import (
	"path/filepath"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type setKnownArgs struct {
	User        string `py:"user=None"`                  // whose file it is; nobody: the host's
	Host        string `py:"hostname=None"`              // the host
	Fingerprint string `py:"fingerprint=None"`           // the fingerprint that the host's key must have
	Key         string `py:"key=None"`                   // the key; without it the host is asked
	Port        any    `py:"port=None"`                  // its port, not with hash_known_hosts
	Enc         any    `py:"enc=None"`                   // the type of the key
	Config      string `py:"config=None"`                // the file, .ssh/known_hosts below the home by default
	HashHosts   bool   `py:"hash_known_hosts=True"`      // hash the names
	Timeout     int    `py:"timeout=5"`                  // how many seconds to wait for the host
	Hash        string `py:"fingerprint_hash_type=None"` // how fingerprints are hashed, sha256 by default
}

func (a *setKnownArgs) enc() string {
	if a.Enc == nil {
		return ""
	}
	return value.Str(a.Enc)
}

// setKnownHost puts the key of a host into a known hosts file: the one given,
// or those the host answers with.
func setKnownHost(c *salt.Ctx, a setKnownArgs) (*value.Map, error) {
	if a.Host == "" {
		return trouble("hostname argument required"), nil
	}
	if a.Port != nil && value.Str(a.Port) != "22" && a.HashHosts {
		return trouble("argument port can not be used in conjunction with argument hash_known_hosts"), nil
	}
	old, bad, err := stored(c, a.User, a.Host, a.Config, a.Port, a.Hash)
	if bad != nil || err != nil {
		return bad, err
	}
	keys := []string{}
	for _, e := range old {
		if m := e.(*value.Map); a.Enc == nil || m.Str("enc") == a.enc() {
			keys = append(keys, m.Str("key"))
		}
	}
	update := len(old) == 0 || a.Fingerprint != "" && !contains(column(old, "fingerprint"), a.Fingerprint) ||
		a.Key != "" && !contains(keys, a.Key)
	check := !update && a.Key == "" && a.Fingerprint == ""
	exists := value.M("status", "exists", "keys", value.Strings(keys))
	if !update && !check {
		return exists, nil
	}
	fresh := []any{value.M("hostname", a.Host, "enc", a.Enc, "key", a.Key)}
	if a.Key == "" {
		fresh, err = receive(c, recvKnownArgs{a.Host, a.enc(), a.Port, a.HashHosts, a.Timeout, a.Hash})
		switch {
		case err != nil:
			return nil, err
		case len(fresh) == 0:
			return trouble("Unable to receive remote host keys"), nil
		case a.Fingerprint != "" && !contains(column(fresh, "fingerprint"), a.Fingerprint):
			return trouble("Remote host public keys found but none of their fingerprints match the one you have provided"), nil
		case check && same(column(fresh, "key"), keys):
			return exists, nil
		}
	}
	path, bad := knownFile(c, a.Config, a.User)
	if bad != nil {
		return bad, nil
	}
	if err := a.write(c, path, fresh); err != nil {
		return nil, err
	}
	if a.Key != "" && a.HashHosts {
		if _, err := hashKnownHosts(c, hashKnownArgs{a.User, path}); err != nil {
			return nil, err
		}
	}
	return value.M("status", "updated", "old", answer(old), "new", value.L(fresh...)), nil
}

// same says whether two lists have the same members.
func same(a, b []string) bool {
	for _, s := range a {
		if !contains(b, s) {
			return false
		}
	}
	for _, s := range b {
		if !contains(a, s) {
			return false
		}
	}
	return true
}

// write replaces the host's entries of that type by the new ones.
func (a *setKnownArgs) write(c *salt.Ctx, path string, fresh []any) error {
	text, attrs := "", sys.FileAttrs{}
	mode := sys.Mode(0o600)
	if info, err := c.Sys.Stat(path); err == nil {
		mode = info.Mode()
		if text, err = a.without(c, path); err != nil {
			return salt.CommandError("Couldn't remove old entry(ies) from known hosts file: '%s'", err)
		}
	} else if err := a.makeDir(c, filepath.Dir(path)); err != nil {
		return err
	}
	attrs.Mode = &mode
	owned(c, a.User, &attrs)
	for _, e := range fresh {
		m := e.(*value.Map)
		host := m.Str("hostname")
		if !a.HashHosts && other(a.Port) && !strings.Contains(host, ":") {
			m.Set("port", a.Port)
			host = bracketed(host, a.Port)
		}
		text += host + " " + value.Str(m.At("enc")) + " " + m.Str("key") + "\n"
	}
	if err := sys.WriteFile(c.Sys, path, []byte(text), attrs); err != nil {
		return salt.CommandError("Couldn't append to known hosts file: '%s'", err)
	}
	return nil
}

// makeDir makes ~/.ssh, which is the user's alone.
func (a *setKnownArgs) makeDir(c *salt.Ctx, dir string) error {
	if sys.IsDir(c.Sys, dir) {
		return nil
	}
	if err := sys.MkdirAll(c.Sys, dir, 0o777); err != nil || a.User == "" {
		return err
	}
	u, err := c.Sys.User(a.User)
	if err != nil {
		return err
	}
	if err := give(c, dir, u); err != nil {
		return err
	}
	return c.Sys.Chmod(dir, 0o700)
}

// without is the file without the host's entries of the type.
func (a *setKnownArgs) without(c *salt.Ctx, path string) (string, error) {
	b, err := c.Sys.ReadFile(path)
	if err != nil {
		return "", err
	}
	said, err := run(c, true, "ssh-keygen", "-F", bracketed(a.Host, a.Port), "-f", path)
	if err != nil {
		return "", err
	}
	gone := map[int]bool{}
	found := strings.Split(said, "\n")
	for i := 0; i+1 < len(found); i += 2 {
		head, entry := strings.Fields(found[i]), strings.Fields(found[i+1])
		if len(head) < 2 || len(entry) < 2 || a.Enc != nil && entry[len(entry)-2] != a.enc() {
			continue
		}
		if n, err := strconv.Atoi(head[len(head)-1]); err == nil {
			gone[n] = true
		}
	}
	var out strings.Builder
	n := 0
	for line := range strings.Lines(string(b)) {
		if n++; !gone[n] {
			out.WriteString(line)
		}
	}
	return out.String(), nil
}
