package gitfs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A signers makes keys of both kinds for a test.
type signers struct {
	t   testing.TB
	dir string
}

func newSigners(t testing.TB) *signers {
	t.Helper()
	needGit(t)
	for _, p := range []string{"ssh-keygen", "gpg"} {
		if _, err := exec.LookPath(p); err != nil {
			t.Skip("there is no " + p)
		}
	}
	dir, err := os.MkdirTemp("", "sig") // short: gpg's socket lies in it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		exec.Command("gpgconf", "--homedir", dir, "--kill", "all").Run()
		os.RemoveAll(dir)
	})
	t.Setenv("GNUPGHOME", dir)
	return &signers{t, dir}
}

func (s *signers) run(name string, args ...string) string {
	s.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = s.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// ssh makes a key and returns its path and the public part.
func (s *signers) ssh(name, kind string) (string, string) {
	s.run("ssh-keygen", "-q", "-t", kind, "-N", "", "-C", name, "-f", name)
	b, err := os.ReadFile(filepath.Join(s.dir, name+".pub"))
	if err != nil {
		s.t.Fatal(err)
	}
	f := strings.Fields(string(b))
	return filepath.Join(s.dir, name), f[0] + " " + f[1]
}

// gpg makes a key and returns its fingerprint.
func (s *signers) gpg(mail, expire string, flags ...string) string {
	args := append([]string{"--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", "", "--status-fd", "1"}, flags...)
	out := s.run("gpg", append(args, "--quick-gen-key", mail, "ed25519", "sign", expire)...)
	_, rest, _ := strings.Cut(out, "KEY_CREATED P ")
	return strings.Fields(rest)[0]
}

func (s *signers) file(name, text string) string {
	s.t.Helper()
	full := filepath.Join(s.dir, name)
	if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return full
}

func (s *signers) export(keys ...string) string {
	full := filepath.Join(s.dir, "ring.asc")
	os.Remove(full)
	s.run("gpg", append([]string{"--batch", "--armor", "--output", full, "--export"}, keys...)...)
	return full
}

func (w *work) signWith(format, key string) {
	git(w.t, w.dir, "config", "gpg.format", format)
	git(w.t, w.dir, "config", "user.signingkey", key)
}

func trusting(w *work, verify string) string {
	return fmt.Sprintf("gitfs_remotes:\n- '%s':\n  - verify: {%s}\n", w.url(), verify)
}

func TestSignedCommitsAreAccepted(t *testing.T) {
	s := newSigners(t)
	ed, edPub := s.ssh("ed", "ed25519")
	rsa, rsaPub := s.ssh("rsa", "rsa")
	ec, ecPub := s.ssh("ec", "ecdsa")
	ca, caPub := s.ssh("ca", "ed25519")
	user, _ := s.ssh("user", "ed25519")
	s.run("ssh-keygen", "-q", "-s", ca, "-I", "id", "-n", "joe@example.com", user+".pub")
	fpr := s.gpg("joe@example.com", "0")
	allowed := s.file("allowed", "# ours\n\n"+
		"joe@example.com,x@example.com "+edPub+" a comment\n"+
		"rsa namespaces=\"file,git\",valid-after=\"20200101Z\" "+rsaPub+"\n"+
		"ec "+ecPub+"\n"+
		"*@example.com cert-authority "+caPub+"\n")
	verify := "allowed_signers: " + allowed + ", gpg_keyring: " + s.export(fpr)
	for name, key := range map[string][2]string{
		"ed25519": {"ssh", ed}, "rsa": {"ssh", rsa}, "ecdsa": {"ssh", ec}, "certificate": {"ssh", user + "-cert.pub"}, "gpg": {"openpgp", fpr},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWork(t)
			w.signWith(key[0], key[1])
			w.commit("web/init.sls", "signed\n", "-S")
			run := newSetup(t, trusting(w, verify))
			run.want("web/init.sls", "base", "signed\n")
			if run.log.Len() > 0 {
				t.Errorf("log: %s", run.log.String())
			}
			w.commit("web/init.sls", "next\n", "-S")
			run.want("web/init.sls", "base", "next\n")
			git(t, w.dir, "tag", "-s", "-m", "x", "v1")
			w.commit("web/init.sls", "later\n")
			run.want("web/init.sls", "v1", "next\n")
			run.want("web/init.sls", "base", "next\n")

			tags := newSetup(t, trusting(w, verify+", require: tag"))
			tags.want("web/init.sls", "base", "")
			tags.wantLog("has no signed tag")
			tags.want("web/init.sls", "v1", "next\n")
			git(t, w.dir, "tag", "-s", "-m", "x", "v2")
			tags.want("web/init.sls", "base", "later\n")
		})
	}
}

