package gitfs

import (
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// freePort is a port of the loopback that nobody listens on.
func freePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// start runs a server until the test ends, and waits until its port answers.
func start(t testing.TB, port, name string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(name, args...)
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if text, err := os.ReadFile(log.Name()); err == nil && t.Failed() {
			t.Logf("%s said: %s", name, text)
		}
	})
	for range 300 {
		if c, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			c.Close()
			return cmd
		}
		time.Sleep(50 * time.Millisecond)
	}
	text, _ := os.ReadFile(log.Name())
	t.Fatalf("%s does not answer: %s", name, text)
	return nil
}

// daemon offers the folder of the repository by git's own protocol.
func (w *work) daemon() (url string, cmd *exec.Cmd) {
	w.t.Helper()
	if _, err := os.Stat(filepath.Join(git(w.t, w.dir, "--exec-path"), "git-daemon")); err != nil {
		w.t.Skip("there is no git daemon")
	}
	port := freePort(w.t)
	core := filepath.Join(git(w.t, w.dir, "--exec-path"), "git-daemon")
	cmd = start(w.t, port, core, "--export-all", "--listen=127.0.0.1", "--port="+port, "--base-path="+filepath.Dir(w.dir), "--reuseaddr")
	return "git://127.0.0.1:" + port + "/repo", cmd
}

// TestTLS fetches over https: with an unknown authority, with it given, and
// without a check; and what is sent to a proxy.
func TestTLS(t *testing.T) {
	w := newWork(t)
	target, _ := url.Parse(w.serve(nil))
	srv := httptest.NewTLSServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: "http", Host: target.Host})
	}})
	t.Cleanup(srv.Close)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: srv.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, conf, text, log string }{
		{"unknown authority", "base: master", "", "certificate signed by unknown authority"},
		{"its authority", "ca_bundle: " + ca, "one\n", ""},
		{"ssl_verify off", "ssl_verify: False", "one\n", ""},
		{"empty bundle", "ca_bundle: " + empty, "", "no certificate in it"},
		{"no bundle", "ca_bundle: " + empty + "x", "", "no such file"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			s := newSetup(t, "gitfs_remotes:\n- '"+srv.URL+"/repo':\n  - "+c.conf+"\n")
			s.want("web/init.sls", "base", c.text)
			s.wantLog(c.log)
		})
	}
	global := newSetup(t, "gitfs_ssl_verify: False\n"+remote(srv.URL+"/repo"))
	global.want("web/init.sls", "base", "one\n")
}

// TestProxy sends the requests of a remote to its proxy.
func TestProxy(t *testing.T) {
	w := newWork(t)
	target, _ := url.Parse(w.serve(nil))
	var asked atomic.Int32
	proxy := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, q *http.Request) {
		if q.URL.Host == "git.example.invalid" {
			asked.Add(1)
		}
		httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: target.Host}).ServeHTTP(rw, q)
	}))
	t.Cleanup(proxy.Close)
	for _, p := range []string{proxy.URL, strings.TrimPrefix(proxy.URL, "http://")} {
		before := asked.Load()
		s := newSetup(t, "gitfs_remotes:\n- 'http://git.example.invalid/repo':\n  - proxy: '"+p+"'\n")
		s.want("web/init.sls", "base", "one\n")
		if asked.Load() == before {
			t.Error("the proxy was not asked")
		}
	}
}

// sshd runs OpenSSH's server on the loopback; it lets in who has the key.
func sshd(t testing.TB, hostKey, allowed string) (port string, cmd *exec.Cmd) {
	t.Helper()
	program := os.Getenv("PINCH_SSHD")
	if program == "" {
		program = "/usr/sbin/sshd"
	}
	if _, err := os.Stat(program); err != nil {
		t.Skip("there is no OpenSSH server (" + program + ")")
	}
	dir := t.TempDir()
	keys := filepath.Join(dir, "authorized")
	if err := os.WriteFile(keys, []byte(allowed), 0o600); err != nil {
		t.Fatal(err)
	}
	port = freePort(t)
	conf := filepath.Join(dir, "sshd_config")
	text := fmt.Sprintf("ListenAddress 127.0.0.1\nPort %s\nHostKey %s\nAuthorizedKeysFile %s\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nPidFile none\nPermitRootLogin yes\n", port, hostKey, keys)
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return port, start(t, port, program, "-D", "-e", "-f", conf)
}

