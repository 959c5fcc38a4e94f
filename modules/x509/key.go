package x509

import (
	"errors"

	"pinch/filestate"
	"pinch/pki"
	"pinch/salt"
	"pinch/value"
)

type privateKeyManagedArgs struct {
	Name                   string     `py:"name"`                           // the file
	Algo                   any        `py:"algo='rsa'"`                     // rsa, ec, ed25519 or ed448
	Keysize                any        `py:"keysize=None"`                   // bits of an rsa (2048, 3072, 4096) or ec (256, 384, 521) key
	Passphrase             any        `py:"passphrase=None"`                // encrypts the key
	Encoding               any        `py:"encoding='pem'"`                 // pem, der, or for certificates pkcs7_pem, pkcs7_der, pkcs12; for keys pkcs12
	New                    bool       `py:"new=False"`                      // always make a new key
	Overwrite              bool       `py:"overwrite=False"`                // replace a file that is there
	Pkcs12EncryptionCompat bool       `py:"pkcs12_encryption_compat=False"` // encrypt PKCS #12 for old software
	Kwargs                 *value.Map `py:"**kwargs"`                       // further arguments
}

// privateKeyManaged makes sure that a file has a private key of this kind;
// its mode is 0400 unless mode says otherwise. Further arguments are those of
// file.managed for the file.
func privateKeyManaged(c *salt.Ctx, a privateKeyManagedArgs) salt.Result {
	kw := a.Kwargs.Shallow()
	if v, ok := kw.Pop("bits"); ok {
		a.Keysize = v
	}
	for _, k := range []string{"cipher", "verbose", "text"} {
		kw.Pop(k)
	}
	file, rest := filestate.Split(kw)
	if rest.Len() > 0 {
		return salt.Raised(unknown(rest))
	}
	if !file.Truth("mode") {
		file.Set("mode", "0400")
	}
	s := &keyState{c: c, a: a, algo: text(a.Algo), encoding: text(a.Encoding)}
	if value.Truth(a.Keysize) && (s.algo == "ed25519" || s.algo == "ed448") {
		return salt.Failed("keysize is an invalid parameter for %s", s.algo)
	}
	m := &filestate.State{Ctx: c, Name: a.Name, What: "private key", Args: file, Binary: s.encoding != "pem", AnyFile: true, Check: s.check, Make: s.make}
	return m.Run()
}

type keyState struct {
	c              *salt.Ctx
	a              privateKeyManagedArgs
	algo, encoding string
	current        *pki.Private
}

func (s *keyState) check(path string) (ch *value.Map, current, replace bool, err error) {
	ch = new(value.Map)
	if s.a.New {
		ch.Set("replaced", s.a.Name)
		return ch, false, false, nil
	}
	encoding, replace, err := s.read(path, ch)
	if err != nil {
		return nil, false, false, err
	}
	if s.current == nil {
		ch.Set("created", s.a.Name)
		return ch, false, replace, nil
	}
	if s.current.Type != s.algo {
		ch.Set("algo", s.algo)
	} else if bits := s.current.Bits(); bits > 0 {
		want := int64(map[string]int{"rsa": 2048, "ec": 256}[s.algo])
		if s.a.Keysize != nil {
			if want, err = wholeNumber(s.a.Keysize); err != nil {
				return nil, false, false, err
			}
		}
		if int64(bits) != want {
			ch.Set("keysize", want)
		}
	}
	if s.encoding != encoding {
		ch.Set("encoding", s.encoding)
	}
	return ch, true, replace, nil
}

// read reads the key that is there; overwrite allows to lose it.
func (s *keyState) read(path string, ch *value.Map) (encoding string, replace bool, err error) {
	s.current, encoding, err = loadPrivate(s.c, path, s.a.Passphrase)
	switch {
	case err == nil:
	case errors.Is(err, pki.ErrVainPassword):
		ch.Set("passphrase", true)
		s.current, encoding, err = loadPrivate(s.c, path, nil)
	case errors.Is(err, pki.ErrPassword):
		if !s.a.Overwrite {
			return "", false, salt.CommandError("The provided passphrase cannot decrypt the private key. Pass overwrite: true to force regeneration")
		}
		ch.Set("passphrase", true)
		err = nil
	case errors.Is(err, pki.ErrNoPassword):
		if !s.a.Overwrite {
			return "", false, salt.CommandError("The existing file is encrypted. Pass overwrite: true to force regeneration without passphrase")
		}
		ch.Set("passphrase", true)
		err = nil
	case errors.Is(err, pki.ErrData):
		if !s.a.Overwrite {
			return "", false, salt.CommandError("The existing file does not seem to be a private key formatted as DER, PEM or embedded in PKCS12. Pass overwrite: true to force regeneration")
		}
		replace, err = true, nil
	}
	return encoding, replace, err
}

func (s *keyState) make(ch *value.Map) ([]byte, error) {
	encoding, err := checkEncoding(s.encoding, keyEncodings)
	if err != nil {
		return nil, err
	}
	k := s.current
	if k == nil || !only(ch, "encoding", "passphrase") {
		if k, err = generate(s.algo, s.a.Keysize); err != nil {
			return nil, err
		}
	}
	return packKey(k, encoding, s.a.Passphrase, s.a.Pkcs12EncryptionCompat)
}

type pemManagedArgs struct {
	Name   string     `py:"name"`     // the file
	Text   any        `py:"text"`     // PEM text, or a file with it
	Kwargs *value.Map `py:"**kwargs"` // further arguments
}

// pemManaged makes sure that a file has a PEM entry, tidied. Further arguments
// are those of file.managed for the file.
func pemManaged(c *salt.Ctx, a pemManagedArgs) salt.Result {
	file, rest := filestate.Split(a.Kwargs)
	if rest.Len() > 0 {
		return salt.Raised(unknown(rest))
	}
	data, err := getPemEntry(c, getPemEntryArgs{Text: a.Text})
	switch {
	case err != nil && filestate.Explained(err):
		return salt.Failed("%s", err)
	case err != nil:
		return salt.Raised(err)
	}
	file.Set("contents", string(data))
	file.Set("name", a.Name)
	r, err := c.CallState(c, "file.managed", file)
	if err != nil {
		return salt.Raised(err)
	}
	return r
}
