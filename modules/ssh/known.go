package ssh

import (
	"path/filepath"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// trouble is how these functions tell an error.
func trouble(text string) *value.Map { return value.M("status", "error", "error", text) }

// knownFile is the path of a known hosts file, or what is wrong.
func knownFile(c *salt.Ctx, config, user string) (string, *value.Map) {
	switch {
	case config == "" && user == "":
		config = "/etc/ssh/ssh_known_hosts"
	case config == "":
		config = ".ssh/known_hosts"
	}
	if filepath.IsAbs(config) {
		return config, nil
	}
	if user == "" {
		return "", trouble("Cannot determine absolute path to file.")
	}
	u, err := c.Sys.User(user)
	if err != nil {
		return "", trouble("User " + user + " does not exist")
	}
	return filepath.Join(u.Home, config), nil
}

// other says whether a port is given that is not the usual one.
func other(port any) bool {
	return value.Truth(port) && value.Str(port) != "22"
}

// bracketed is how known_hosts writes a host with another port.
func bracketed(host string, port any) string {
	if !other(port) {
		return host
	}
	return "[" + host + "]:" + value.Str(port)
}

// run gives what a command of OpenSSH prints.
func run(c *salt.Ctx, query bool, argv ...string) (string, error) {
	if c.Sys.LookPath(argv[0]) == "" {
		return "", value.Errorf("CommandNotFoundError", "The '%s' binary was not found in $PATH.", argv[0])
	}
	r, err := c.Sys.Run(c, sys.Cmd{Argv: argv, Query: query, Merge: true})
	return strings.TrimRight(string(r.Stdout), "\n"), err
}

// entries reads what ssh-keygen -F and ssh-keyscan print.
func entries(text, hash string) ([]any, error) {
	var out []any
	for _, line := range lines(text) {
		w := strings.Fields(line)
		if line[0] == '#' || len(w) != 3 {
			continue
		}
		mark, err := fingerprint(w[2], hash)
		if err != nil {
			return nil, err
		}
		if mark != "" {
			out = append(out, value.M("hostname", w[0], "key", w[2], "enc", w[1], "fingerprint", mark))
		}
	}
	return out, nil
}

// answer is a list, or nothing when it is empty.
func answer(list []any) any {
	if len(list) == 0 {
		return nil
	}
	return value.L(list...)
}

// column are the values of a key in all entries.
func column(list []any, key string) []string {
	out := []string{}
	for _, e := range list {
		out = append(out, e.(*value.Map).Str(key))
	}
	return out
}

func contains(list []string, s string) bool {
	for _, it := range list {
		if it == s {
			return true
		}
	}
	return false
}

// stored are the entries of a host, or what is wrong.
func stored(c *salt.Ctx, user, host, config string, port any, hash string) ([]any, *value.Map, error) {
	path, bad := knownFile(c, config, user)
	if bad != nil {
		return nil, bad, nil
	}
	text, err := run(c, true, "ssh-keygen", "-F", bracketed(host, port), "-f", path)
	if err != nil {
		return nil, nil, err
	}
	list, err := entries(text, hash)
	return list, nil, err
}

type getKnownArgs struct {
	User   string `py:"user"`                       // whose file it is; nobody: the host's
	Host   string `py:"hostname"`                   // the host
	Config string `py:"config=None"`                // the file, .ssh/known_hosts below the home by default
	Port   any    `py:"port=None"`                  // its port
	Hash   string `py:"fingerprint_hash_type=None"` // how fingerprints are hashed, sha256 by default
}

// getKnownHostEntries returns the known keys of a host, nothing if there are none.
func getKnownHostEntries(c *salt.Ctx, a getKnownArgs) (any, error) {
	list, bad, err := stored(c, a.User, a.Host, a.Config, a.Port, a.Hash)
	if bad != nil {
		return bad, nil
	}
	return answer(list), err
}

type recvKnownArgs struct {
	Host      string `py:"hostname"`                   // the host
	Enc       string `py:"enc=None"`                   // the type of key to ask for
	Port      any    `py:"port=None"`                  // its port
	HashHosts bool   `py:"hash_known_hosts=True"`      // hash the names
	Timeout   int    `py:"timeout=5"`                  // how many seconds to wait
	Hash      string `py:"fingerprint_hash_type=None"` // how fingerprints are hashed, sha256 by default
}

// receive asks a host for its keys, up to five times.
func receive(c *salt.Ctx, a recvKnownArgs) ([]any, error) {
	argv := []string{"ssh-keyscan"}
	if value.Truth(a.Port) {
		argv = append(argv, "-p", value.Str(a.Port))
	}
	if a.Enc != "" {
		argv = append(argv, "-t", a.Enc)
	}
	if a.HashHosts {
		argv = append(argv, "-H")
	}
	argv = append(argv, "-T", strconv.Itoa(a.Timeout), a.Host)
	text := ""
	for i := 0; i < 5 && text == ""; i++ {
		var err error
		if text, err = run(c, true, argv...); err != nil {
			return nil, err
		}
	}
	return entries(text, a.Hash)
}

// recvKnownHostEntries asks a host for its keys; nothing if it gives none.
func recvKnownHostEntries(c *salt.Ctx, a recvKnownArgs) (any, error) {
	list, err := receive(c, a)
	return answer(list), err
}

type checkKnownArgs struct {
	User        string `py:"user=None"`                  // whose file it is; nobody: the host's
	Host        string `py:"hostname=None"`              // the host
	Key         string `py:"key=None"`                   // the key it should have
	Fingerprint string `py:"fingerprint=None"`           // the fingerprint it should have
	Config      string `py:"config=None"`                // the file
	Port        any    `py:"port=None"`                  // its port
	Hash        string `py:"fingerprint_hash_type=None"` // how fingerprints are hashed, sha256 by default
}

// checkKnownHost says what has to be done for a host: add, update, or nothing
// when it exists.
func checkKnownHost(c *salt.Ctx, a checkKnownArgs) (any, error) {
	if a.Host == "" {
		return trouble("hostname argument required"), nil
	}
	list, bad, err := stored(c, a.User, a.Host, a.Config, a.Port, a.Hash)
	switch {
	case bad != nil || err != nil:
		return bad, err
	case len(list) == 0:
		return "add", nil
	case a.Key != "" && !contains(column(list, "key"), a.Key),
		a.Key == "" && a.Fingerprint != "" && !contains(column(list, "fingerprint"), a.Fingerprint):
		return "update", nil
	}
	return "exists", nil
}

type rmKnownArgs struct {
	User   string `py:"user=None"`     // whose file it is; nobody: the host's
	Host   string `py:"hostname=None"` // the host
	Config string `py:"config=None"`   // the file
	Port   any    `py:"port=None"`     // its port
}

// rmKnownHost removes all keys of a host.
func rmKnownHost(c *salt.Ctx, a rmKnownArgs) (*value.Map, error) {
	if a.Host == "" {
		return trouble("hostname argument required"), nil
	}
	return rewrite(c, a.User, a.Config, "removed", "-R", bracketed(a.Host, a.Port))
}

type hashKnownArgs struct {
	User   string `py:"user=None"`   // whose file it is; nobody: the host's
	Config string `py:"config=None"` // the file
}

// hashKnownHosts hashes all names in a known hosts file.
func hashKnownHosts(c *salt.Ctx, a hashKnownArgs) (*value.Map, error) {
	path, _ := knownFile(c, a.Config, a.User)
	info, _ := c.Sys.Stat(path)
	r, err := rewrite(c, a.User, a.Config, "updated", "-H")
	if err == nil && info != nil {
		err = c.Sys.Chmod(path, info.Mode())
	}
	return r, err
}

// rewrite lets ssh-keygen change a known hosts file. It makes a new file, which
// is then the user's again.
func rewrite(c *salt.Ctx, user, config, status string, args ...string) (*value.Map, error) {
	path, bad := knownFile(c, config, user)
	if bad != nil {
		return bad, nil
	}
	if !sys.IsFile(c.Sys, path) {
		return trouble("Known hosts file " + path + " does not exist"), nil
	}
	said, err := run(c, false, append(append([]string{"ssh-keygen"}, args...), "-f", path)...)
	if err != nil {
		return nil, err
	}
	if user != "" {
		if u, err := c.Sys.User(user); err == nil {
			if err := give(c, path, u); err != nil {
				return nil, err
			}
		}
	}
	return value.M("status", status, "comment", said), nil
}
