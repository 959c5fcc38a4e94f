package main

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A guestDaemon has one container, web, whose files below /tmp are this
// machine's and whose commands run here: enough to put a program into it.
type guestDaemon struct {
	t    *testing.T
	put  []string // folders
	cmd  []string
	code int
}

func (d *guestDaemon) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimPrefix(r.URL.Path, "/v1.41")
	switch r.Method + " " + path {
	case "GET /version":
		fmt.Fprint(w, `{"ApiVersion": "1.41"}`)
	case "GET /containers/web/json":
		fmt.Fprint(w, `{"Id": "abc", "Config": {"Hostname": "webhost"}, "State": {"Running": true}}`)
	case "GET /containers/halted/json":
		fmt.Fprint(w, `{"Id": "def", "State": {"Running": false}}`)
	case "PUT /containers/web/archive":
		d.unpack(r.Body)
	case "POST /containers/web/exec":
		var q struct{ Cmd []string }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			d.t.Error(err)
		}
		d.cmd = q.Cmd
		fmt.Fprint(w, `{"Id": "e"}`)
	case "POST /exec/e/start":
		d.run(w)
	case "GET /exec/e/json":
		fmt.Fprintf(w, `{"ExitCode": %d, "Pid": 1}`, d.code)
	default:
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"message": "No such container"}`)
	}
}

func (d *guestDaemon) unpack(body io.Reader) {
	for in := tar.NewReader(body); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			d.t.Error(err)
			return
		}
		path := filepath.Join("/", h.Name)
		if !strings.HasPrefix(path, "/tmp/__salt.tmp.") {
			d.t.Errorf("%s is put into the container", h.Name)
			return
		}
		if h.Typeflag == tar.TypeDir {
			d.put = append(d.put, path)
			err = os.Mkdir(path, h.FileInfo().Mode())
		} else if b, e := io.ReadAll(in); e == nil {
			err = os.WriteFile(path, b, h.FileInfo().Mode())
		}
		if err != nil {
			d.t.Error(err)
		}
	}
}

func (d *guestDaemon) run(w io.Writer) {
	cmd := exec.Command(d.cmd[0], d.cmd[1:]...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run()
	d.code = cmd.ProcessState.ExitCode()
	for i, b := range [][]byte{out.Bytes(), errs.Bytes()} {
		head := make([]byte, 8)
		head[0] = byte(i + 1)
		binary.BigEndian.PutUint32(head[4:], uint32(len(b)))
		_, _ = w.Write(append(head, b...))
	}
}

// TestDockerGuest calls functions and applies states in a container.
func TestDockerGuest(t *testing.T) {
	d := &guestDaemon{t: t}
	srv := httptest.NewServer(d)
	t.Cleanup(srv.Close)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"conf/minion":    "file_client: local\nroot_dir: " + dir + "/var\nid: outside\ndocker.update_mine: False\nfile_roots: {base: [" + dir + "/srv]}\npillar_roots: {base: [" + dir + "/pillar]}\n",
		"pillar/top.sls": "base:\n  'id:webhost':\n    - match: grain\n    - d\n",
		"pillar/d.sls":   "who: somebody\n",
		"srv/top.sls":    "base:\n  '*': [web]\n",
		"srv/web.sls": dir + "/out:\n  file.managed:\n    - source: salt://files/f\n    - template: jinja\n" +
			dir + "/tree:\n  file.recurse:\n    - source: salt://files/tree\nid:\n  test.configurable_test_state:\n    - result: True\n    - changes: False\n    - comment: {{ grains['id'] }}, {{ pillar['who'] }}\n",
		"srv/broken.sls":       "x:\n  test.fail_without_changes: []\n",
		"srv/files/f":          "for {{ pillar['who'] }}\n",
		"srv/files/tree/sub/a": "a\n",
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		call string
		code int
		want []string
	}{
		{"docker.call web test.arg a b=1", 0, []string{`"args": [`, `"a"`, `"b": 1`}},
		{"docker.call web grains.get id", 0, []string{`"local": "webhost"`}},
		{"docker.call web nosuch.function", 1, []string{"'nosuch.function' is not available."}},
		{"docker.call none test.ping", 1, []string{`"comment": "Error: No such container: none"`}},
		{"docker.call halted test.ping", 1, []string{`"comment": "Error response from daemon: Container def is not running"`}},
		{"docker.sls web web test=True", 0, []string{`"result": null`}},
		{"docker.sls web web", 0, []string{"/out updated", "Recursively updated", `"comment": "webhost, somebody"`}},
		{"docker.highstate web", 0, []string{"/out is in the correct state"}},
		{"docker.apply web mods=broken", 1, []string{`"comment": "Failure!"`}},
		{"docker.apply web mods=missing", 1, []string{"No matching sls found for 'missing' in env 'base'"}},
	} {
		cmd := exec.Command("pinch", append([]string{"-c", dir + "/conf", "--local", "--out=json"}, strings.Fields(tc.call)...)...)
		cmd.Env = append(os.Environ(), "DOCKER_HOST=tcp://"+srv.Listener.Addr().String())
		b, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != tc.code {
			t.Errorf("%s: exit code %d\n%s", tc.call, code, b)
		}
		for _, s := range tc.want {
			if !strings.Contains(string(b), s) {
				t.Errorf("%s lacks %s\n%s", tc.call, s, b)
			}
		}
		if _, err := os.Stat(dir + "/out"); strings.Contains(tc.call, "test=True") && err == nil {
			t.Error("a test changes something")
		}
	}
	if b, err := os.ReadFile(dir + "/out"); string(b) != "for somebody\n" {
		t.Errorf("%q %v", b, err)
	}
	for _, path := range d.put {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s stays in the container", path)
			_ = os.RemoveAll(path)
		}
	}
}
