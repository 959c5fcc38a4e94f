package gitfs

import (
	"bytes"
	"context"
	"encoding/pem"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/crypto/ssh"
)

// A way leads to the repositories beside that of a work, and to itself.
type way struct {
	base, conf string // what the address of each begins with, and the parameters that it needs
	stop       func()
}

// remote is the configuration of one repository.
func (tr way) remote(repo string, more ...string) string {
	b := "gitfs_remotes:\n- '" + tr.base + repo + "':\n  - timeout: 20\n"
	for _, m := range append(more, tr.conf) {
		if m != "" {
			b += "  - " + m + "\n"
		}
	}
	return b
}

// transports are the ways by which trees come. What a machine does not have is
// skipped, and counted.
var transports = map[string]func(*work) way{
	"file": func(w *work) way {
		dir := filepath.Dir(w.dir)
		return way{base: "file://" + dir + "/", stop: func() { os.Rename(dir, dir+".away") }}
	},
	"http": func(w *work) way {
		s, stop := w.backend(nil)
		return way{base: s, stop: stop}
	},
	"nginx": func(w *work) way {
		n := w.nginx()
		return way{n.https + "/auth/", "ca_bundle: " + n.cert + "\n  - user: joe\n  - password: secret", n.stop}
	},
	"redirect": func(w *work) way {
		n := w.nginx()
		return way{n.http + "/moved/", "ca_bundle: " + n.cert, n.stop}
	},
	"git": func(w *work) way {
		url, cmd := w.daemon()
		return way{base: strings.TrimSuffix(url, "repo"), stop: func() { cmd.Process.Kill(); cmd.Wait() }}
	},
	"ssh": func(w *work) way {
		host, _ := newKey(w.t)
		user, key := newKey(w.t)
		l := serveSSH(w.t, host, user.PublicKey())
		w.knows(l.Addr(), host.PublicKey())
		return way{"ssh://git@" + l.Addr().String() + filepath.Dir(w.dir) + "/", "privkey: " + w.keyFile(key), func() { l.Close() }}
	},
	"openssh": func(w *work) way {
		s := newSigners(w.t)
		key, pub := s.ssh("user", "ed25519")
		hostKey, hostPub := s.ssh("host", "ed25519")
		port, cmd := sshd(w.t, hostKey, pub)
		w.setenv("SSH_KNOWN_HOSTS", s.file("known", "[127.0.0.1]:"+port+" "+hostPub+"\n"))
		user := strings.TrimSpace(s.run("id", "-un"))
		return way{"ssh://" + user + "@127.0.0.1:" + port + filepath.Dir(w.dir) + "/", "privkey: " + key, func() { cmd.Process.Kill(); cmd.Wait() }}
	},
}

func (w *work) setenv(name, v string) { w.t.(*testing.T).Setenv(name, v) }

