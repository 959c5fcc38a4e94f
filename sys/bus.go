package sys

import (
	"context"
	"errors"

	"github.com/godbus/dbus/v5"
)

// ErrNoBus says that there is no system bus to ask.
var ErrNoBus = errors.New("the system bus cannot be reached")

// Bus is the system bus, for services such as systemd-timedated. Each call
// makes a connection of its own: they are few.
type Bus interface {
	// Running reports whether a service runs now; asking does not start it.
	Running(ctx context.Context, service string) bool
	// Property reads a property of an object. The bus starts the service if
	// need be. The error is ErrNoBus or a *UnitError.
	Property(ctx context.Context, service, path, iface, name string) (any, error)
	// Call calls a method that changes something, without an answer.
	Call(ctx context.Context, service, path, method string, args ...any) error
}

// Bus opens no connection before the first question.
func (Real) Bus() Bus { return systemBus{} }

type systemBus struct{}

func (systemBus) with(f func(*dbus.Conn) error) error {
	conn, err := dbus.ConnectSystemBus()
	if err != nil {
		return errors.Join(ErrNoBus, err)
	}
	defer conn.Close()
	return unitError(f(conn))
}

func (b systemBus) Running(ctx context.Context, service string) bool {
	var is bool
	err := b.with(func(conn *dbus.Conn) error {
		return conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.NameHasOwner", 0, service).Store(&is)
	})
	return err == nil && is
}

func (b systemBus) Property(ctx context.Context, service, path, iface, name string) (any, error) {
	var v dbus.Variant
	err := b.with(func(conn *dbus.Conn) error {
		return conn.Object(service, dbus.ObjectPath(path)).CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", 0, iface, name).Store(&v)
	})
	return v.Value(), err
}

func (b systemBus) Call(ctx context.Context, service, path, method string, args ...any) error {
	return b.with(func(conn *dbus.Conn) error {
		return conn.Object(service, dbus.ObjectPath(path)).CallWithContext(ctx, method, 0, args...).Err
	})
}

// ReadOnlyBus answers questions and refuses calls with ErrReadOnly.
type ReadOnlyBus struct{ Bus }

func (ReadOnlyBus) Call(context.Context, string, string, string, ...any) error { return ErrReadOnly }
