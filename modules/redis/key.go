package redis

import (
	"pinch/salt"
	"pinch/value"
)

type keyArgs struct {
	Key      string `py:"key"`           // the key
	Host     any    `py:"host=None"`     // the server; None: redis.host
	Port     any    `py:"port=None"`     // its port; None: redis.port
	DB       any    `py:"db=None"`       // the database; None: redis.db
	Password any    `py:"password=None"` // the password; None: redis.password
}

func (a *keyArgs) at() server { return server{a.Host, a.Port, a.DB, a.Password} }

// getKey returns the text of a key, None without one.
func getKey(c *salt.Ctx, a keyArgs) (any, error) { return a.at().do(c, "GET", a.Key) }

// exists returns 1 when there is a key.
func exists(c *salt.Ctx, a keyArgs) (any, error) { return a.at().do(c, "EXISTS", a.Key) }

// keyType returns the type of a key: string, list, hash, set, zset, stream or none.
func keyType(c *salt.Ctx, a keyArgs) (any, error) { return a.at().do(c, "TYPE", a.Key) }

// llen returns the length of a list.
func llen(c *salt.Ctx, a keyArgs) (any, error) { return a.at().do(c, "LLEN", a.Key) }

// smembers returns the members of a set.
func smembers(c *salt.Ctx, a keyArgs) (any, error) { return a.at().do(c, "SMEMBERS", a.Key) }

// zcard returns the number of members of a sorted set.
func zcard(c *salt.Ctx, a keyArgs) (any, error) { return a.at().do(c, "ZCARD", a.Key) }

type setKeyArgs struct {
	Key      string `py:"key"`           // the key
	Value    any    `py:"value"`         // the value
	Host     any    `py:"host=None"`     // the server; None: redis.host
	Port     any    `py:"port=None"`     // its port; None: redis.port
	DB       any    `py:"db=None"`       // the database; None: redis.db
	Password any    `py:"password=None"` // the password; None: redis.password
}

func (a *setKeyArgs) at() server { return server{a.Host, a.Port, a.DB, a.Password} }

// setKey sets the text of a key.
func setKey(c *salt.Ctx, a setKeyArgs) (bool, error) { return a.at().ok(c, "SET", a.Key, a.Value) }

type expireArgs struct {
	Key      string `py:"key"`           // the key
	Seconds  any    `py:"seconds"`       // how long it stays
	Host     any    `py:"host=None"`     // the server; None: redis.host
	Port     any    `py:"port=None"`     // its port; None: redis.port
	DB       any    `py:"db=None"`       // the database; None: redis.db
	Password any    `py:"password=None"` // the password; None: redis.password
}

func (a *expireArgs) at() server { return server{a.Host, a.Port, a.DB, a.Password} }

// expire has a key go after some time.
func expire(c *salt.Ctx, a expireArgs) (bool, error) {
	return a.at().yes(c, "EXPIRE", a.Key, a.Seconds)
}

type expireatArgs struct {
	Key       string `py:"key"`           // the key
	Timestamp any    `py:"timestamp"`     // a Unix time
	Host      any    `py:"host=None"`     // the server; None: redis.host
	Port      any    `py:"port=None"`     // its port; None: redis.port
	DB        any    `py:"db=None"`       // the database; None: redis.db
	Password  any    `py:"password=None"` // the password; None: redis.password
}

func (a *expireatArgs) at() server { return server{a.Host, a.Port, a.DB, a.Password} }

// expireat has a key go at some time.
func expireat(c *salt.Ctx, a expireatArgs) (bool, error) {
	return a.at().yes(c, "EXPIREAT", a.Key, a.Timestamp)
}

type rangeArgs struct {
	Key      string `py:"key"`           // the key
	Start    any    `py:"start"`         // the first, from 0; negative numbers count from the end
	Stop     any    `py:"stop"`          // the last
	Host     any    `py:"host=None"`     // the server; None: redis.host
	Port     any    `py:"port=None"`     // its port; None: redis.port
	DB       any    `py:"db=None"`       // the database; None: redis.db
	Password any    `py:"password=None"` // the password; None: redis.password
}

func (a *rangeArgs) at() server { return server{a.Host, a.Port, a.DB, a.Password} }

// lrange returns some items of a list.
func lrange(c *salt.Ctx, a rangeArgs) (any, error) {
	return a.at().do(c, "LRANGE", a.Key, a.Start, a.Stop)
}

// zrange returns some members of a sorted set.
func zrange(c *salt.Ctx, a rangeArgs) (any, error) {
	return a.at().do(c, "ZRANGE", a.Key, a.Start, a.Stop)
}

type removeArgs struct {
	Keys []any      `py:"*keys"`             // the keys
	Conn *value.Map `py:"**connection_args"` // host, port, db, password
}

func of(m *value.Map) server {
	return server{m.At("host"), m.At("port"), m.At("db"), m.At("password")}
}

// remove removes keys and returns how many there were.
func remove(c *salt.Ctx, a removeArgs) (any, error) { return of(a.Conn).do(c, "DEL", a.Keys...) }
