package gitfs

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/go-git/go-git/v5/plumbing/transport"
	gitssh "github.com/go-git/go-git/v5/plumbing/transport/ssh"
	"github.com/skeema/knownhosts"
	"golang.org/x/crypto/ssh"
)

// dialSSH prepares a connection with the configured key, or the agent, or the
// usual keys of the home. The host must be in known_hosts.
func (c *clone) dialSSH(ep *transport.Endpoint) (source, error) {
	hosts, err := c.knownHosts(ep)
	if err != nil {
		return nil, err
	}
	auth, err := c.sshAuth(ep, hosts)
	if err != nil {
		return nil, err
	}
	client := gitssh.NewClient(nil)
	return &wire{r: c.r, connect: func() (transport.UploadPackSession, error) {
		return client.NewUploadPackSession(ep, &timed{auth, c.r.Timeout})
	}}, nil
}

// A timed login gives up on a server that does not answer.
type timed struct {
	gitssh.AuthMethod
	timeout time.Duration
}

func (t *timed) ClientConfig() (*ssh.ClientConfig, error) {
	conf, err := t.AuthMethod.ClientConfig()
	if err == nil {
		conf.Timeout = t.timeout
	}
	return conf, err
}

// home is the user's folder; a run without HOME is one of root's.
func (c *clone) home() string {
	if c.o.Home != "" {
		return c.o.Home
	}
	if home, err := os.UserHomeDir(); err == nil {
		return home
	}
	return "/root"
}

// knownHosts checks the server's key with $SSH_KNOWN_HOSTS, or the files of
// the user and of the system.
func (c *clone) knownHosts(ep *transport.Endpoint) (h gitssh.HostKeyCallbackHelper, err error) {
	files := filepath.SplitList(os.Getenv("SSH_KNOWN_HOSTS"))
	if len(files) == 0 {
		files = []string{filepath.Join(c.home(), ".ssh", "known_hosts"), "/etc/ssh/ssh_known_hosts"}
	}
	var found []string
	for _, f := range files {
		if _, err := os.Stat(f); err == nil {
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		return h, fmt.Errorf("there is no known_hosts file: add the key of host %s to %s", ep.Host, files[0])
	}
	db, err := knownhosts.NewDB(found...)
	if err != nil {
		return h, err
	}
	port := ep.Port
	if port <= 0 {
		port = gitssh.DefaultPort
	}
	h.HostKeyAlgorithms = db.HostKeyAlgorithms(net.JoinHostPort(ep.Host, strconv.Itoa(port)))
	h.HostKeyCallback = func(host string, addr net.Addr, key ssh.PublicKey) error {
		err := db.HostKeyCallback()(host, addr, key)
		switch {
		case knownhosts.IsHostKeyChanged(err):
			return fmt.Errorf("the key of host %s is not the one in known_hosts: %s", host, ssh.FingerprintSHA256(key))
		case knownhosts.IsHostUnknown(err):
			return fmt.Errorf("host %s is not in known_hosts; its key is %s", host, ssh.FingerprintSHA256(key))
		}
		return err
	}
	return h, nil
}

func (c *clone) sshAuth(ep *transport.Endpoint, hosts gitssh.HostKeyCallbackHelper) (gitssh.AuthMethod, error) {
	user := ep.User
	if user == "" {
		if user = c.r.User; user == "" {
			user = "git"
		}
	}
	if c.r.PrivKey != "" {
		return c.sshKey(user, c.r.PrivKey, hosts)
	}
	if ep.Password != "" {
		return &gitssh.Password{User: user, Password: ep.Password, HostKeyCallbackHelper: hosts}, nil
	}
	if os.Getenv("SSH_AUTH_SOCK") != "" {
		if a, err := gitssh.NewSSHAgentAuth(user); err == nil {
			a.HostKeyCallbackHelper = hosts
			return a, nil
		}
	}
	for _, name := range []string{"id_ed25519", "id_ecdsa", "id_rsa"} {
		full := filepath.Join(c.home(), ".ssh", name)
		if _, err := os.Stat(full); err == nil {
			return c.sshKey(user, full, hosts)
		}
	}
	return nil, errors.New("no ssh key: set privkey, or start an agent, or put a key into ~/.ssh")
}

func (c *clone) sshKey(user, name string, hosts gitssh.HostKeyCallbackHelper) (gitssh.AuthMethod, error) {
	a, err := gitssh.NewPublicKeysFromFile(user, name, c.r.KeyPhrase)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("SSH privkey (%s) could not be found, path may be incorrect", name)
	}
	if err != nil {
		return nil, fmt.Errorf("SSH privkey (%s): %w", name, err)
	}
	a.HostKeyCallbackHelper = hosts
	return a, nil
}