// Each kind of commit that may not be used leaves the last good one in use.
func TestForgeriesAreRefused(t *testing.T) {
	s := newSigners(t)
	good, goodPub := s.ssh("good", "ed25519")
	bad, _ := s.ssh("bad", "ed25519")
	old, oldPub := s.ssh("old", "ed25519")
	young, youngPub := s.ssh("young", "ed25519")
	files, filesPub := s.ssh("files", "ed25519")
	ca, caPub := s.ssh("ca", "ed25519")
	user, _ := s.ssh("user", "ed25519")
	s.run("ssh-keygen", "-q", "-s", ca, "-I", "id", "-n", "eve@elsewhere.org", user+".pub")
	outdated, _ := s.ssh("outdated", "ed25519")
	s.run("ssh-keygen", "-q", "-s", ca, "-I", "id", "-n", "joe@example.com", "-V", "20200101:20200102", outdated+".pub")
	fpr := s.gpg("joe@example.com", "0")
	stranger := s.gpg("eve@example.com", "0")
	expired := s.gpg("old@example.com", "seconds=86400", "--faked-system-time", "20200101T000000!")
	revoked := s.gpg("gone@example.com", "0")
	allowed := s.file("allowed", "good "+goodPub+"\nold valid-before=20200101Z "+oldPub+"\nyoung valid-after=20990101Z "+youngPub+
		"\nfiles namespaces=file "+filesPub+"\n*@example.com cert-authority "+caPub+"\n")
	both := "allowed_signers: " + allowed + ", gpg_keyring: "

	// Revoke after the work of the others, for the ring is exported once.
	rev, err := os.ReadFile(filepath.Join(s.dir, "openpgp-revocs.d", revoked+".rev"))
	if err != nil {
		t.Fatal(err)
	}
	revocation := s.file("rev.asc", strings.ReplaceAll(string(rev), ":-----BEGIN", "-----BEGIN"))

	sign := func(format, key string, flags ...string) func(w *work) {
		return func(w *work) {
			w.signWith(format, key)
			w.commit("web/init.sls", "evil\n", append([]string{"-S"}, flags...)...)
		}
	}
	raw := func(change func(string) string) func(w *work) {
		return func(w *work) {
			w.signWith("ssh", good)
			w.commit("web/init.sls", "evil\n", "-S")
			obj := git(t, w.dir, "cat-file", "commit", "HEAD") + "\n"
			cmd := exec.Command("git", "hash-object", "-t", "commit", "-w", "--stdin")
			cmd.Dir, cmd.Stdin = w.dir, strings.NewReader(change(obj))
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			git(t, w.dir, "update-ref", "refs/heads/master", strings.TrimSpace(string(out)))
		}
	}
	tests := []struct {
		name string
		do   func(w *work)
		want string
	}{
		{"unsigned", func(w *work) { w.commit("web/init.sls", "evil\n") }, "it is not signed"},
		{"unknown ssh key", sign("ssh", bad), "is not an allowed signer"},
		{"unknown gpg key", sign("openpgp", stranger), "unknown entity"},
		{"expired ssh key", sign("ssh", old), "is expired since 2020-01-01"},
		{"ssh key of the future", sign("ssh", young), "is not valid before 2099-01-01"},
		{"expired gpg key", func(w *work) {
			wrapper := s.file("gpg-then", "#!/bin/sh\nexec gpg --faked-system-time 20200101T010000 \"$@\"\n")
			os.Chmod(wrapper, 0o700)
			git(t, w.dir, "config", "gpg.program", wrapper)
			sign("openpgp", expired)(w)
		}, "expired"},
		{"revoked gpg key", func(w *work) {
			sign("openpgp", revoked)(w)
			s.run("gpg", "--batch", "--import", revocation)
		}, "revoked"},
		{"key for files", sign("ssh", files), "the ssh key of files is not allowed for"},
		{"certificate for another", sign("ssh", user+"-cert.pub"), "is for eve@elsewhere.org"},
		{"outdated certificate", sign("ssh", outdated+"-cert.pub"), "expired"},
		{"changed text", raw(func(o string) string { return strings.Replace(o, "\nchange\n", "\nchanged\n", 1) }), "does not belong to this text"},
		{"changed date", raw(func(o string) string { return strings.Replace(o, " +0000\n", " +0100\n", 1) }), "does not belong to this text"},
		{"signature cut", raw(func(o string) string { return strings.Replace(o, " -----END SSH SIGNATURE-----\n", "", 1) }), "malformed ssh signature"},
		{"two signatures", raw(func(o string) string {
			i, j := strings.Index(o, "gpgsig "), strings.Index(o, "-----END SSH SIGNATURE-----\n")+len("-----END SSH SIGNATURE-----\n")
			return o[:j] + o[i:]
		}), "more than one signature"},
		{"signature of another commit", func(w *work) {
			w.signWith("ssh", good)
			other := git(t, w.dir, "cat-file", "commit", "HEAD")
			i, j := strings.Index(other, "gpgsig "), strings.Index(other, "-----END SSH SIGNATURE-----")
			raw(func(o string) string {
				k, l := strings.Index(o, "gpgsig "), strings.Index(o, "-----END SSH SIGNATURE-----")
				return o[:k] + other[i:j] + o[l:]
			})(w)
		}, "does not belong to this text"},
		{"older signed commit", func(w *work) { git(t, w.dir, "reset", "-q", "--hard", "HEAD~1") }, "does not follow"},
		{"unrelated signed commit", func(w *work) {
			git(t, w.dir, "checkout", "-q", "--orphan", "other")
			sign("ssh", good)(w)
			git(t, w.dir, "branch", "-f", "master", "other")
		}, "does not follow"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			w := newWork(t)
			w.t = t
			w.signWith("ssh", good)
			w.commit("web/init.sls", "older\n", "-S")
			ok := w.commit("web/init.sls", "good\n", "-S")
			ring := s.export(fpr, expired, revoked)
			run := newSetup(t, trusting(w, both+ring))
			run.want("web/init.sls", "base", "good\n")
			c.do(w)
			s.export(fpr, expired, revoked)
			run.want("web/init.sls", "base", "good\n")
			run.wantLog("level=WARN", c.want, ok[:10]+" stays in use")
			// A clone made anew remembers what was trusted.
			os.Truncate(filepath.Join(run.repoDir(), "HEAD"), 0)
			if got := run.read("web/init.sls", "base"); got == "evil\n" || got == "older\n" {
				t.Errorf("after a new clone the tree has %q", got)
			}
			fresh := newSetup(t, trusting(w, both+ring))
			if got := fresh.read("web/init.sls", "base"); got != "" && !strings.Contains(c.want, "follow") {
				t.Errorf("a first clone has %q", got)
			}
		})
	}
}

