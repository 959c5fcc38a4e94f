package pkg

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

const keyDir = "/etc/apt/keyrings"

// addKeys fetches the keys that a repository comes with.
func (a apt) addKeys(kw *value.Map, saltenv string, aptkey bool) error {
	signedBy := kw.Str("signedby")
	switch {
	case kw.Has("keyid"):
		keyid, _ := kw.Pop("keyid")
		server, _ := kw.Pop("keyserver")
		if !value.Truth(keyid) || !value.Truth(server) {
			return value.Errorf("NameError", "both keyserver and keyid options required.")
		}
		ids, ok := asList(keyid)
		if !ok {
			ids = []any{keyid}
		}
		for _, id := range ids {
			key := value.Str(id)
			if n, ok := id.(int64); ok {
				key = "0x" + strconv.FormatInt(n, 16)
			}
			if err := a.receive(key, value.Str(server), signedBy, aptkey); err != nil {
				return err
			}
		}
	case kw.Has("key_url"):
		return a.keyFromURL(kw.Str("key_url"), saltenv, signedBy, aptkey)
	case kw.Has("key_text"):
		out, err := a.run(command{argv: []string{"apt-key", "add", "-"}, stdin: kw.Str("key_text")})
		if err != nil {
			return err
		}
		if !strings.HasPrefix(strings.ToUpper(out.stdout), "OK") {
			return salt.CommandError("Error: failed to add key:\n%s", kw.Str("key_text"))
		}
	}
	return nil
}

func (a apt) receive(key, server, signedBy string, aptkey bool) error {
	if !aptkey {
		have, err := a.repoKeys(false, filepath.Dir(signedBy))
		if err != nil || have.Has(key) {
			return err
		}
		ok, err := addRepoKey(a.c, addRepoKeyArgs{Keyid: key, Keyserver: server, Keydir: filepath.Dir(signedBy), Keyfile: filepath.Base(signedBy)})
		if err == nil && !ok {
			err = salt.CommandError("Error: Could not add key: %s", key)
		}
		return err
	}
	out, err := a.run(command{argv: []string{"apt-key", "export", key}, query: true})
	if err != nil || strings.HasPrefix(out.stdout, "-----BEGIN PGP") {
		return err
	}
	out, err = a.run(command{argv: []string{"apt-key", "adv", "--batch", "--keyserver", server, "--logger-fd", "1", "--recv-keys", key}})
	if err == nil && out.code != 0 {
		err = salt.CommandError("Error: key retrieval failed: %s", out.stdout)
	}
	return err
}

func (a apt) keyFromURL(url, saltenv, signedBy string, aptkey bool) error {
	path, err := a.c.Files().Cache(a.c, url, saltenv, salt.GetOptions{})
	if salt.IsUnfetched(err) {
		return err
	}
	if err != nil || path == "" {
		return salt.CommandError("Error: file not found: %s", url)
	}
	if aptkey {
		out, err := a.run(command{argv: []string{"apt-key", "add", path}})
		if err == nil && !strings.HasPrefix(strings.ToUpper(out.stdout), "OK") {
			err = salt.CommandError("Error: failed to add key from %s", url)
		}
		return err
	}
	in := addRepoKeyArgs{Path: path, Saltenv: saltenv, Keyfile: filepath.Base(path)}
	if signedBy != "" {
		in.Keydir, in.Keyfile = filepath.Dir(signedBy), filepath.Base(signedBy)
	}
	ok, err := addRepoKey(a.c, in)
	if err == nil && !ok {
		err = salt.CommandError("Error: Could not add key: %s", path)
	}
	return err
}

