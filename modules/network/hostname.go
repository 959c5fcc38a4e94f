package network

import (
	"os"
	"slices"
	"strings"

	"pinch/grains"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// getHostname returns the host name.
func getHostname(c *salt.Ctx, _ salt.NoArgs) (string, error) { return os.Hostname() }

// getFqdn returns the host's full name, as Python's socket.getfqdn finds it:
// the first name with a dot that its address has.
func getFqdn(c *salt.Ctx, _ salt.NoArgs) (string, error) {
	return grains.ReverseFQDN(grains.Host{Sys: c.Sys, Opts: c.Opts}), nil
}

// fqdns returns the names that the addresses of this machine resolve to.
func fqdns(c *salt.Ctx, _ salt.NoArgs) (any, error) {
	return value.M("fqdns", value.Strings(grains.FQDNs(grains.Host{Sys: c.Sys, Opts: c.Opts}))), nil
}

type hostnameArgs struct {
	Hostname any `py:"hostname"` // the new name
}

// modHostname renames the host: at once, in /etc/hosts and in the file that
// the distribution reads at its start.
func modHostname(c *salt.Ctx, a hostnameArgs) (bool, error) {
	if a.Hostname == nil {
		return false, nil
	}
	name := value.Str(a.Hostname)
	old, err := os.Hostname()
	if err != nil {
		return false, err
	}
	if c.Sys.LookPath("hostnamectl") != "" {
		if static, err := c.Sys.ReadFile("/etc/hostname"); err == nil && strings.TrimSpace(string(static)) != "" {
			old = strings.TrimSpace(string(static))
		}
		r, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"hostnamectl", "set-hostname", name}})
		if err != nil {
			return false, err
		}
		if r.Code != 0 {
			c.Log.Debug("hostnamectl was unable to set hostname. Error: " + string(r.Stderr))
			return false, nil
		}
	} else {
		old, _ = getFqdn(c, salt.NoArgs{})
		if err := c.Sys.Sethostname(name); err != nil {
			return false, err
		}
	}
	if err := edit(c, "/etc/hosts", func(line string) string { return renameHost(line, old, name) }); err != nil {
		return false, err
	}
	switch c.Grains.Str("os_family") {
	case "RedHat":
		if !sys.IsFile(c.Sys, "/etc/sysconfig/network") {
			return true, nil // gone since systemd; Salt fails here, after it renamed the host
		}
		return true, edit(c, "/etc/sysconfig/network", func(line string) string { return renameNetwork(line, name) })
	case "Debian", "NILinuxRT":
		return true, sys.WriteFile(c.Sys, "/etc/hostname", []byte(name+"\n"), sys.FileAttrs{})
	}
	return true, nil
}

// renameHost replaces one name in a line of hosts(5); the columns are then a
// tab apart.
func renameHost(line, old, name string) string {
	f := strings.Fields(line)
	if i := slices.Index(f, old); i >= 0 {
		f[i] = name
	}
	return strings.Join(f, "\t")
}

// renameNetwork sets HOSTNAME= with the quotes that were there.
func renameNetwork(line, name string) string {
	if !strings.HasPrefix(line, "HOSTNAME") {
		return line
	}
	_, old, _ := strings.Cut(line, "=")
	quote := ""
	if n := len(old); n > 1 && (old[0] == '"' || old[0] == '\'') && old[n-1] == old[0] {
		quote = old[:1]
	}
	return "HOSTNAME=" + quote + strings.Trim(name, `"'`) + quote
}

// edit rewrites a file line by line.
func edit(c *salt.Ctx, path string, change func(string) string) error {
	b, err := c.Sys.ReadFile(path)
	if err != nil {
		return err
	}
	var out strings.Builder
	for line := range strings.Lines(string(b)) {
		out.WriteString(change(strings.TrimRight(line, "\n")) + "\n")
	}
	return sys.WriteFile(c.Sys, path, []byte(out.String()), sys.FileAttrs{})
}
