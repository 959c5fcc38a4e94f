// Package hashutil holds Salt's hashutil module: digests, signatures and
// base64. Its main variable is Module.
//
//	{{ salt['hashutil.digest']('text', 'sha256') }}
package hashutil

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"

	"pinch/render/saltfilters"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's hashutil module.
var Module = salt.Module{
	Name: "hashutil",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"base64_b64decode":    salt.Exec(base64B64decode),
			"base64_b64encode":    salt.Exec(base64B64encode),
			"base64_decodefile":   salt.Exec(base64Decodefile),
			"base64_decodestring": salt.Exec(base64B64decode),
			"base64_encodefile":   salt.Exec(base64Encodefile),
			"base64_encodestring": salt.Exec(base64Encodestring),
			"digest":              salt.Exec(digest),
			"digest_file":         salt.Exec(digestFile),
			"github_signature":    salt.Exec(githubSignature),
			"hmac_compute":        salt.Exec(hmacCompute),
			"hmac_signature":      salt.Exec(hmacSignature),
			"md5_digest":          salt.Exec(md5Digest),
			"sha256_digest":       salt.Exec(sha256Digest),
			"sha512_digest":       salt.Exec(sha512Digest),
		}
	},
}

type textArgs struct {
	Instr string `py:"instr"` // the text
}

func sum(h hash.Hash, s []byte) string {
	h.Write(s)
	return hex.EncodeToString(h.Sum(nil))
}

// md5Digest is the MD5 of a text in hex.
func md5Digest(_ *salt.Ctx, a textArgs) (string, error) { return sum(md5.New(), []byte(a.Instr)), nil }

// sha256Digest is the SHA-256 of a text in hex.
func sha256Digest(_ *salt.Ctx, a textArgs) (string, error) {
	return sum(sha256.New(), []byte(a.Instr)), nil
}

// sha512Digest is the SHA-512 of a text in hex.
func sha512Digest(_ *salt.Ctx, a textArgs) (string, error) {
	return sum(sha512.New(), []byte(a.Instr)), nil
}

type digestArgs struct {
	Instr    string `py:"instr"`          // the text
	Checksum string `py:"checksum='md5'"` // md5, sha256 or sha512
}

// digest is the checksum of a text in hex.
func digest(_ *salt.Ctx, a digestArgs) (string, error) { return checksum([]byte(a.Instr), a.Checksum) }

func checksum(b []byte, name string) (string, error) {
	switch name {
	case "md5":
		return sum(md5.New(), b), nil
	case "sha256":
		return sum(sha256.New(), b), nil
	case "sha512":
		return sum(sha512.New(), b), nil
	}
	return "", salt.CommandError("Hash func '%s' is not supported.", name)
}

type digestFileArgs struct {
	Infile   string `py:"infile"`         // the file
	Checksum string `py:"checksum='md5'"` // md5, sha256 or sha512
}

// digestFile is the checksum of a file in hex.
func digestFile(c *salt.Ctx, a digestFileArgs) (string, error) {
	b, err := c.Sys.ReadFile(a.Infile)
	if err != nil {
		return "", salt.CommandError("File path '%s' not found.", a.Infile)
	}
	return checksum(b, a.Checksum)
}

// base64B64encode is a text in base64, on one line.
func base64B64encode(_ *salt.Ctx, a textArgs) (string, error) {
	return base64.StdEncoding.EncodeToString([]byte(a.Instr)), nil
}

// base64B64decode is what base64 stands for: text, or bytes if it is no UTF-8.
func base64B64decode(_ *salt.Ctx, a textArgs) (any, error) {
	b, err := saltfilters.DecodeBase64([]byte(a.Instr))
	if err != nil {
		return nil, err
	}
	if s := string(b); strings.ToValidUTF8(s, "") == s {
		return s, nil
	}
	return b, nil
}

// lines is base64 in lines of 76 characters, as MIME has it.
func lines(b []byte) string {
	var out strings.Builder
	for len(b) > 0 {
		n := min(57, len(b))
		out.WriteString(base64.StdEncoding.EncodeToString(b[:n]) + "\n")
		b = b[n:]
	}
	return out.String()
}

// base64Encodestring is a text in base64, in lines of 76 characters.
func base64Encodestring(_ *salt.Ctx, a textArgs) (string, error) { return lines([]byte(a.Instr)), nil }

type encodefileArgs struct {
	Fname string `py:"fname"` // the file
}

// base64Encodefile is a file in base64, in lines of 76 characters.
func base64Encodefile(c *salt.Ctx, a encodefileArgs) (string, error) {
	b, err := c.Sys.ReadFile(a.Fname)
	if err != nil {
		return "", value.Errorf("FileNotFoundError", "[Errno 2] No such file or directory: %s", value.Repr(a.Fname))
	}
	return lines(b), nil
}

type decodefileArgs struct {
	Instr   string `py:"instr"`   // base64
	Outfile string `py:"outfile"` // the file to write
}

// base64Decodefile writes what base64 stands for to a file.
func base64Decodefile(c *salt.Ctx, a decodefileArgs) (bool, error) {
	b, err := saltfilters.DecodeBase64([]byte(a.Instr))
	if err != nil {
		return false, err
	}
	return true, sys.WriteFile(c.Sys, a.Outfile, b, sys.FileAttrs{})
}

type hmacArgs struct {
	String       string `py:"string"`        // the message
	SharedSecret string `py:"shared_secret"` // the key
}

func sign(h func() hash.Hash, key, msg string) []byte {
	m := hmac.New(h, []byte(key))
	m.Write([]byte(msg))
	return m.Sum(nil)
}

// hmacCompute is the HMAC-SHA256 of a message in hex.
func hmacCompute(_ *salt.Ctx, a hmacArgs) (string, error) {
	return hex.EncodeToString(sign(sha256.New, a.SharedSecret, a.String)), nil
}

type signatureArgs struct {
	String       string `py:"string"`         // the message
	SharedSecret string `py:"shared_secret"`  // the key
	Challenge    string `py:"challenge_hmac"` // the signature to check
}

// hmacSignature checks an HMAC-SHA256 that is given in base64.
func hmacSignature(_ *salt.Ctx, a signatureArgs) (bool, error) {
	want, err := saltfilters.DecodeBase64([]byte(a.Challenge))
	return hmac.Equal(sign(sha256.New, a.SharedSecret, a.String), want), err
}

// githubSignature checks a signature of a GitHub webhook: sha1=HEX.
func githubSignature(_ *salt.Ctx, a signatureArgs) (bool, error) {
	parts := strings.Split(a.Challenge, "=")
	if len(parts) != 2 {
		what := "too many values to unpack (expected 2)"
		if len(parts) < 2 {
			what = fmt.Sprintf("not enough values to unpack (expected 2, got %d)", len(parts))
		}
		return false, value.Errorf("ValueError", "%s", what)
	}
	h, ok := saltfilters.NewHash(parts[0])
	if !ok {
		return false, value.Errorf("AttributeError", "module 'hashlib' has no attribute '%s'", parts[0])
	}
	return hmac.Equal([]byte(hex.EncodeToString(sign(h, a.SharedSecret, a.String))), []byte(parts[1])), nil
}