func TestTagReplay(t *testing.T) {
	s := newSigners(t)
	key, pub := s.ssh("k", "ed25519")
	verify := "require: tag, allowed_signers: " + s.file("allowed", "k "+pub+"\n")
	w := newWork(t)
	w.signWith("ssh", key)
	git(t, w.dir, "tag", "-s", "-m", "x", "v1")
	w.commit("web/init.sls", "two\n")
	git(t, w.dir, "tag", "-s", "-m", "x", "v2")
	run := newSetup(t, trusting(w, verify))
	run.want("web/init.sls", "v2", "two\n")
	v1 := git(t, w.dir, "rev-parse", "v1")
	git(t, w.dir, "update-ref", "refs/tags/v3", v1)
	run.want("web/init.sls", "v3", "")
	git(t, w.dir, "update-ref", "refs/tags/v2", v1)
	run.want("web/init.sls", "v2", "two\n")
	run.wantLog(`it was made under the name \"v1\"`)
	git(t, w.dir, "tag", "-d", "v2")
	run.want("web/init.sls", "v2", "")
	git(t, w.dir, "tag", "-s", "-m", "x", "v2", "HEAD~1") // signed, but older than what was
	run.want("web/init.sls", "v2", "two\n")
	run.wantLog("does not follow")
}

