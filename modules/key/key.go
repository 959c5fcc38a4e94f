// Package key holds Salt's key module: fingerprints of this minion's key and
// of its master's. Its main variable is Module.
//
//	salt-call key.finger
package key

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"pinch/render/saltfilters"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's key module.
var Module = salt.Module{
	Name: "key",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"finger":        salt.Exec(finger),
			"finger_master": salt.Exec(fingerMaster),
		}
	},
}

type fingerArgs struct {
	HashType *string `py:"hash_type=None"` // the hash, that of the option hash_type by default
}

// finger returns the fingerprint of the minion's public key, nothing when it
// has none.
func finger(c *salt.Ctx, a fingerArgs) (string, error) { return ofFile(c, a, "minion.pub") }

// fingerMaster returns the fingerprint of the master's public key, nothing when
// there is none.
func fingerMaster(c *salt.Ctx, a fingerArgs) (string, error) {
	return ofFile(c, a, "minion_master.pub")
}

func ofFile(c *salt.Ctx, a fingerArgs, name string) (string, error) {
	kind := c.Opts.Str("hash_type")
	if a.HashType != nil {
		kind = *a.HashType
	}
	b, err := c.Sys.ReadFile(filepath.Join(c.Opts.Str("pki_dir"), name))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	h, ok := saltfilters.NewHash(kind)
	if !ok {
		return "", value.Errorf("AttributeError", "module 'hashlib' has no attribute '%s'", kind)
	}
	w := h()
	w.Write(body(b))
	return pairs(hex.EncodeToString(w.Sum(nil))), nil
}

// body is what stands between the first and the last line of a PEM text that
// have more than white space.
func body(pem []byte) []byte {
	var lines [][]byte
	for line := range bytes.Lines(pem) {
		if len(bytes.TrimSpace(line)) > 0 {
			lines = append(lines, line)
		}
	}
	if len(lines) < 2 {
		return nil
	}
	return bytes.ReplaceAll(bytes.Join(lines[1:len(lines)-1], nil), []byte("\r\n"), []byte("\n"))
}

// pairs puts a colon between each two digits.
func pairs(digits string) string {
	var b strings.Builder
	for i := 0; i < len(digits); i += 2 {
		if i > 0 {
			b.WriteByte(':')
		}
		b.WriteString(digits[i:min(i+2, len(digits))])
	}
	return b.String()
}
