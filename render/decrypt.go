package render

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"filippo.io/age"
	"filippo.io/age/agessh"
	"filippo.io/age/armor"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// A cipher is a renderer that decrypts the blocks of one kind in texts.
type cipher struct {
	name       string
	begin, end string
	decrypt    func(c *salt.Ctx, block string) ([]byte, error)
}

var (
	gpg     = &cipher{"gpg", "-----BEGIN PGP MESSAGE-----", "-----END PGP MESSAGE-----", gpgDecrypt}
	ageFile = &cipher{"age", armor.Header, armor.Footer, ageDecrypt}
)

// Decrypter is the renderer of that name that decrypts, "gpg" or "age"; it
// changes maps and lists in place and gives back what data became. With
// newlines a backslash and an n in a text count as the end of a line. It is nil
// when there is no such renderer.
func Decrypter(name string) func(c *salt.Ctx, data any, newlines bool) (any, error) {
	for _, k := range []*cipher{gpg, ageFile} {
		if k.name == name {
			return k.in
		}
	}
	return nil
}

// each replaces all texts in a value by what f makes of them.
func each(v any, f func(text string) (any, error)) (any, error) {
	switch v := v.(type) {
	case string:
		return f(v)
	case []byte:
		return f(string(v))
	case *value.Map:
		for key, it := range v.All() {
			out, err := each(it, f)
			if err != nil {
				return nil, err
			}
			if err := v.SetKey(key, out); err != nil {
				return nil, err
			}
		}
	case *value.List:
		for i, it := range v.Items {
			out, err := each(it, f)
			if err != nil {
				return nil, err
			}
			v.Items[i] = out
		}
	}
	return v, nil
}

// secrets is the stage of a pipe that replaces secrets in texts or data by
// what f makes of each text.
func (s *stage) secrets(name string, f func(text string) (any, error)) error {
	if s.data != nil {
		v, err := each(s.data.Value, f)
		if err != nil {
			return s.fail(name, err.Error())
		}
		s.data.Value = v
		return nil
	}
	v, err := f(s.text)
	if err != nil {
		return s.fail(name, err.Error())
	}
	if text := value.Str(v); text != s.text {
		s.become(text)
	}
	return nil
}

// engine is the cipher as a stage of a pipe; it takes text or data.
func (k *cipher) engine(_ *Renderer, c *salt.Ctx, s *stage, _ string) error {
	return s.secrets(k.name, func(text string) (any, error) { return k.text(c, text, false) })
}

// in decrypts all texts in a value.
func (k *cipher) in(c *salt.Ctx, v any, newlines bool) (any, error) {
	return each(v, func(text string) (any, error) { return k.text(c, text, newlines) })
}

// text decrypts the blocks of one text. As in Salt the text then loses the
// line ends at its end; what is no UTF-8 gives bytes.
func (k *cipher) text(c *salt.Ctx, text string, newlines bool) (any, error) {
	if newlines {
		text = strings.ReplaceAll(text, `\n`, "\n")
	}
	var out strings.Builder
	found := false
	for rest := text; ; {
		i := strings.Index(rest, k.begin)
		n := -1
		if i >= 0 {
			n = strings.Index(rest[i:], k.end)
		}
		if n < 0 {
			out.WriteString(rest)
			break
		}
		n += i + len(k.end)
		plain, err := k.decrypt(c, strings.ReplaceAll(rest[i:n], `\n`, "\n"))
		if err != nil {
			if v, ok := c.Opts.Get("gpg_decrypt_must_succeed"); k == gpg && ok && !value.Truth(v) {
				c.Log.Warn(err.Error())
				plain = []byte(rest[i:n])
			} else {
				return nil, err
			}
		} else if c.Run != nil {
			c.Run.Seal(string(plain))
		}
		found = true
		out.WriteString(rest[:i])
		out.Write(plain)
		rest = rest[n:]
	}
	if !found {
		return text, nil
	}
	return decoded(strings.TrimRight(out.String(), "\n")), nil
}

// decoded is s, or bytes when it is no UTF-8.
func decoded(s string) any {
	if strings.ToValidUTF8(s, "") != s {
		return []byte(s)
	}
	return s
}

// configDir is where the minion's configuration lies.
func configDir(c *salt.Ctx) string {
	if dir := c.Opts.Str("config_dir"); dir != "" {
		return dir
	}
	return filepath.Dir(c.Opts.Str("conf_file"))
}

// gpgDecrypt asks the host's gpg; its keys lie in gpg_keydir, gpgkeys beside
// the minion file by default.
func gpgDecrypt(c *salt.Ctx, block string) ([]byte, error) {
	return salt.Once(c.Run, plaintext{"gpg", block}, func() ([]byte, error) {
		dir := c.Opts.Str("gpg_keydir")
		if dir == "" {
			dir = filepath.Join(configDir(c), "gpgkeys")
		}
		path := c.Sys.LookPath("gpg")
		if path == "" {
			return nil, fmt.Errorf("GPG unavailable")
		}
		res, err := c.Sys.Run(c, sys.Cmd{
			Argv: []string{path, "--homedir", dir, "--no-tty", "--batch", "--status-fd", "2", "-d"}, Stdin: strings.NewReader(block), Query: true,
		})
		if err != nil {
			return nil, err
		}
		if len(res.Stdout) == 0 {
			return nil, fmt.Errorf("Could not decrypt cipher, received: %s (keys of %s)", gpgReason(string(res.Stderr)), dir)
		}
		return res.Stdout, nil
	})
}

type plaintext struct{ kind, block string }

// gpgReason is the line for people in gpg's messages.
func gpgReason(text string) string {
	reason := "no output"
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "gpg: ") {
			reason = strings.TrimPrefix(line, "gpg: ")
		}
	}
	return reason
}

// ageDecrypt decrypts with the identities of the files that age_identities
// names, age.txt beside the minion file by default: age's own or SSH keys.
func ageDecrypt(c *salt.Ctx, block string) ([]byte, error) {
	ids, err := salt.Once(c.Run, plaintext{"age", ""}, func() ([]age.Identity, error) { return ageIdentities(c) })
	if err != nil {
		return nil, err
	}
	r, err := age.Decrypt(armor.NewReader(strings.NewReader(block)), ids...)
	if err != nil {
		return nil, fmt.Errorf("cannot decrypt an age message: %w", err)
	}
	var out bytes.Buffer
	if _, err := out.ReadFrom(r); err != nil {
		return nil, fmt.Errorf("cannot decrypt an age message: %w", err)
	}
	return out.Bytes(), nil
}

func ageIdentities(c *salt.Ctx) ([]age.Identity, error) {
	var files []string
	switch v := c.Opts.At("age_identities").(type) {
	case string:
		files = []string{v}
	case *value.List:
		for _, it := range v.Items {
			files = append(files, value.Str(it))
		}
	default:
		files = []string{filepath.Join(configDir(c), "age.txt")}
	}
	var ids []age.Identity
	for _, name := range files {
		key, err := c.Sys.ReadFile(name)
		if os.IsNotExist(err) {
			return nil, fmt.Errorf("there are no age identities in %s (option age_identities)", name)
		}
		if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(key, []byte("-----BEGIN")) {
			id, err := agessh.ParseIdentity(key)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			ids = append(ids, id)
			continue
		}
		more, err := age.ParseIdentities(bytes.NewReader(key))
		if err != nil {
			return nil, fmt.Errorf("%s: no age identities", name) // the library's text may show the key
		}
		ids = append(ids, more...)
	}
	return ids, nil
}