// knows makes the host of an address a known one.
func (w *work) knows(addr net.Addr, key ssh.PublicKey) {
	w.t.Helper()
	known := filepath.Join(w.t.TempDir(), "known")
	host, port, _ := net.SplitHostPort(addr.String())
	if err := os.WriteFile(known, append([]byte("["+host+"]:"+port+" "), ssh.MarshalAuthorizedKey(key)...), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.setenv("SSH_KNOWN_HOSTS", known)
	w.setenv("SSH_AUTH_SOCK", "")
}

// keyFile writes a private key.
func (w *work) keyFile(key any) string {
	w.t.Helper()
	b, err := ssh.MarshalPrivateKey(key, "")
	if err != nil {
		w.t.Fatal(err)
	}
	name := filepath.Join(w.t.TempDir(), "key")
	if err := os.WriteFile(name, pem.EncodeToMemory(b), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return name
}

// beside makes an empty repository beside that of the work.
func (w *work) beside(name string, flags ...string) *work {
	o := &work{w.t, filepath.Join(filepath.Dir(w.dir), name)}
	git(w.t, filepath.Dir(w.dir), append(append([]string{"init", "-q", "-b", "master"}, flags...), o.dir)...)
	return o
}

// TestEveryTransport does what can happen to a remote, by each way to it: it
// moves on, is forced back, loses branches and tags, has nothing or only what
// cannot be read, is not there, goes away.
func TestEveryTransport(t *testing.T) {
	for name, connect := range transports {
		t.Run(name, func(t *testing.T) {
			w := newWork(t)
			empty, sha256 := w.beside("empty"), w.beside("sha256", "--object-format=sha256")
			sha256.commit("a", "b\n")
			tr := connect(w)
			s := newSetup(t, tr.remote("repo"))
			w.follow(s)

			none := newSetup(t, tr.remote("empty"))
			envs, err := none.run().Envs(context.Background())
			if err != nil || len(envs) > 0 || none.log.Len() > 0 {
				t.Errorf("empty: %v, %v, %s", envs, err, none.log.String())
			}
			empty.commit("a", "b\n")
			none.want("a", "base", "b\n")

			other := newSetup(t, tr.remote("sha256"))
			other.want("a", "base", "")
			other.wantLog("level=ERROR", "sha256")

			no := newSetup(t, tr.remote("nosuch"))
			no.want("web/init.sls", "base", "")
			no.wantLog("level=ERROR", "could not be fetched")

			tr.stop()
			s.want("web/init.sls", "base", "three\n")
			s.wantLog("level=WARN", "stays in use")
			fresh := newSetup(t, tr.remote("repo"))
			fresh.want("web/init.sls", "base", "")
			fresh.wantLog("level=ERROR", "could not be fetched")
		})
	}
}

// follow changes the repository in all ways and looks whether runs see it.
func (w *work) follow(s *setup) {
	t := w.t
	s.want("web/init.sls", "base", "one\n")
	first := git(t, w.dir, "rev-parse", "HEAD")
	w.commit("web/init.sls", "two\n")
	s.want("web/init.sls", "base", "two\n")
	w.commit("web/init.sls", "three\n", "--amend")
	s.want("web/init.sls", "base", "three\n")
	s.want("web/init.sls", first, "one\n")

	git(t, w.dir, "checkout", "-qb", "feature/x")
	w.commit("f", "f\n")
	git(t, w.dir, "tag", "v1")
	s.want("f", "feature/x", "f\n")
	s.want("f", "v1", "f\n")
	s.want("f", "base", "")
	w.commit("f", "g\n", "--amend")
	git(t, w.dir, "tag", "-f", "-a", "-m", "x", "v1")
	s.want("f", "feature/x", "g\n")
	s.want("f", "v1", "g\n")

	git(t, w.dir, "checkout", "-q", "master")
	git(t, w.dir, "branch", "-qD", "feature/x")
	s.want("f", "feature/x", "")
	envs, err := s.run().Envs(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"base", "v1"}, envs); d != "" {
		t.Error(d)
	}
	git(t, w.dir, "tag", "-d", "v1")
	s.want("f", "v1", "")
}

// TestSilentServer gives up on servers that take the connection and say
// nothing.
func TestSilentServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	for _, scheme := range []string{"http", "https", "git", "ssh"} {
		t.Run(scheme, func(t *testing.T) {
			w := newWork(t)
			host, key := newKey(t)
			w.knows(l.Addr(), host.PublicKey())
			conf := ""
			if scheme == "ssh" {
				conf = "  - privkey: " + w.keyFile(key) + "\n"
			}
			s := newSetup(t, "gitfs_remotes:\n- '"+scheme+"://"+l.Addr().String()+"/repo':\n  - timeout: 1\n"+conf)
			s.want("web/init.sls", "base", "")
			s.wantLog("no answer for 1s")
		})
	}
}

// TestLarge has a tree of 10,000 files and a history of 5,000 commits.
func TestLarge(t *testing.T) {
	files, commits := 10_000, 5_000
	var b bytes.Buffer
	for i := range commits {
		fmt.Fprintf(&b, "commit refs/heads/master\nmark :%d\ncommitter a <a@b> %d +0000\ndata 1\nx", i+1, 1700000000+i)
		if i == 0 {
			b.WriteString("\nfrom refs/heads/master^0\n")
			for f := range files {
				text := fmt.Sprintf("file %d\n", f)
				fmt.Fprintf(&b, "M 100644 inline d%d/e%d/f%d.sls\ndata %d\n%s\n", f%10, f%100, f, len(text), text)
			}
			continue
		}
		text := fmt.Sprint(i)
		fmt.Fprintf(&b, "\nM 100644 inline count\ndata %d\n%s\n", len(text), text)
	}
	w := newWork(t)
	cmd := exec.Command("git", "fast-import", "--quiet", "--force")
	cmd.Dir, cmd.Stdin = w.dir, &b
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	old := git(t, w.dir, "rev-parse", "master~4000")
	for name, connect := range transports {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "http" {
				t.Skip("one transport is enough for a short run")
			}
			if name == "file" { // its stop renames the folder
				connect = func(w *work) way { return way{base: "file://" + filepath.Dir(w.dir) + "/"} }
			}
			tr := connect(&work{t, w.dir})
			s := newSetup(t, tr.remote("repo"))
			fs := s.run()
			l, err := fs.List(context.Background(), "base")
			if err != nil {
				t.Fatal(err)
			}
			if len(l.Files) != files+2 || len(l.Dirs) != 10+100+1 {
				t.Errorf("%d files, %d folders\n%s", len(l.Files), len(l.Dirs), s.log.String())
			}
			s.want("d3/e33/f8833.sls", "base", "file 8833\n")
			s.want("count", "base", "4999")
			if name == "http" { // the whole history comes with an old commit
				s.want("count", old, "999")
				s.want("count", old[:10], "999")
			}
			if name != "file" { // there, objects are copied one by one
				all := newSetup(t, "gitfs_depth: 0\n"+tr.remote("repo"))
				all.want("count", old, "999")
			}
		})
	}
}
