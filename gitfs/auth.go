package gitfs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/transport"
	gitssh "github.com/go-git/go-git/v5/plumbing/transport/ssh"
	"golang.org/x/crypto/ssh"
)

// netrc finds the login for a host in $NETRC or the home's .netrc.
func netrc(home, host string) (user, password string) {
	name := os.Getenv("NETRC")
	if name == "" {
		if home == "" {
			home = os.Getenv("HOME")
		}
		if home == "" {
			return "", ""
		}
		name = filepath.Join(home, ".netrc")
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return "", ""
	}
	return parseNetrc(string(b), host)
}

// parseNetrc reads the words machine, default, login, password and account;
// macdef runs to an empty line.
func parseNetrc(text, host string) (user, password string) {
	var words []string
	skip := false
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if skip {
			skip = len(f) > 0
			continue
		}
		if len(f) > 0 && strings.HasPrefix(f[0], "#") {
			continue
		}
		if len(f) > 0 && f[0] == "macdef" {
			skip = true
			continue
		}
		words = append(words, f...)
	}
	ours := false
	for i := 0; i < len(words); i++ {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch words[i] {
		case "machine":
			if ours {
				return user, password
			}
			ours = next == host
			i++
		case "default":
			if ours {
				return user, password
			}
			ours = true
		case "login":
			if ours {
				user = next
			}
			i++
		case "password":
			if ours {
				password = next
			}
			i++
		case "account":
			i++
		}
	}
	return user, password
}

// dialSSH prepares a connection with the configured key, or the agent, or the
// usual keys of the home. The host must be in known_hosts.
func (c *clone) dialSSH(ep *transport.Endpoint) (source, error) {
	auth, err := c.sshAuth(ep)
	if err != nil {
		return nil, err
	}
	client := gitssh.NewClient(&ssh.ClientConfig{Timeout: c.r.Timeout})
	return &wire{r: c.r, connect: func() (transport.UploadPackSession, error) {
		return client.NewUploadPackSession(ep, auth)
	}}, nil
}

func (c *clone) sshAuth(ep *transport.Endpoint) (gitssh.AuthMethod, error) {
	user := ep.User
	if user == "" {
		if user = c.r.User; user == "" {
			user = "git"
		}
	}
	if c.r.PrivKey == "" && ep.Password != "" {
		return &gitssh.Password{User: user, Password: ep.Password}, nil
	}
	if c.r.PrivKey != "" {
		return c.sshKey(user, c.r.PrivKey)
	}
	if os.Getenv("SSH_AUTH_SOCK") != "" {
		if a, err := gitssh.NewSSHAgentAuth(user); err == nil {
			return a, nil
		}
	}
	home := c.o.Home
	if home == "" {
		home, _ = os.UserHomeDir()
	}
	if home == "" {
		home = "/root"
	}
	for _, name := range []string{"id_ed25519", "id_ecdsa", "id_rsa"} {
		full := filepath.Join(home, ".ssh", name)
		if _, err := os.Stat(full); err == nil {
			return c.sshKey(user, full)
		}
	}
	return nil, errors.New("no ssh key: set privkey, or start an agent, or put a key into ~/.ssh")
}

func (c *clone) sshKey(user, name string) (gitssh.AuthMethod, error) {
	a, err := gitssh.NewPublicKeysFromFile(user, name, c.r.KeyPhrase)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("SSH privkey (%s) could not be found, path may be incorrect", name)
	}
	if err != nil {
		return nil, fmt.Errorf("SSH privkey (%s): %w", name, err)
	}
	return a, nil
}