type addRepoKeyArgs struct {
	Path      any    `py:"path=None"`      // a file with the key: a path or a URL
	Text      any    `py:"text=None"`      // the key itself, for apt-key
	Keyserver any    `py:"keyserver=None"` // a server that has the key
	Keyid     any    `py:"keyid=None"`     // the id of the key
	Saltenv   string `py:"saltenv='base'"` // the environment of a salt:// path
	Aptkey    bool   `py:"aptkey=True"`    // give it to apt-key, where there is one, instead of a file
	Keydir    any    `py:"keydir=None"`    // the folder for key files; None is /etc/apt/keyrings
	Keyfile   any    `py:"keyfile=None"`   // the name of the key file
}

// addRepoKey adds a key that signs a repository.
func addRepoKey(c *salt.Ctx, in addRepoKeyArgs) (bool, error) {
	a := apt{c}
	dir := value.Str(orEmpty(in.Keydir))
	if dir == "" {
		dir = keyDir
	}
	if !in.Aptkey && !sys.IsDir(c.Sys, dir) {
		if err := sys.MkdirAll(c.Sys, dir, 0o755); err != nil {
			c.Log.Error("The directory " + dir + " does not exist and could not be created: " + err.Error())
			return false, nil
		}
	}
	aptkey := in.Aptkey && c.Sys.LookPath("apt-key") != ""
	id, server := value.Str(orEmpty(in.Keyid)), value.Str(orEmpty(in.Keyserver))
	if id != "" {
		have, err := a.repoKeys(aptkey, dir)
		if err != nil {
			return false, err
		}
		for k := range have.Items() {
			if strings.HasSuffix(k, id) {
				return true, nil
			}
		}
	}
	file := value.Str(orEmpty(in.Keyfile))
	cmd := command{argv: []string{"apt-key"}}
	keyring := ""
	switch {
	case value.Truth(in.Path):
		path, err := c.Files().Cache(c, value.Str(in.Path), in.Saltenv, salt.GetOptions{})
		if salt.IsUnfetched(err) {
			return false, err
		}
		if err != nil || path == "" {
			c.Log.Error("Unable to get cached copy of file: " + value.Str(in.Path))
			return false, nil
		}
		if !aptkey {
			return a.keyFile(path, dir, file)
		}
		cmd.argv = append(cmd.argv, "add", path)
	case value.Truth(in.Text):
		cmd.argv, cmd.stdin = append(cmd.argv, "add", "-"), value.Str(in.Text)
	case server != "" && id == "":
		return false, salt.InvocationError("No keyid or keyid too short for keyserver: %s", server)
	case server != "" && aptkey:
		cmd.argv = append(cmd.argv, "adv", "--batch", "--keyserver", server, "--recv", id)
	case server != "":
		if file == "" {
			c.Log.Error("You must define the name of the key file to save the key. See keyfile argument")
			return false, nil
		}
		keyring = filepath.Join(dir, file)
		cmd.argv = []string{"gpg", "--no-default-keyring", "--keyring", keyring, "--keyserver", server, "--recv-keys", id}
	case id != "":
		return false, salt.InvocationError("No keyserver specified for keyid: %s", id)
	default:
		return false, value.Errorf("TypeError", "add_repo_key() takes at least 1 argument (0 given)")
	}
	out, err := a.run(cmd)
	if err != nil {
		return false, err
	}
	if out.code != 0 {
		c.Log.Error("Unable to add repo key: " + out.stderr)
		return false, nil
	}
	if keyring != "" {
		err = c.Sys.Chmod(keyring, 0o644)
	}
	return err == nil, err
}

