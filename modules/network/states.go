package network

import (
	"errors"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
	"pinch/value/py"
)

func has(c *salt.Ctx, fun string) bool {
	_, err := c.Registry().Exec(c, fun)
	return err == nil
}

// failed turns an error of the module ip into the answer of a state: wrong
// options are its comment.
func failed(err error) salt.Result {
	var e *value.Exception
	if errors.As(err, &e) && (e.Class == "AttributeError" || e.Class == "KeyError") {
		return salt.Failed("%s", e.Msg)
	}
	return salt.Raised(err)
}

// settings are the keywords of a state for the module ip.
func settings(c *salt.Ctx, kw *value.Map) *value.Map {
	out := new(value.Map)
	for k, v := range kw.Items() {
		if !strings.HasPrefix(k, "__") {
			out.Set(k, v)
		}
	}
	if !out.Has("test") {
		out.Set("test", c.Test)
	}
	return out
}

// secrets are options whose value is not shown.
var secrets = []string{"wpa-psk", "password"}

// delta compares two lists of lines: changed, and how.
func delta(old, new any) (changed, added bool, diff string) {
	a, b := stringsOf(old), stringsOf(new)
	if slices.Equal(a, b) {
		return false, false, ""
	}
	lines := py.UnifiedDiff(a, b, "", "", "")
	for i, line := range lines {
		if len(line) == 0 {
			continue
		}
		if f := strings.Fields(line[1:]); len(f) > 1 && slices.Contains(secrets, f[0]) {
			lines[i] = line[:strings.Index(line, f[0])] + f[0] + " **********\n"
		}
	}
	return true, len(a) == 0 && len(b) > 0, strings.Join(lines, "\n")
}

func stringsOf(v any) []string {
	switch v := v.(type) {
	case *value.List:
		out := make([]string, v.Len())
		for i, it := range v.Items {
			out[i] = value.Str(it)
		}
		return out
	case string:
		return strings.Split(strings.TrimSuffix(v, "\n"), "\n")
	}
	return nil
}

// compare asks for what there is, and builds what is wanted.
func compare(c *salt.Ctx, get string, getArgs []any, build string, kw *value.Map, args ...any) (changed, added bool, diff string, err error) {
	old, err := c.Call(get, getArgs...)
	if err != nil {
		return false, false, "", err
	}
	new, err := c.CallKw(build, kw, args...)
	if err != nil {
		return false, false, "", err
	}
	changed, added, diff = delta(old, new)
	return changed, added, diff, nil
}

type routesArgs struct {
	Name   string     `py:"name"`     // the interface
	Kwargs *value.Map `py:"**kwargs"` // routes: a list of name, ipaddr, netmask, gateway, metric; require_reboot
}

// routesState makes sure that an interface has routes, and restarts the
// network when they changed.
//
//	eth0:
//	  network.routes:
//	    - routes:
//	      - name: office
//	        ipaddr: 10.2.0.0
//	        netmask: 255.255.0.0
//	        gateway: 10.1.0.1
func routesState(c *salt.Ctx, a routesArgs) salt.Result {
	kw := settings(c, a.Kwargs)
	changed, added, diff, err := compare(c, "ip.get_routes", []any{a.Name}, "ip.build_routes", kw, a.Name)
	what := "Interface " + a.Name + " routes "
	switch {
	case err != nil:
		return failed(err)
	case !changed:
		return salt.Correct("%sare up to date.", what)
	case kw.Truth("test") && added:
		return salt.Would(nil, "%sare set to be added.", what)
	case kw.Truth("test"):
		return salt.Would(nil, "%sare set to be updated:\n%s", what, diff)
	}
	r := salt.Changed(value.M("network_routes", diff), "%supdated.", what)
	if added {
		r = salt.Changed(value.M("network_routes", "Added interface "+a.Name+" routes."), "%sadded.", what)
	}
	if _, err := c.CallKw("ip.apply_network_settings", kw); err != nil {
		return failed(err)
	}
	return r
}

type systemArgs struct {
	Name   string     `py:"name"`     // only a name for the state
	Kwargs *value.Map `py:"**kwargs"` // enabled, hostname, search, apply_hostname, require_reboot …
}

// system makes sure of the settings of the whole network: whether it starts
// with the machine, host name, domain.
//
//	system:
//	  network.system:
//	    - enabled: True
//	    - hostname: server1.example.com
//	    - apply_hostname: True
func system(c *salt.Ctx, a systemArgs) salt.Result {
	kw := settings(c, a.Kwargs)
	kw.Set("test", c.Test)
	changed, added, diff, err := compare(c, "ip.get_network_settings", nil, "ip.build_network_settings", kw)
	switch {
	case err != nil:
		return failed(err)
	case !changed:
		return salt.Correct("Global network settings are up to date.")
	case c.Test && added:
		return salt.Would(nil, "Global network settings are set to be added.")
	case c.Test:
		return salt.Would(nil, "Global network settings are set to be updated:\n%s", diff)
	case added:
		diff = "Added global network settings."
	}
	if _, err := c.CallKw("ip.apply_network_settings", kw); err != nil {
		return failed(err)
	}
	return salt.Changed(value.M("network_settings", diff), "Global network settings are up to date.")
}