// TestOpenSSH fetches from the real server: keys of each kind, with and
// without a passphrase, from an agent; strangers, and hosts that are not whom
// they should be.
func TestOpenSSH(t *testing.T) {
	s := newSigners(t)
	s.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "open sesame", "-f", "locked")
	ed, edPub := s.ssh("ed", "ed25519")
	rsa, rsaPub := s.ssh("rsa", "rsa")
	ec, ecPub := s.ssh("ec", "ecdsa")
	bad, _ := s.ssh("bad", "ed25519")
	host, hostPub := s.ssh("host", "ed25519")
	_, otherPub := s.ssh("other", "ed25519")
	lockedPub, err := os.ReadFile(filepath.Join(s.dir, "locked.pub"))
	if err != nil {
		t.Fatal(err)
	}
	port, _ := sshd(t, host, edPub+"\n"+rsaPub+"\n"+ecPub+"\n"+string(lockedPub))
	w := newWork(t)
	user := strings.TrimSpace(s.run("id", "-un"))
	addr := "[127.0.0.1]:" + port
	good, other := addr+" "+hostPub+"\n", addr+" "+otherPub+"\n"
	hashed := s.file("hashed", good)
	s.run("ssh-keygen", "-q", "-H", "-f", hashed)
	hashedText, err := os.ReadFile(hashed)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, known, conf, log string }{
		{"ed25519", good, "privkey: " + ed, ""},
		{"rsa", good, "privkey: " + rsa, ""},
		{"ecdsa", good, "privkey: " + ec, ""},
		{"pubkey beside", good, "pubkey: " + ed + ".pub\n  - privkey: " + ed, ""},
		{"passphrase", good, "privkey: " + filepath.Join(s.dir, "locked") + "\n  - passphrase: open sesame", ""},
		{"hashed known_hosts", string(hashedText), "privkey: " + ed, ""},
		{"wrong passphrase", good, "privkey: " + filepath.Join(s.dir, "locked") + "\n  - passphrase: no", "SSH privkey"},
		{"no passphrase", good, "privkey: " + filepath.Join(s.dir, "locked"), "SSH privkey"},
		{"stranger", good, "privkey: " + bad, "unable to authenticate"},
		{"unknown host", "elsewhere " + hostPub + "\n", "privkey: " + ed, "is not in known_hosts"},
		{"changed host key", other, "privkey: " + ed, "is not the one in known_hosts"},
		{"agent", good, "base: master", ""},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("SSH_AUTH_SOCK", "")
			if c.name == "agent" {
				sock := filepath.Join(s.dir, "agent")
				agent := exec.Command("ssh-agent", "-D", "-a", sock)
				if err := agent.Start(); err != nil {
					t.Skip("there is no ssh-agent")
				}
				t.Cleanup(func() { agent.Process.Kill(); agent.Wait() })
				for range 100 {
					if _, err := os.Stat(sock); err == nil {
						break
					}
					time.Sleep(50 * time.Millisecond)
				}
				t.Setenv("SSH_AUTH_SOCK", sock)
				s.run("ssh-add", "-q", ed)
			}
			t.Setenv("SSH_KNOWN_HOSTS", s.file("known", c.known))
			for _, url := range []string{"ssh://" + user + "@127.0.0.1:" + port + w.dir} {
				run := newSetup(t, "gitfs_remotes:\n- '"+url+"':\n  - timeout: 10\n  - "+c.conf+"\n")
				want := "one\n"
				if c.log != "" {
					want = ""
				}
				run.want("web/init.sls", "base", want)
				run.wantLog(c.log)
				if strings.Contains(run.log.String(), "sesame") {
					t.Error("the passphrase is in the log")
				}
			}
		})
	}
	t.Setenv("SSH_AUTH_SOCK", "")
	t.Setenv("SSH_KNOWN_HOSTS", s.file("known", good))
	run := newSetup(t, "gitfs_remotes:\n- 'ssh://"+user+"@127.0.0.1:"+port+w.dir+"':\n  - privkey: "+ed+"\n")
	run.want("web/init.sls", "base", "one\n")
	w.commit("web/init.sls", "two\n", "--amend")
	run.want("web/init.sls", "base", "two\n")
	no := newSetup(t, "gitfs_remotes:\n- 'ssh://"+user+"@127.0.0.1:"+port+w.dir+"x':\n  - privkey: "+ed+"\n")
	no.want("web/init.sls", "base", "")
	no.wantLog("level=ERROR", "could not be fetched")
}
