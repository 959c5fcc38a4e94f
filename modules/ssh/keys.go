package ssh

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"hash"
	"regexp"
	"strings"
	"sync"

	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/blake2s"

	"pinch/salt"
	"pinch/value"
)

// keyLine is an authorized key: options, then type, key and comment.
var keyLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.*?)\s?((?:sk-)?(?:ssh-|ecds)[\w@.-]+\s.+)$`) })

// A key is a line of authorized_keys(5).
type key struct {
	enc, key, comment string
	options           []string
}

// line is the key as it is written.
func (k key) line() string {
	text := k.enc + " " + k.key + " " + k.comment + "\n"
	if len(k.options) > 0 {
		text = strings.Join(k.options, ",") + " " + text
	}
	return text
}

// parseKey reads a line; false: it holds no key.
func parseKey(line string) (k key, ok bool) {
	m := keyLine().FindStringSubmatch(line)
	if m == nil || line[0] == '#' {
		return k, false
	}
	words := strings.Fields(m[2])
	if len(words) < 2 {
		return k, false
	}
	k = key{enc: words[0], key: words[1], comment: strings.Join(words[2:], " ")}
	if m[1] != "" {
		k.options = strings.Split(m[1], ",")
	}
	return k, true
}

// lines are those that are not blank, trimmed.
func lines(text string) (out []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// hashes are the fingerprint types.
var hashes = map[string]func() hash.Hash{
	"md5": md5.New, "sha1": sha1.New, "sha224": sha256.New224, "sha256": sha256.New,
	"sha384": sha512.New384, "sha512": sha512.New,
	"sha3_224": func() hash.Hash { return sha3.New224() }, "sha3_256": func() hash.Hash { return sha3.New256() },
	"sha3_384": func() hash.Hash { return sha3.New384() }, "sha3_512": func() hash.Hash { return sha3.New512() },
	"blake2b": func() hash.Hash { h, _ := blake2b.New512(nil); return h },
	"blake2s": func() hash.Hash { h, _ := blake2s.New256(nil); return h },
}

// fingerprint is the hash of a key as xx:xx:…, "" if the key is not base64.
func fingerprint(key, kind string) (string, error) {
	if kind == "" {
		kind = "sha256"
	}
	kind = strings.ToLower(kind)
	mk := hashes[kind]
	if mk == nil {
		return "", salt.CommandError("The fingerprint_hash_type %s is not supported.", kind)
	}
	raw, err := base64.StdEncoding.DecodeString(key)
	if err != nil {
		return "", nil
	}
	h := mk()
	h.Write(raw)
	return strings.ReplaceAll(fmt.Sprintf("% x", h.Sum(nil)), " ", ":"), nil
}

// readKeys are the valid keys of a file: by key, with enc, comment, options and
// fingerprint.
func readKeys(c *salt.Ctx, path, kind string) (*value.Map, error) {
	b, err := c.Sys.ReadFile(path)
	if err != nil {
		return nil, salt.CommandError("Problem reading ssh key file %s", path)
	}
	keys := new(value.Map)
	for _, line := range lines(string(b)) {
		k, ok := parseKey(line)
		if !ok {
			continue
		}
		mark, err := fingerprint(k.key, kind)
		if err != nil {
			return nil, err
		}
		if mark != "" {
			keys.Set(k.key, value.M("enc", k.enc, "comment", k.comment, "options", value.Strings(k.options), "fingerprint", mark))
		}
	}
	return keys, nil
}

// keyOf is the key that readKeys found under a name.
func keyOf(keys *value.Map, name string) key {
	m := keys.Map(name)
	k := key{enc: m.Str("enc"), key: name, comment: m.Str("comment")}
	if l := m.List("options"); l != nil {
		for _, o := range l.Items {
			k.options = append(k.options, value.Str(o))
		}
	}
	return k
}
