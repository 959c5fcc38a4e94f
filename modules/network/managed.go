package network

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type managedArgs struct {
	Name    string     `py:"name"`         // the interface
	Enabled bool       `py:"enabled=True"` // it runs, and starts with the machine
	Kwargs  *value.Map `py:"**kwargs"`     // type (eth, bond, bridge, slave, vlan, pppoe, source), proto, ipaddr, netmask, gateway, dns …; noifupdown leaves the running interface alone
}

// managed makes sure that an interface is configured, and started or stopped.
//
//	eth0:
//	  network.managed:
//	    - type: eth
//	    - proto: static
//	    - ipaddr: 10.1.0.7
//	    - netmask: 255.255.255.0
//	    - gateway: 10.1.0.1
//	    - dns: [8.8.8.8, 8.8.4.4]
func managed(c *salt.Ctx, a managedArgs) salt.Result {
	m := &managing{c: c, name: a.Name, enabled: a.Enabled, kw: settings(c, a.Kwargs), kind: "eth", r: salt.Correct("Interface %s is up to date.", a.Name)}
	if v, ok := m.kw.Pop("type"); ok {
		m.kind = value.Str(v)
	}
	m.hwaddr()
	if err := m.configure("Interface", "interface", "Added network interface.", "ip.get_interface", "ip.build_interface", a.Name, m.kind, a.Enabled); err != nil {
		return failed(err)
	}
	if m.kind == "source" {
		return m.r
	}
	if m.kind == "bond" && has(c, "ip.get_bond") {
		if err := m.configure("Bond interface", "bond", "Added bond "+a.Name+".", "ip.get_bond", "ip.build_bond", a.Name); err != nil {
			return failed(err)
		}
	}
	switch {
	case m.kw.Truth("test"):
		return m.r
	case strings.Contains(a.Name, "range"):
		return m.ranged()
	}
	return m.run()
}

// A managing is one run of network.managed.
type managing struct {
	c          *salt.Ctx
	name, kind string
	enabled    bool
	kw         *value.Map
	r          salt.Result
	changed    bool
}

// hwaddr takes an old name of an argument.
func (m *managing) hwaddr() {
	v, ok := m.kw.Pop("addr")
	if !ok {
		return
	}
	what := "it has been ignored in favor of 'hwaddr'."
	if !m.kw.Has("hwaddr") {
		what = "its value has been assigned to 'hwaddr' instead."
		m.kw.Set("hwaddr", v)
	}
	m.r.Warnings = append(m.r.Warnings, "'addr' is not a valid argument name, "+what+" Update your SLS file to get rid of this warning.")
}

// configure writes one of the files of an interface.
func (m *managing) configure(what, key, added, get, build string, args ...any) error {
	kw := m.kw
	if key == "bond" {
		kw = m.kw.Shallow()
	}
	changed, isNew, diff, err := compare(m.c, get, []any{m.name}, build, kw, args...)
	if err != nil || !changed {
		return err
	}
	test := m.kw.Truth("test")
	switch {
	case test && isNew:
		m.r.Result, m.r.Comment = nil, what+" "+m.name+" is set to be added."
	case test:
		m.r.Result, m.r.Comment = nil, what+" "+m.name+" is set to be updated:\n"+diff
	case isNew:
		m.r.Comment = what + " " + m.name + " added."
		m.r.Changes.Set(key, added)
	default:
		m.r.Comment = what + " " + m.name + " updated."
		m.r.Changes.Set(key, diff)
	}
	m.changed = m.changed || !test
	return nil
}

// ranged restarts the network for a range of interfaces.
func (m *managing) ranged() salt.Result {
	if !m.changed {
		m.r.Comment = "no change, passing it"
		return m.r
	}
	v, err := m.c.Call("service.restart", "network")
	if err != nil {
		m.r.Result, m.r.Comment = salt.False(), err.Error()
		return m.r
	}
	m.r.Comment = "network restarted for change of ranged interfaces"
	if !value.Truth(v) {
		m.r.Result = salt.False()
	}
	return m.r
}

// isUp reports whether an interface, or an address with its label, is up.
func (m *managing) isUp() bool {
	all := describe()
	if i := all.Map(m.name); i != nil {
		return i.Truth("up")
	}
	for name, v := range all.Items() {
		i, _ := v.(*value.Map)
		keys := []string{"secondary"}
		if name == "lo" {
			keys = []string{"secondary", "inet", "inet6"}
		}
		for _, key := range keys {
			l := i.List(key)
			if l == nil {
				continue
			}
			if slices.ContainsFunc(l.Items, func(x any) bool { a, _ := x.(*value.Map); return a.Str("label") == m.name }) {
				return true
			}
		}
	}
	return false
}

// run starts or stops the interface.
func (m *managing) run() salt.Result {
	up := m.isUp()
	do := func(verbs ...string) error {
		for _, verb := range verbs {
			if _, err := m.c.Call("ip."+verb, m.name, m.kind); err != nil {
				return err
			}
		}
		return nil
	}
	hands := m.kw.Has("noifupdown")
	var err error
	switch {
	case hands:
	case m.enabled && up && m.r.Changes.Len() > 0:
		err = do("down", "up")
		m.r.Changes.Set("status", "Interface "+m.name+" restart to validate")
	case m.enabled && !up:
		err = do("up")
		m.r.Changes.Set("status", "Interface "+m.name+" is up")
	case !m.enabled && up:
		err = do("down")
		m.r.Changes.Set("status", "Interface "+m.name+" down")
	}
	if err != nil {
		m.r.Result, m.r.Comment = salt.False(), err.Error()
		return m.r
	}
	if m.kind == "bond" && !hands {
		if err := m.enslave(); err != nil {
			return salt.Raised(err)
		}
	}
	if !(m.enabled && up) && has(m.c, "saltutil.refresh_grains") {
		if _, err := m.c.Call("saltutil.refresh_grains"); err != nil {
			m.c.Log.Debug("grains are not refreshed: " + err.Error())
		}
	}
	return m.r
}

// enslave adds the interfaces of a bond that it lacks.
func (m *managing) enslave() error {
	want := stringsOf(m.kw.At("slaves"))
	if s, ok := m.kw.At("slaves").(string); ok {
		want = strings.Fields(s)
	}
	b, _ := m.c.Sys.ReadFile("/sys/class/net/" + m.name + "/bonding/slaves")
	have := strings.Fields(string(b))
	missing := slices.DeleteFunc(want, func(s string) bool { return slices.Contains(have, s) })
	if len(missing) == 0 {
		return nil
	}
	if m.c.Sys.LookPath("ifenslave") == "" {
		m.c.Log.Error("Command 'ifenslave' not found")
	} else if _, err := m.c.CallKw("cmd.run", value.M("python_shell", false), value.Strings(append([]string{"ifenslave", m.name}, missing...))); err != nil {
		return err
	}
	m.r.Changes.Set("enslave", "Added slaves '"+strings.Join(missing, " ")+"' to master '"+m.name+"'")
	return nil
}
