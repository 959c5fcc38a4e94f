package ip

import (
	"strings"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// settings are those of the whole network.
type settings struct {
	networking, hostname, domain string
	search                       any
}

func (s *settings) lines() *value.List {
	var b strings.Builder
	for _, kv := range [][2]any{{"NETWORKING", s.networking}, {"HOSTNAME", s.hostname}, {"DOMAIN", s.domain}, {"SEARCH", s.search}} {
		if value.Truth(kv[1]) {
			b.WriteString(value.Str(kv[0]) + "=" + value.Str(kv[1]) + "\n")
		}
	}
	return lines(b.String())
}

// byService says that the release has no switch in /etc/default/networking.
func byService(c *salt.Ctx) bool {
	return c.Grains.Str("osfullname") == "Ubuntu"
}

// present reads the settings that there are.
func present(c *salt.Ctx) settings {
	var s settings
	b, _ := c.Sys.ReadFile(networkingFile)
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "CONFIGURE_INTERFACES") {
			_, val, _ := strings.Cut(line, "=")
			s.networking = strings.TrimSpace(val)
		}
	}
	b, _ = c.Sys.ReadFile("/etc/hostname")
	s.hostname, _, _ = strings.Cut(string(b), "\n")
	s.domain, s.search = resolver(c)
	return s
}

// resolver reads domain and search of resolv.conf(5).
func resolver(c *salt.Ctx) (domain string, search any) {
	b, err := c.Sys.ReadFile(resolvFile)
	if err != nil {
		return "", ""
	}
	search = value.L()
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		words := value.L()
		for _, w := range f[1:] {
			if w[0] == '#' || w[0] == ';' {
				break
			}
			words.Append(w)
		}
		switch strings.ToLower(f[0]) {
		case "domain":
			if words.Len() > 0 {
				domain = value.Str(words.Items[0])
			}
		case "search":
			search = words
		}
	}
	return domain, search
}

// getNetworkSettings returns the settings of the whole network as lines.
func getNetworkSettings(c *salt.Ctx, _ salt.NoArgs) (*value.List, error) {
	s := present(c)
	if byService(c) {
		s.search, s.networking = nil, "no"
		has, err := c.Call("service.available", "networking")
		if err != nil {
			return nil, err
		}
		if value.Truth(has) {
			runs, err := c.Call("service.status", "networking")
			if err != nil {
				return nil, err
			}
			if value.Truth(runs) {
				s.networking = "yes"
			}
		}
	}
	return s.lines(), nil
}

type settingsArgs struct {
	Settings *value.Map `py:"**settings"` // enabled, hostname, search, apply_hostname, require_reboot, test
}

func badSetting(option, expected string) error {
	return mistake("Invalid network setting -- Setting: %s, Expected: [%s]", option, expected)
}

// buildNetworkSettings writes the settings of the whole network and returns
// them as lines.
//
//	salt-call ip.build_network_settings enabled=yes hostname=web.example.org
func buildNetworkSettings(c *salt.Ctx, a settingsArgs) (*value.List, error) {
	opts := new(value.Map)
	for k, v := range a.Settings.Items() {
		opts.Set(strings.ToLower(k), v)
	}
	old := present(c)
	s, err := wanted(opts, old)
	if err != nil {
		return nil, err
	}
	test := trying(c, a.Settings)
	switch {
	case byService(c) && !test:
		if err := enable(c, s.networking == "yes"); err != nil {
			return nil, err
		}
	case byService(c):
	case test:
		return lines(defaults(s.networking)), nil
	default:
		if err := sys.WriteFile(c.Sys, networkingFile, []byte(defaults(s.networking)), sys.FileAttrs{}); err != nil {
			return nil, salt.OSError(err)
		}
	}
	host, domain, ok := strings.Cut(s.hostname, ".")
	s.hostname, s.domain = host, old.domain
	if ok {
		s.domain = domain
	}
	s.search = old.search
	if v, ok := opts.Get("search"); ok {
		s.search = v
	}
	if s.domain != old.domain || !value.Equal(s.search, old.search) {
		if err := s.resolve(c, test); err != nil {
			return nil, err
		}
	}
	return s.lines(), nil
}

