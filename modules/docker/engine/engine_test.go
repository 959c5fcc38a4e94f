package engine

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pinch/modules/docker/dockertest"
	"pinch/sys"
	"pinch/value"
)

// The texts are those of docker-py 7.1.
func TestNoDaemon(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]string{
		"unix:///nowhere/docker.sock": "Error while fetching server API version: ('Connection aborted.', FileNotFoundError(2, 'No such file or directory'))",
		"unix://" + file:              "Error while fetching server API version: ('Connection aborted.', ConnectionRefusedError(111, 'Connection refused'))",
		"tcp://127.0.0.1":             "Invalid bind address format: port is required: tcp://127.0.0.1",
		"npipe://host:22":             "Invalid bind address protocol: npipe://host:22; known are unix, tcp, http, https and ssh",
		"ssh://host/run/docker.sock":  "Invalid bind address format: no path allowed for this protocol: ssh://host/run/docker.sock",
		"ssh://-oProxyCommand=x":      "Invalid bind address format: ssh://-oProxyCommand=x",
		"ssh://me:s3cret@host":        "Invalid bind address format: plain-text password is not supported: ssh://me@host",
	} {
		if _, err := For(dockertest.World(t, "docker.url", url)); err == nil || err.Error() != want {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestNegotiation(t *testing.T) {
	asked := ""
	place := dockertest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked += r.URL.Path + " "
		_, _ = io.WriteString(w, `{"ApiVersion": "1.41"}`)
	}))
	t.Setenv("DOCKER_HOST", place)
	for _, tc := range []struct{ version, want string }{{"", "/version /v1.41/info "}, {"auto", "/version /v1.41/info "}, {"1.30", "/v1.30/info "}} {
		asked = ""
		c := dockertest.World(t, "docker.version", tc.version)
		for range 2 {
			d, err := For(c)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := d.Map(Request{Op: "info", Path: "/info"}); err != nil {
				t.Fatal(err)
			}
		}
		if want := tc.want + tc.want[strings.LastIndex(tc.want[:len(tc.want)-1], " ")+1:]; asked != want {
			t.Errorf("%q asks %q, not %q", tc.version, asked, want)
		}
	}
}

