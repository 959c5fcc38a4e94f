// Package host holds Salt's host states: the entries of /etc/hosts. Its main
// variable is Module.
//
//	db.example:
//	  host.present:
//	    - ip: 10.0.0.5
//	    - clean: True
package host

import (
	"net/netip"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's host module.
var Module = salt.Module{
	Name: "host",
	States: func() salt.Funcs {
		return salt.Funcs{
			"present": salt.State(present),
			"absent":  salt.State(absent),
			"only":    salt.State(only),
		}
	},
}

// texts are the items of a list; anything else is a list of one.
func texts(v any) []string {
	l, ok := v.(*value.List)
	if !ok {
		return []string{value.Str(v)}
	}
	out := make([]string, l.Len())
	for i, it := range l.Items {
		out[i] = value.Str(it)
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

// A step is one change of /etc/hosts.
type step struct {
	fun, ip, arg      string
	will, did, failed string
	key               string // in the changes
	silent            bool   // does not make the result None under test=True
}

type presentArgs struct {
	Name    string `py:"name"`        // the host's name
	IP      any    `py:"ip"`          // an address, or a list of them
	Comment any    `py:"comment=''"`  // a comment to put behind the addresses
	Clean   bool   `py:"clean=False"` // remove the name from all other addresses
}

// present makes sure that a name has the given addresses.
//
//	web.example:
//	  host.present:
//	    - ip: [10.0.0.2, fd00::2]
//	    - comment: the web server
func present(c *salt.Ctx, a presentArgs) salt.Result {
	v, err := c.Call("hosts.list_hosts")
	if err != nil {
		return salt.Raised(err)
	}
	hosts, _ := v.(*value.Map)
	steps, r := a.plan(hosts)
	comments := r.comments
	out := salt.Correct("")
	out.Warnings = r.warnings
	if r.bad {
		out.Result = salt.False()
	}
	for _, s := range steps {
		if c.Test {
			if !s.silent {
				out.Result = nil
			}
			comments = append(comments, s.will)
		} else {
			ok, err := c.Call(s.fun, s.ip, s.arg)
			if err != nil {
				return salt.Raised(err)
			}
			if !value.Truth(ok) {
				out.Result = salt.False()
				comments = append(comments, s.failed)
				continue
			}
			comments = append(comments, s.did)
		}
		record(out.Changes, s)
	}
	out.Comment = strings.Join(comments, "\n")
	return out
}

func record(changes *value.Map, s step) {
	m := changes.Map(s.key)
	if m == nil {
		m = new(value.Map)
		changes.Set(s.key, m)
	}
	l := m.List(s.ip)
	if l == nil {
		l = value.L()
		m.Set(s.ip, l)
	}
	l.Append(s.arg)
}

// findings are what a plan has to say.
type findings struct {
	comments, warnings []string
	bad                bool
}

// plan compares the wanted addresses with those in the file: what to add,
// then comments, then what to remove.
func (a *presentArgs) plan(hosts *value.Map) ([]step, findings) {
	var f findings
	var add, note, remove []step
	want, comment := texts(a.IP), ""
	if a.Comment != nil {
		comment = value.Str(a.Comment)
	}
	adding := func(ip string) {
		where := a.Name + " (" + ip + ")"
		add = append(add, step{"hosts.add_host", ip, a.Name, "Host " + where + " would be added", "Added host " + where, "Failed to add host " + where, "added", false})
	}
	noting := func(ip string) {
		if comment == "" {
			return
		}
		what := ip + " (" + comment + ")"
		note = append(note, step{"hosts.set_comment", ip, comment, "Comment for " + what + " would be added", "Set comment for host " + what, "Failed to add comment for host " + what, "comment_added", true})
	}
	for _, ip := range want {
		if !hosts.Has(ip) {
			adding(ip)
			noting(ip)
		}
	}
	for ip, v := range hosts.Items() {
		entry, _ := v.(*value.Map)
		has := false
		if l := entry.List("aliases"); l != nil {
			has = contains(texts(l), a.Name)
		}
		where := a.Name + " (" + ip + ")"
		switch {
		case !contains(want, ip) && has && a.Clean:
			remove = append(remove, step{"hosts.rm_host", ip, a.Name, "Host " + where + " would be removed", "Removed host " + where, "Failed to remove host " + where, "removed", false})
		case !contains(want, ip) && has:
			f.warnings = append(f.warnings, "Host "+a.Name+" present for IP address "+ip+". To get rid of this warning, either run this state with 'clean' set to True to remove "+
				a.Name+" from "+ip+", or add "+ip+" to the 'ip' argument.")
		case !contains(want, ip):
		case has && comment != "" && entry.At("comment") != comment:
			noting(ip)
		case has:
			f.comments = append(f.comments, "Host "+where+" already present")
		case isIP(ip):
			adding(ip)
			noting(ip)
		default:
			f.bad = true
			f.comments = append(f.comments, "Invalid IP Address for "+where)
		}
	}
	return append(append(add, note...), remove...), f
}

func isIP(s string) bool {
	_, err := netip.ParseAddr(s)
	return err == nil
}

type absentArgs struct {
	Name string `py:"name"` // the host's name
	IP   any    `py:"ip"`   // an address, or a list of them
}

// absent makes sure that a name does not have the given addresses.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	r := salt.Would(nil, "")
	var comments []string
	planned := false
	for _, ip := range texts(a.IP) {
		where := a.Name + " (" + ip + ")"
		has, err := c.Call("hosts.has_pair", ip, a.Name)
		switch {
		case err != nil:
			return salt.Raised(err)
		case !value.Truth(has):
			r.Result = salt.True()
			comments = append(comments, "Host "+where+" already absent")
			continue
		case c.Test:
			planned = true
			comments = append(comments, "Host "+where+" needs to be removed")
			continue
		}
		ok, err := c.Call("hosts.rm_host", ip, a.Name)
		if err != nil {
			return salt.Raised(err)
		}
		if value.Truth(ok) {
			r.Changes, r.Result = value.M("host", a.Name), salt.True()
			comments = append(comments, "Removed host "+where)
		} else {
			r.Result = salt.False()
			comments = append(comments, "Failed to remove host")
		}
	}
	if planned {
		r.Result = nil
	}
	r.Comment = strings.Join(comments, "\n")
	return r
}

type onlyArgs struct {
	Name      string `py:"name"`      // the address
	Hostnames any    `py:"hostnames"` // the names of the address: a name, or a list of them
}

// only makes sure that an address has the given names and no others.
//
//	10.0.0.4:
//	  host.only:
//	    - hostnames: [four.example, four]
func only(c *salt.Ctx, a onlyArgs) salt.Result {
	v, err := c.Call("hosts.get_alias", a.Name)
	if err != nil {
		return salt.Raised(err)
	}
	want := texts(a.Hostnames)
	for i := range want {
		want[i] = strings.TrimSpace(want[i])
	}
	old, names := strings.Join(texts(v), " "), strings.Join(want, " ")
	switch {
	case old == names:
		return salt.Correct(`IP address %s already set to "%s"`, a.Name, names)
	case c.Test:
		return salt.Would(nil, `Would change %s from "%s" to "%s"`, a.Name, old, names)
	}
	ok, err := c.Call("hosts.set_host", a.Name, names)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !value.Truth(ok):
		return salt.Failed(`hosts.set_host failed to change %s from "%s" to "%s"`, a.Name, old, names)
	}
	return salt.Changed(value.M(a.Name, value.M("old", old, "new", names)), `successfully changed %s from "%s" to "%s"`, a.Name, old, names)
}
