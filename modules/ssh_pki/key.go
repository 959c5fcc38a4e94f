package ssh_pki

import (
	"errors"
	"strings"

	"pinch/filestate"
	"pinch/pki"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type privateKeyManagedArgs struct {
	Name       string     `py:"name"`            // the file
	Algo       any        `py:"algo='rsa'"`      // rsa, ec or ed25519
	Keysize    any        `py:"keysize=None"`    // bits of an rsa (2048, 3072, 4096) or ec (256, 384, 521) key
	Passphrase any        `py:"passphrase=None"` // encrypts the key
	New        bool       `py:"new=False"`       // always make a new key
	Overwrite  bool       `py:"overwrite=False"` // replace a file that is there
	Kwargs     *value.Map `py:"**kwargs"`        // further arguments
}

// privateKeyManaged makes sure that a file has a private key of this kind;
// its mode is 0400 unless mode says otherwise. Further arguments are those of
// file.managed for the file.
func privateKeyManaged(c *salt.Ctx, a privateKeyManagedArgs) salt.Result {
	file, err := fileArguments(a.Kwargs)
	if err != nil {
		return salt.Raised(err)
	}
	if !file.Truth("mode") {
		file.Set("mode", "0400")
	}
	s := &keyState{c: c, a: a, algo: text(a.Algo)}
	if value.Truth(a.Keysize) && s.algo == "ed25519" {
		return salt.Failed("keysize is an invalid parameter for %s", s.algo)
	}
	m := &filestate.State{Ctx: c, Name: a.Name, What: "private key", Args: file, AnyFile: true, Check: s.check, Make: s.make}
	r := m.Run()
	if s.encrypted && r.OK() && !c.Test {
		r.Comment = strings.Replace(r.Comment, "has been recreated", "has been encrypted", 1)
	}
	return r
}

type keyState struct {
	c         *salt.Ctx
	a         privateKeyManagedArgs
	algo      string
	current   *pki.Private
	encrypted bool // only the passphrase changed
}

func (s *keyState) check(path string) (ch *value.Map, current, replace bool, err error) {
	ch = new(value.Map)
	if s.a.New {
		ch.Set("replaced", s.a.Name)
		return ch, false, false, nil
	}
	replace, err = s.read(path, ch)
	if err != nil {
		return nil, false, false, err
	}
	if s.current == nil {
		ch.Set("replaced", s.a.Name)
		return ch, false, replace, nil
	}
	if s.current.Type != s.algo {
		ch.Set("algo", s.algo)
	} else if bits := s.current.Bits(); bits > 0 {
		want := any(int64(map[string]int{"rsa": 3072, "ec": 256}[s.algo]))
		if s.a.Keysize != nil {
			want = s.a.Keysize
		}
		if !value.Equal(want, int64(bits)) {
			ch.Set("keysize", want)
		}
	}
	return ch, true, replace, nil
}

// read reads the key that is there; overwrite allows to lose it.
func (s *keyState) read(path string, ch *value.Map) (replace bool, err error) {
	s.current, err = loadPrivate(s.c, path, s.a.Passphrase)
	lose := func(why string) error {
		if !s.a.Overwrite {
			return salt.CommandError("%s. Pass overwrite: true to force regeneration", why)
		}
		return nil
	}
	switch {
	case err == nil:
	case errors.Is(err, errPassword):
		ch.Set("passphrase", true)
		err = lose("The provided passphrase cannot decrypt the private key")
	case errors.Is(err, errVain):
		ch.Set("passphrase", true)
		s.current, err = loadPrivate(s.c, path, nil)
	case errors.Is(err, errEncrypted):
		ch.Set("passphrase", true)
		err = lose("The current key is encrypted with a passphrase")
	case errors.Is(err, errNoKey):
		replace = true
		err = lose("The existing file does not seem to be a private key")
	}
	return replace, err
}

func (s *keyState) make(ch *value.Map) ([]byte, error) {
	k := s.current
	if s.encrypted = ch.Len() == 1 && ch.Has("passphrase") && k != nil; !s.encrypted {
		var err error
		if k, err = generate(s.algo, s.a.Keysize); err != nil {
			return nil, err
		}
	}
	return encode(k, s.a.Passphrase)
}

type publicKeyManagedArgs struct {
	Name            string     `py:"name"`              // the file
	PublicKeySource any        `py:"public_key_source"` // the key, or what has it: file or text
	Passphrase      any        `py:"passphrase=None"`   // encrypts the key
	Kwargs          *value.Map `py:"**kwargs"`          // further arguments
}

// publicKeyManaged makes sure that a file has the public key that belongs to a
// key or certificate. Further arguments are those of file.managed for the file.
func publicKeyManaged(c *salt.Ctx, a publicKeyManagedArgs) salt.Result {
	file, err := fileArguments(a.Kwargs)
	if err != nil {
		return salt.Raised(err)
	}
	r, err := a.reach(c, &filestate.State{Ctx: c, Name: a.Name, What: "public key", Args: file})
	switch {
	case err == nil:
		return r
	case filestate.Explained(err):
		return salt.Failed("%s", err)
	}
	return salt.Raised(err)
}

func (a publicKeyManagedArgs) reach(c *salt.Ctx, m *filestate.State) (salt.Result, error) {
	good := salt.Correct("The public key is in the correct state")
	path, _, exists, err := m.Resolve()
	if err != nil {
		return good, err
	}
	wanted, err := publicOf(c, a.PublicKeySource, a.Passphrase)
	var x *value.Exception
	if err != nil && !(c.Test && errors.As(err, &x) && x.Class == "CommandExecutionError") {
		return good, err
	}
	verb, replace := "create", true
	if exists {
		have, err := loadPublic(c, path)
		if err != nil {
			return good, err
		}
		if replace = wanted == nil || !equal(have, wanted); replace {
			verb = "update"
		}
	}
	r := good
	kw := value.M("replace", false)
	if replace {
		ch := value.M(verb+"d", a.Name)
		if c.Test {
			r := salt.Would(ch, "The public key would have been %sd", verb)
			if wanted == nil {
				r.Comment += ". Note that the source could not be loaded, so this assessment relies on the source being created beforehand"
			}
			return r, nil
		}
		r = salt.Changed(ch, "The public key has been %sd", verb)
		kw = value.M("replace", true, "contents", line(wanted))
	}
	sub, err := m.Manage(c.Test, kw)
	if err != nil {
		return good, err
	}
	m.Note(sub)
	if sub.Bad() {
		word := "update"
		if !exists {
			word = "create"
		}
		r = salt.Failed("Could not %s file, see file.managed output", word)
	}
	r.Extra = m.Subs()
	return r, nil
}

// notTold is what a run with test=True says when the wrapper did not know of it.
const notTold = `. The file was not actually updated - please pass test=opts.get("test") into the wrapper to enable proper test mode support.`

type certificateManagedSshArgs struct {
	Name     string     `py:"name"`          // the file
	Result   any        `py:"result"`        // the result of the wrapper
	Comment  any        `py:"comment"`       // the comment of the wrapper
	Changes  any        `py:"changes"`       // the changes of the wrapper
	Contents any        `py:"contents=None"` // what the wrapper made
	Kwargs   *value.Map `py:"**kwargs"`      // further arguments
}

// certificateManagedSsh puts a certificate into its file that the wrapper of
// salt-ssh made.
func certificateManagedSsh(c *salt.Ctx, a certificateManagedSshArgs) salt.Result {
	m, r := filestate.Wrapped(c, a.Name, a.Result, a.Comment, a.Changes, a.Kwargs)
	if m == nil {
		return r
	}
	sub, err := m.Manage(c.Test, value.M("replace", false))
	if err != nil {
		return salt.Raised(err)
	}
	m.Note(sub)
	r.Extra = m.Subs()
	switch {
	case sub.Bad():
		word := "create"
		if sys.IsFile(c.Sys, a.Name) {
			word = "update"
		}
		f := salt.Failed("Could not %s file, see file.managed output", word)
		f.Extra = r.Extra
		return f
	case a.Contents == nil:
	case c.Test:
		r.Comment += notTold
	default:
		if _, err := m.Manage(false, value.M("contents", text(a.Contents), "contents_newline", false)); err != nil {
			return salt.Raised(err)
		}
	}
	return r
}

type privateKeyManagedSshArgs struct {
	Name     string     `py:"name"`          // the file
	Result   any        `py:"result"`        // the result of the wrapper
	Comment  any        `py:"comment"`       // the comment of the wrapper
	Changes  any        `py:"changes"`       // the changes of the wrapper
	Tempfile any        `py:"tempfile=None"` // where the wrapper put the key
	Kwargs   *value.Map `py:"**kwargs"`      // further arguments
}

// privateKeyManagedSsh moves a private key into its place that the wrapper of
// salt-ssh made.
func privateKeyManagedSsh(c *salt.Ctx, a privateKeyManagedSshArgs) salt.Result {
	m, r := filestate.Wrapped(c, a.Name, a.Result, a.Comment, a.Changes, a.Kwargs)
	if m == nil {
		return r
	}
	sub, err := m.Manage(c.Test, value.M("replace", false))
	if err != nil {
		return salt.Raised(err)
	}
	if a.Tempfile != nil {
		if c.Test {
			r.Comment += notTold
			return r
		}
		if _, err := c.Call("file.move", a.Tempfile, a.Name); err != nil {
			r.Result, r.Changes = salt.False(), new(value.Map)
			r.Comment += ". But: Failed moving the private key into place: " + err.Error()
			return r
		}
	}
	m.Note(sub)
	r.Extra = m.Subs()
	return r
}