func TestTLS(t *testing.T) {
	srv := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"ApiVersion": "1.41"}`) }))
	t.Cleanup(srv.Close)
	srv.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	dir := t.TempDir()
	t.Setenv("DOCKER_CERT_PATH", dir)
	t.Setenv("DOCKER_HOST", "tcp://"+srv.Listener.Addr().String())
	if _, err := For(dockertest.World(t)); err == nil || !strings.Contains(err.Error(), "certificate signed by unknown authority") {
		t.Errorf("a server of nobody: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ca.pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: srv.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	if d, err := For(dockertest.World(t)); err != nil || d.Version() != "1.41" {
		t.Errorf("with its certificate: %v", err)
	}
}

func TestErrors(t *testing.T) {
	place := dockertest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1.41/json":
			w.WriteHeader(http.StatusConflict)
			_, _ = io.WriteString(w, `{"message": "no, never"}`)
		case "/v1.41/text":
			w.WriteHeader(http.StatusBadGateway)
			_, _ = io.WriteString(w, "<html>away</html>\n")
		case "/v1.41/late":
			select {
			case <-r.Context().Done():
			case <-time.After(10 * time.Second):
			}
		case "/v1.41/broken":
			_, _ = io.WriteString(w, "{")
		}
	}))
	d, err := For(dockertest.World(t, "docker.url", place, "docker.version", "1.41"))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/json":             "Error 409: no, never",
		"/text":             "Error 502: <html>away</html>",
		"/late":             "Unable to perform op: Read timed out.",
		"/broken":           "Unable to perform op: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
		"/containers//json": "Resource ID was not provided",
	} {
		_, err := d.Within(0.2).Map(Request{Op: "op", Path: path})
		var e *value.Exception
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v", path, err)
		} else if !errors.As(err, &e) || e.Class != "CommandExecutionError" {
			t.Errorf("%s is of class %v", path, e)
		}
	}
}

func frame(kind byte, text string) []byte {
	b := make([]byte, 8, 8+len(text))
	b[0] = kind
	binary.BigEndian.PutUint32(b[4:], uint32(len(text)))
	return append(b, text...)
}

func TestDemux(t *testing.T) {
	var out, errs bytes.Buffer
	in := bytes.Join([][]byte{frame(1, "one\n"), frame(2, "bad\n"), frame(1, ""), frame(1, "two")}, nil)
	if err := Demux(bytes.NewReader(in), &out, &errs); err != nil || out.String() != "one\ntwo" || errs.String() != "bad\n" {
		t.Errorf("%q %q %v", out.String(), errs.String(), err)
	}
	for _, bad := range [][]byte{in[:3], in[:10], []byte("plain text")} {
		if Demux(bytes.NewReader(bad), io.Discard, io.Discard) == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func FuzzDemux(f *testing.F) {
	f.Add(frame(1, "x"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var out bytes.Buffer
		if Demux(bytes.NewReader(b), &out, &out) == nil && out.Len() > len(b) {
			t.Error("more comes out than went in")
		}
	})
}

func TestRegistry(t *testing.T) {
	for image, want := range map[string]string{
		"busybox": "docker.io", "foo/bar:1": "docker.io", "localhost/x": "localhost", "host:5000/a/b": "host:5000", "ghcr.io/x": "ghcr.io", "index.docker.io/library/x": "docker.io",
	} {
		if got := Registry(image); got != want {
			t.Errorf("%s: %s", image, got)
		}
	}
}

func TestCredentials(t *testing.T) {
	place := dockertest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if strings.Contains(string(b), "wrong") {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, `{"Status": "Login Succeeded", "IdentityToken": ""}`)
	}))
	c := dockertest.World(t, "docker.url", place, "docker.version", "1.41")
	d, err := For(c)
	if err != nil {
		t.Fatal(err)
	}
	if d.Login("r:5000", "me", "wrong") == nil || sys.Exists(c.Sys, d.configFile()) {
		t.Error("a wrong password is kept")
	}
	if err := d.Login("r:5000", "me", "s3cr3t"); err != nil {
		t.Fatal(err)
	}
	if err := d.Login(Index, "hub", "other"); err != nil {
		t.Fatal(err)
	}
	if i, err := os.Stat(d.configFile()); err != nil || i.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", i.Mode(), err)
	}
	if got := c.Run.Redact("it is s3cr3t"); strings.Contains(got, "s3cr3t") {
		t.Error("the password is not hidden")
	}
	for image, want := range map[string]string{"r:5000/x:1": `{"username": "me", "password": "s3cr3t", "email": null, "serveraddress": "r:5000"}`,
		"busybox": `{"username": "hub", "password": "other", "email": null, "serveraddress": "https://index.docker.io/v1/"}`, "elsewhere.org/x": ""} {
		h, err := d.RegistryAuth(image)
		b, _ := base64.URLEncoding.DecodeString(h)
		if err != nil || string(b) != want {
			t.Errorf("%s: %s %v", image, b, err)
		}
	}
	if err := d.Logout("r:5000"); err != nil {
		t.Fatal(err)
	}
	if h, _ := d.RegistryAuth("r:5000/x"); h != "" {
		t.Error("the credentials stay")
	}
}

func TestHelper(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	script := "#!/bin/sh\nread name\ncase \"$1 $name\" in\n'get tok.org') echo '{\"Username\": \"<token>\", \"Secret\": \"abc\"}';;\n'get r.org') echo '{\"Username\": \"u\", \"Secret\": \"p\"}';;\n" +
		"'get bad.org') echo no key >&2; exit 1;;\n*) echo credentials not found in native keychain; exit 1;;\nesac\n"
	if err := os.WriteFile(filepath.Join(dir, "docker-credential-try"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	c := dockertest.World(t, "docker.url", "tcp://127.0.0.1:1", "docker.version", "1.41")
	d, err := For(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(d.home, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(d.configFile(), []byte(`{"credsStore": "try", "auths": {"plain.org": {"auth": "YTpi"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for image, want := range map[string]string{
		"tok.org/x": `{"ServerAddress": "tok.org", "IdentityToken": "abc"}`, "r.org/x": `{"ServerAddress": "r.org", "Username": "u", "Password": "p"}`,
		"plain.org/x": `{"username": "a", "password": "b", "email": null, "serveraddress": "plain.org"}`, "none.org/x": "",
	} {
		h, err := d.RegistryAuth(image)
		b, _ := base64.URLEncoding.DecodeString(h)
		if err != nil || string(b) != want {
			t.Errorf("%s: %s %v", image, b, err)
		}
	}
	if _, err := d.RegistryAuth("bad.org/x"); err == nil || !strings.Contains(err.Error(), "docker-credential-try exited with 1") {
		t.Errorf("a helper that fails: %v", err)
	}
}
