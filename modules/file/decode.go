package file

import (
	"encoding/base64"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type decodeArgs struct {
	Name     string `py:"name"`                   // the file
	Data     any    `py:"encoded_data=None"`      // the content, encoded
	Pillar   any    `py:"contents_pillar=None"`   // the pillar key that holds it
	Type     string `py:"encoding_type='base64'"` // how it is encoded: base64
	Checksum string `py:"checksum='md5'"`         // the algorithm of the digests in the result
}

// decode_ writes a file whose content is given in base64, such as an image or a key.
//
//	/etc/app/logo.png:
//	  file.decode:
//	    - contents_pillar: app:logo
func decode_(c *salt.Ctx, a decodeArgs) salt.Result {
	data := a.Data
	switch hasData, hasPillar := value.Truth(a.Data), value.Truth(a.Pillar); {
	case !hasData && !hasPillar:
		return salt.Failed("Specify either the 'encoded_data' or 'contents_pillar' argument.")
	case hasData && hasPillar:
		return salt.Failed("Specify only one 'encoded_data' or 'contents_pillar' argument.")
	case hasPillar:
		v, ok := value.Traverse(c.Pillar, a.Pillar, ":")
		if !ok || v == false {
			return salt.Failed("Pillar data not found.")
		}
		data = v
	}
	plain, err := base64.StdEncoding.DecodeString(base64Digits(value.Str(data)))
	if err != nil {
		return salt.Failed("Incorrect padding")
	}
	want, err := digest(plain, a.Checksum)
	if err != nil {
		return salt.Failed("%s", text(err))
	}
	changes := value.M("old", nil, "new", want)
	if sys.IsFile(c.Sys, a.Name) {
		have, err := hashFile(c, a.Name, a.Checksum)
		if err != nil {
			return salt.Failed("%s", text(err))
		}
		if have == want {
			return salt.Correct("File is in the correct state.")
		}
		changes.Set("old", have)
	}
	if c.Test {
		if changes.At("old") == nil {
			changes = nil
		}
		return salt.Would(changes, "File is set to be updated.")
	}
	if err := writeFile(c, a.Name, string(plain)); err != nil {
		return salt.Failed("%s", text(err))
	}
	return salt.Changed(changes, "File was updated.")
}

// base64Digits drops what is no digit of base64, as Python does.
func base64Digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("+/=", r) {
			return r
		}
		return -1
	}, s)
}
