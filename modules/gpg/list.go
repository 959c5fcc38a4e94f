package gpg

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"pinch/salt"
	"pinch/value"
)

// A key is one of a listing.
type key struct {
	id, fingerprint           string
	trust, ownerTrust         string
	length, created, expires  string
	uids                      []string
	subkeys                   []key
	primary, hasUIDs, trusted bool
}

var escapes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\\x([0-9a-f][0-9a-f])`) })

// unescape reads the text of a user ID: bytes of UTF-8 come as \xNN.
func unescape(s string) string {
	return escapes().ReplaceAllStringFunc(s, func(m string) string {
		n, _ := strconv.ParseUint(m[2:], 16, 8)
		return string(rune(n))
	})
}

// parse reads the lines of --with-colons. subPrints says that the fingerprints
// of subkeys count.
func parse(data []byte, subPrints bool) (keys []key) {
	sub := false
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSpace(line), ":")
		at := func(i int) string {
			if i < len(f) {
				return f[i]
			}
			return ""
		}
		k := key{id: at(4), trust: at(1), ownerTrust: at(8), length: at(2), created: at(5), expires: at(6), trusted: true}
		switch f[0] {
		case "pub", "sec":
			k.primary, k.hasUIDs, sub = true, true, false
			if u := at(9); u != "" {
				k.uids = append(k.uids, u)
			}
			keys = append(keys, k)
		case "sub", "ssb":
			if sub = true; len(keys) > 0 {
				last := &keys[len(keys)-1]
				last.subkeys = append(last.subkeys, k)
			}
		case "uid":
			if len(keys) > 0 {
				keys[len(keys)-1].uids = append(keys[len(keys)-1].uids, unescape(at(9)))
			}
		case "fpr":
			if len(keys) == 0 {
				continue
			}
			last := &keys[len(keys)-1]
			if !sub {
				last.fingerprint = at(9)
			} else if n := len(last.subkeys); n > 0 && subPrints {
				last.subkeys[n-1].fingerprint = at(9)
			}
		}
	}
	return keys
}

// letters say what trust means.
var letters = map[string]string{"e": "Expired", "q": "Unknown", "n": "Not Trusted", "f": "Fully Trusted", "m": "Marginally Trusted", "u": "Ultimately Trusted", "r": "Revoked", "-": "Unknown"}

// show renders a key for the answer.
func (k key) show(now time.Time) *value.Map {
	out := value.M("keyid", k.id)
	if k.hasUIDs {
		out.Set("uids", value.Strings(k.uids))
	}
	if k.fingerprint != "" {
		out.Set("fingerprint", k.fingerprint)
	}
	day := func(s string) (time.Time, bool) {
		n, err := strconv.ParseInt(s, 10, 64)
		return time.Unix(n, 0), err == nil
	}
	if t, ok := day(k.expires); ok {
		out.Set("expires", t.Local().Format("2006-01-02"))
		out.Set("expired", !now.Before(t))
	}
	if t, ok := day(k.created); ok {
		out.Set("created", t.Local().Format("2006-01-02"))
	}
	if k.length != "" {
		out.Set("keyLength", k.length)
	}
	if k.ownerTrust != "" {
		out.Set("ownerTrust", meaning(k.ownerTrust))
	}
	if k.trust != "" && k.trusted {
		out.Set("trust", meaning(k.trust))
	}
	if len(k.subkeys) > 0 {
		l := value.L()
		for _, s := range k.subkeys {
			l.Append(s.show(now))
		}
		out.Set("subkeys", l)
	}
	return out
}

func meaning(letter string) string {
	if s, ok := letters[letter]; ok {
		return s
	}
	return "Unknown"
}

// is reports whether a key is the one meant.
func (k key) is(id, fingerprint any) bool {
	return fingerprint != nil && k.fingerprint == text(fingerprint) || id != nil && (k.id == text(id) || len(k.id) > 8 && k.id[8:] == text(id))
}

func (r *ring) list(secret bool) ([]key, error) {
	which := "--list-keys"
	if secret {
		which = "--list-secret-keys"
	}
	out, err := r.run(nil, nil, which, "--fingerprint", "--fingerprint", "--with-keygrip")
	if err != nil {
		return nil, err
	}
	return parse(out.data, true), nil
}

func shownAll(c *salt.Ctx, keys []key) *value.List {
	l := value.L()
	for _, k := range keys {
		l.Append(k.show(c.Sys.Now()))
	}
	return l
}

type listKeysArgs struct {
	User      any `py:"user=None"`      // whose keys: the home of this user
	Gnupghome any `py:"gnupghome=None"` // the directory of the keys instead
	Keyring   any `py:"keyring=None"`   // a file of keys instead of the usual ones
}

// listKeys returns the public keys.
//
//	salt-call gpg.list_keys user=alice
func listKeys(c *salt.Ctx, a listKeysArgs) (*value.List, error) {
	r, err := open(c, a.User, a.Gnupghome, a.Keyring)
	if err != nil {
		return nil, err
	}
	keys, err := r.list(false)
	return shownAll(c, keys), err
}

// listSecretKeys returns the keys whose secret half is there.
func listSecretKeys(c *salt.Ctx, a listKeysArgs) (*value.List, error) {
	r, err := open(c, a.User, a.Gnupghome, a.Keyring)
	if err != nil {
		return nil, err
	}
	keys, err := r.list(true)
	return shownAll(c, keys), err
}

type getKeyArgs struct {
	Keyid       any `py:"keyid=None"`       // the key
	Fingerprint any `py:"fingerprint=None"` // or its fingerprint
	User        any `py:"user=None"`        // whose keys: the home of this user
	Gnupghome   any `py:"gnupghome=None"`   // the directory of the keys instead
	Keyring     any `py:"keyring=None"`     // a file of keys instead of the usual ones
}

// getKey returns one public key, False if it is not there.
func getKey(c *salt.Ctx, a getKeyArgs) (any, error) { return a.find(c, false) }

// getSecretKey returns one secret key, False if it is not there.
func getSecretKey(c *salt.Ctx, a getKeyArgs) (any, error) { return a.find(c, true) }

func (a getKeyArgs) find(c *salt.Ctx, secret bool) (any, error) {
	r, err := open(c, a.User, a.Gnupghome, a.Keyring)
	if err != nil {
		return nil, err
	}
	keys, err := r.list(secret)
	for _, k := range keys {
		if k.is(a.Keyid, a.Fingerprint) {
			return k.show(c.Sys.Now()), nil
		}
	}
	return false, err
}

type readKeyArgs struct {
	Path        any `py:"path=None"`        // a file with keys
	Text        any `py:"text=None"`        // the data
	Fingerprint any `py:"fingerprint=None"` // or its fingerprint
	Keyid       any `py:"keyid=None"`       // the key
	User        any `py:"user=None"`        // whose keys: the home of this user
	Gnupghome   any `py:"gnupghome=None"`   // the directory of the keys instead
}

// readKey returns the keys of a file or text without importing them.
//
//	salt-call gpg.read_key /srv/key.asc
func readKey(c *salt.Ctx, a readKeyArgs) (*value.List, error) {
	switch {
	case !value.Truth(a.Path) && !value.Truth(a.Text):
		return nil, salt.InvocationError("Either `path` or `text` is required.")
	case value.Truth(a.Path) && value.Truth(a.Text):
		return nil, salt.InvocationError("`path` and `text` are mutually exclusive.")
	}
	r, err := open(c, a.User, a.Gnupghome, nil)
	if err != nil {
		return nil, err
	}
	args := []string{"--dry-run", "--import-options", "import-show", "--import"}
	if value.Truth(a.Path) {
		args = append(args, text(a.Path))
	}
	out, err := r.run([]byte(text(a.Text)), nil, args...)
	if err != nil {
		return nil, err
	}
	l := value.L()
	for _, k := range parse(out.data, false) {
		if !value.Truth(a.Fingerprint) && !value.Truth(a.Keyid) || k.is(a.Keyid, a.Fingerprint) {
			l.Append(k.show(c.Sys.Now()))
		}
	}
	return l, nil
}

type searchKeysArgs struct {
	Text      any `py:"text"`           // the data
	Keyserver any `py:"keyserver=None"` // the server
	User      any `py:"user=None"`      // whose keys: the home of this user
	Gnupghome any `py:"gnupghome=None"` // the directory of the keys instead
}

var hexadecimal = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^[0-9a-f]+$`) })

// searchKeys asks a server for keys.
//
//	salt-call gpg.search_keys user@example.com
func searchKeys(c *salt.Ctx, a searchKeysArgs) (*value.List, error) {
	r, err := open(c, a.User, a.Gnupghome, nil)
	if err != nil {
		return nil, err
	}
	server, query := text(a.Keyserver), strings.TrimSpace(text(a.Text))
	if server == "" {
		server = defaultServer
	}
	if hexadecimal().MatchString(query) {
		query = "0x" + query
	}
	out, err := r.run(nil, nil, "--fingerprint", "--keyserver", server, "--search-keys", query)
	if err != nil {
		return nil, err
	}
	var keys []key
	for line := range strings.Lines(string(out.data)) {
		f := append(strings.Split(strings.TrimSpace(line), ":"), "", "", "", "", "")
		switch {
		case f[0] == "pub":
			keys = append(keys, key{id: f[1], length: f[3], created: f[4], expires: f[5], hasUIDs: true})
		case f[0] == "uid" && len(keys) > 0:
			keys[len(keys)-1].uids = append(keys[len(keys)-1].uids, unescape(f[1]))
		}
	}
	return shownAll(c, keys), nil
}
