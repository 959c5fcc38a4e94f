package gitfs

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"
)

func newKey(t testing.TB) (ssh.Signer, ed25519.PrivateKey) {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ssh.NewSignerFromKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return s, key
}

// serveSSH runs git-upload-pack for those who have the key.
func serveSSH(t testing.TB, host ssh.Signer, user ssh.PublicKey) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	conf := &ssh.ServerConfig{PublicKeyCallback: func(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
		if !bytes.Equal(key.Marshal(), user.Marshal()) {
			return nil, errors.New("no")
		}
		return nil, nil
	}}
	conf.AddHostKey(host)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go serveConn(c, conf)
		}
	}()
	return l
}

func serveConn(c net.Conn, conf *ssh.ServerConfig) {
	conn, chans, reqs, err := ssh.NewServerConn(c, conf)
	if err != nil {
		return
	}
	defer conn.Close()
	go ssh.DiscardRequests(reqs)
	for n := range chans {
		ch, in, err := n.Accept()
		if err != nil {
			return
		}
		for r := range in {
			if r.Type != "exec" {
				r.Reply(false, nil)
				continue
			}
			r.Reply(true, nil)
			_, path, _ := strings.Cut(string(r.Payload[4:]), " ")
			cmd := exec.Command("git", "upload-pack", strings.Trim(path, "'"))
			cmd.Stdout, cmd.Stderr = ch, ch.Stderr()
			stdin, err := cmd.StdinPipe()
			if err != nil {
				return
			}
			go func() { io.Copy(stdin, ch); stdin.Close() }()
			cmd.Run()
			ch.SendRequest("exit-status", false, []byte{0, 0, 0, 0})
			ch.Close()
		}
	}
}

func TestSSH(t *testing.T) {
	w := newWork(t)
	host, _ := newKey(t)
	other, _ := newKey(t)
	user, key := newKey(t)
	_, wrong := newKey(t)
	addr := serveSSH(t, host, user.PublicKey()).Addr()
	dir := t.TempDir()
	write := func(name string, key ed25519.PrivateKey, phrase string) string {
		var b *pem.Block
		var err error
		if phrase == "" {
			b, err = ssh.MarshalPrivateKey(key, "")
		} else {
			b, err = ssh.MarshalPrivateKeyWithPassphrase(key, "", []byte(phrase))
		}
		if err != nil {
			t.Fatal(err)
		}
		full := filepath.Join(dir, name)
		if err := os.WriteFile(full, pem.EncodeToMemory(b), 0o600); err != nil {
			t.Fatal(err)
		}
		return full
	}
	line := func(k ssh.PublicKey) string { return knownhosts.Line([]string{addr.String()}, k) + "\n" }
	good, locked, bad := write("good", key, ""), write("locked", key, "open sesame"), write("bad", wrong, "")
	tests := []struct{ name, known, conf, log string }{
		{"right", line(host.PublicKey()), "privkey: " + good, ""},
		{"passphrase", line(host.PublicKey()), "privkey: " + locked + "\n  - passphrase: open sesame", ""},
		{"wrong passphrase", line(host.PublicKey()), "privkey: " + locked + "\n  - passphrase: x", "SSH privkey"},
		{"wrong key", line(host.PublicKey()), "privkey: " + bad, "unable to authenticate"},
		{"no such key", line(host.PublicKey()), "privkey: " + good + "x", "could not be found"},
		{"other host key", line(other.PublicKey()), "privkey: " + good, "is not the one in known_hosts"},
		{"unknown host", "elsewhere " + string(ssh.MarshalAuthorizedKey(host.PublicKey())), "privkey: " + good, "is not in known_hosts"},
		{"no known_hosts", "", "privkey: " + good, "there is no known_hosts file"},
	}
	t.Setenv("SSH_AUTH_SOCK", "")
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			s := newSetup(t, "gitfs_remotes:\n- 'ssh://git@"+addr.String()+w.dir+"':\n  - timeout: 5\n  - "+c.conf+"\n")
			known := filepath.Join(s.o.Home, "known_hosts")
			if c.known != "" {
				if err := os.WriteFile(known, []byte(c.known), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv("SSH_KNOWN_HOSTS", known)
			want := "one\n"
			if c.log != "" {
				want = ""
			}
			s.want("web/init.sls", "base", want)
			s.wantLog(c.log)
		})
	}
}
