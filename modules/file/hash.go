package file

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"io"
	"strconv"
	"strings"

	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/blake2s"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// hashLengths are the algorithms of source_hash and the length of their
// digests in hex digits, in the order that messages name them.
var hashLengths = []struct {
	name string
	n    int
}{{"sha512", 128}, {"sha384", 96}, {"sha256", 64}, {"sha224", 56}, {"sha1", 40}, {"md5", 32}}

func hashLength(name string) int {
	for _, h := range hashLengths {
		if h.name == name {
			return h.n
		}
	}
	return 0
}

func hashOfLength(n int) string {
	for _, h := range hashLengths {
		if h.n == n {
			return h.name
		}
	}
	return ""
}

// newHash makes a digest by Python's name for it, nil when there is none.
func newHash(name string) hash.Hash {
	switch name {
	case "md5":
		return md5.New()
	case "sha1":
		return sha1.New()
	case "sha224":
		return sha256.New224()
	case "sha256":
		return sha256.New()
	case "sha384":
		return sha512.New384()
	case "sha512":
		return sha512.New()
	case "sha3_224":
		return sha3.New224()
	case "sha3_256":
		return sha3.New256()
	case "sha3_384":
		return sha3.New384()
	case "sha3_512":
		return sha3.New512()
	case "blake2b":
		h, _ := blake2b.New512(nil)
		return h
	case "blake2s":
		h, _ := blake2s.New256(nil)
		return h
	}
	return nil
}

// digest is the hex digest of data.
func digest(data []byte, form string) (string, error) {
	h := newHash(form)
	if h == nil {
		return "", value.Errorf("ValueError", "Invalid hash type: %s", form)
	}
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// hashFile is the hex digest of a file's content.
func hashFile(c *salt.Ctx, path, form string) (string, error) {
	h := newHash(form)
	if h == nil {
		return "", value.Errorf("ValueError", "Invalid hash type: %s", form)
	}
	f, err := c.Sys.Open(path)
	if err != nil {
		return "", osError(err)
	}
	defer f.Close()
	if _, err := io.Copy(h, f); err != nil {
		return "", osError(err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

type hashArgs struct {
	Path  string `py:"path"`             // the file
	Form  string `py:"form='sha256'"`    // the algorithm
	Chunk any    `py:"chunk_size=65536"` // how much Salt reads at a time; of no effect
}

// getHash is the digest of a file's content.
func getHash(c *salt.Ctx, a hashArgs) (string, error) {
	return hashFile(c, expandUser(c, a.Path), a.Form)
}

type sumArgs struct {
	Path string `py:"path"`          // the file
	Form string `py:"form='sha256'"` // the algorithm
}

// getSum is the digest of a file's content, or the words "File not found".
func getSum(c *salt.Ctx, a sumArgs) (string, error) {
	path := expandUser(c, a.Path)
	if !sys.IsFile(c.Sys, path) {
		return "File not found", nil
	}
	return hashFile(c, path, a.Form)
}

type checkHashArgs struct {
	Path string `py:"path"`      // the file
	Hash any    `py:"file_hash"` // the digest, alone or behind the algorithm: sha1=…, sha1:…
}

// checkHash reports whether a file has a digest.
func checkHash(c *salt.Ctx, a checkHashArgs) (bool, error) {
	want, ok := a.Hash.(string)
	if !ok {
		return false, salt.InvocationError("hash must be a string")
	}
	form := ""
	for _, sep := range []string{":", "="} {
		if f, h, ok := strings.Cut(want, sep); ok {
			form, want = f, h
			break
		}
	}
	if form == "" && !strings.ContainsAny(a.Hash.(string), ":=") {
		if form = hashOfLength(len(want)); form == "" {
			return false, salt.InvocationError("Hash %s (length: %d) could not be matched to a supported hash type. The supported hash types and lengths are: %s", want, len(want), lengthsText())
		}
	}
	got, err := hashFile(c, expandUser(c, a.Path), form)
	return got == want, err
}

// lengthsText lists the algorithms from the shortest digest on: md5 (32), …
func lengthsText() string {
	var s []string
	for i := range hashLengths {
		h := hashLengths[len(hashLengths)-1-i]
		s = append(s, h.name+" ("+strconv.Itoa(h.n)+")")
	}
	return strings.Join(s, ", ")
}
