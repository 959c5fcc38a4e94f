//go:build !linux

package beacons

import (
	"errors"

	"pinch/value"
)

var errNotHere = errors.New("it needs Linux")

func inotifyKind() Kind { return linuxOnly("inotify") }
func watchdog() Kind    { return linuxOnly("watchdog") }
func shKind() Kind      { return linuxOnly("sh") }

// linuxOnly is a beacon that needs Linux's kernel.
func linuxOnly(name string) Kind {
	return Kind{
		Validate: func(conf any) string { return isList(name, conf) },
		Missing:  func(*Env) string { return "it needs Linux." },
		New:      func(*Env, *value.Map) (Watcher, error) { return nil, errNotHere },
	}
}
