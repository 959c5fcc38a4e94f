package config

import (
	"os"
	"path/filepath"
)

// Places are the default paths of a minion; options and root_dir change them.
type Places struct {
	Config string // folder of minion, minion.d, grains, minion_id
	PKI    string
	Cache  string
	Sock   string
	Log    string // the log file
	PID    string // the daemon's pid file
	User   bool   // a user's own places, not the system's
}

// SystemPlaces are Salt's.
func SystemPlaces() Places {
	return Places{Config: "/etc/salt", PKI: "/etc/salt/pki/minion", Cache: "/var/cache/salt/minion",
		Sock: "/var/run/salt/minion", Log: "/var/log/salt/minion", PID: "/var/run/salt-minion.pid"}
}

// UserPlaces are those of a user without root's rights, by the XDG base
// directory specification: pinch under $XDG_CONFIG_HOME, $XDG_CACHE_HOME,
// $XDG_STATE_HOME and $XDG_RUNTIME_DIR.
func UserPlaces(getenv func(string) string) Places {
	home := getenv("HOME")
	if home == "" {
		home = os.TempDir()
	}
	base := func(env string, def ...string) string {
		if dir := getenv(env); filepath.IsAbs(dir) { // the specification ignores relative ones
			return filepath.Join(dir, "pinch")
		}
		return filepath.Join(append(append([]string{home}, def...), "pinch")...)
	}
	conf, cache, state := base("XDG_CONFIG_HOME", ".config"), base("XDG_CACHE_HOME", ".cache"), base("XDG_STATE_HOME", ".local", "state")
	run := filepath.Join(cache, "run")
	if dir := getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		run = filepath.Join(dir, "pinch")
	}
	return Places{Config: conf, PKI: filepath.Join(conf, "pki", "minion"), Cache: cache, Sock: filepath.Join(run, "minion"),
		Log: filepath.Join(state, "minion.log"), PID: filepath.Join(run, "minion.pid"), User: true}
}

// DefaultPlaces are the system's for root and the user's own for others; a
// user who has no configuration reads the system's.
func DefaultPlaces(getenv func(string) string) Places {
	system := SystemPlaces()
	if os.Geteuid() == 0 {
		return system
	}
	p := UserPlaces(getenv)
	if _, err := os.Stat(p.Config); err != nil {
		if _, err := os.Stat(filepath.Join(system.Config, "minion")); err == nil {
			p.Config = system.Config
		}
	}
	return p
}
