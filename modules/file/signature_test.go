package file

import (
	"os"
	"testing"

	"pinch/salt"
	"pinch/value"
)

type verifyArgs struct {
	Filename string     `py:"filename"`
	Kwargs   *value.Map `py:"**kwargs"`
}

// What is not signed as it must be leaves the cache; files of the machine and of the trees stay.
func TestBadSignatureLeavesTheCache(t *testing.T) {
	root := t.TempDir()
	c := testCtx(t, root)
	c.Registry().Add(&salt.Module{Name: "gpg", Exec: func() salt.Funcs {
		return salt.Funcs{"verify": salt.Exec(func(*salt.Ctx, verifyArgs) (any, error) {
			return value.M("res", false, "message", "no key"), nil
		})}
	}})
	for path, stays := range map[string]bool{root + "/cache/extrn_files/base/h/f": false, root + "/srv/salt/f": true} {
		put(t, path, "x")
		err := checkSignature(c, path, true, signing{}, "base", false)
		if err == nil || err.Error() != "The file's signature could not be verified: no key" {
			t.Error(err)
		}
		if _, err := os.Lstat(path); (err == nil) != stays {
			t.Errorf("%s: %v", path, err)
		}
	}
}