// keyFile puts a key into a folder, as apt reads it: in text form where the
// name ends in .asc, else in binary form.
func (a apt) keyFile(path, dir, name string) (bool, error) {
	if name == "" {
		name = filepath.Base(path)
	}
	b, err := a.c.Sys.ReadFile(path)
	if err != nil {
		return false, err
	}
	if strings.HasPrefix(strings.TrimLeft(string(b), "-"), "BEGIN PGP") && !strings.HasSuffix(name, ".asc") {
		if a.c.Sys.LookPath("gpg") == "" {
			a.c.Log.Error("Detected an ASCII armored key " + path + " and the gpg binary is not available. Not decrypting the key.")
			return false, nil
		}
		res, err := a.c.Sys.Run(a.c, sys.Cmd{Argv: []string{"gpg", "--dearmor"}, Stdin: strings.NewReader(string(b)), Query: true})
		if err != nil {
			return false, err
		}
		if res.Code != 0 {
			a.c.Log.Error("Failed to decrypt the key " + path)
		}
		b = res.Stdout
	}
	mode := os.FileMode(0o644)
	err = sys.WriteFile(a.c.Sys, filepath.Join(dir, name), b, sys.FileAttrs{Mode: &mode})
	return err == nil, err
}

type getRepoKeysArgs struct {
	Aptkey bool `py:"aptkey=True"` // the keys of apt-key, where there is one, instead of those in files
	Keydir any  `py:"keydir=None"` // the folder of key files; None is /etc/apt/keyrings
}

// getRepoKeys lists the keys that sign repositories, by their id.
func getRepoKeys(c *salt.Ctx, in getRepoKeysArgs) (any, error) {
	m, err := apt{c}.repoKeys(in.Aptkey && c.Sys.LookPath("apt-key") != "", value.Str(orEmpty(in.Keydir)))
	if m == nil && err == nil {
		return false, nil
	}
	return m, err
}

func (a apt) repoKeys(aptkey bool, dir string) (*value.Map, error) {
	if aptkey {
		out, err := a.run(command{argv: []string{"apt-key", "adv", "--batch", "--list-public-keys", "--with-fingerprint", "--with-fingerprint", "--with-colons", "--fixed-list-mode"}, query: true})
		return parseKeys(out.stdout), err
	}
	if dir == "" {
		dir = keyDir
	}
	entries, err := a.c.Sys.ReadDir(dir)
	if err != nil {
		a.c.Log.Error("The directory " + dir + " does not exist. Please create this directory only writable by root")
		return nil, nil
	}
	var text strings.Builder
	for _, e := range entries {
		out, err := a.listKeys(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		text.WriteString(out + "\n")
	}
	return parseKeys(text.String()), nil
}

func (a apt) listKeys(file string) (string, error) {
	out, err := a.run(command{argv: []string{"gpg", "--no-default-keyring", "--keyring", file, "--list-keys", "--with-colons"}, query: true})
	return out.stdout, err
}

// parseKeys reads gpg's list with colons (doc/DETAILS of gnupg).
func parseKeys(text string) *value.Map {
	ret := new(value.Map)
	var key *value.Map
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), ":")
		at := func(i int) any {
			if i >= len(f) || strings.TrimSpace(f[i]) == "" {
				return nil
			}
			if n, err := strconv.ParseInt(strings.TrimSpace(f[i]), 10, 64); err == nil {
				return n
			}
			return strings.TrimSpace(f[i])
		}
		switch f[0] {
		case "pub", "sub":
			m := value.M("algorithm", at(3), "bits", at(2), "capability", at(11), "date_creation", at(5),
				"date_expiration", at(6), "keyid", value.Str(at(4)), "validity", at(1))
			if f[0] == "pub" {
				key = m
				ret.Set(m.Str("keyid"), m)
			} else if key != nil {
				key.Set("subkey", m)
			}
		case "fpr":
			if sub := key.Map("subkey"); sub != nil {
				sub.Set("fingerprint", at(9))
			} else if key != nil {
				key.Set("fingerprint", at(9))
			}
		case "uid":
			if key != nil {
				key.Set("uid", at(9))
				key.Set("uid_hash", at(7))
			}
		}
	}
	return ret
}

type delRepoKeyArgs struct {
	Name   any        `py:"name=None"`   // the PPA, with keyid_ppa
	Aptkey bool       `py:"aptkey=True"` // of apt-key, where there is one, instead of a file
	Keydir any        `py:"keydir=None"` // the folder of key files; None is /etc/apt/keyrings
	Kwargs *value.Map `py:"**kwargs"`    // keyid; keyid_ppa: ask Launchpad for the key of the PPA
}

