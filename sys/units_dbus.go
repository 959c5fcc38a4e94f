package sys

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/godbus/dbus/v5"
)

// Units opens no connection before the first question.
func (Real) Units() Units { return new(systemd) }

// systemd speaks to the service manager: as root over its private socket,
// which needs no bus daemon, else over the system bus.
type systemd struct {
	mu      sync.Mutex
	conn    *dbus.Conn
	bus     bool                              // there is a daemon between systemd and us, which filters signals
	signals *dbus.Conn                        // the connection that subscribe was called on
	ended   map[dbus.ObjectPath]string        // jobs that ended before anyone waited for them
	waiters map[dbus.ObjectPath]chan<- string // closed when the connection ends
}

const (
	busName     = "org.freedesktop.systemd1"
	managerPath = "/org/freedesktop/systemd1"
	manager     = busName + ".Manager."
	privateBus  = "/run/systemd/private"
)

// connect returns a live connection: systemd drops its private ones when it
// executes itself anew, as in an upgrade.
func (s *systemd) connect() (*dbus.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil && s.conn.Connected() {
		return s.conn, nil
	}
	conn, bus, err := dial()
	if err != nil {
		return nil, errors.Join(ErrNoUnits, err)
	}
	s.bus = bus
	s.conn, s.ended, s.waiters = conn, map[dbus.ObjectPath]string{}, map[dbus.ObjectPath]chan<- string{}
	return conn, nil
}

func (s *systemd) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		s.conn.Close()
		s.conn = nil
	}
}

func dial() (conn *dbus.Conn, bus bool, err error) {
	auth := []dbus.Auth{dbus.AuthExternal(strconv.Itoa(os.Geteuid()))}
	if os.Geteuid() == 0 {
		if conn, err := dbus.Dial("unix:path=" + privateBus); err == nil {
			if err = conn.Auth(auth); err == nil {
				// A small question first: systemd 252 may never finish a large
				// answer to the message that comes with the end of the handshake.
				call := conn.Object(busName, managerPath).Call("org.freedesktop.DBus.Properties.Get", 0, busName+".Manager", "Version")
				if call.Err == nil {
					return conn, false, nil
				}
			}
			conn.Close()
		}
	}
	conn, err = dbus.ConnectSystemBus()
	return conn, true, err
}

func (s *systemd) call(ctx context.Context, path dbus.ObjectPath, method string, args ...any) (*dbus.Call, error) {
	conn, err := s.connect()
	if err != nil {
		return nil, err
	}
	c := conn.Object(busName, path).CallWithContext(ctx, method, 0, args...)
	return c, unitError(c.Err)
}

// unitError turns what systemd says into a UnitError.
func unitError(err error) error {
	var e dbus.Error
	if !errors.As(err, &e) {
		return err
	}
	u := &UnitError{Name: e.Name}
	if len(e.Body) > 0 {
		u.Msg, _ = e.Body[0].(string)
	}
	if u.Msg == "" {
		u.Msg = e.Name
	}
	return u
}

func (s *systemd) Property(ctx context.Context, unit, iface, name string) (any, error) {
	c, err := s.call(ctx, unitPath(unit), "org.freedesktop.DBus.Properties.Get", busName+"."+iface, name)
	if err != nil {
		return nil, err
	}
	var v dbus.Variant
	err = c.Store(&v)
	return v.Value(), err
}

// unitPath is the object of a unit: every byte but letters and digits is
// written as _xx, and so is a digit at the start.
func unitPath(unit string) dbus.ObjectPath {
	const hex = "0123456789abcdef"
	var b strings.Builder
	b.WriteString(managerPath + "/unit/")
	for i := range len(unit) {
		c := unit[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9' && i > 0:
			b.WriteByte(c)
		default:
			b.WriteByte('_')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
	return dbus.ObjectPath(b.String())
}

func (s *systemd) UnitFileState(ctx context.Context, unit string) (state string, err error) {
	c, err := s.call(ctx, managerPath, manager+"GetUnitFileState", unit)
	if err != nil {
		return "", err
	}
	return state, c.Store(&state)
}

func (s *systemd) ListUnits(ctx context.Context) ([]Unit, error) {
	c, err := s.call(ctx, managerPath, manager+"ListUnits")
	if err != nil {
		return nil, err
	}
	var rows []struct {
		Name, Description, Load, Active, Sub, Following string
		Path                                            dbus.ObjectPath
		JobID                                           uint32
		JobType                                         string
		JobPath                                         dbus.ObjectPath
	}
	if err := c.Store(&rows); err != nil {
		return nil, err
	}
	units := make([]Unit, len(rows))
	for i, r := range rows {
		units[i] = Unit{r.Name, r.Load, r.Active, r.Sub}
	}
	return units, nil
}

func (s *systemd) ListUnitFiles(ctx context.Context) ([]UnitFile, error) {
	c, err := s.call(ctx, managerPath, manager+"ListUnitFiles")
	if err != nil {
		return nil, err
	}
	var files []UnitFile
	return files, c.Store(&files)
}

func (s *systemd) Enable(ctx context.Context, unit string) error {
	return s.changeFile(ctx, "EnableUnitFiles", []string{unit}, false, false)
}

func (s *systemd) Disable(ctx context.Context, unit string) error {
	return s.changeFile(ctx, "DisableUnitFiles", []string{unit}, false)
}

func (s *systemd) Mask(ctx context.Context, unit string, runtime bool) error {
	return s.changeFile(ctx, "MaskUnitFiles", []string{unit}, runtime, false)
}

func (s *systemd) Unmask(ctx context.Context, unit string, runtime bool) error {
	return s.changeFile(ctx, "UnmaskUnitFiles", []string{unit}, runtime)
}

func (s *systemd) changeFile(ctx context.Context, method string, args ...any) error {
	if _, err := s.call(ctx, managerPath, manager+method, args...); err != nil {
		return err
	}
	return s.Reload(ctx)
}

func (s *systemd) Reload(ctx context.Context) error {
	_, err := s.call(ctx, managerPath, manager+"Reload")
	return err
}
