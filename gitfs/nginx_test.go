package gitfs

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// authority writes a certificate for 127.0.0.1 that signs itself, and its key.
func authority(t testing.TB, dir string) (cert, key string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	tpl := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, tpl, tpl, &k.PublicKey, k)
	if err != nil {
		t.Fatal(err)
	}
	b, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: b}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// A site is nginx before git http-backend, as sites offer Git: with buffers
// between them, basic auth, TLS and a redirect.
type site struct {
	http, https, cert string
	stop              func()
}

// nginx offers the folder of the repository at /git/, and to joe with the
// password secret at /auth/.
func (w *work) nginx() site {
	w.t.Helper()
	for _, p := range []string{"nginx", "fcgiwrap"} {
		if _, err := exec.LookPath(p); err != nil {
			w.t.Skip("there is no " + p)
		}
	}
	t, dir := w.t, w.t.TempDir()
	cert, key := authority(t, dir)
	plain, secure := freePort(t), freePort(t)
	sock := filepath.Join(dir, "fcgi")
	if err := os.WriteFile(filepath.Join(dir, "htpasswd"), []byte("joe:{PLAIN}secret\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	locations := fmt.Sprintf(`
    location ~ ^/(git|auth)(?<inside>/.*)$ {
      auth_basic $realm;
      auth_basic_user_file %s/htpasswd;
      fastcgi_pass unix:%s;
      fastcgi_param SCRIPT_FILENAME %s/git-http-backend;
      fastcgi_param GIT_HTTP_EXPORT_ALL 1;
      fastcgi_param GIT_PROJECT_ROOT %s;
      fastcgi_param PATH_INFO $inside;
      fastcgi_param QUERY_STRING $query_string;
      fastcgi_param REQUEST_METHOD $request_method;
      fastcgi_param CONTENT_TYPE $content_type;
      fastcgi_param CONTENT_LENGTH $content_length;
      fastcgi_param HTTP_CONTENT_ENCODING $http_content_encoding;
    }
    location /moved/ { rewrite ^/moved/(.*)$ https://127.0.0.1:%s/git/$1 permanent; }
    location /gone/ { return 410; }
    location /busy/ { return 503; }`, dir, sock, git(t, w.dir, "--exec-path"), filepath.Dir(w.dir), secure)
	conf := fmt.Sprintf(`daemon off; error_log stderr; pid %[1]s/pid; worker_processes 1; user root;
events {}
http {
  access_log off; client_body_temp_path %[1]s/b; proxy_temp_path %[1]s/p; fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u; scgi_temp_path %[1]s/s;
  map $uri $realm { ~^/auth/ git; default off; }
  server { listen 127.0.0.1:%[2]s;%[4]s
  }
  server { listen 127.0.0.1:%[3]s ssl; ssl_certificate %[5]s; ssl_certificate_key %[6]s;%[4]s
  }
}
`, dir, plain, secure, locations, cert, key)
	name := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(name, []byte(conf), 0o644); err != nil {
		t.Fatal(err)
	}
	fcgi := exec.Command("fcgiwrap", "-s", "unix:"+sock)
	if err := fcgi.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { fcgi.Process.Kill(); fcgi.Wait() })
	for range 100 {
		if os.Chmod(sock, 0o666) == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	server := start(t, plain, "nginx", "-p", dir, "-c", name)

	return site{"http://127.0.0.1:" + plain, "https://127.0.0.1:" + secure, cert, func() {
		server.Process.Signal(syscall.SIGTERM) // the workers, too
		server.Wait()
	}}
}

func TestNginx(t *testing.T) {
	w := newWork(t)
	n := w.nginx()
	http, https := n.http, n.https
	trusts, login := "ca_bundle: "+n.cert, "\n  - user: joe\n  - password: secret"
	tests := []struct{ name, url, conf, log string }{
		{"plain", http + "/git/repo", "base: master", ""},
		{"not there", http + "/git/nosuch", "base: master", "could not be fetched"},
		{"gone", http + "/gone/repo", "base: master", "could not be fetched"},
		{"busy", http + "/busy/repo", "base: master", "503"},
		{"auth", https + "/auth/repo", trusts + login, ""},
		{"wrong password", https + "/auth/repo", trusts + login + "x", "wants a user and password"},
		{"no password", https + "/auth/repo", trusts, "wants a user and password"},
		{"password over http", http + "/auth/repo", "base: master" + login, "insecure_auth"},
		{"password over http, allowed", http + "/auth/repo", "insecure_auth: True" + login, ""},
		{"unknown authority", https + "/git/repo", "base: master", "unknown authority"},
		{"redirect to https", http + "/moved/repo", trusts, ""},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			s := newSetup(t, "gitfs_remotes:\n- '"+c.url+"':\n  - "+c.conf+"\n")
			want := "one\n"
			if c.log != "" {
				want = ""
			}
			s.want("web/init.sls", "base", want)
			s.wantLog(c.log)
		})
	}
}
