package nftables

import (
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// saved is where rules are kept on this distribution, "" if that is not known.
func saved(c *salt.Ctx) string {
	switch c.Grains.Str("os_family") {
	case "RedHat", "Arch", "Debian":
		return "/etc/nftables"
	}
	if c.Grains.Str("os") == "Gentoo" {
		return "/etc/nftables"
	}
	return ""
}

type savedArgs struct {
	ConfFile any `py:"conf_file=None"` // the file; the default is /etc/nftables
}

// getSavedRules returns the lines of the saved rules, without comments.
func getSavedRules(c *salt.Ctx, a savedArgs) (*value.List, error) {
	path := value.Str(a.ConfFile)
	if !value.Truth(a.ConfFile) {
		path = saved(c)
	}
	b, err := c.Sys.ReadFile(path)
	if err != nil {
		return nil, salt.OSError(err)
	}
	rules := value.L()
	for line := range strings.Lines(string(b)) {
		if t := strings.TrimSpace(line); t != "" && t[0] != '#' {
			rules.Append(line)
		}
	}
	return rules, nil
}

type saveArgs struct {
	Filename any    `py:"filename=None"` // the file, or a folder for salt-all-in-one.nft; the default is /etc/nftables
	Family   string `py:"family='ipv4'"` // not used: the rules of all families are saved
}

// save writes the rules in the kernel to a file that nft -f reads, and returns
// its text.
func save(c *salt.Ctx, a saveArgs) (string, error) {
	path := value.Str(a.Filename)
	if !value.Truth(a.Filename) {
		path = saved(c)
	}
	if path == "" {
		return "", salt.InvocationError("filename is needed: there is no usual place on this system")
	}
	text := "#! nft -f\n"
	for _, family := range []string{"ip", "ip6", "inet", "arp", "bridge", "netdev"} {
		rules, err := getRules(c, familyArgs{family})
		if err != nil {
			return "", err
		}
		for _, it := range rules.Items {
			text += "\n" + value.Str(it)
		}
	}
	text += "\n"
	if sys.IsDir(c.Sys, path) {
		path += "/salt-all-in-one.nft"
	}
	if err := sys.WriteFile(c.Sys, path, []byte(text), sys.FileAttrs{}); err != nil {
		return "", salt.CommandError("Problem writing to configuration file: %s", salt.OSError(err))
	}
	return text, nil
}
