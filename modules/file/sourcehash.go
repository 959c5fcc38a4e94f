package file

import (
	"errors"
	"io/fs"
	"regexp"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/value"
)

// sum is a wanted digest; the zero value is none.
type sum struct{ form, hex string }

func (s sum) toMap() *value.Map {
	if s.hex == "" {
		return new(value.Map)
	}
	return value.M("hash_type", s.form, "hsum", s.hex)
}

// sumArg reads {hash_type: …, hsum: …}.
func sumArg(v any) sum {
	m, _ := v.(*value.Map)
	return sum{m.Str("hash_type"), strings.ToLower(m.Str("hsum"))}
}

var hexDigits = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-fA-F]+$`) })

// parseHash reads a hash that was given directly: the digest alone, or behind
// its algorithm. ok is false when it has neither form.
func parseHash(s string) (h sum, ok bool, err error) {
	form, hex, named := strings.Cut(s, "=")
	form, hex = strings.TrimSpace(form), strings.TrimSpace(hex)
	if !named {
		if !hexDigits().MatchString(s) {
			return h, false, nil
		}
		form, hex = hashOfLength(len(s)), s
		if form == "" {
			return h, false, nil
		}
	}
	names := make([]string, len(hashLengths))
	for i, l := range hashLengths {
		names[i] = l.name
	}
	want := hashLength(form)
	switch {
	case want == 0:
		return h, true, salt.CommandError("Invalid hash type '%s'. Supported hash types are: %s. Either remove the hash type and simply use '%s' as the source_hash, or change the hash type to a supported type.", form, strings.Join(names, ", "), hex)
	case hashOfLength(len(hex)) == "":
		return h, false, nil
	case len(hex) != want:
		return h, true, salt.CommandError("Invalid length (%d) for hash type '%s'. Either remove the hash type and simply use '%s' as the source_hash, or change the hash type to '%s'", len(hex), form, hex, hashOfLength(len(hex)))
	}
	return sum{form, strings.ToLower(hex)}, true, nil
}

const validProtos = "salt, file, http, https, ftp, swift, s3"

func badHashFormat(s string) error {
	return salt.CommandError("Source hash %s format is invalid. The supported formats are: 1) a hash, 2) an expression in the format <hash_type>=<hash>, or 3) either a path to a local file containing hashes, or a URI of a remote hash file. Supported protocols for remote hash files are: %s. The hash may also not be of a valid length, the following are supported hash types and lengths: %s.", redact(s), validProtos, lengthsText())
}

var hashInLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[^a-z0-9])([a-f0-9]{32,128})(?:$|[^a-z0-9])`)
})

// extractHash finds the digest for a file in the text of a hash file: lines
// with a digest and a name in any usual layout. Names are tried in the order
// hashName, name, source; else the first digest counts. form, when it is a
// known algorithm, limits the search to its digests.
func extractHash(text, form, name, source, hashName string) (sum, bool) {
	want := hashLength(form)
	var first sum
	found := map[string]sum{}
	keep := func(kind string, s sum) {
		if _, ok := found[kind]; !ok {
			found[kind] = s
		}
	}
	for _, line := range splitBytes(text) {
		line = strings.TrimSpace(line)
		s, ok := hashOfLine(line, want)
		if !ok {
			continue
		}
		if first.hex == "" {
			first = s
		}
		if hashName != "" && namesFile(line, hashName, hashName, " \t\n\r\v\f") {
			keep("hash_name", s)
		}
		if name != "" && namesFile(line, baseName(name), name, " \t\n\r\v\f\\/*") {
			keep("name", s)
		}
		if source != "" && namesFile(line, sourceBase(source), source, " \t\n\r\v\f\\/*") {
			keep("source", s)
		}
	}
	for _, kind := range []string{"hash_name", "name", "source"} {
		if s, ok := found[kind]; ok {
			return s, true
		}
	}
	return first, first.hex != ""
}

// hashOfLine finds the first digest in a line whose length is that of a known
// algorithm; want, when not 0, is the length it must have.
func hashOfLine(line string, want int) (sum, bool) {
	for at := 0; at < len(line); {
		m := hashInLine().FindStringSubmatchIndex(line[at:])
		if m == nil {
			return sum{}, false
		}
		hex := line[at+m[2] : at+m[3]]
		if n := len(hex); want == 0 || n == want {
			form := hashOfLength(n)
			return sum{form, hex}, form != ""
		}
		at += m[3]
	}
	return sum{}, false
}

// namesFile reports whether a line ends in a name that stands alone there, or
// starts with it.
func namesFile(line, base, whole, separators string) bool {
	if strings.HasSuffix(line, base) {
		at := len(line) - len(base) - 1
		return at >= 0 && strings.IndexByte(separators, line[at]) >= 0
	}
	rest, ok := strings.CutPrefix(line, whole)
	return ok && rest != strings.TrimLeft(rest, " \t\n\r\v\f")
}

func sourceBase(source string) string {
	u := parseURL(source)
	if u.path != "" {
		return baseName(u.path)
	}
	return baseName(u.host)
}

type extractHashArgs struct {
	File     string `py:"hash_fn"`               // the hash file
	HashType string `py:"hash_type='sha256'"`    // only digests of this algorithm; any for ''
	Name     any    `py:"file_name=''"`          // the name of the file that the digest is for
	Source   any    `py:"source=''"`             // where it comes from
	HashName any    `py:"source_hash_name=None"` // its name in the hash file, which counts most
}

// extractHashExec finds the digest for a file in a hash file.
func extractHashExec(c *salt.Ctx, a extractHashArgs) (any, error) {
	b, err := c.Sys.ReadFile(a.File)
	if err != nil {
		return nil, osError(err)
	}
	s, ok := extractHash(string(b), a.HashType, argText(a.Name), argText(a.Source), argText(a.HashName))
	if !ok {
		return nil, nil
	}
	return value.M("hsum", s.hex, "hash_type", s.form), nil
}

