package status

import (
	"fmt"
	"strings"

	"pinch/salt"
	"pinch/value"
	"pinch/value/py"
)

type loadavgArgs struct {
	Name    string `py:"name"`         // 1-min, 5-min or 15-min
	Maximum any    `py:"maximum=None"` // what it may not be above
	Minimum any    `py:"minimum=None"` // what it may not be below
}

// loadavgState checks that a load average is within limits.
func loadavgState(c *salt.Ctx, a loadavgArgs) salt.Result {
	data, err := loadavg(c, salt.NoArgs{})
	if err != nil {
		return salt.Raised(err)
	}
	no := func(data any, format string, args ...any) salt.Result {
		r := salt.Failed(format, args...)
		r.Extra = value.M("data", data)
		return r
	}
	have, ok := data.Get(a.Name)
	if !ok {
		return no(new(value.Map), "Requested load average %s not available ", a.Name)
	}
	if value.Truth(a.Minimum) && value.Truth(a.Maximum) {
		less, err := value.Less(a.Minimum, a.Maximum)
		if err != nil {
			return salt.Raised(err)
		}
		if !less {
			return no(new(value.Map), "Min must be less than max")
		}
	}
	load := have.(float64)
	for _, limit := range []struct {
		v    any
		bad  func(limit float64) bool
		text string
	}{
		{a.Minimum, func(l float64) bool { return load < l }, "Load avg is below minimum of %s at %s"},
		{a.Maximum, func(l float64) bool { return load > l }, "Load avg above maximum of %s at %s"},
	} {
		if !value.Truth(limit.v) {
			continue
		}
		l, err := py.Float(limit.v)
		if err != nil {
			return salt.Raised(err)
		}
		if limit.bad(l) {
			return no(have, limit.text, value.Str(limit.v), value.FormatFloat(load))
		}
	}
	r := salt.Correct("Load avg in acceptable range")
	r.Extra = value.M("data", have)
	return r
}

type processArgs struct {
	Name string `py:"name"` // a regular expression for the line that ps shows
}

// process checks that a process is there.
//
//	nginx master process:
//	  status.process:
//	    - name: 'nginx: master'
func process(c *salt.Ctx, a processArgs) salt.Result {
	v, err := c.Call("status.pid", a.Name)
	if err != nil {
		return salt.Raised(err)
	}
	if !value.Truth(v) {
		r := salt.Failed(`Process signature "%s" not found `, a.Name)
		r.Extra = value.M("data", new(value.Map))
		return r
	}
	r := salt.Correct(`Process signature "%s" was found `, a.Name)
	r.Extra = value.M("data", v)
	return r
}

type masterArgs struct {
	Master    any  `py:"master=None"`    // the master's name
	Connected bool `py:"connected=True"` // whether it is thought to be connected
}

// master says whether there is a connection to a master, nothing without a
// master's name. An event tells of a change.
func master(c *salt.Ctx, a masterArgs) (any, error) {
	if !value.Truth(a.Master) {
		return nil, nil
	}
	ips := hostIPs(c, value.Str(a.Master))
	if len(ips) == 0 {
		return nil, nil
	}
	port, err := c.CallKw("config.get", value.M("default", int64(4505)), "publish_port")
	if err != nil {
		return nil, err
	}
	up, err := connectedTo(c, ips, value.Str(port))
	if err != nil {
		return nil, err
	}
	if bus, ok := c.Host.(salt.EventBus); ok && up != a.Connected {
		tag := "__master_disconnected"
		if up {
			tag = "__master_connected"
		}
		if _, err := bus.FireEvent(c, tag, value.M("master", a.Master), false); err != nil {
			return nil, err
		}
	}
	return up, nil
}

type pingMasterArgs struct {
	Master any `py:"master"` // the master's name or address
}

// pingMaster says whether a master answers on its request port.
func pingMaster(c *salt.Ctx, a pingMasterArgs) (bool, error) {
	if !value.Truth(a.Master) {
		return false, nil
	}
	port := c.Opts.Str("master_port")
	if port == "" {
		port = "4506"
	}
	v, err := c.Call("network.connect", a.Master, port)
	m, _ := v.(*value.Map)
	return m.Truth("result"), err
}

type proxyArgs struct {
	ProxyName string     `py:"proxy_name"` // the proxy module
	Opts      *value.Map `py:"opts=None"`  // options instead of the minion's
}

// proxyReconnect is for proxy minions: this is none, so it answers False.
func proxyReconnect(c *salt.Ctx, a proxyArgs) (bool, error) { return false, nil }

// connectedTo says whether a TCP connection to one of the addresses and the
// port stands.
func connectedTo(c *salt.Ctx, ips []string, port string) (bool, error) {
	for _, file := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		all, err := lines(c, file)
		if err != nil {
			return false, err
		}
		for _, f := range all {
			if len(f) < 4 || f[3] != "01" { // ESTABLISHED
				continue
			}
			ip, p, ok := endpoint(f[2])
			if !ok || fmt.Sprint(p) != port {
				continue
			}
			for _, want := range ips {
				if strings.EqualFold(want, ip) {
					return true, nil
				}
			}
		}
	}
	return false, nil
}
