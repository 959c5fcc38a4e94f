package redis

import (
	"slices"

	"pinch/salt"
	"pinch/value"
)

type stringArgs struct {
	Name     string     `py:"name"`              // the key
	Value    any        `py:"value"`             // its text
	Expire   any        `py:"expire=None"`       // how many seconds it stays; set each time
	Expireat any        `py:"expireat=None"`     // until when it stays: a Unix time; set each time
	Conn     *value.Map `py:"**connection_args"` // host, port, db, password
}

// stringState makes sure that a key has a text.
func stringState(c *salt.Ctx, a stringArgs) salt.Result {
	s := of(a.Conn)
	now, err := s.do(c, "GET", a.Name)
	if err != nil {
		return salt.Raised(err)
	}
	r := salt.Correct("Key already set to defined value")
	steps := [][]any{}
	if now != value.Str(a.Value) {
		steps = append(steps, []any{"SET", a.Name, a.Value})
		r.Changes.Set(a.Name, "Value updated")
		r.Comment = "Key updated to new value"
	}
	switch {
	case value.Truth(a.Expireat):
		steps = append(steps, []any{"EXPIREAT", a.Name, a.Expireat})
		r.Changes.Set("expireat", "Key expires at "+value.Str(a.Expireat))
	case value.Truth(a.Expire):
		steps = append(steps, []any{"EXPIRE", a.Name, a.Expire})
		r.Changes.Set("expire", "TTL set to "+value.Str(a.Expire)+" seconds")
	}
	if c.Test && len(steps) > 0 {
		return salt.Would(r.Changes, "Key %s would be updated", a.Name)
	}
	for _, step := range steps {
		if _, err := s.do(c, step[0].(string), step[1:]...); err != nil {
			return salt.Raised(err)
		}
	}
	return r
}

type absentArgs struct {
	Name string     `py:"name"`              // the key
	Keys any        `py:"keys=None"`         // a list of keys instead
	Conn *value.Map `py:"**connection_args"` // host, port, db, password
}

// absent makes sure that there are no such keys.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	s, done := of(a.Conn), "Key deleted"
	l := value.L(a.Name)
	if value.Truth(a.Keys) {
		var ok bool
		if l, ok = a.Keys.(*value.List); !ok {
			return salt.Failed("`keys` not formed as a list type")
		}
		done = "Keys deleted"
	}
	gone := value.L()
	for _, key := range l.Items {
		v, err := s.do(c, "EXISTS", key)
		if err != nil {
			return salt.Raised(err)
		}
		if value.Truth(v) {
			gone.Append(key)
		}
	}
	switch {
	case gone.Len() == 0:
		return salt.Correct("Key(s) specified already absent")
	case c.Test:
		return salt.Would(value.M("deleted", gone), "Key(s) would be deleted")
	}
	if _, err := s.do(c, "DEL", slices.Clone(gone.Items)...); err != nil {
		return salt.Raised(err)
	}
	return salt.Changed(value.M("deleted", gone), "%s", done)
}

type slaveofStateArgs struct {
	Name             string     `py:"name"`                   // the name of the group that a sentinel watches
	SentinelHost     any        `py:"sentinel_host=None"`     // the sentinel; None: redis_sentinel.host
	SentinelPort     any        `py:"sentinel_port=None"`     // its port; None: redis_sentinel.port, 26379
	SentinelPassword any        `py:"sentinel_password=None"` // the password; None: redis_sentinel.password
	Conn             *value.Map `py:"**connection_args"`      // host, port, password of the server
}

// slaveofState makes sure that the server follows the master of a group, if it
// is not the master itself.
func slaveofState(c *salt.Ctx, a slaveofStateArgs) salt.Result {
	want, err := sentinelGetMasterIP(c, sentinelArgs{a.Name, a.SentinelHost, a.SentinelPort, a.SentinelPassword})
	if err != nil {
		return salt.Raised(err)
	}
	if want.Len() == 0 {
		return salt.Failed("Failed to setup slave")
	}
	v, err := c.Call("network.ip_addrs")
	if err != nil {
		return salt.Raised(err)
	}
	if own, ok := v.(*value.List); ok && slices.Contains(own.Items, want.At("master_host")) {
		return salt.Correct("Minion is the master: %s", a.Name)
	}
	at := masterArgs{a.Conn.At("host"), a.Conn.At("port"), a.Conn.At("password")}
	now, err := getMasterIP(c, at)
	switch {
	case err != nil:
		return salt.Raised(err)
	case value.Equal(now, want):
		return salt.Correct("Minion already slave of master: %s", a.Name)
	case c.Test:
		return salt.Would(nil, "Minion will be made a slave of %s: %s", a.Name, want.Str("master_host"))
	}
	if _, err := slaveof(c, slaveofArgs{want.At("master_host"), want.At("master_port"), at.Host, at.Port, nil, at.Password}); err != nil {
		return salt.Raised(err)
	}
	is, err := getMasterIP(c, at)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !value.Equal(is, want):
		return salt.Failed("Failed to setup slave")
	}
	return salt.Changed(value.M("old", now, "new", is), "Minion successfully connected to master: %s", a.Name)
}
