package etcd

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"pinch/value"
)

// v3Store is version 3 of the API, by the gateway that speaks JSON: keys
// without folders; a slash in a key only looks like one.
type v3Store struct {
	*client
	prefix                   string // of the version: /v3
	encodeKeys, encodeValues bool   // as msgpack
	rawKeys, rawValues       bool   // bytes
}

// A kv is a key with its value; numbers come as strings.
type kv struct {
	Key, Value  []byte
	ModRevision string `json:"mod_revision"`
	key, value  any    // decoded
}

type answerV3 struct {
	Kvs     []kv
	Deleted string
	ID      string
	Token   string
	Error   string
	Code    int
}

func newV3(cl *client, option func(name string, def bool) bool) (store, error) {
	s := &v3Store{client: cl, prefix: "/v3", encodeKeys: option("encode_keys", false), encodeValues: option("encode_values", true),
		rawKeys: option("raw_keys", false), rawValues: option("raw_values", false)}
	var v struct{ Etcdserver string }
	if _, err := cl.call(http.MethodGet, "/version", nil, &v); err == nil {
		switch {
		case strings.HasPrefix(v.Etcdserver, "3.3."):
			s.prefix = "/v3beta"
		case strings.HasPrefix(v.Etcdserver, "3.2."):
			s.prefix = "/v3alpha"
		}
	}
	if cl.user == "" || cl.pass == "" {
		return s, nil
	}
	a, err := s.ask("/auth/authenticate", map[string]any{"name": cl.user, "password": cl.pass})
	cl.token = a.Token
	return s, err
}

func (s *v3Store) ask(path string, body map[string]any) (answerV3, error) {
	var a answerV3
	if _, err := s.call(http.MethodPost, s.prefix+path, body, &a); err != nil {
		return a, err
	}
	if a.Error != "" {
		return a, &refusal{code: a.Code, text: a.Error}
	}
	return a, nil
}

func encode(v any, packed bool) ([]byte, error) {
	if packed {
		return value.Msgpack(v)
	}
	if b, ok := v.([]byte); ok {
		return b, nil
	}
	return []byte(value.Str(v)), nil
}

func decode(b []byte, packed, raw bool) (any, error) {
	if packed {
		return value.ParseMsgpack(b)
	}
	if raw {
		return b, nil
	}
	return string(b), nil
}

// span are the bounds of a request: a key, or all that begin with it.
func (s *v3Store) span(key string, below bool) (map[string]any, error) {
	k, err := encode(key, s.encodeKeys)
	if err != nil {
		return nil, err
	}
	m := map[string]any{"key": k}
	if len(k) == 0 {
		m["key"] = []byte{0}
	}
	if below {
		m["range_end"] = []byte{0} // all that follow
		for i := len(k) - 1; i >= 0; i-- {
			if k[i] < 0xff {
				end := append([]byte{}, k[:i+1]...)
				end[i]++
				m["range_end"] = end
				break
			}
		}
	}
	return m, nil
}

func (s *v3Store) read(key string, below bool) ([]kv, error) {
	m, err := s.span(key, below)
	if err != nil {
		return nil, err
	}
	a, err := s.ask("/kv/range", m)
	for i := range a.Kvs {
		if err = s.decode(&a.Kvs[i]); err != nil {
			return nil, err
		}
	}
	return a.Kvs, err
}

func (s *v3Store) decode(k *kv) (err error) {
	if k.key, err = decode(k.Key, s.encodeKeys, s.rawKeys); err == nil && len(k.Value) > 0 {
		k.value, err = decode(k.Value, s.encodeValues, s.rawValues)
	}
	return err
}

func (s *v3Store) folders() bool { return false }

func (s *v3Store) get(key string) (any, error) {
	all, err := s.read(key, false)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return all[len(all)-1].value, nil
}

