// Package salt_proxy holds Salt's salt_proxy module: it starts the machine's
// salt-proxy program for devices that cannot run a minion. Its main variable
// is Module.
//
//	router:
//	  salt_proxy.configure_proxy:
//	    - proxyname: r1
//	    - start: True
package salt_proxy

import (
	"path/filepath"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's salt_proxy module.
var Module = salt.Module{
	Name: "salt_proxy",
	States: func() salt.Funcs {
		return salt.Funcs{
			"configure_proxy": salt.State(configureProxyState),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"configure_proxy": salt.Exec(configureProxy),
			"is_running":      salt.Exec(isRunning),
		}
	},
}

type stateArgs struct {
	Name      string `py:"name"`              // the name of the state, free to choose
	Proxyname string `py:"proxyname='p8000'"` // the id of the proxy
	Start     bool   `py:"start=True"`        // start it unless it runs
}

// configureProxyState makes sure that there is a configuration of proxies, and
// that one runs.
func configureProxyState(c *salt.Ctx, a stateArgs) salt.Result {
	m, err := configureProxy(c, proxyArgs{a.Proxyname, a.Start})
	if err != nil {
		return salt.Raised(err)
	}
	r := salt.ResultOf(m)
	r.Comment = a.Name + " config messages"
	return r
}

type proxyArgs struct {
	Proxyname string `py:"proxyname"`  // the id of the proxy
	Start     bool   `py:"start=True"` // start it unless it runs
}

// news are what was found (old) and done (new), a line each.
type news struct{ old, new []string }

// configureProxy writes the file proxy beside the minion's configuration,
// unless there is one, and starts the proxy.
func configureProxy(c *salt.Ctx, a proxyArgs) (*value.Map, error) {
	test := c.Test || c.Opts.Truth("test")
	var n news
	ok := n.file(c, test)
	switch {
	case !a.Start:
		n.old, ok = append(n.old, "Start is False, not starting salt-proxy process"), false
	default:
		if err := n.process(c, a.Proxyname, test); err != nil {
			return nil, err
		}
	}
	return value.M("result", ok, "changes", value.M("old", strings.Join(n.old, "\n"), "new", strings.Join(n.new, "\n"))), nil
}

// file writes the configuration; false when that fails.
func (n *news) file(c *salt.Ctx, test bool) bool {
	dir := c.Opts.Str("config_dir")
	if dir == "" {
		dir = "/etc/salt"
	}
	path := filepath.Join(dir, "proxy")
	switch {
	case sys.Exists(c.Sys, path):
		n.old = append(n.old, "Salt Proxy: "+path+" already exists, skipping")
		return true
	case test:
		n.new = append(n.new, "Salt Proxy: Update required to proxy conf "+path)
		return true
	}
	if err := sys.WriteFile(c.Sys, path, []byte("master: "+value.Str(c.Grains.At("master"))), sys.FileAttrs{}); err != nil {
		msg := "Salt Proxy: Error writing proxy file " + salt.OSError(err).Error()
		n.new = append(n.new, msg, msg)
		return false
	}
	n.new = append(n.new, "Wrote proxy file "+path, "Salt Proxy: Wrote proxy conf "+path)
	return true
}

func (n *news) process(c *salt.Ctx, name string, test bool) error {
	switch {
	case running(c, name):
		n.old = append(n.old, "Salt Proxy: already running for "+name)
		return nil
	case test:
		n.new = append(n.new, "Salt Proxy: process "+name+" will be started")
		return nil
	}
	_, err := c.CallKw("cmd.run_all", value.M("timeout", int64(5), "python_shell", false), value.Strings([]string{"salt-proxy", "--proxyid=" + name, "-l", "info", "-d"}))
	n.new = append(n.new, "Salt Proxy: Started proxy process for "+name)
	return err
}

type runningArgs struct {
	Proxyname string `py:"proxyname"` // the id of the proxy
}

// isRunning reports whether the proxy runs, as result.
func isRunning(c *salt.Ctx, a runningArgs) (*value.Map, error) {
	return value.M("result", running(c, a.Proxyname)), nil
}

// running looks for the process. As in Salt the id may go on.
func running(c *salt.Ctx, name string) bool {
	all, _ := c.Sys.ReadDir("/proc")
	for _, e := range all {
		if _, err := strconv.Atoi(e.Name()); err != nil {
			continue
		}
		b, err := c.Sys.ReadFile("/proc/" + e.Name() + "/cmdline")
		if err == nil && strings.Contains(strings.ReplaceAll(string(b), "\x00", " "), "salt-proxy --proxyid="+name) {
			return true
		}
	}
	return false
}
