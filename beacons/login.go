package beacons

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"net/netip"
	"strings"
	"time"

	"pinch/value"
	"pinch/value/pytime"
)

// loginKind tells of logins and logouts (wtmp) or of failed logins (btmp). users,
// groups and defaults may limit it to a time of day:
//
//	wtmp:
//	  - users:
//	      gareth:
//	        time_range: {start: '8am', end: '4pm'}
//	  - defaults:
//	      time_range: {start: '8am', end: '4pm'}
func loginKind(name string) Kind {
	return Kind{
		Validate: func(conf any) string { return validateLogin(name, conf) },
		New: func(e *Env, conf *value.Map) (Watcher, error) {
			return &logins{e: e, conf: conf, name: name, path: "/var/log/" + name}, nil
		},
	}
}

func validateLogin(name string, conf any) string {
	if text := isList(name, conf); text != "" {
		return text
	}
	o := options(conf)
	for _, part := range [][2]string{{"users", "User"}, {"groups", "Group"}} {
		v, ok := o.Get(part[0])
		if !ok {
			continue
		}
		m, ok := v.(*value.Map)
		if !ok {
			return part[1] + " configuration for " + name + " beacon must be a dictionary."
		}
		for _, x := range m.Items() {
			if text := validateRange(name, x); text != "" {
				return text
			}
		}
	}
	if v, ok := o.Get("defaults"); ok {
		if _, ok := v.(*value.Map); !ok {
			return "Defaults configuration for " + name + " beacon must be a dictionary."
		}
		return validateRange(name, v)
	}
	return ""
}

func validateRange(name string, v any) string {
	m, _ := v.(*value.Map)
	r, ok := m.Get("time_range")
	if !ok {
		return ""
	}
	span, ok := r.(*value.Map)
	if !ok {
		return "The time_range parameter for " + name + " beacon must be a dictionary."
	}
	if !span.Has("start") || !span.Has("end") {
		return "The time_range parameter for " + name + " beacon must contain start & end options."
	}
	return ""
}

// utmpSize is the size of a record of utmp(5) on Linux.
const utmpSize = 384

// logins reads on in wtmp or btmp.
type logins struct {
	reading
	e          *Env
	conf       *value.Map
	name, path string
}

func (l *logins) Close() {}

func (l *logins) Look() ([]*value.Map, error) {
	f, err := l.e.Sys.Open(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		l.begun, l.at = true, 0
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := l.next(f, 1<<20)
	if err != nil {
		return nil, err
	}
	var out []*value.Map
	for ; len(b) >= utmpSize; b = b[utmpSize:] {
		l.at += utmpSize
		if m := l.record(b[:utmpSize]); m != nil && l.wanted(m.Str("user")) {
			out = append(out, m)
		}
	}
	return out, nil
}

// record reads a record: of wtmp logins and logouts only.
func (l *logins) record(b []byte) *value.Map {
	text := func(from, to int) string { s, _, _ := strings.Cut(string(b[from:to]), "\x00"); return s }
	number := func(at int) int64 { return int64(int32(binary.NativeEndian.Uint32(b[at:]))) }
	kind := int64(int16(binary.NativeEndian.Uint16(b)))
	m := value.M("type", kind, "PID", number(4), "line", text(8, 40), "inittab", text(40, 44), "user", text(44, 76), "hostname", text(76, 332),
		"exit_status", int64(int16(binary.NativeEndian.Uint16(b[332:]))), "session", number(336), "time", number(340), "addr", address(b[348:364]))
	if l.name == "btmp" {
		return m
	}
	switch kind {
	case 7:
		m.Set("action", "login")
	case 8:
		m.Set("action", "logout")
	default:
		return nil
	}
	return m
}

func address(b []byte) any {
	if a, ok := netip.AddrFromSlice(b); ok {
		var four [4]byte
		copy(four[:], b)
		if strings.Trim(string(b[4:]), "\x00") == "" {
			if four == [4]byte{} {
				return int64(0)
			}
			return netip.AddrFrom4(four).String()
		}
		return a.String()
	}
	return int64(0)
}

// wanted reports whether a user is to be told of now.
func (l *logins) wanted(user string) bool {
	users, groups := l.conf.Map("users"), l.conf.Map("groups")
	if users.Has(user) {
		return l.inRange(users.Map(user))
	}
	for name := range groups.Items() {
		if g, err := l.e.Sys.Group(name); err == nil {
			for _, m := range g.Members {
				if m == user {
					return l.inRange(groups.Map(name))
				}
			}
		}
	}
	if d := l.conf.Map("defaults"); d != nil {
		return l.inRange(d)
	}
	return users.Len() == 0 && groups.Len() == 0
}

// inRange reports whether the time is in time_range.
func (l *logins) inRange(m *value.Map) bool {
	r := m.Map("time_range")
	if r == nil {
		return true
	}
	now := l.e.Now()
	start, err1 := pytime.Parse(r.Str("start"), now)
	end, err2 := pytime.Parse(r.Str("end"), now)
	if err1 != nil || err2 != nil {
		l.e.Log.Error("time_range cannot be read: "+value.Repr(r), "beacon", l.name)
		return false
	}
	return between(now, start, end)
}

// between reports whether t is in a span; one whose end is before its start
// runs over midnight.
func between(t, start, end time.Time) bool {
	if end.Before(start) {
		return !t.Before(start) || !t.After(end)
	}
	return !t.Before(start) && !t.After(end)
}
