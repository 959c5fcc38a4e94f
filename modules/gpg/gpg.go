// Package gpg holds Salt's gpg module: keys, signatures and encryption of
// GnuPG, through the gpg command. Its main variable is Module.
//
//	3FAD9F1E:
//	  gpg.present:
//	    - source: salt://keys/repo.asc
//	    - skip_keyserver: True
package gpg

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's gpg module.
var Module = salt.Module{
	Name: "gpg",
	States: func() salt.Funcs {
		return salt.Funcs{
			"absent":  salt.State(absent),
			"present": salt.State(present),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"create_key":       salt.Exec(createKey),
			"decrypt":          salt.Exec(decrypt),
			"delete_key":       salt.Exec(deleteKey),
			"encrypt":          salt.Exec(encrypt),
			"export_key":       salt.Exec(exportKey),
			"get_key":          salt.Exec(getKey),
			"get_secret_key":   salt.Exec(getSecretKey),
			"import_key":       salt.Exec(importKey),
			"list_keys":        salt.Exec(listKeys),
			"list_secret_keys": salt.Exec(listSecretKeys),
			"read_key":         salt.Exec(readKey),
			"receive_keys":     salt.Exec(receiveKeys),
			"search_keys":      salt.Exec(searchKeys),
			"sign":             salt.Exec(sign),
			"trust_key":        salt.Exec(trustKey),
			"verify":           salt.Exec(verify),
		}
	},
	Virtual: func(c *salt.Ctx, kind string) error {
		if c.Sys.LookPath("gpg") == "" {
			return errors.New("The gpg execution module cannot be loaded: gpg binary is not in the path.")
		}
		return nil
	},
}

// defaultServer is asked when nobody says another.
const defaultServer = "keys.openpgp.org"

func text(v any) string {
	if v == nil {
		return ""
	}
	return value.Str(v)
}

// A ring is somebody's keys.
type ring struct {
	c             *salt.Ctx
	home, keyring string
	owner         sys.User
}

// open finds the keys of a user, in their home or another directory.
func open(c *salt.Ctx, user, gnupghome, keyring any) (*ring, error) {
	r := &ring{c: c, home: text(gnupghome)}
	var err error
	if r.owner, err = account(c, text(user)); err != nil {
		return nil, err
	}
	switch k := keyring.(type) {
	case nil:
	case string:
		r.keyring = k
	default:
		return nil, salt.InvocationError("Please pass keyring as a string. Multiple keyrings are not allowed")
	}
	if r.home == "" {
		if r.home, err = usualHome(c, text(user), r.owner); err != nil {
			return nil, err
		}
	}
	if !sys.IsDir(c.Sys, r.home) {
		if err := r.makeHome(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// account is the user named, or the one that runs this.
func account(c *salt.Ctx, name string) (sys.User, error) {
	if name == "" || name == "salt" {
		if u, err := c.Sys.User(name); err == nil && name != "" {
			return u, nil
		}
		return c.Sys.UserID(c.Sys.Getuid())
	}
	u, err := c.Sys.User(name)
	if err != nil {
		return u, salt.InvocationError("User %s does not exist", name)
	}
	return u, nil
}

func usualHome(c *salt.Ctx, user string, owner sys.User) (string, error) {
	switch user {
	case "salt":
		v, err := c.Call("config.get", "config_dir")
		return filepath.Join(text(v), "gpgkeys"), err
	case "":
		if dir := os.Getenv("GNUPGHOME"); dir != "" {
			return dir, nil
		}
	default:
		v, err := c.With(false).CallKw("cmd.run_stdout", value.M("python_shell", true, "runas", user), `echo -n "$GNUPGHOME"`)
		if err != nil {
			return "", err
		}
		if dir := strings.TrimSpace(text(v)); dir != "" && !strings.HasPrefix(dir, "~") {
			return dir, nil
		}
	}
	return filepath.Join(owner.Home, ".gnupg"), nil
}

func (r *ring) makeHome() error {
	s := r.c.With(false).Sys
	if err := sys.MkdirAll(s, r.home, 0o700); err != nil {
		return err
	}
	if r.owner.UID == s.Getuid() {
		return nil
	}
	return s.Lchown(r.home, r.owner.UID, r.owner.GID)
}

// giveBack makes the user the owner of what gpg, run by another, wrote.
func (r *ring) giveBack() {
	if r.owner.UID == r.c.Sys.Getuid() {
		return
	}
	var walk func(path string)
	walk = func(path string) {
		r.c.Sys.Lchown(path, r.owner.UID, r.owner.GID)
		if i, err := r.c.Sys.Lstat(path); err != nil || !i.IsDir() {
			return
		}
		entries, _ := r.c.Sys.ReadDir(path)
		for _, e := range entries {
			walk(filepath.Join(path, e.Name()))
		}
	}
	walk(r.home)
	if r.keyring != "" {
		r.c.Sys.Lchown(r.keyring, r.owner.UID, r.owner.GID)
	}
}

// A said is what a call of gpg printed.
type said struct {
	data   []byte
	status []status
	errs   string
	code   int
}

// A status is a line of --status-fd.
type status struct{ key, value string }

// fields are the words of the value.
func (s status) fields() []string { return strings.Fields(s.value) }

// run calls gpg. A nil passphrase is none; input comes after it.
func (r *ring) run(input []byte, passphrase *string, args ...string) (*said, error) {
	argv := []string{"gpg"}
	if passphrase != nil {
		argv = append(argv, "--pinentry-mode", "loopback")
	}
	argv = append(argv, "--status-fd", "2", "--no-tty", "--no-verbose", "--fixed-list-mode", "--batch", "--with-colons", "--homedir", r.home)
	if r.keyring != "" {
		argv = append(argv, "--no-default-keyring", "--keyring", r.keyring)
	}
	if passphrase != nil {
		argv = append(argv, "--passphrase-fd", "0")
		input = append([]byte(*passphrase+"\n"), input...)
	}
	env := append(os.Environ(), "LANG=C.UTF-8", "LC_ALL=C.UTF-8")
	res, err := r.c.Sys.Run(r.c, sys.Cmd{Argv: append(argv, args...), Stdin: bytes.NewReader(input), Env: env, Query: true})
	if err != nil {
		return nil, err
	}
	out := &said{data: res.Stdout, errs: string(res.Stderr), code: res.Code}
	for line := range strings.Lines(out.errs) {
		rest, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "[GNUPG:] ")
		if !ok {
			continue
		}
		key, v, _ := strings.Cut(rest, " ")
		out.status = append(out.status, status{key, v})
	}
	return out, nil
}

// passphrase is that of the pillar, when it is wanted.
func passphrase(c *salt.Ctx, wanted bool) (*string, bool) {
	if !wanted {
		return nil, true
	}
	p := c.Pillar.Str("gpg_passphrase")
	return &p, p != ""
}

const noPassphrase = "gpg_passphrase not available in pillar."
