package redis

import (
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// hgetall returns a hash.
func hgetall(c *salt.Ctx, a keyArgs) (*value.Map, error) {
	return pairs(a.at().do(c, "HGETALL", a.Key))
}

// hlen returns the number of fields of a hash.
func hlen(c *salt.Ctx, a keyArgs) (any, error) { return a.at().do(c, "HLEN", a.Key) }

// hvals returns the values of a hash.
func hvals(c *salt.Ctx, a keyArgs) (any, error) { return a.at().do(c, "HVALS", a.Key) }

type fieldArgs struct {
	Key      string `py:"key"`           // the key
	Field    any    `py:"field"`         // the field
	Host     any    `py:"host=None"`     // the server; None: redis.host
	Port     any    `py:"port=None"`     // its port; None: redis.port
	DB       any    `py:"db=None"`       // the database; None: redis.db
	Password any    `py:"password=None"` // the password; None: redis.password
}

func (a *fieldArgs) at() server { return server{a.Host, a.Port, a.DB, a.Password} }

// hexists reports whether a hash has a field.
func hexists(c *salt.Ctx, a fieldArgs) (bool, error) { return a.at().yes(c, "HEXISTS", a.Key, a.Field) }

// hget returns a field of a hash, None without one.
func hget(c *salt.Ctx, a fieldArgs) (any, error) { return a.at().do(c, "HGET", a.Key, a.Field) }

type hsetArgs struct {
	Key      string `py:"key"`           // the key
	Field    any    `py:"field"`         // the field
	Value    any    `py:"value"`         // the value
	Host     any    `py:"host=None"`     // the server; None: redis.host
	Port     any    `py:"port=None"`     // its port; None: redis.port
	DB       any    `py:"db=None"`       // the database; None: redis.db
	Password any    `py:"password=None"` // the password; None: redis.password
}

func (a *hsetArgs) at() server { return server{a.Host, a.Port, a.DB, a.Password} }

// hset sets a field of a hash; 1: it is new.
func hset(c *salt.Ctx, a hsetArgs) (any, error) { return a.at().do(c, "HSET", a.Key, a.Field, a.Value) }

// hsetnx sets a field of a hash that is not there; 1: it was not.
func hsetnx(c *salt.Ctx, a hsetArgs) (any, error) {
	return a.at().do(c, "HSETNX", a.Key, a.Field, a.Value)
}

type hincrbyArgs struct {
	Key       string `py:"key"`           // the key
	Field     any    `py:"field"`         // the field
	Increment any    `py:"increment=1"`   // the number
	Host      any    `py:"host=None"`     // the server; None: redis.host
	Port      any    `py:"port=None"`     // its port; None: redis.port
	DB        any    `py:"db=None"`       // the database; None: redis.db
	Password  any    `py:"password=None"` // the password; None: redis.password
}

func (a *hincrbyArgs) at() server { return server{a.Host, a.Port, a.DB, a.Password} }

// hincrby adds a number to a field of a hash and returns it.
func hincrby(c *salt.Ctx, a hincrbyArgs) (any, error) {
	return a.at().do(c, "HINCRBY", a.Key, a.Field, a.Increment)
}

type hincrbyfloatArgs struct {
	Key       string `py:"key"`           // the key
	Field     any    `py:"field"`         // the field
	Increment any    `py:"increment=1.0"` // the number
	Host      any    `py:"host=None"`     // the server; None: redis.host
	Port      any    `py:"port=None"`     // its port; None: redis.port
	DB        any    `py:"db=None"`       // the database; None: redis.db
	Password  any    `py:"password=None"` // the password; None: redis.password
}

func (a *hincrbyfloatArgs) at() server { return server{a.Host, a.Port, a.DB, a.Password} }

// hincrbyfloat adds a number to a field of a hash and returns it.
func hincrbyfloat(c *salt.Ctx, a hincrbyfloatArgs) (any, error) {
	v, err := a.at().do(c, "HINCRBYFLOAT", a.Key, a.Field, a.Increment)
	if err != nil {
		return nil, err
	}
	return strconv.ParseFloat(value.Str(v), 64)
}

type fieldsArgs struct {
	Key     string     `py:"key"`       // the key
	Fields  []any      `py:"*fields"`   // the fields
	Options *value.Map `py:"**options"` // host, port, db, password
}

// hdel removes fields of a hash and returns how many there were.
func hdel(c *salt.Ctx, a fieldsArgs) (any, error) {
	return of(a.Options).do(c, "HDEL", append([]any{a.Key}, a.Fields...)...)
}

// hmget returns fields of a hash, None for one that is not there.
func hmget(c *salt.Ctx, a fieldsArgs) (any, error) {
	return of(a.Options).do(c, "HMGET", append([]any{a.Key}, a.Fields...)...)
}

type hmsetArgs struct {
	Key        string     `py:"key"`          // the key
	Fieldsvals *value.Map `py:"**fieldsvals"` // the fields; host, port, db, password
}

// hmset sets fields of a hash.
//
//	salt-call redis.hmset foo_hash bar_field1=bar_value1 bar_field2=bar_value2
func hmset(c *salt.Ctx, a hmsetArgs) (bool, error) {
	args := []any{a.Key}
	for key, v := range a.Fieldsvals.Items() {
		if !strings.HasPrefix(key, "__") && key != "host" && key != "port" && key != "db" && key != "password" {
			args = append(args, key, v)
		}
	}
	return of(a.Fieldsvals).ok(c, "HMSET", args...)
}

type hscanArgs struct {
	Key      string `py:"key"`           // the key
	Cursor   any    `py:"cursor=0"`      // where to go on; 0: at the begin
	Match    any    `py:"match=None"`    // a pattern of fields
	Count    any    `py:"count=None"`    // about how many at once
	Host     any    `py:"host=None"`     // the server; None: redis.host
	Port     any    `py:"port=None"`     // its port; None: redis.port
	DB       any    `py:"db=None"`       // the database; None: redis.db
	Password any    `py:"password=None"` // the password; None: redis.password
}

func (a *hscanArgs) at() server { return server{a.Host, a.Port, a.DB, a.Password} }

// hscan returns where to go on, and some fields of a hash.
func hscan(c *salt.Ctx, a hscanArgs) (any, error) {
	args := []any{a.Key, a.Cursor}
	if a.Match != nil {
		args = append(args, "MATCH", a.Match)
	}
	if a.Count != nil {
		args = append(args, "COUNT", a.Count)
	}
	v, err := a.at().do(c, "HSCAN", args...)
	l, ok := v.(*value.List)
	if err != nil || !ok || l.Len() < 2 {
		return nil, err
	}
	m, err := pairs(l.Items[1], nil)
	return value.L(number(value.Str(l.Items[0])), m), err
}
