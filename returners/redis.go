package returners

import (
	"context"
	"errors"
	"io"
	"net"
	"strconv"
	"time"

	"github.com/gomodule/redigo/redis"

	"pinch/value"
)

// redisReturn puts the return where Salt's redis returner has it: the hash
// ret:JID has it by minion, MINION:FUN has the last job of a function, minions
// has the minions. Options: redis.host, redis.port, redis.db, redis.username,
// redis.password, redis.unix_socket_path, redis.ssl; keep_jobs_seconds or
// keep_jobs say when ret:JID ends (a day).
func redisReturn(s *settings, ret *value.Map, _ io.Writer) error {
	s.name = "redis"
	full, err := text(ret)
	if err != nil {
		return err
	}
	db, err := strconv.Atoi(s.text("db", "0"))
	if err != nil {
		return final{errors.New("the option redis.db is no number")}
	}
	options := []redis.DialOption{redis.DialConnectTimeout(10 * time.Second), redis.DialReadTimeout(limit), redis.DialWriteTimeout(limit),
		redis.DialDatabase(db), redis.DialUsername(s.text("username", "")), redis.DialPassword(s.text("password", ""))}
	if v, ok := s.get("ssl"); ok && value.Truth(v) {
		options = append(options, redis.DialUseTLS(true))
	}
	network, addr := "tcp", net.JoinHostPort(s.text("host", "salt"), s.text("port", "6379"))
	if path := s.text("unix_socket_path", ""); path != "" {
		network, addr = "unix", path
	}
	id, jid := ret.Str("id"), ret.Str("jid")
	return again(s, func() error {
		ctx, stop := context.WithTimeout(s.c, limit)
		defer stop()
		conn, err := redis.DialContext(ctx, network, addr, options...)
		if err != nil {
			return redisError(err)
		}
		defer conn.Close()
		for _, words := range [][]any{{"MULTI"}, {"HSET", "ret:" + jid, id, full}, {"EXPIRE", "ret:" + jid, s.ttl()},
			{"SET", id + ":" + ret.Str("fun"), jid}, {"SADD", "minions", id}} {
			if err := conn.Send(words[0].(string), words[1:]...); err != nil {
				return err
			}
		}
		_, err = conn.Do("EXEC")
		return redisError(err)
	})
}

// ttl is for how many seconds a return is kept.
func (s *settings) ttl() int64 {
	if n, ok := s.c.Opts.At("keep_jobs_seconds").(int64); ok && n > 0 {
		return n
	}
	if n, ok := s.c.Opts.At("keep_jobs").(int64); ok && n > 0 {
		return n * 3600
	}
	return 86400
}

// redisError marks what the server refuses as final.
func redisError(err error) error {
	var refused redis.Error
	if errors.As(err, &refused) {
		return final{refused}
	}
	return err
}
