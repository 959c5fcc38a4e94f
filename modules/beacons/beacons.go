// Package beacons holds Salt's beacons module: functions for the beacons of the
// daemon. With a daemon they ask it over the event bus;
// without one they show and check the configured beacons, and changes are saved
// in minion.d/beacons.conf.
//
//	salt-call beacons.add ps "[{'processes': {'nginx': 'stopped'}}]"
package beacons

import (
	"errors"
	"fmt"
	"time"

	"pinch/beacons"
	"pinch/events"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's beacons module.
var Module = salt.Module{
	Name: "beacons",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"list":           salt.Exec(list).Named("list_"),
			"list_available": salt.Exec(listAvailable),
			"add":            salt.Exec(add),
			"modify":         salt.Exec(modify),
			"delete":         salt.Exec(delete_),
			"save":           salt.Exec(save),
			"enable":         salt.Exec(enable),
			"disable":        salt.Exec(disable),
			"enable_beacon":  salt.Exec(enableBeacon),
			"disable_beacon": salt.Exec(disableBeacon),
			"reset":          salt.Exec(reset),
		}
	},
}

type setKey struct{}

// ask has the daemon carry out a request; without one it is carried out on the
// configured beacons, and changes are saved for the daemon to come.
func ask(c *salt.Ctx, request, kw *value.Map) (*value.Map, error) {
	wait := 60 * time.Second
	if n, ok := kw.At("timeout").(int64); ok && n > 0 {
		wait = time.Duration(n) * time.Second
	}
	tag := beacons.AnswerTag(request.Str("func"))
	places := events.Places(c.Opts.Str("sock_dir"), c.Opts.Str("id"), c.Opts.Str("hash_type"))
	answer, err := events.Ask(c, places.Lines, beacons.ManageTag, request, tag, wait)
	if !errors.Is(err, events.ErrNoDaemon) {
		if err != nil {
			err = fmt.Errorf("the daemon did not answer within %s: %w", wait, err)
		}
		return answer, err
	}
	set, err := salt.Once(c.Run, setKey{}, func() (*beacons.Set, error) {
		config, _ := value.Copy(c.Opts.Map("beacons")).(*value.Map)
		pillar, _ := value.Copy(c.Pillar.Map("beacons")).(*value.Map)
		return &beacons.Set{Config: config, Pillar: pillar, Env: &beacons.Env{ID: c.Opts.Str("id"), Sys: c.Sys, Log: c.Log, Now: c.Sys.Now}}, nil
	})
	if err != nil {
		return nil, err
	}
	answer = set.Manage(value.Copy(request).(*value.Map))
	switch request.Str("func") {
	case "list", "list_available", "validate_beacon":
		return answer, nil
	}
	if answer.Truth("complete") {
		err = write(c, set.Config)
	}
	return answer, err
}

// module is the kind of a beacon: its own name, or what beacon_module says.
func module(name string, data any) string {
	items := []any{data}
	if l, ok := data.(*value.List); ok {
		items = l.Items
	}
	for _, it := range items {
		if m, ok := it.(*value.Map); ok && m.Has("beacon_module") {
			return m.Str("beacon_module")
		}
	}
	return name
}

func ret(result bool, format string, a ...any) *value.Map {
	return value.M("comment", fmt.Sprintf(format, a...), "result", result)
}
