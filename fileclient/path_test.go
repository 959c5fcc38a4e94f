package fileclient

import (
	"net/url"
	"strings"
	"testing"
)

// The paths are those of Salt 3008.4.
func TestDownloadPath(t *testing.T) {
	for in, want := range map[string]string{
		"http://localhost:8000/a/foo.txt":      "/c/extrn_files/base/localhost8000/a/foo.txt",
		"https://u:p@host/foo?x=1":             "/c/extrn_files/base/host/foo-x=1",
		"http://[::1]:80/f":                    "/c/extrn_files/base/[1]80/f",
		"http://h/" + strings.Repeat("a", 255): "/c/extrn_files/base/h/3b3b0b72407c57511d300f8e152055e7711951d2614c3693ce7dac3f7dec55c6",
	} {
		u, err := url.Parse(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := DownloadPath("/c", "base", u); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
