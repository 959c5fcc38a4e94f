package pgstate

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"pinch/value"
)

// DefaultMethod is how passwords are encrypted when nothing is said.
const DefaultMethod = "md5"

const scram = "scram-sha-256"

// method reads the argument encrypted: "md5" (also True), "scram-sha-256", or
// "" for False.
func method(encrypted any) (string, error) {
	switch encrypted {
	case nil, true, "md5":
		return "md5", nil
	case false:
		return "", nil
	case scram:
		return scram, nil
	}
	return "", value.Errorf("ValueError", "Unknown password algorithm: %s", value.Str(encrypted))
}

// Encrypt is what the server stores for a password of a role; one that is
// encrypted already stays as it is.
func Encrypt(role, password string, encrypted any) (string, error) {
	how, err := method(encrypted)
	switch {
	case err != nil:
		return "", err
	case how == scram && !strings.HasPrefix(password, "SCRAM-SHA-256"):
		var salt [16]byte
		rand.Read(salt[:])
		return scramVerifier(password, salt[:], 4096)
	case how == "md5" && !strings.HasPrefix(password, "md5"):
		return md5Verifier(role, password), nil
	}
	return password, nil
}

// Deprecated is the warning for a method of encryption, "" if there is none.
func Deprecated(password string, encrypted any) string {
	switch how, err := method(encrypted); {
	case err == nil && how == "":
		return "Unencrypted passwords were removed in PostgreSQL 10"
	case how == "md5" && !strings.HasPrefix(password, "md5"):
		return "The md5 password algorithm was deprecated in PostgreSQL 10"
	}
	return ""
}

// Verify reports whether a password of a role is the one that is stored. One
// that is stored in another way than wanted is not.
func Verify(role, password, stored string, encrypted any) bool {
	how, err := method(encrypted)
	switch {
	case err != nil:
		return false
	case how == scram && !strings.HasPrefix(password, "SCRAM-SHA-256"):
		salt, n, ok := scramParts(stored)
		if !ok {
			return false
		}
		if password, err = scramVerifier(password, salt, n); err != nil {
			return false
		}
	case how == "md5" && !strings.HasPrefix(password, "md5"):
		password = md5Verifier(role, password)
	}
	return hmac.Equal([]byte(stored), []byte(password))
}

func md5Verifier(role, password string) string {
	sum := md5.Sum([]byte(password + role))
	return "md5" + hex.EncodeToString(sum[:])
}

// scramVerifier is RFC 5803's form: SCRAM-SHA-256$N:SALT$STORED:SERVER.
func scramVerifier(password string, salt []byte, n int) (string, error) {
	salted, err := pbkdf2.Key(sha256.New, prepared(password), salt, n, sha256.Size)
	if err != nil {
		return "", err
	}
	mac := func(text string) []byte {
		h := hmac.New(sha256.New, salted)
		h.Write([]byte(text))
		return h.Sum(nil)
	}
	stored := sha256.Sum256(mac("Client Key"))
	b64 := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("SCRAM-SHA-256$%d:%s$%s:%s", n, b64(salt), b64(stored[:]), b64(mac("Server Key"))), nil
}

// scramParts are the salt and the count of a stored verifier.
func scramParts(stored string) (salt []byte, n int, ok bool) {
	rest, ok := strings.CutPrefix(stored, "SCRAM-SHA-256$")
	count, rest, has := strings.Cut(rest, ":")
	text, _, more := strings.Cut(rest, "$")
	if !ok || !has || !more {
		return nil, 0, false
	}
	n, err := strconv.Atoi(count)
	if err != nil || n < 1 {
		return nil, 0, false
	}
	salt, err = base64.StdEncoding.DecodeString(text)
	return salt, n, err == nil
}
