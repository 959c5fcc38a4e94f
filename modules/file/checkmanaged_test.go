package file

import (
	"testing"

	"pinch/value"
)

// A source that is not there leaves the digests to compare; a download that fails is an error with its reason.
func TestCheckFileMetaSources(t *testing.T) {
	root := t.TempDir()
	put(t, root+"/f", "one\n")
	c := testCtx(t, root)
	sum := value.M("hash_type", "sha256", "hsum", "aaaa")
	ask := func(fun, source string) (any, error) {
		kw := value.M("sfn", "", "source", source, "source_sum", sum, "user", nil, "group", nil, "mode", nil, "attrs", nil, "saltenv", "base")
		if fun == "manage_file" {
			kw.Update(value.M("ret", "", "backup", ""))
		}
		return Module.Exec()[fun].Call(c, []any{root + "/f"}, kw)
	}
	if v, err := ask("check_file_meta", "salt://nosuch"); err != nil || value.Repr(v) != "{'sum': 'Checksum differs'}" {
		t.Errorf("%v, %v", v, err)
	}
	for _, fun := range []string{"check_file_meta", "manage_file"} {
		if v, err := ask(fun, "https://127.0.0.1:1/f"); err == nil {
			t.Errorf("%s: %s", fun, value.Repr(v))
		}
	}
	if got := read(t, root+"/f"); got != "one\n" {
		t.Error(got)
	}
}
