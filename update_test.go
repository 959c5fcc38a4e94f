package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestUpdate has a program update itself: only to what the key has signed, and
// back again when the new one does not start.
func TestUpdate(t *testing.T) {
	if testing.Short() {
		t.Skip("copies the program")
	}
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	put := func(name string, data []byte, mode os.FileMode) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, mode); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	put("bin/pinch", program, 0o755)
	release := func(version, text string, sig []byte) {
		name := "releases/pinch-" + version + "-" + runtime.GOOS + "-" + runtime.GOARCH
		put(name, []byte(text), 0o644)
		if sig == nil {
			sig = ed25519.Sign(private, []byte(text))
		}
		put(name+".sig", []byte(base64.StdEncoding.EncodeToString(sig)+"\n"), 0o644)
	}
	release("9.9.9", "#!/bin/sh\necho pinch 9.9.9\n", nil)
	release("9.9.8", "#!/bin/sh\nexit 1\n", nil)
	release("9.9.7", "#!/bin/sh\necho pinch 9.9.7\n", make([]byte, ed25519.SignatureSize))
	put("releases/latest", []byte("9.9.9\n"), 0o644)
	put("conf/minion", []byte("id: u\nfile_client: local\nroot_dir: "+dir+"/root\nlog_file: /dev/null\nupdate_url: file://"+dir+"/releases\nupdate_key: "+
		base64.StdEncoding.EncodeToString(public)+"\n"), 0o644)
	update := func(words ...string) string {
		out, _ := exec.Command(dir+"/bin/pinch", append([]string{"-c", dir + "/conf", "--local", "--out=json", "saltutil.update"}, words...)...).CombinedOutput()
		return string(out)
	}
	for _, tc := range []struct{ version, want string }{
		{"9.9.7", "the signature is not one of update_key"},
		{"9.9.8", "the new program does not start: the old one is back"},
		{"9.9.6", "Unable to fetch version 9.9.6"},
	} {
		if got := update(tc.version); !strings.Contains(got, `"_error"`) || !strings.Contains(got, tc.want) {
			t.Errorf("%s: %s", tc.version, got)
		}
		if now, err := os.ReadFile(dir + "/bin/pinch"); err != nil || !bytes.Equal(now, program) {
			t.Fatalf("after %s the program is another one: %d bytes, %v", tc.version, len(now), err)
		}
	}
	if got := update(); !strings.Contains(got, "to 9.9.9") || !strings.Contains(got, `"restarted": {}`) {
		t.Errorf("latest: %s", got)
	}
	if out, err := exec.Command(dir+"/bin/pinch", "version").Output(); err != nil || string(out) != "pinch 9.9.9\n" {
		t.Errorf("the new program: %s %v", out, err)
	}
	if old, err := os.ReadFile(dir + "/bin/pinch.old"); err != nil || !bytes.Equal(old, program) {
		t.Errorf("the old program is not kept: %v", err)
	}
}
