package redis

import (
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type connArgs struct {
	Host     any `py:"host=None"`     // the server; None: redis.host
	Port     any `py:"port=None"`     // its port; None: redis.port
	DB       any `py:"db=None"`       // the database; None: redis.db
	Password any `py:"password=None"` // the password; None: redis.password
}

func (a *connArgs) at() server { return server{a.Host, a.Port, a.DB, a.Password} }

// bgrewriteaof has the server write its log anew.
func bgrewriteaof(c *salt.Ctx, a connArgs) (bool, error) { return a.at().ok(c, "BGREWRITEAOF") }

// bgsave has the server save its data.
func bgsave(c *salt.Ctx, a connArgs) (bool, error) { return a.at().ok(c, "BGSAVE") }

// save saves the data and waits for it.
func save(c *salt.Ctx, a connArgs) (bool, error) { return a.at().ok(c, "SAVE") }

// dbsize returns the number of keys.
func dbsize(c *salt.Ctx, a connArgs) (any, error) { return a.at().do(c, "DBSIZE") }

// flushall removes all keys of all databases.
func flushall(c *salt.Ctx, a connArgs) (bool, error) { return a.at().ok(c, "FLUSHALL") }

// flushdb removes all keys of the database.
func flushdb(c *salt.Ctx, a connArgs) (bool, error) { return a.at().ok(c, "FLUSHDB") }

// lastsave returns when the data were saved: a Unix time.
func lastsave(c *salt.Ctx, a connArgs) (any, error) { return a.at().do(c, "LASTSAVE") }

// info returns what the server says about itself.
func info(c *salt.Ctx, a connArgs) (*value.Map, error) {
	v, err := a.at().do(c, "INFO")
	return described(value.Str(v)), err
}

// ping reports whether the server answers.
func ping(c *salt.Ctx, a connArgs) (bool, error) {
	v, err := a.at().do(c, "PING")
	return err == nil && v == "PONG", nil
}

// shutdown ends the server and reports whether it is gone.
func shutdown(c *salt.Ctx, a connArgs) (bool, error) {
	if ok, _ := ping(c, a); !ok {
		return false, nil
	}
	_, _ = a.at().do(c, "SHUTDOWN")
	ok, _ := ping(c, a)
	return !ok, nil
}

// serverTime returns the server's Unix time.
func serverTime(c *salt.Ctx, a connArgs) (any, error) {
	v, err := a.at().do(c, "TIME")
	l, ok := v.(*value.List)
	if err != nil || !ok || l.Len() == 0 {
		return nil, err
	}
	return number(value.Str(l.Items[0])), nil
}

type patternArgs struct {
	Pattern  string `py:"pattern='*'"`   // a pattern
	Host     any    `py:"host=None"`     // the server; None: redis.host
	Port     any    `py:"port=None"`     // its port; None: redis.port
	DB       any    `py:"db=None"`       // the database; None: redis.db
	Password any    `py:"password=None"` // the password; None: redis.password
}

func (a *patternArgs) at() server { return server{a.Host, a.Port, a.DB, a.Password} }

// configGet returns the settings whose names match.
func configGet(c *salt.Ctx, a patternArgs) (*value.Map, error) {
	return pairs(a.at().do(c, "CONFIG", "GET", a.Pattern))
}

// keys returns the keys that match.
func keys(c *salt.Ctx, a patternArgs) (any, error) { return a.at().do(c, "KEYS", a.Pattern) }

type configSetArgs struct {
	Name     string `py:"name"`          // the setting
	Value    any    `py:"value"`         // the value
	Host     any    `py:"host=None"`     // the server; None: redis.host
	Port     any    `py:"port=None"`     // its port; None: redis.port
	DB       any    `py:"db=None"`       // the database; None: redis.db
	Password any    `py:"password=None"` // the password; None: redis.password
}

func (a *configSetArgs) at() server { return server{a.Host, a.Port, a.DB, a.Password} }

// configSet changes a setting until the server ends.
func configSet(c *salt.Ctx, a configSetArgs) (bool, error) {
	return a.at().ok(c, "CONFIG", "SET", a.Name, a.Value)
}

type slaveofArgs struct {
	MasterHost any `py:"master_host=None"` // the server to follow; None: none
	MasterPort any `py:"master_port=None"` // its port; None: 6379
	Host       any `py:"host=None"`        // the server; None: redis.host
	Port       any `py:"port=None"`        // its port; None: redis.port
	DB         any `py:"db=None"`          // the database; None: redis.db
	Password   any `py:"password=None"`    // the password; None: redis.password
}

func (a *slaveofArgs) at() server { return server{a.Host, a.Port, a.DB, a.Password} }

// slaveof makes the server follow another one, or none.
func slaveof(c *salt.Ctx, a slaveofArgs) (bool, error) {
	if !value.Truth(a.MasterHost) {
		return a.at().ok(c, "SLAVEOF", "NO", "ONE")
	}
	if !value.Truth(a.MasterPort) {
		a.MasterPort = int64(6379)
	}
	return a.at().ok(c, "SLAVEOF", a.MasterHost, a.MasterPort)
}

type sentinelArgs struct {
	Master   string `py:"master"`        // the name of the group
	Host     any    `py:"host=None"`     // the sentinel; None: redis_sentinel.host
	Port     any    `py:"port=None"`     // its port; None: redis_sentinel.port, 26379
	Password any    `py:"password=None"` // the password; None: redis_sentinel.password
}

// sentinelGetMasterIP returns master_host and master_port of a group that a
// sentinel watches.
func sentinelGetMasterIP(c *salt.Ctx, a sentinelArgs) (*value.Map, error) {
	v, err := server{a.Host, a.Port, nil, a.Password}.run(c, "redis_sentinel.", "26379", "SENTINEL", "get-master-addr-by-name", a.Master)
	l, ok := v.(*value.List)
	if err != nil || !ok || l.Len() < 2 {
		return new(value.Map), err
	}
	return value.M("master_host", l.Items[0], "master_port", number(value.Str(l.Items[1]))), nil
}

type masterArgs struct {
	Host     any `py:"host=None"`     // the server; None: redis.host
	Port     any `py:"port=None"`     // its port; None: redis.port
	Password any `py:"password=None"` // the password; None: redis.password
}

// getMasterIP returns master_host and master_port of the server that the server
// follows, empty texts if it is none.
func getMasterIP(c *salt.Ctx, a masterArgs) (*value.Map, error) {
	m, err := info(c, connArgs{a.Host, a.Port, nil, a.Password})
	or := func(key string) any {
		if v, ok := m.Get(key); ok {
			return v
		}
		return ""
	}
	return value.M("master_host", or("master_host"), "master_port", or("master_port")), err
}

// number is a text as the number that it looks like.
func number(text string) any {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && strings.Contains(text, ".") {
		return f
	}
	return text
}

// described reads lines KEY:VALUE, where a value may be KEY=VALUE,…
func described(text string) *value.Map {
	m := new(value.Map)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		key, v, ok := strings.Cut(line, ":")
		switch {
		case !ok || strings.HasPrefix(line, "#"):
		case strings.Contains(v, ",") && strings.Contains(v, "="):
			sub := new(value.Map)
			for part := range strings.SplitSeq(v, ",") {
				k, v, _ := strings.Cut(part, "=")
				sub.Set(k, number(v))
			}
			m.Set(key, sub)
		default:
			m.Set(key, number(v))
		}
	}
	return m
}
