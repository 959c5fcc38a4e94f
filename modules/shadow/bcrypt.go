package shadow

import (
	"encoding/base64"
	"strconv"
	"strings"

	//lint:ignore SA1019 the crypt method $2b$ is defined by it
	"golang.org/x/crypto/blowfish"
)

// bcryptBase64 has an alphabet of its own.
var bcryptBase64 = base64.NewEncoding("./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789").WithPadding(base64.NoPadding)

// bcrypt is the method of OpenBSD, $2b$; the setting is the cost and 22
// characters of salt. golang.org/x/crypto/bcrypt takes no salt.
func bcrypt(password, setting string) string {
	cost, salt64, ok := strings.Cut(setting, "$")
	n, err := strconv.Atoi(cost)
	if !ok || err != nil || len(cost) != 2 || n < 4 || n > 31 || len(salt64) < 22 {
		return ""
	}
	salt, err := bcryptBase64.DecodeString(salt64[:22])
	if err != nil {
		return ""
	}
	key := append([]byte(password), 0)
	if len(key) > 72 {
		key = key[:72]
	}
	c, err := blowfish.NewSaltedCipher(key, salt)
	if err != nil {
		return ""
	}
	for range uint64(1) << n {
		blowfish.ExpandKey(key, c)
		blowfish.ExpandKey(salt, c)
	}
	d := []byte("OrpheanBeholderScryDoubt")
	for i := 0; i < len(d); i += 8 {
		for range 64 {
			c.Encrypt(d[i:i+8], d[i:i+8])
		}
	}
	return "$2b$" + cost + "$" + bcryptBase64.EncodeToString(salt) + bcryptBase64.EncodeToString(d[:23])
}
