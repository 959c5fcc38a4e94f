package beacons

import (
	"bytes"
	"encoding/binary"
	"errors"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"pinch/sys"
	"pinch/value"
)

// shKind tells what people run in shells: command, arguments and user. The
// kernel tells of each exec, so nothing traces the shells.
//
//	sh: []
func shKind() Kind {
	return Kind{
		Validate: func(conf any) string { return isList("sh", conf) },
		Missing: func(e *Env) string {
			if e.Sys.Getuid() != 0 {
				return "only root is told what runs."
			}
			return ""
		},
		New: func(e *Env, _ *value.Map) (Watcher, error) {
			fd, err := procConnector()
			if err != nil {
				return nil, err
			}
			return &shells{e: e, fd: fd, names: shellNames(e.Sys)}, nil
		},
	}
}

// Numbers of the process connector (linux/cn_proc.h).
const (
	cnIdxProc        = 1
	cnValProc        = 1
	procListen       = 1
	procEventExec    = 2
	connectorMsgSize = 20
)

// procConnector subscribes to the kernel's news of processes.
func procConnector() (int, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_DGRAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, unix.NETLINK_CONNECTOR)
	if err != nil {
		return -1, err
	}
	if err := unix.Bind(fd, &unix.SockaddrNetlink{Family: unix.AF_NETLINK, Groups: cnIdxProc}); err != nil {
		unix.Close(fd)
		return -1, err
	}
	var b bytes.Buffer
	for _, v := range []any{
		uint32(unix.NLMSG_HDRLEN + connectorMsgSize + 4), uint16(unix.NLMSG_DONE), uint16(0), uint32(0), uint32(unix.Getpid()),
		uint32(cnIdxProc), uint32(cnValProc), uint32(0), uint32(0), uint16(4), uint16(0), uint32(procListen),
	} {
		_ = binary.Write(&b, binary.NativeEndian, v)
	}
	if err := unix.Sendto(fd, b.Bytes(), 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

// shells is the beacon sh.
type shells struct {
	e     *Env
	fd    int
	names map[string]bool
}

func (s *shells) Close() { unix.Close(s.fd) }

func (s *shells) Look() ([]*value.Map, error) {
	var out []*value.Map
	buf := make([]byte, 16<<10)
	for {
		n, _, err := unix.Recvfrom(s.fd, buf, 0)
		if errors.Is(err, unix.EAGAIN) || n <= 0 && err == nil {
			return out, nil
		}
		if errors.Is(err, unix.EINTR) || errors.Is(err, unix.ENOBUFS) {
			continue
		}
		if err != nil {
			return out, err
		}
		if pid, ok := execOf(buf[:n]); ok {
			if m := s.command(pid); m != nil {
				out = append(out, m)
			}
		}
	}
}

// Discard drops the commands that wait.
func (s *shells) Discard() { _, _ = s.Look() }

// execOf is the process that a message says has started a program.
func execOf(b []byte) (pid int, ok bool) {
	const event = unix.NLMSG_HDRLEN + connectorMsgSize
	if len(b) < event+24 || binary.NativeEndian.Uint32(b[event:]) != procEventExec {
		return 0, false
	}
	return int(binary.NativeEndian.Uint32(b[event+16:])), true
}

// command describes what a process runs, if it was started from a shell.
func (s *shells) command(pid int) *value.Map {
	shell := s.shellOf(pid)
	line, err := s.e.Sys.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if shell == 0 || err != nil || len(line) == 0 {
		return nil
	}
	args := new(value.List)
	for _, a := range strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00") {
		args.Append(a)
	}
	cmd, err := s.e.Sys.Readlink("/proc/" + strconv.Itoa(pid) + "/exe")
	if err != nil {
		cmd = value.Str(args.Items[0])
	}
	user := ""
	if st, err := s.e.Sys.ReadFile("/proc/" + strconv.Itoa(shell) + "/status"); err == nil {
		for l := range strings.Lines(string(st)) {
			if f := strings.Fields(l); len(f) > 1 && f[0] == "Uid:" {
				uid, _ := strconv.Atoi(f[1])
				if u, err := s.e.Sys.UserID(uid); err == nil {
					user = u.Name
				}
			}
		}
	}
	return value.M("args", args, "tag", strconv.Itoa(shell), "cmd", cmd, "user", user)
}

// shellOf is the nearest ancestor that is a shell, 0 if there is none.
func (s *shells) shellOf(pid int) int {
	for range 64 {
		b, err := s.e.Sys.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		i := bytes.LastIndexByte(b, ')')
		if err != nil || i < 0 {
			return 0
		}
		f := strings.Fields(string(b[i+1:]))
		if len(f) < 2 {
			return 0
		}
		if pid, err = strconv.Atoi(f[1]); err != nil || pid <= 1 {
			return 0
		}
		name, err := s.e.Sys.ReadFile("/proc/" + strconv.Itoa(pid) + "/comm")
		if err == nil && s.names[strings.TrimSpace(string(name))] {
			return pid
		}
	}
	return 0
}

// shellNames are the programs of /etc/shells.
func shellNames(s sys.Sys) map[string]bool {
	out := map[string]bool{"sh": true, "bash": true}
	b, _ := s.ReadFile("/etc/shells")
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "/") {
			out[filepath.Base(line)] = true
		}
	}
	return out
}
