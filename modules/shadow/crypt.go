package shadow

import (
	"crypto/rand"
	"fmt"
	"strings"

	"pinch/salt"
)

const (
	// alphabet is crypt's base64: digit values 0 to 63.
	alphabet  = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	printable = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
)

// crypt hashes a password as crypt(3) does. A setting is a salt, for the SHA
// methods with rounds=N$ in front, for blowfish with the cost (12$…). It
// returns "" for a setting that crypt(3) refuses.
func crypt(password, algorithm, setting string, random bool) (string, error) {
	if random {
		setting = map[string]string{
			"sha512": randomText(16, alphabet), "sha256": randomText(16, alphabet), "md5": randomText(8, alphabet),
			"blowfish": "12$" + randomText(21, alphabet) + ".", "crypt": randomText(2, alphabet),
		}[algorithm]
	}
	if strings.ContainsAny(setting, ":*!\\ \n\x00") {
		return "", nil
	}
	switch algorithm {
	case "sha512":
		return sha512Crypt(password, setting), nil
	case "sha256":
		return sha256Crypt(password, setting), nil
	case "md5":
		return md5Crypt(password, setting), nil
	case "blowfish":
		return bcrypt(password, setting), nil
	case "crypt":
		return desCrypt(password, setting), nil
	}
	const known = "['sha512', 'sha256', 'blowfish', 'md5', 'crypt']"
	return "", salt.InvocationError("Cannot hash using '%s' hash algorithm. Natively supported algorithms are: %s. If passlib is installed (False), the supported algorithms are: %s.", algorithm, known, known)
}

// randomText makes a text of n characters out of the given ones.
func randomText(n int, chars string) string {
	out := make([]byte, 0, n)
	var b [64]byte
	for len(out) < n {
		rand.Read(b[:])
		for _, c := range b {
			// Leaving out the rest keeps all characters equally likely.
			if limit := 256 / len(chars) * len(chars); int(c) < limit && len(out) < n {
				out = append(out, chars[int(c)%len(chars)])
			}
		}
	}
	return string(out)
}

// encode writes n characters of crypt's base64, the lowest digit first.
func encode(b *strings.Builder, v uint32, n int) {
	for range n {
		b.WriteByte(alphabet[v&63])
		v >>= 6
	}
}

// rounds splits rounds=N$salt.
func rounds(setting string) (n int, salt string, given, ok bool) {
	rest, given := strings.CutPrefix(setting, "rounds=")
	if !given {
		return 5000, setting, false, true
	}
	digits, salt, _ := strings.Cut(rest, "$")
	if _, err := fmt.Sscanf(digits, "%d", &n); err != nil || n < 1000 || n > 999_999_999 || fmt.Sprint(n) != digits {
		return 0, "", true, false
	}
	return n, salt, true, true
}
