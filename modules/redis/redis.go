// Package redis holds Salt's redis module: keys and settings of Redis servers.
// Its main variable is Module.
//
//	key_in_redis:
//	  redis.string:
//	    - value: string data
//
// The settings redis.host, redis.port, redis.db and redis.password of the
// configuration or the pillar say which server; arguments win. The default is
// localhost:6379.
package redis

import (
	"net"
	"strconv"
	"time"

	"github.com/gomodule/redigo/redis"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's redis module.
var Module = salt.Module{
	Name: "redis",
	States: func() salt.Funcs {
		return salt.Funcs{"absent": salt.State(absent), "slaveof": salt.State(slaveofState), "string": salt.State(stringState)}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"bgrewriteaof":           salt.Exec(bgrewriteaof),
			"bgsave":                 salt.Exec(bgsave),
			"config_get":             salt.Exec(configGet),
			"config_set":             salt.Exec(configSet),
			"dbsize":                 salt.Exec(dbsize),
			"delete":                 salt.Exec(remove),
			"exists":                 salt.Exec(exists),
			"expire":                 salt.Exec(expire),
			"expireat":               salt.Exec(expireat),
			"flushall":               salt.Exec(flushall),
			"flushdb":                salt.Exec(flushdb),
			"get_key":                salt.Exec(getKey),
			"get_master_ip":          salt.Exec(getMasterIP),
			"hdel":                   salt.Exec(hdel),
			"hexists":                salt.Exec(hexists),
			"hget":                   salt.Exec(hget),
			"hgetall":                salt.Exec(hgetall),
			"hincrby":                salt.Exec(hincrby),
			"hincrbyfloat":           salt.Exec(hincrbyfloat),
			"hlen":                   salt.Exec(hlen),
			"hmget":                  salt.Exec(hmget),
			"hmset":                  salt.Exec(hmset),
			"hscan":                  salt.Exec(hscan),
			"hset":                   salt.Exec(hset),
			"hsetnx":                 salt.Exec(hsetnx),
			"hvals":                  salt.Exec(hvals),
			"info":                   salt.Exec(info),
			"key_type":               salt.Exec(keyType),
			"keys":                   salt.Exec(keys),
			"lastsave":               salt.Exec(lastsave),
			"llen":                   salt.Exec(llen),
			"lrange":                 salt.Exec(lrange),
			"ping":                   salt.Exec(ping),
			"save":                   salt.Exec(save),
			"sentinel_get_master_ip": salt.Exec(sentinelGetMasterIP),
			"set_key":                salt.Exec(setKey),
			"shutdown":               salt.Exec(shutdown),
			"slaveof":                salt.Exec(slaveof),
			"smembers":               salt.Exec(smembers),
			"time":                   salt.Exec(serverTime),
			"zcard":                  salt.Exec(zcard),
			"zrange":                 salt.Exec(zrange),
		}
	},
}

// A server is one that a call reaches.
type server struct{ host, port, db, password any }

type connKey struct{ host, port, db, password string }

// limit is how long a server may take.
const limit = 30 * time.Second

// or is the argument, the setting, or the default.
func or(c *salt.Ctx, v any, setting, def string) (string, error) {
	if value.Truth(v) {
		return value.Str(v), nil
	}
	v, err := c.Call("config.option", setting, def)
	if err != nil || !value.Truth(v) {
		return def, err
	}
	return value.Str(v), nil
}

// dial connects, once for a run.
func (s server) dial(c *salt.Ctx, prefix, port string) (redis.Conn, connKey, error) {
	var k connKey
	for _, p := range []struct {
		field     *string
		v         any
		name, def string
	}{{&k.host, s.host, "host", "localhost"}, {&k.port, s.port, "port", port}, {&k.db, s.db, "db", ""}, {&k.password, s.password, "password", ""}} {
		var err error
		if *p.field, err = or(c, p.v, prefix+p.name, p.def); err != nil {
			return nil, k, err
		}
	}
	c.Run.Hide(k.password)
	conn, err := salt.Once(c.Run, k, func() (redis.Conn, error) {
		db, err := strconv.Atoi("0" + k.db)
		if err != nil {
			return nil, salt.InvocationError("db must be a number: %s", k.db)
		}
		conn, err := redis.DialContext(c, "tcp", net.JoinHostPort(k.host, k.port), redis.DialDatabase(db), redis.DialPassword(k.password),
			redis.DialConnectTimeout(limit), redis.DialReadTimeout(limit), redis.DialWriteTimeout(limit))
		if err != nil {
			return nil, value.Errorf("ConnectionError", "%s", err)
		}
		c.Run.AtEnd(func() { _ = conn.Close() })
		return conn, nil
	})
	if err != nil {
		c.Run.Forget(k)
	}
	return conn, k, err
}

// do runs a command.
func (s server) do(c *salt.Ctx, command string, args ...any) (any, error) {
	return s.run(c, "redis.", "6379", command, args...)
}

func (s server) run(c *salt.Ctx, prefix, port, command string, args ...any) (any, error) {
	conn, k, err := s.dial(c, prefix, port)
	if err != nil {
		return nil, err
	}
	for i, v := range args {
		if v == nil {
			args[i] = ""
		} else if _, ok := v.([]byte); !ok {
			args[i] = value.Str(v)
		}
	}
	v, err := conn.Do(command, args...)
	if err != nil {
		if conn.Err() != nil {
			c.Run.Forget(k)
		}
		return nil, value.Errorf("ResponseError", "%s", err)
	}
	return plain(v), nil
}

// plain is an answer as a value.
func plain(v any) any {
	switch v := v.(type) {
	case []byte:
		return string(v)
	case []any:
		l := value.L()
		for _, it := range v {
			l.Append(plain(it))
		}
		return l
	}
	return v
}

// ok reports whether a command is done.
func (s server) ok(c *salt.Ctx, command string, args ...any) (bool, error) {
	v, err := s.do(c, command, args...)
	return err == nil && v != nil, err
}

// yes reports whether a command changed or found something.
func (s server) yes(c *salt.Ctx, command string, args ...any) (bool, error) {
	v, err := s.do(c, command, args...)
	return v == int64(1), err
}

// pairs makes a map of a list of keys and values.
func pairs(v any, err error) (*value.Map, error) {
	m := new(value.Map)
	if l, ok := v.(*value.List); ok {
		for i := 0; i+1 < l.Len(); i += 2 {
			m.Set(value.Str(l.Items[i]), l.Items[i+1])
		}
	}
	return m, err
}