func TestRollbackMayBeAllowed(t *testing.T) {
	s := newSigners(t)
	key, pub := s.ssh("k", "ed25519")
	allowed := s.file("allowed", "k "+pub+"\n")
	w := newWork(t)
	w.signWith("ssh", key)
	w.commit("web/init.sls", "one\n", "-S", "--allow-empty")
	w.commit("web/init.sls", "two\n", "-S")
	run := newSetup(t, trusting(w, "allow_rollback: true, allowed_signers: "+allowed))
	run.want("web/init.sls", "base", "two\n")
	git(t, w.dir, "reset", "-q", "--hard", "HEAD~1")
	run.want("web/init.sls", "base", "one\n")
}

func TestPin(t *testing.T) {
	w := newWork(t)
	first := git(t, w.dir, "rev-parse", "HEAD")
	git(t, w.dir, "tag", "v1")
	w.commit("web/init.sls", "two\n")
	for _, pin := range []string{first, "v1"} {
		run := newSetup(t, fmt.Sprintf("gitfs_remotes:\n- '%s':\n  - pin: %s\n", w.url(), pin))
		run.want("web/init.sls", "base", "one\n")
		w.commit("web/init.sls", pin+"\n")
		run.want("web/init.sls", "base", "one\n")
		if pin == "v1" {
			git(t, w.dir, "tag", "-f", "v1")
			run.want("web/init.sls", "base", "one\n")
			run.wantLog("the pinned tag was moved")
		}
	}
}

func TestLockFile(t *testing.T) {
	w := newWork(t)
	first := git(t, w.dir, "rev-parse", "HEAD")
	s := newSetup(t, remote(w.url()))
	name := filepath.Join(t.TempDir(), "pinch.lock")
	if err := (Lock{w.url(): {"refs/remotes/origin/master": first}}).Write(name); err != nil {
		t.Fatal(err)
	}
	w.commit("web/init.sls", "two\n")
	git(t, w.dir, "branch", "dev")
	var err error
	if s.o.Locked, err = ReadLock(name); err != nil {
		t.Fatal(err)
	}
	s.want("web/init.sls", "base", "one\n")
	s.want("web/init.sls", "dev", "")
	s.o.Locked = nil
	s.want("web/init.sls", "base", "two\n")
	s.want("web/init.sls", "dev", "two\n")
}

func FuzzSSHSig(f *testing.F) {
	f.Add(beginSSH + "\nU1NIU0lHAAAAAQ==\n-----END SSH SIGNATURE-----\n")
	f.Fuzz(func(_ *testing.T, s string) { _, _ = parseSSHSig(s) })
}

func FuzzSigners(f *testing.F) {
	f.Add("a@b namespaces=\"git,x\",valid-after=20200101Z ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA==")
	f.Fuzz(func(_ *testing.T, s string) { _, _ = parseSigners(s) })
}

func FuzzObjects(f *testing.F) {
	f.Add([]byte("tree 1\ncommitter a <b> 1 +0000\ngpgsig x\n y\n\nhello"))
	f.Add([]byte("40000 a\x0001234567890123456789"))
	f.Fuzz(func(_ *testing.T, b []byte) {
		_, _ = splitCommit(b)
		_, _ = splitTag(b)
		_, _ = parseTree(b)
	})
}
