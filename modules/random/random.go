// Package random holds Salt's random module: random texts and numbers, which
// come out as Python's do when there is a seed. Its main variable is Module.
//
//	{{ salt['random.rand_int'](1, 60, seed=grains.id) }}
package random

import (
	crand "crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/big"

	"pinch/render/saltfilters"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's random module.
var Module = salt.Module{
	Name: "random",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"get_str":     salt.Exec(getStr),
			"hash":        salt.Exec(hash),
			"rand_int":    salt.Exec(randInt),
			"sample":      salt.Exec(sample),
			"seed":        salt.Exec(seed),
			"shadow_hash": salt.Exec(shadowHash),
			"shuffle":     salt.Exec(shuffle),
			"str_encode":  salt.Exec(strEncode),
		}
	},
}

type hashArgs struct {
	Value     any    `py:"value"`              // the text
	Algorithm string `py:"algorithm='sha512'"` // a hash of hashlib
}

func toBytes(v any) []byte {
	if b, ok := v.([]byte); ok {
		return b
	}
	return []byte(value.Str(v))
}

// hash is the digest of a text in hex.
func hash(_ *salt.Ctx, a hashArgs) (string, error) {
	h, ok := saltfilters.NewHash(a.Algorithm)
	if !ok {
		return "", value.Errorf("SaltException", "You must specify a valid algorithm.")
	}
	w := h()
	w.Write(toBytes(a.Value))
	return hex.EncodeToString(w.Sum(nil)), nil
}

type strEncodeArgs struct {
	Value   any    `py:"value"`            // the text
	Encoder string `py:"encoder='base64'"` // base64
}

// strEncode is a text in base64.
func strEncode(_ *salt.Ctx, a strEncodeArgs) (string, error) {
	switch a.Value.(type) {
	case string, []byte:
		if a.Encoder == "base64" {
			return base64.StdEncoding.EncodeToString(toBytes(a.Value)), nil
		}
	}
	return "", salt.InvocationError("Value must be an encode-able string")
}

const (
	lower       = "abcdefghijklmnopqrstuvwxyz"
	upper       = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits      = "0123456789"
	punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
	whitespace  = " \t\n\r\x0b\x0c"
)

type getStrArgs struct {
	Length      int64   `py:"length=20"`        // characters
	Chars       *string `py:"chars=None"`       // the characters to choose from
	Lowercase   bool    `py:"lowercase=True"`   // a to z
	Uppercase   bool    `py:"uppercase=True"`   // A to Z
	Digits      bool    `py:"digits=True"`      // 0 to 9
	Punctuation bool    `py:"punctuation=True"` // the signs of ASCII
	Whitespace  bool    `py:"whitespace=False"` // spaces, tabs and line breaks
	Printable   bool    `py:"printable=False"`  // all of the above
}

// getStr is a random text that is fit for a password.
//
//	pinch random.get_str 32 punctuation=False
func getStr(_ *salt.Ctx, a getStrArgs) (string, error) {
	chars := ""
	if a.Chars != nil && *a.Chars != "" {
		chars = *a.Chars
	} else {
		for _, s := range []struct {
			on    bool
			chars string
		}{{a.Lowercase, lower}, {a.Uppercase, upper}, {a.Digits, digits}, {a.Punctuation, punctuation}, {a.Whitespace, whitespace}} {
			if s.on || a.Printable {
				chars += s.chars
			}
		}
	}
	if chars == "" {
		return "", salt.CommandError("unterminated character set at position 0")
	}
	return password(int(a.Length), []rune(chars)), nil
}

// password picks from chars without bias.
func password(n int, chars []rune) string {
	out := make([]rune, max(n, 0))
	for i := range out {
		k, _ := crand.Int(crand.Reader, big.NewInt(int64(len(chars)))) // never fails
		out[i] = chars[k.Int64()]
	}
	return string(out)
}

type shadowArgs struct {
	CryptSalt *string `py:"crypt_salt=None"`    // the salt; a random one if there is none
	Password  *string `py:"password=None"`      // the password; a random one if there is none
	Algorithm string  `py:"algorithm='sha512'"` // sha512, sha256, blowfish, md5 or crypt
}

// shadowHash is a password hash as /etc/shadow has it.
func shadowHash(c *salt.Ctx, a shadowArgs) (any, error) {
	if a.Password == nil {
		p := password(20, []rune(lower+upper+digits))
		a.Password = &p
	}
	kw := value.M("algorithm", a.Algorithm)
	if a.CryptSalt != nil {
		kw.Set("crypt_salt", *a.CryptSalt)
	}
	return c.CallKw("shadow.gen_password", kw, *a.Password)
}

type randIntArgs struct {
	Start int64 `py:"start=1"`   // the smallest number
	End   int64 `py:"end=10"`    // the largest number
	Seed  any   `py:"seed=None"` // the same seed gives the same number
}

// randInt is a random number of a range, both ends included.
func randInt(_ *salt.Ctx, a randIntArgs) (int64, error) {
	below, err := saltfilters.RandBelow(a.Seed)
	if err != nil {
		return 0, err
	}
	if a.End < a.Start {
		return 0, value.Errorf("ValueError", "empty range for randrange() (%d, %d, %d)", a.Start, a.End+1, a.End+1-a.Start)
	}
	return a.Start + below(a.End-a.Start+1), nil
}

type seedArgs struct {
	Range int64 `py:"range=10"`  // numbers from 0 to below this
	Hash  any   `py:"hash=None"` // the seed; the minion's id if there is none
}

// seed is a number that stays the same for this minion, or for a seed.
func seed(c *salt.Ctx, a seedArgs) (int64, error) {
	if a.Hash == nil {
		a.Hash = c.Grains.At("id")
	}
	below, err := saltfilters.RandBelow(a.Hash)
	if err != nil {
		return 0, err
	}
	if a.Range <= 0 {
		return 0, value.Errorf("ValueError", "%s", fmt.Sprintf("empty range for randrange() (0, %d, %d)", a.Range, a.Range))
	}
	return below(a.Range), nil
}

type sampleArgs struct {
	Value any   `py:"value"`     // the list
	Size  int64 `py:"size"`      // how many to pick
	Seed  any   `py:"seed=None"` // the same seed picks the same
}

// sample picks items of a list, each at most once.
func sample(_ *salt.Ctx, a sampleArgs) (any, error) {
	return saltfilters.Sample(a.Value, a.Size, a.Seed)
}

type shuffleArgs struct {
	Value any `py:"value"`     // the list
	Seed  any `py:"seed=None"` // the same seed gives the same order
}

// shuffle is a list in random order.
func shuffle(_ *salt.Ctx, a shuffleArgs) (any, error) {
	n, ok := value.Len(a.Value)
	if !ok {
		return nil, value.Errorf("TypeError", "object of type '%s' has no len()", value.TypeName(a.Value))
	}
	return saltfilters.Sample(a.Value, int64(n), a.Seed)
}
