package gitfs

import (
	"os"
	"path/filepath"
	"strings"
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