// delRepoKey removes a key, and returns its id.
func delRepoKey(c *salt.Ctx, in delRepoKeyArgs) (any, error) {
	a, err := aptOf(c, "del_repo_key")
	if err != nil {
		return nil, err
	}
	dir := value.Str(orEmpty(in.Keydir))
	if dir == "" {
		dir = keyDir
	}
	var id string
	switch name := value.Str(orEmpty(in.Name)); {
	case in.Kwargs.Truth("keyid_ppa"):
		if !strings.HasPrefix(name, "ppa:") {
			return nil, salt.InvocationError("keyid_ppa requires that a PPA be passed")
		}
		owner, ppa, _ := strings.Cut(name[4:], "/")
		info, err := a.launchpad(owner, ppa)
		if err != nil {
			return nil, err
		}
		id = info.Str("signing_key_fingerprint")
		id = id[max(0, len(id)-8):]
	case in.Kwargs.Has("keyid"):
		id = in.Kwargs.Str("keyid")
	default:
		return nil, salt.InvocationError("keyid or keyid_ppa and PPA name must be passed")
	}
	if in.Aptkey && c.Sys.LookPath("apt-key") != "" {
		out, err := a.run(command{argv: []string{"apt-key", "del", id}})
		if err == nil && out.code != 0 {
			msg := "Failed to remove keyid {0}"
			if out.stderr != "" {
				msg += ": " + out.stderr
			}
			err = salt.CommandError("%s", msg)
		}
		return id, err
	}
	if len(id) != 8 && len(id) != 16 {
		c.Log.Error("The keyid needs to be either 8 or 16 characters")
		return false, nil
	}
	entries, _ := c.Sys.ReadDir(dir)
	for _, e := range entries {
		text, err := a.listKeys(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		for k := range parseKeys(text).Items() {
			if strings.HasSuffix(k, id) {
				return id, c.Sys.Remove(filepath.Join(dir, e.Name()))
			}
		}
	}
	c.Log.Error("Could not find the key file for keyid: " + id)
	return false, nil
}

type repoArgs struct {
	Repo   string     `py:"repo"`     // the entry, as a line of sources.list, or ppa:OWNER/NAME
	Kwargs *value.Map `py:"**kwargs"` // ppa_auth
}

// getRepo gives the entry of a repository, empty if it has none.
func getRepo(c *salt.Ctx, a repoArgs) (*value.Map, error) {
	if d, ok := managerOf(c).(repoKeeper); ok {
		return d.repo(a.Repo, plain(a.Kwargs))
	}
	m, err := aptOf(c, "get_repo")
	if err != nil {
		return nil, err
	}
	return m.repo(a.Repo, a.Kwargs.Str("ppa_auth"))
}

// delRepo takes a repository out of the sources.
func delRepo(c *salt.Ctx, a repoArgs) (any, error) {
	if d, ok := managerOf(c).(repoKeeper); ok {
		return d.delRepo(a.Repo, plain(a.Kwargs))
	}
	m, err := aptOf(c, "del_repo")
	if err != nil {
		return nil, err
	}
	return m.delRepo(a.Repo, a.Kwargs.Str("ppa_auth"))
}

type listReposArgs struct {
	Kwargs *value.Map `py:"**kwargs"` // Salt takes and ignores any other
}

// listRepos lists the repositories, by URI.
func listRepos(c *salt.Ctx, a listReposArgs) (*value.Map, error) {
	if d, ok := managerOf(c).(repoKeeper); ok {
		return d.repos(plain(a.Kwargs))
	}
	m, err := aptOf(c, "list_repos")
	if err != nil {
		return nil, err
	}
	return m.repos(), nil
}
