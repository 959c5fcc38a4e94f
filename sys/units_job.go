package sys

import (
	"context"
	"errors"

	"github.com/godbus/dbus/v5"
)

func (s *systemd) Job(ctx context.Context, method, unit string, wait bool) error {
	conn, err := s.connect()
	if err != nil {
		return err
	}
	if wait {
		if err := s.subscribe(ctx, conn); err != nil {
			return err
		}
	}
	c, err := s.call(ctx, managerPath, manager+method, unit, "replace")
	if err != nil || !wait {
		return err
	}
	var job dbus.ObjectPath
	if err := c.Store(&job); err != nil {
		return err
	}
	result, err := s.await(ctx, conn, job)
	if err != nil || result == "done" || result == "skipped" {
		return err
	}
	e := &JobError{Unit: unit, Result: result}
	if v, err := s.Property(ctx, unit, "Service", "Result"); err == nil {
		e.Service, _ = v.(string)
	}
	return e
}

// subscribe asks once for the signals about jobs that end.
func (s *systemd) subscribe(ctx context.Context, conn *dbus.Conn) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.signals == conn {
		return nil
	}
	ch := make(chan *dbus.Signal, 256)
	conn.Signal(ch)
	rule := []dbus.MatchOption{dbus.WithMatchInterface(busName + ".Manager"), dbus.WithMatchMember("JobRemoved")}
	if s.bus {
		if err := conn.AddMatchSignalContext(ctx, rule...); err != nil {
			return err
		}
	}
	if c := conn.Object(busName, managerPath).CallWithContext(ctx, manager+"Subscribe", 0); c.Err != nil {
		var e dbus.Error
		if !errors.As(c.Err, &e) || e.Name != busName+".AlreadySubscribed" {
			return unitError(c.Err)
		}
	}
	s.signals = conn
	go s.listen(ch)
	return nil
}

// listen hands the ends of jobs to those who wait. It ends with the connection.
func (s *systemd) listen(ch <-chan *dbus.Signal) {
	for sig := range ch {
		if sig.Name != manager+"JobRemoved" || len(sig.Body) < 4 {
			continue
		}
		job, _ := sig.Body[1].(dbus.ObjectPath)
		result, _ := sig.Body[3].(string)
		s.mu.Lock()
		if w := s.waiters[job]; w != nil {
			w <- result
			delete(s.waiters, job)
		} else {
			s.ended[job] = result
		}
		s.mu.Unlock()
	}
}

func (s *systemd) await(ctx context.Context, conn *dbus.Conn, job dbus.ObjectPath) (string, error) {
	s.mu.Lock()
	if result, ok := s.ended[job]; ok {
		delete(s.ended, job)
		s.mu.Unlock()
		return result, nil
	}
	w := make(chan string, 1)
	s.waiters[job] = w
	s.mu.Unlock()
	select {
	case result := <-w:
		return result, nil
	case <-conn.Context().Done():
		return "", errors.New("systemd closed the connection")
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
