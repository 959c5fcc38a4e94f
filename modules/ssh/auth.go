package ssh

import (
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type authKeysArgs struct {
	User   any    `py:"user=None"`                     // a user or a list of them; all users by default
	Config string `py:"config='.ssh/authorized_keys'"` // the file, below the user's home; %u and %h are the name and the home
	Hash   string `py:"fingerprint_hash_type=None"`    // how fingerprints are hashed, sha256 by default
}

// authKeys returns the authorized keys of a user, or of several by name.
//
//	salt-call ssh.auth_keys user='[deploy, root]'
func authKeys(c *salt.Ctx, a authKeysArgs) (*value.Map, error) {
	var users []string
	switch u := a.User.(type) {
	case *value.List:
		for _, it := range u.Items {
			users = append(users, value.Str(it))
		}
	case string:
		if u != "" {
			return userKeys(c, u, a.Config, a.Hash)
		}
	}
	if !value.Truth(a.User) {
		all, err := c.Sys.Users()
		if err != nil {
			return nil, err
		}
		for _, u := range all {
			users = append(users, u.Name)
		}
	}
	out := new(value.Map)
	for _, u := range users {
		if path, err := keysFile(c, u, a.Config); err != nil || !sys.IsFile(c.Sys, path) {
			continue
		}
		keys, err := userKeys(c, u, a.Config, a.Hash)
		if err != nil {
			return nil, err
		}
		out.Set(u, keys)
	}
	return out, nil
}

// userKeys are the keys of one user; none when there is no such user or file.
func userKeys(c *salt.Ctx, user, config, hash string) (*value.Map, error) {
	path, err := keysFile(c, user, config)
	if err != nil || !sys.IsFile(c.Sys, path) {
		return new(value.Map), nil
	}
	return readKeys(c, path, hash)
}

type checkKeyArgs struct {
	User    string   `py:"user"`                          // the user
	Key     string   `py:"key"`                           // the key: base64 text
	Enc     string   `py:"enc"`                           // its type
	Comment string   `py:"comment"`                       // the comment it should have
	Options []string `py:"options"`                       // the options it should have
	Config  string   `py:"config='.ssh/authorized_keys'"` // the file, below the user's home
	Cache   any      `py:"cache_keys=None"`               // not used
	Hash    string   `py:"fingerprint_hash_type=None"`    // how fingerprints are hashed, sha256 by default
}

// checkKey says what has to be done for a key: update, add, or nothing when it exists.
func checkKey(c *salt.Ctx, a checkKeyArgs) (string, error) {
	enc, err := refine(a.Enc)
	if err != nil {
		return "", err
	}
	keys, err := userKeys(c, a.User, a.Config, a.Hash)
	switch {
	case err != nil:
		return "", err
	case !keys.Has(a.Key):
		return "add", nil
	case keyOf(keys, a.Key).line() != (key{enc, a.Key, a.Comment, a.Options}).line():
		return "update", nil
	}
	return "exists", nil
}

type setAuthKeyArgs struct {
	User    string   `py:"user"`                          // the user
	Key     string   `py:"key"`                           // the key: base64 text, nothing else
	Enc     string   `py:"enc='ssh-rsa'"`                 // its type: ssh-rsa, ecdsa, ed25519, a full name …
	Comment string   `py:"comment=''"`                    // its comment
	Options []string `py:"options=None"`                  // its options
	Config  string   `py:"config='.ssh/authorized_keys'"` // the file, below the user's home; %u and %h are the name and the home
	Cache   any      `py:"cache_keys=None"`               // not used
	Hash    string   `py:"fingerprint_hash_type=None"`    // how fingerprints are hashed, sha256 by default
}

// setAuthKey adds a key to the user's file, or replaces its line. It answers
// new, replace, no change, fail, or that the key is invalid.
//
//	salt-call ssh.set_auth_key deploy AAAAC3Nz… enc=ed25519 comment=laptop
func setAuthKey(c *salt.Ctx, a setAuthKeyArgs) (string, error) {
	if len(strings.Fields(a.Key)) > 1 {
		return "invalid", nil
	}
	enc, err := refine(a.Enc)
	if err != nil {
		return "", err
	}
	u, err := c.Sys.User(a.User)
	if err != nil {
		return "fail", nil
	}
	switch mark, err := fingerprint(a.Key, a.Hash); {
	case err != nil:
		return "", err
	case mark == "":
		return "Invalid public key", nil
	}
	status, err := checkKey(c, checkKeyArgs{a.User, a.Key, enc, a.Comment, a.Options, a.Config, nil, a.Hash})
	if err != nil {
		return "", err
	}
	path, err := keysFile(c, a.User, a.Config)
	if err != nil {
		return "", err
	}
	k := key{enc, a.Key, a.Comment, a.Options}
	switch status {
	case "exists":
		return "no change", nil
	case "update":
		return "replace", replaceKey(c, path, k)
	}
	if strings.HasPrefix(path, u.Home) && !sys.IsDir(c.Sys, u.Home) {
		return "fail", nil
	}
	return "new", addKey(c, path, k, u)
}

// addressed finds the key of a line wherever it stands in it.
var addressed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:.*\s)?(?:sk-)?(?:ssh|ecdsa)-[a-z0-9@.-]+\s([a-zA-Z0-9+/]+={0,2})`)
})

// replaceKey writes the line of a key anew. Blank lines go.
func replaceKey(c *salt.Ctx, path string, k key) error {
	b, err := c.Sys.ReadFile(path)
	if err == nil {
		var out strings.Builder
		for _, line := range lines(string(b)) {
			if m := addressed().FindStringSubmatch(line); m != nil && line[0] != '#' && m[1] == k.key {
				out.WriteString(k.line())
			} else {
				out.WriteString(line + "\n")
			}
		}
		err = sys.WriteFile(c.Sys, path, []byte(out.String()), sys.FileAttrs{})
	}
	if err != nil {
		return salt.CommandError("Problem reading or writing to key file: %s", err)
	}
	return nil
}

// addKey appends a key. A new file and its directory are the user's alone.
func addKey(c *salt.Ctx, path string, k key, u sys.User) error {
	if dir := filepath.Dir(path); !sys.IsDir(c.Sys, dir) {
		if err := sys.MkdirAll(c.Sys, dir, 0o777); err != nil {
			return err
		}
		if err := give(c, dir, u); err != nil {
			return err
		}
		if err := c.Sys.Chmod(dir, 0o700); err != nil {
			return err
		}
		restorecon(c, dir)
	}
	text := ""
	attrs := sys.FileAttrs{}
	fresh := !sys.IsFile(c.Sys, path)
	if fresh {
		mode := sys.Mode(0o600)
		attrs.Mode = &mode
		if c.Sys.Getuid() == 0 {
			attrs.UID, attrs.GID = &u.UID, &u.GID
		}
	} else {
		b, err := c.Sys.ReadFile(path)
		if err != nil {
			return salt.CommandError("Could not write to key file: %s", err)
		}
		if text = string(b); text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
	}
	if err := sys.WriteFile(c.Sys, path, []byte(text+k.line()), attrs); err != nil {
		return salt.CommandError("Could not write to key file: %s", err)
	}
	if fresh {
		restorecon(c, path)
	}
	return nil
}

func give(c *salt.Ctx, path string, u sys.User) error {
	if c.Sys.Getuid() != 0 {
		return nil
	}
	return c.Sys.Lchown(path, u.UID, u.GID)
}

// restorecon sets the SELinux label where there is such a thing.
func restorecon(c *salt.Ctx, path string) {
	if bin := c.Sys.LookPath("restorecon"); bin != "" {
		c.Sys.Run(c, sys.Cmd{Argv: []string{bin, path}})
	}
}

type rmAuthKeyArgs struct {
	User   string `py:"user"`                          // the user
	Key    string `py:"key"`                           // the key: base64 text
	Config string `py:"config='.ssh/authorized_keys'"` // the file, below the user's home
	Hash   string `py:"fingerprint_hash_type=None"`    // how fingerprints are hashed, sha256 by default
}

// rmAuthKey removes a key from the user's file. Lines that are neither keys nor
// comments go too.
func rmAuthKey(c *salt.Ctx, a rmAuthKeyArgs) (string, error) {
	keys, err := userKeys(c, a.User, a.Config, a.Hash)
	if err != nil {
		return "", err
	}
	if !keys.Has(a.Key) {
		return "Key not present", nil
	}
	path, err := keysFile(c, a.User, a.Config)
	if err != nil {
		return "", err
	}
	b, err := c.Sys.ReadFile(path)
	if err == nil {
		var out strings.Builder
		for _, line := range lines(string(b)) {
			if k, ok := parseKey(line); line[0] == '#' || ok && k.key != a.Key {
				out.WriteString(line + "\n")
			}
		}
		err = sys.WriteFile(c.Sys, path, []byte(out.String()), sys.FileAttrs{})
	}
	if err != nil {
		c.Log.Warn("Could not read/write key file: " + err.Error())
		return "Key not removed", nil
	}
	return "Key removed", nil
}
