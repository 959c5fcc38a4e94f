package network

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// A socket is a line of /proc/net/tcp, tcp6, udp or udp6 (proc_net(5)).
type socket struct {
	proto         string // tcp, tcp6 …
	local, remote string // addresses
	lport, rport  uint64
	state         int
	sendq, recvq  uint64
	uid, inode    string
}

// states are the kernel's TCP states (include/net/tcp_states.h).
var states = [...]string{1: "ESTABLISHED", "SYN_SENT", "SYN_RECV", "FIN_WAIT1", "FIN_WAIT2", "TIME_WAIT", "CLOSE", "CLOSE_WAIT",
	"LAST_ACK", "LISTEN", "CLOSING", "NEW_SYN_RECV"}

const established = 1

// stateName is the state as netstat or ss names it; Salt writes the full
// ESTABLISHED for both.
func (s *socket) stateName(ss bool) string {
	if s.state <= 0 || s.state >= len(states) {
		return "UNKNOWN"
	}
	name := states[s.state]
	switch {
	case ss && name == "CLOSE":
		return "UNCONN"
	case ss:
		return strings.ReplaceAll(name, "_", "-")
	}
	return name
}

func sockets(c *salt.Ctx, proto string) []socket {
	text, err := c.Sys.ReadFile("/proc/net/" + proto)
	if err != nil {
		return nil
	}
	var out []socket
	for i, line := range strings.Split(string(text), "\n") {
		f := strings.Fields(line)
		if i == 0 || len(f) < 10 {
			continue
		}
		s := socket{proto: proto, uid: f[7], inode: f[9]}
		s.local, s.lport = endpoint(f[1])
		s.remote, s.rport = endpoint(f[2])
		state, _ := strconv.ParseUint(f[3], 16, 8)
		s.state = int(state)
		tx, rx, _ := strings.Cut(f[4], ":")
		s.sendq, _ = strconv.ParseUint(tx, 16, 64)
		s.recvq, _ = strconv.ParseUint(rx, 16, 64)
		out = append(out, s)
	}
	return out
}

func endpoint(s string) (string, uint64) {
	ip, port, _ := strings.Cut(s, ":")
	n, _ := strconv.ParseUint(port, 16, 16)
	return procIP(ip), n
}

// activeTcp returns the established TCP connections, numbered from 0.
func activeTcp(c *salt.Ctx, _ salt.NoArgs) (any, error) {
	out := new(value.Map)
	for _, proto := range []string{"tcp", "tcp6"} {
		for _, s := range sockets(c, proto) {
			if s.state != established {
				continue
			}
			out.SetKey(int64(out.Len()), value.M("local_addr", s.local, "local_port", int64(s.lport),
				"remote_addr", s.remote, "remote_port", int64(s.rport)))
		}
	}
	return out, nil
}

// netstat returns all sockets. The form is that of netstat where it is
// installed, else that of ss, as in Salt; the kernel's tables tell both.
func netstat(c *salt.Ctx, _ salt.NoArgs) (any, error) {
	protos := []string{"tcp", "tcp6", "udp", "udp6"}
	ss := c.Sys.LookPath("netstat") == ""
	if ss {
		protos = []string{"udp", "udp6", "tcp", "tcp6"}
	}
	var all []socket
	for _, p := range protos {
		all = append(all, sockets(c, p)...)
	}
	programs := owners(c, all, ss)
	out := new(value.List)
	for _, s := range all {
		proto := s.proto
		if ss {
			proto = strings.TrimSuffix(proto, "6")
		}
		m := value.M("proto", proto, "recv-q", fmt.Sprint(s.recvq), "send-q", fmt.Sprint(s.sendq),
			"local-address", endpointText(s.local, s.lport, ss), "remote-address", endpointText(s.remote, s.rport, ss))
		if strings.HasPrefix(proto, "tcp") {
			m.Set("state", s.stateName(ss))
		}
		m.Set("user", s.uid)
		m.Set("inode", s.inode)
		program, ok := programs[s.inode]
		if !ok && !ss {
			program = "-"
		}
		m.Set("program", program)
		out.Append(m)
	}
	return out, nil
}

// endpointText writes port 0 as a star; ss has brackets around IPv6.
func endpointText(ip string, port uint64, ss bool) string {
	if ss && strings.Contains(ip, ":") {
		ip = "[" + ip + "]"
	}
	if port == 0 {
		return ip + ":*"
	}
	return fmt.Sprintf("%s:%d", ip, port)
}

// owners finds the programs that hold sockets: "123/sshd" by inode as netstat
// shows it, "sshd" as ss does.
func owners(c *salt.Ctx, all []socket, ss bool) map[string]string {
	wanted := map[string]bool{}
	for _, s := range all {
		wanted["socket:["+s.inode+"]"] = s.inode != "0"
	}
	out := map[string]string{}
	procs, _ := c.Sys.ReadDir("/proc")
	for _, p := range procs {
		pid := p.Name()
		if _, err := strconv.Atoi(pid); err != nil {
			continue
		}
		fds, err := c.Sys.ReadDir("/proc/" + pid + "/fd")
		if err != nil {
			continue
		}
		for _, fd := range fds {
			target, _ := c.Sys.Readlink("/proc/" + pid + "/fd/" + fd.Name())
			if !wanted[target] {
				continue
			}
			inode := strings.TrimSuffix(strings.TrimPrefix(target, "socket:["), "]")
			if _, seen := out[inode]; !seen {
				out[inode] = program(c, pid, ss)
			}
		}
	}
	return out
}

func program(c *salt.Ctx, pid string, ss bool) string {
	if ss {
		b, _ := c.Sys.ReadFile("/proc/" + pid + "/comm")
		return strings.TrimSpace(string(b))
	}
	b, _ := c.Sys.ReadFile("/proc/" + pid + "/cmdline")
	name, _, _ := strings.Cut(string(b), "\x00")
	if f := strings.Fields(path.Base(name)); len(f) > 0 {
		return pid + "/" + f[0]
	}
	return pid + "/"
}