func (s *v3Store) tree(path string) (any, error) {
	all, err := s.read(path, true)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	m := new(value.Map)
	if len(all) == 1 && text(all[0].key) == path {
		m.Set(path[strings.LastIndexByte(path, '/')+1:], all[0].value)
		return m, nil
	}
	for _, k := range all {
		into := m
		parts := strings.Split(strings.TrimLeft(strings.TrimPrefix(text(k.key), path), "/"), "/")
		for _, p := range parts[:len(parts)-1] {
			below, ok := into.At(p).(*value.Map)
			if !ok {
				below = new(value.Map)
				into.Set(p, below)
			}
			into = below
		}
		into.Set(parts[len(parts)-1], k.value)
	}
	return m, nil
}

func text(v any) string {
	if b, ok := v.([]byte); ok {
		return string(b)
	}
	return value.Str(v)
}

func (s *v3Store) ls(path string) (any, error) {
	v, err := s.tree(path)
	t, ok := v.(*value.Map)
	if err != nil || !ok {
		return new(value.Map), err
	}
	base := path
	if !strings.HasSuffix(base, "/") {
		base += "/"
	}
	m := new(value.Map)
	for name, v := range t.Items() {
		if _, folder := v.(*value.Map); folder {
			m.Set(base+name+"/", new(value.Map))
		} else {
			m.Set(base+name, v)
		}
	}
	return value.M(path, m), nil
}

func (s *v3Store) set(key string, v any, ttl any) (any, error) {
	m, err := s.span(key, false)
	if err != nil {
		return nil, err
	}
	if m["value"], err = encode(v, s.encodeValues); err != nil {
		return nil, err
	}
	if value.Truth(ttl) {
		a, err := s.ask("/lease/grant", map[string]any{"TTL": value.Str(ttl)})
		if err != nil {
			return nil, err
		}
		m["lease"] = a.ID
	}
	if _, err := s.ask("/kv/put", m); err != nil {
		return nil, err
	}
	return s.get(key)
}

func (s *v3Store) mkdir(string, any) (any, error) {
	return nil, &value.Exception{Class: "Etcd3DirectoryException", Msg: "etcd3 does not have directories"}
}

func (s *v3Store) rm(key string, recurse bool) (any, error) {
	m, err := s.span(key, recurse)
	if err != nil {
		return nil, err
	}
	a, err := s.ask("/kv/deleterange", m)
	if err != nil {
		return nil, err
	}
	n, _ := strconv.Atoi(a.Deleted)
	return n > 0, nil
}

// watch reads the stream of events up to the first one.
func (s *v3Store) watch(key string, recurse bool, timeout float64, from any) (any, error) {
	m, err := s.span(key, recurse)
	if err != nil {
		return nil, err
	}
	if value.Truth(from) {
		m["start_revision"] = value.Str(from)
	}
	ctx, cancel := limited(s.c, timeout)
	defer cancel()
	res, err := s.open(ctx, http.MethodPost, s.prefix+"/watch", map[string]any{"create_request": m})
	if err != nil {
		return nil, s.over(ctx, err)
	}
	defer res.Body.Close()
	lines := json.NewDecoder(bufio.NewReader(res.Body))
	for {
		var a struct {
			Result struct{ Events []struct{ Kv kv } }
			Error  struct{ Message string }
		}
		if err := lines.Decode(&a); err != nil {
			return nil, s.over(ctx, err)
		}
		if a.Error.Message != "" {
			return nil, &refusal{text: a.Error.Message}
		}
		for _, e := range a.Result.Events {
			if err := s.decode(&e.Kv); err != nil {
				return nil, err
			}
			revision, _ := strconv.ParseInt(e.Kv.ModRevision, 10, 64)
			return value.M("key", e.Kv.key, "value", e.Kv.value, "changed", true, "mIndex", revision, "dir", false), nil
		}
	}
}

// over is the error of a wait, which a time that is over is not.
func (s *v3Store) over(ctx context.Context, err error) error {
	if ctx.Err() == context.DeadlineExceeded {
		return nil
	}
	return err
}