func argText(v any) string {
	if !value.Truth(v) {
		return ""
	}
	return value.Str(v)
}

// signing is how a signature is checked.
type signing struct {
	any, all            any
	keyring, home       any
	backend             string
	sourceHashSignature any
}

type sourceSumArgs struct {
	Name       string `py:"file_name=''"`          // the file that will be written
	Source     string `py:"source=''"`             // where its content comes from
	SourceHash any    `py:"source_hash=None"`      // a digest, or where a hash file is
	HashName   any    `py:"source_hash_name=None"` // the name to look for in the hash file
	Env        string `py:"saltenv='base'"`        // the environment of salt:// URLs
	VerifySSL  bool   `py:"verify_ssl=True"`       // checks certificates of https
	HashSig    any    `py:"source_hash_sig=None"`  // a signature of the hash file; True when it is inside
	SignedAny  any    `py:"signed_by_any=None"`    // one of these keys must have signed
	SignedAll  any    `py:"signed_by_all=None"`    // all of these keys must have signed
	Keyring    any    `py:"keyring=None"`          // the keyring to use
	Home       any    `py:"gnupghome=None"`        // GnuPG's folder
	Backend    string `py:"sig_backend='gpg'"`     // the module that checks signatures
}

// getSourceSum works out the wanted digest from source_hash in any of its forms.
func getSourceSum(c *salt.Ctx, a sourceSumArgs) (any, error) {
	s, err := sourceSum(c, sumRequest{name: a.Name, source: a.Source, hash: a.SourceHash, hashName: argText(a.HashName), env: a.Env,
		noVerify: !a.VerifySSL, sign: signing{a.SignedAny, a.SignedAll, a.Keyring, a.Home, a.Backend, a.HashSig}})
	if err != nil {
		return nil, err
	}
	return s.toMap(), nil
}

// sumRequest asks for the digest that a source must have.
type sumRequest struct {
	name, source string
	hash         any // source_hash
	hashName     string
	env          string
	noVerify     bool
	sign         signing
}

func sourceSum(c *salt.Ctx, r sumRequest) (sum, error) {
	given, ok := r.hash.(string)
	if !ok {
		if r.hash == nil {
			return sum{}, value.Errorf("TypeError", "expected str, bytes or os.PathLike object, not NoneType")
		}
		given = value.Str(r.hash) // a digest of digits only is read as a number
	}
	proto := parseURL(given).scheme
	switch {
	case isAbs(given):
		b, err := c.Sys.ReadFile(given)
		if err != nil {
			return sum{}, osError(err)
		}
		return extractFrom(string(b), given, r)
	case isValidProto(proto):
		f, err := c.Files().Get(c, given, r.env, salt.GetOptions{NoVerify: r.noVerify})
		if salt.IsUnfetched(err) {
			return sum{}, err
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return sum{}, salt.CommandError("%s", redact(text(err)))
		}
		if err != nil {
			return sum{}, salt.CommandError("Source hash file %s not found", redact(given))
		}
		b, err := f.Read()
		if err != nil {
			return sum{}, salt.CommandError("Source hash file %s not found", redact(given))
		}
		if sig := r.sign.sourceHashSignature; value.Truth(sig) {
			if err := checkSignature(c, f.Local, sig, r.sign, r.env, r.noVerify); err != nil {
				return sum{}, err
			}
		}
		return extractFrom(string(b), given, r)
	case proto != "":
		return sum{}, badHashFormat(given)
	}
	s, ok, err := parseHash(given)
	if err == nil && !ok {
		err = badHashFormat(given)
	}
	return s, err
}

func extractFrom(text, given string, r sumRequest) (sum, error) {
	s, ok := extractHash(text, "", r.name, r.source, r.hashName)
	if !ok {
		return s, badHashFormat(given)
	}
	s.hex = strings.ToLower(s.hex)
	return s, nil
}

// checkSignature has a module such as gpg verify a file. sig is True when the
// signature is part of the file, else where detached ones are. What does not
// pass is not kept in the cache.
func checkSignature(c *salt.Ctx, path string, sig any, g signing, env string, noVerify bool) error {
	if g.backend == "" {
		g.backend = "gpg"
	}
	if _, err := c.Registry().Exec(c, g.backend+".verify"); err != nil {
		return salt.CommandError("Signature verification requires the %s module, which could not be found. Make sure you have the necessary tools and libraries intalled", g.backend)
	}
	suspects := []string{path}
	var final any
	if sig != true && sig != nil {
		l := new(value.List)
		for _, s := range stringList(sig) {
			cached, err := c.Files().Cache(c, s, env, salt.GetOptions{NoVerify: noVerify})
			switch {
			case err == nil:
				l.Append(cached)
				suspects = append(suspects, cached)
			case g.backend == "gpg":
				return salt.CommandError("Detached signature file %s not found", s)
			default:
				l.Append(s)
			}
		}
		final = l
		if _, ok := sig.(string); ok {
			final = l.Items[0]
		}
	}
	res, err := c.CallKw(g.backend+".verify", value.M("filename", path, "signature", final, "keyring", g.keyring,
		"gnupghome", g.home, "signed_by_any", g.any, "signed_by_all", g.all))
	if err != nil {
		return err
	}
	m, _ := res.(*value.Map)
	if m.At("res") == true {
		return nil
	}
	for _, s := range suspects {
		if cache := c.Opts.Str("cachedir"); cache != "" && strings.HasPrefix(s, cache+"/") {
			c.Sys.Remove(s)
		}
	}
	return salt.CommandError("The file's signature could not be verified: %s", m.Str("message"))
}
