package network

import (
	"regexp"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type pingArgs struct {
	Host          string `py:"host"`                 // a name or an address
	Timeout       any    `py:"timeout=False"`        // seconds to wait for each answer
	ReturnBoolean bool   `py:"return_boolean=False"` // only whether it answers
}

// ping sends four echo requests and returns the command's output.
func ping(c *salt.Ctx, a pingArgs) (any, error) {
	cmd := "ping -c 4 " + sanitizeHost(a.Host)
	if value.Truth(a.Timeout) {
		cmd = "ping -W " + value.Str(a.Timeout) + " -c 4 " + sanitizeHost(a.Host)
	}
	if !a.ReturnBoolean {
		return c.Call("cmd.run", cmd)
	}
	r, err := c.Call("cmd.run_all", cmd)
	if err != nil {
		return nil, err
	}
	m, _ := r.(*value.Map)
	return value.Equal(m.At("retcode"), int64(0)), nil
}

// need fails when a command that has no replacement is not installed.
func need(c *salt.Ctx, name string) error {
	if c.Sys.LookPath(name) == "" {
		return value.Errorf("CommandNotFoundError", "The '%s' binary was not found in $PATH.", name)
	}
	return nil
}

type hostArgs struct {
	Host string `py:"host"` // a name or an address
}

// dig returns the output of dig.
func dig(c *salt.Ctx, a hostArgs) (any, error) {
	if err := need(c, "dig"); err != nil {
		return nil, err
	}
	return c.Call("cmd.run", "dig "+sanitizeHost(a.Host))
}

// traceroute returns the hops to a host: count, hostname, ip, ms1, ms2, ms3.
func traceroute(c *salt.Ctx, a hostArgs) (any, error) {
	if err := need(c, "traceroute"); err != nil {
		return nil, err
	}
	out, err := c.CallKw("cmd.run", value.M("timeout", int64(120)), "traceroute "+sanitizeHost(a.Host))
	if err != nil {
		return nil, err
	}
	text, _ := out.(string)
	if strings.Contains(text, "Timed out after") {
		return new(value.List), nil
	}
	version, err := c.Call("cmd.run", "traceroute --version")
	if err != nil {
		return nil, err
	}
	v, _ := version.(string)
	return hops(text, modernTraceroute(v)), nil
}

// modernTraceroute reports whether the columns are two blanks apart, as since
// version 2.0.14 of traceroute for Linux.
func modernTraceroute(text string) bool {
	m := regexp.MustCompile(`[Vv]ersion (\d+)\.([\w\+]+)\.*(\w*)`).FindStringSubmatch(text)
	if m == nil {
		return false
	}
	n := func(s string) int { i, _ := strconv.Atoi(s); return i }
	return n(m[1]) >= 2 && (n(m[3]) >= 14 || n(m[2]) > 0)
}

func hops(text string, modern bool) *value.List {
	out := new(value.List)
	for _, line := range strings.Split(text, "\n") {
		if !strings.Contains(line, " ") || strings.HasPrefix(line, "traceroute") {
			continue
		}
		if modern {
			out.Append(modernHop(strings.Split(line, "  ")))
		} else {
			out.Append(oldHop(strings.Fields(line)))
		}
	}
	return out
}

func modernHop(cols []string) *value.Map {
	m := new(value.Map)
	if len(cols) < 2 {
		return m
	}
	count, err := strconv.ParseInt(strings.TrimSpace(cols[0]), 10, 64)
	if err != nil {
		return m
	}
	if cols[1] == "* * *" {
		return value.M("count", count, "hostname", "*")
	}
	host := strings.Fields(cols[1])
	if len(cols) < 5 || len(host) < 2 {
		return m
	}
	m = value.M("count", count, "hostname", host[0], "ip", strings.Trim(host[1], "()"))
	for i, key := range []string{"ms1", "ms2", "ms3"} {
		f := strings.Fields(cols[2+i])
		if len(f) == 0 {
			return new(value.Map)
		}
		ms, err := strconv.ParseFloat(f[0], 64)
		if err != nil {
			return new(value.Map)
		}
		m.Set(key, ms)
	}
	return m
}

func oldHop(f []string) *value.Map {
	if len(f) < 9 {
		return new(value.Map)
	}
	return value.M("count", f[0], "hostname", f[1], "ip", f[2], "ms1", f[4], "ms2", f[6], "ms3", f[8],
		"ping1", f[3], "ping2", f[5], "ping3", f[7])
}

const ethtool = "/sbin/ethtool"

// getBufsize returns the sizes of an interface's rings; nothing without ethtool.
func getBufsize(c *salt.Ctx, a ifaceArgs) (any, error) {
	if !sys.Exists(c.Sys, ethtool) {
		return new(value.Map), nil
	}
	r, err := c.Call("cmd.run", ethtool+" -g "+a.Iface)
	if err != nil {
		return nil, err
	}
	text, _ := r.(string)
	return bufsizes(text), nil
}

func bufsizes(text string) *value.Map {
	m := value.M("result", false)
	line := regexp.MustCompile(`^(.+):\s+(\d+)$`)
	suffix := "max-"
	for _, l := range strings.Split(text, "\n") {
		if f := line.FindStringSubmatch(l); f != nil {
			n, _ := strconv.ParseInt(f[2], 10, 64)
			m.Set(strings.ReplaceAll(strings.ToLower(f[1]), " ", "-")+suffix, n)
			m.Set("result", true)
		} else if strings.HasSuffix(l, "maximums:") {
			suffix = "-max"
		} else if strings.HasSuffix(l, "settings:") {
			suffix = ""
		}
	}
	if !m.Truth("result") {
		if f := strings.Fields(text); len(f) > 0 && strings.HasSuffix(f[0], "sh:") {
			text = strings.Join(f[1:], " ")
		}
		m.Set("comment", text)
	}
	return m
}

type modBufsizeArgs struct {
	Iface  string     `py:"iface"`    // the name of the interface
	Args   []any      `py:"*args"`    // none are known
	Kwargs *value.Map `py:"**kwargs"` // rx, tx, rx-mini, rx-jumbo
}

// modBufsize sets the sizes of an interface's rings; false without ethtool.
func modBufsize(c *salt.Ctx, a modBufsizeArgs) (any, error) {
	if !sys.Exists(c.Sys, ethtool) {
		return false, nil
	}
	m := value.M("result", false, "comment", "Requires rx=<val> tx==<val> rx-mini=<val> and/or rx-jumbo=<val>")
	if a.Kwargs.Len() == 0 {
		return m, nil
	}
	if len(a.Args) > 0 {
		m.Set("comment", "Unknown arguments: "+joinStr(a.Args))
		return m, nil
	}
	var args []string
	for _, k := range []string{"rx", "tx", "rx-mini", "rx-jumbo"} {
		if v := a.Kwargs.At(k); v != nil {
			args = append(args, k, value.Str(v))
		}
	}
	if len(args) == 0 {
		return m, nil
	}
	out, err := c.Call("cmd.run", ethtool+" -G "+a.Iface+" "+strings.Join(args, " "))
	if err != nil {
		return nil, err
	}
	if value.Truth(out) {
		m.Set("comment", out)
	} else {
		m.Set("comment", strings.Join(args, " "))
		m.Set("result", true)
	}
	return m, nil
}

func joinStr(items []any) string {
	s := make([]string, len(items))
	for i, it := range items {
		s[i] = value.Str(it)
	}
	return strings.Join(s, " ")
}
