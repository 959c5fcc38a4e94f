package ssh

import (
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type keyFileArgs struct {
	User   string `py:"user"`                          // the user
	Source string `py:"source"`                        // a file of keys: salt://, http://, a path …
	Config string `py:"config='.ssh/authorized_keys'"` // the file, below the user's home
	Env    string `py:"saltenv='base'"`                // the environment of a salt:// source
	Hash   string `py:"fingerprint_hash_type=None"`    // how fingerprints are hashed, sha256 by default
}

// checkKeyFile says for each key of a file what has to be done for it: update,
// add, or nothing when it exists.
func checkKeyFile(c *salt.Ctx, a keyFileArgs) (*value.Map, error) {
	out := new(value.Map)
	path, err := c.Call("cp.cache_file", a.Source, a.Env)
	if err != nil || !value.Truth(path) {
		return out, err
	}
	keys, err := sourceKeys(c, value.Str(path), a.Source, a.Hash)
	if err != nil {
		return nil, err
	}
	for name := range keys.Items() {
		k := keyOf(keys, name)
		status, err := checkKey(c, checkKeyArgs{a.User, name, k.enc, k.comment, k.options, a.Config, nil, a.Hash})
		if err != nil {
			return nil, err
		}
		out.Set(name, status)
	}
	return out, nil
}

// sourceKeys reads a key file; when there are no keys in it the states are told why.
func sourceKeys(c *salt.Ctx, path, source, hash string) (*value.Map, error) {
	keys, err := readKeys(c, path, hash)
	if err == nil && keys.Len() == 0 {
		why := "No keys detected in " + source + ". Is file properly formatted?"
		c.Log.Error(why)
		if c.Run != nil {
			c.Run.Context.Set("ssh_auth.error", why)
		}
	}
	return keys, err
}

// fetched are the keys of a source that must be there.
func fetched(c *salt.Ctx, source, env, hash string) (*value.Map, error) {
	path, err := c.Call("cp.cache_file", source, env)
	if err != nil {
		return nil, err
	}
	if p, ok := path.(string); ok && sys.IsFile(c.Sys, p) {
		return sourceKeys(c, p, source, hash)
	}
	return nil, salt.CommandError("Failed to pull key file from salt file server")
}

// first is the first of the answers that was given, as the strings in it say.
func first(given []string, answers ...string) string {
	all := strings.Join(given, "")
	for _, a := range answers[:len(answers)-1] {
		if strings.Contains(all, a) {
			return a
		}
	}
	return answers[len(answers)-1]
}

// rmAuthKeyFromFile removes all keys of a file from the user's file.
func rmAuthKeyFromFile(c *salt.Ctx, a keyFileArgs) (string, error) {
	keys, err := fetched(c, a.Source, a.Env, a.Hash)
	if err != nil {
		return "", err
	}
	if keys.Len() == 0 {
		return "fail", nil
	}
	var given []string
	for name := range keys.Items() {
		s, err := rmAuthKey(c, rmAuthKeyArgs{a.User, name, a.Config, a.Hash})
		if err != nil {
			return "", err
		}
		given = append(given, s)
	}
	return first(given, "Key not removed", "Key removed", "Key not present"), nil
}

type setFromFileArgs struct {
	User   string     `py:"user"`                          // the user
	Source string     `py:"source"`                        // a file of keys: salt://, http://, a path …
	Config string     `py:"config='.ssh/authorized_keys'"` // the file, below the user's home
	Env    string     `py:"saltenv='base'"`                // the environment of a salt:// source
	Hash   string     `py:"fingerprint_hash_type=None"`    // how fingerprints are hashed, sha256 by default
	Kwargs *value.Map `py:"**kwargs"`                      // options: those of all keys, instead of their own
}

// setAuthKeyFromFile adds all keys of a file to the user's file.
func setAuthKeyFromFile(c *salt.Ctx, a setFromFileArgs) (string, error) {
	keys, err := fetched(c, a.Source, a.Env, a.Hash)
	if err != nil {
		return "", err
	}
	if keys.Len() == 0 {
		return "fail", nil
	}
	var given, options []string
	switch o := a.Kwargs.At("options").(type) {
	case *value.List:
		for _, it := range o.Items {
			options = append(options, value.Str(it))
		}
	case string:
		options = []string{o}
	}
	for name := range keys.Items() {
		k := keyOf(keys, name)
		if len(options) > 0 {
			k.options = options
		}
		s, err := setAuthKey(c, setAuthKeyArgs{a.User, name, k.enc, k.comment, k.options, a.Config, nil, a.Hash})
		if err != nil {
			return "", err
		}
		given = append(given, s)
	}
	return first(given, "fail", "replace", "new", "no change"), nil
}