// wanted checks the settings that are asked for.
func wanted(opts *value.Map, old settings) (settings, error) {
	s := settings{hostname: old.hostname}
	var networking any = old.networking
	if v, ok := opts.Get("enabled"); ok {
		networking = v
	}
	on, ok := onOff(networking)
	if !ok {
		return s, badSetting("networking", switches)
	}
	s.networking = "no"
	if on {
		s.networking = "yes"
	}
	if v, ok := opts.Get("hostname"); ok {
		s.hostname = value.Str(v)
		if !value.Truth(v) {
			s.hostname = ""
		}
	}
	if s.hostname == "" {
		return s, badSetting("hostname", "server1.example.com")
	}
	return s, nil
}

// defaults is the text of /etc/default/networking.
func defaults(networking string) string {
	return "# Configuration for networking init script being run during\n# the boot sequence\n\n# Set to 'no' to skip interfaces configuration on boot\nCONFIGURE_INTERFACES=" + networking +
		"\n\n# Don't configure these interfaces. Shell wildcards supported/\n#EXCLUDE_INTERFACES=\n\n# Set to 'yes' to enable additional verbosity\n#VERBOSE=no"
}

// enable switches the services of the network on or off at the start.
func enable(c *salt.Ctx, on bool) error {
	do := "service.disable"
	if on {
		do = "service.enable"
	}
	for _, name := range []string{"NetworkManager", "networking"} {
		has, err := c.Call("service.available", name)
		if err == nil && value.Truth(has) {
			_, err = c.Call(do, name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// resolve puts domain and search into the lines of resolv.conf(5) that there
// are for them.
func (s *settings) resolve(c *salt.Ctx, test bool) error {
	b, err := c.Sys.ReadFile(resolvFile)
	if err != nil {
		return mistake("%s cannot be written. %s does not exist and create is setto False", resolvFile, resolvFile)
	}
	search := value.Str(s.search)
	if l, ok := s.search.(*value.List); ok {
		var words []string
		for _, it := range l.Items {
			words = append(words, value.Str(it))
		}
		search = strings.Join(words, " ")
	}
	var out strings.Builder
	for line := range strings.Lines(string(b)) {
		switch f := strings.Fields(line); {
		case len(f) > 0 && f[0] == "domain" && s.domain != "":
			line = "domain " + s.domain + "\n"
		case len(f) > 0 && f[0] == "search" && search != "":
			line = "search " + search + "\n"
		}
		out.WriteString(line)
	}
	if test || out.String() == string(b) {
		return nil
	}
	path := resolvFile
	if p, err := c.Sys.EvalSymlinks(path); err == nil {
		path = p
	}
	return salt.OSError(sys.WriteFile(c.Sys, path, []byte(out.String()), sys.FileAttrs{}))
}

// applyNetworkSettings renames the host (apply_hostname) and restarts the
// network, unless that is left to the next start (require_reboot).
func applyNetworkSettings(c *salt.Ctx, a settingsArgs) (bool, error) {
	renamed := true
	if on, _ := onOff(a.Settings.At("apply_hostname")); on {
		name, ok := a.Settings.Get("hostname")
		if !ok {
			c.Log.Warn("The network state sls is trying to apply hostname changes but no hostname is defined.")
			renamed = false
		} else {
			v, err := c.Call("network.mod_hostname", name)
			if err != nil {
				return false, err
			}
			renamed = value.Truth(v)
		}
	}
	if on, _ := onOff(a.Settings.At("require_reboot")); on {
		c.Log.Warn("The network state sls is requiring a reboot of the system to properly apply network configuration.")
		return renamed, nil
	}
	stopped, err := c.Call("service.stop", "networking")
	if err != nil || !value.Truth(stopped) {
		return false, nil // there is no such service
	}
	if err := c.Sys.Sleep(c, 2*time.Second); err != nil {
		return false, err
	}
	started, err := c.Call("service.start", "networking")
	return renamed && err == nil && value.Truth(started), err
}
