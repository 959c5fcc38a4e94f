package saltutil

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type updateArgs struct {
	Version any `py:"version=None"` // the wanted version; none: what the file latest names
}

// update replaces this program by another version from the folder that the
// option update_url names: pinch-VERSION-linux-ARCH and its signature, the
// same name with .sig (Ed25519 over the file, base64). The option update_key
// is the public key (base64). The old program is kept beside the new one, as
// NAME.old, and comes back if the new one does not start. Services of the
// option update_restart_services are restarted.
//
//	salt-call saltutil.update 1.4.0
func update(c *salt.Ctx, a updateArgs) (*value.Map, error) {
	fail := func(text string) (*value.Map, error) { return value.M("_error", text), nil }
	url := strings.TrimSuffix(c.Opts.Str("update_url"), "/")
	if url == "" || c.Opts.At("update_url") == false {
		return fail(`"update_url" not configured on this minion`)
	}
	key, err := base64.StdEncoding.DecodeString(c.Opts.Str("update_key"))
	if err != nil || len(key) != ed25519.PublicKeySize {
		return fail("the option update_key is no Ed25519 public key in base64: nothing is installed without a signature that can be checked")
	}
	get := func(name string) ([]byte, error) {
		f, err := c.Files().Get(c, url+"/"+name, "base", salt.GetOptions{VerifySSL: true})
		if err != nil {
			return nil, err
		}
		return f.Read()
	}
	version := strings.TrimSpace(value.Str(a.Version))
	if a.Version == nil {
		b, err := get("latest")
		if err != nil {
			return fail("Could not connect to update_url. Error: " + err.Error())
		}
		version = strings.TrimSpace(string(b))
	}
	if version == "" || strings.ContainsAny(version, "/\\ ") {
		return fail("No updates available")
	}
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return nil, err
	}
	old := programVersion(c, self)
	if old == version {
		return fail("No updates available")
	}
	name := "pinch-" + version + "-" + runtime.GOOS + "-" + runtime.GOARCH
	data, err := get(name)
	if err != nil {
		return fail("Unable to fetch version " + version + ". Error: " + err.Error())
	}
	text, err := get(name + ".sig")
	if err != nil {
		return fail("Unable to fetch the signature of version " + version + ". Error: " + err.Error())
	}
	sig, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || !ed25519.Verify(ed25519.PublicKey(key), data, sig) {
		return fail("Unable to install version " + version + ". Error: the signature is not one of update_key")
	}
	if err := replace(c, self, data); err != nil {
		return fail("Unable to install version " + version + ". Error: " + err.Error())
	}
	restarted := new(value.Map)
	if l := c.Opts.List("update_restart_services"); l != nil {
		for _, s := range l.Items {
			v, err := c.Call("service.restart", s)
			if err != nil {
				v = err.Error()
			}
			restarted.Set(value.Str(s), v)
		}
	}
	return value.M("comment", "Updated from "+old+" to "+version, "restarted", restarted), nil
}

// replace puts the new program in place, and the old one back if the new one
// does not start.
func replace(c *salt.Ctx, self string, data []byte) error {
	s := c.With(false).Sys
	mode := fs.FileMode(0o755)
	before, err := os.ReadFile(self)
	if err != nil {
		return err
	}
	if err := sys.WriteFile(s, self+".old", before, sys.FileAttrs{Mode: &mode}); err != nil {
		return err
	}
	if err := sys.WriteFile(s, self, data, sys.FileAttrs{Mode: &mode, Sync: true}); err != nil {
		return err
	}
	if programVersion(c, self) != "" {
		return nil
	}
	if err := sys.WriteFile(s, self, before, sys.FileAttrs{Mode: &mode, Sync: true}); err != nil {
		return err
	}
	return salt.CommandError("the new program does not start: the old one is back")
}

// programVersion is what a program says of itself, "" if it does not start.
func programVersion(c *salt.Ctx, path string) string {
	ctx, stop := context.WithTimeout(c, 10*time.Second)
	defer stop()
	res, err := sys.Real{}.Run(ctx, sys.Cmd{Argv: []string{path, "version"}, Query: true})
	if err != nil || res.Code != 0 {
		return ""
	}
	f := strings.Fields(string(res.Stdout))
	if len(f) == 0 {
		return ""
	}
	return f[len(f)-1]
}
