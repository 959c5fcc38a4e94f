package ssh

import (
	"errors"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type hostKeysArgs struct {
	Dir     string `py:"keydir=None"`  // where they are, /etc/ssh by default
	Private bool   `py:"private=True"` // with private keys
	Certs   bool   `py:"certs=True"`   // with certificates
}

var hostKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ssh_host_(.+)_key((-cert)?\.pub)?`) })

// hostKeys returns the keys of this host by type; public ones end in .pub.
func hostKeys(c *salt.Ctx, a hostKeysArgs) (*value.Map, error) {
	if a.Dir == "" {
		a.Dir = "/etc/ssh"
	}
	list, err := c.Sys.ReadDir(a.Dir)
	if err != nil {
		return nil, err
	}
	keys := new(value.Map)
	for _, f := range list {
		m := hostKey().FindStringSubmatch(f.Name())
		if m == nil || m[2] == "" && !a.Private || m[3] != "" && !a.Certs {
			continue
		}
		b, _ := c.Sys.ReadFile(filepath.Join(a.Dir, f.Name()))
		keys.Set(m[1]+m[2], strings.TrimSpace(string(b)))
	}
	return keys, nil
}

type userKeysArgs struct {
	User any `py:"user=None"`    // a user or a list of them; all users by default
	Pub  any `py:"pubfile=None"` // a public key file, False: none; the usual ones by default
	Prv  any `py:"prvfile=None"` // a private key file, False: none; the usual ones by default
}

// userKeyFiles returns the keys of users: their contents by user and file.
func userKeyFiles(c *salt.Ctx, a userKeysArgs) (*value.Map, error) {
	var users []string
	switch u := a.User.(type) {
	case *value.List:
		for _, it := range u.Items {
			users = append(users, value.Str(it))
		}
	case string:
		users = []string{u}
	}
	if !value.Truth(a.User) {
		all, err := c.Sys.Users()
		if err != nil {
			return nil, err
		}
		users = nil
		for _, u := range all {
			users = append(users, u.Name)
		}
	}
	files := append(chosen(a.Pub, "id_rsa.pub", "id_dsa.pub", "id_ecdsa.pub", "id_ed25519.pub"), chosen(a.Prv, "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519")...)
	out := new(value.Map)
	for _, name := range users {
		u, err := c.Sys.User(name)
		if err != nil {
			continue
		}
		keys := new(value.Map)
		for _, f := range files {
			path, name := f, filepath.Base(f)
			if !strings.HasPrefix(f, "/") {
				path, name = u.Home+"/.ssh/"+f, f
			}
			if b, err := c.Sys.ReadFile(path); err == nil {
				keys.Set(name, strings.TrimSpace(string(b)))
			}
		}
		if keys.Len() > 0 {
			out.Set(name, keys)
		}
	}
	return out, nil
}

// chosen is the file that was asked for, none for False, or the usual ones.
func chosen(file any, usual ...string) []string {
	switch {
	case value.Truth(file):
		return []string{value.Str(file)}
	case file == false:
		return nil
	}
	return usual
}

type keyIsEncryptedArgs struct {
	Key string `py:"key"` // the path of a private key
}

var privateKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`BEGIN (?:\w+\s)*PRIVATE KEY`) })

// keyIsEncrypted says whether a private key needs a passphrase.
func keyIsEncrypted(c *salt.Ctx, a keyIsEncryptedArgs) (bool, error) {
	b, err := c.Sys.ReadFile(a.Key)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, salt.CommandError("%s does not exist", a.Key)
	case errors.Is(err, fs.ErrPermission):
		return false, salt.CommandError("Permission denied reading from %s", a.Key)
	case err != nil:
		return false, salt.CommandError("Error encountered reading from %s: %s", a.Key, err)
	case !privateKey().Match(b):
		return false, salt.CommandError("%s is not a private key", a.Key)
	}
	return strings.Contains(string(b), "ENCRYPTED"), nil
}

// owned gives a file to a user, when there is one and we may.
func owned(c *salt.Ctx, user string, attrs *sys.FileAttrs) {
	if user == "" || c.Sys.Getuid() != 0 {
		return
	}
	if u, err := c.Sys.User(user); err == nil {
		attrs.UID, attrs.GID = &u.UID, &u.GID
	}
}
