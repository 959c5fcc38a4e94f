package etcd

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"pinch/value"
)

// v2Store is version 2 of the API: a tree of folders and keys.
type v2Store struct{ *client }

// A node is a key or a folder.
type node struct {
	Key           string
	Value         *string
	Dir           bool
	Nodes         []node
	ModifiedIndex int64
}

// answerV2 is an answer, or what is wrong.
type answerV2 struct {
	Node      *node
	ErrorCode int
	Message   string
	Cause     string
}

// Codes of etcd's errors (etcd's errors.md). Those that Salt logs are the first ones.
const (
	keyNotFound, notFile, notDir, rootReadOnly, dirNotEmpty = 100, 102, 104, 107, 108
)

func (a answerV2) failure() error {
	if a.ErrorCode == 0 {
		return nil
	}
	logged := []int{keyNotFound, notFile, rootReadOnly, dirNotEmpty}
	return &refusal{a.ErrorCode, a.Message + " : " + a.Cause, !slices.Contains(logged, a.ErrorCode)}
}

func refusedWith(err error, codes ...int) bool {
	r, ok := err.(*refusal)
	return ok && slices.Contains(codes, r.code)
}

func pathV2(key string) string {
	return "/v2/keys" + (&url.URL{Path: "/" + strings.TrimPrefix(key, "/")}).EscapedPath()
}

func (s *v2Store) do(method, path string, form url.Values) (*node, error) {
	var a answerV2
	var body any
	if form != nil {
		body = form
	}
	if _, err := s.call(method, path, body, &a); err != nil {
		return nil, err
	}
	if err := a.failure(); err != nil {
		return nil, err
	}
	if a.Node == nil {
		return nil, &refusal{text: "the server does not speak version 2 of etcd's API"}
	}
	return a.Node, nil
}

func (s *v2Store) read(key string) (*node, error) { return s.do(http.MethodGet, pathV2(key), nil) }

func (n *node) value() any {
	if n.Value == nil {
		return nil
	}
	return *n.Value
}

func (s *v2Store) folders() bool { return true }

func (s *v2Store) get(key string) (any, error) {
	n, err := s.read(key)
	if err != nil {
		return nil, err
	}
	return n.value(), nil
}

// children are the nodes of a folder, a key itself for a key.
func (n *node) children() []node {
	if len(n.Nodes) > 0 {
		return n.Nodes
	}
	return []node{*n}
}

func (s *v2Store) tree(path string) (any, error) {
	top, err := s.read(path)
	if err != nil {
		return nil, err
	}
	m := new(value.Map)
	for _, n := range top.children() {
		name := n.Key[strings.LastIndexByte(n.Key, '/')+1:]
		switch {
		case n.Dir && n.Key == top.Key: // empty
		case n.Dir:
			below, err := s.tree(n.Key)
			if err != nil {
				return nil, err
			}
			m.Set(name, below)
		default:
			m.Set(name, n.value())
		}
	}
	return m, nil
}

func (s *v2Store) ls(path string) (any, error) {
	top, err := s.read(path)
	if refusedWith(err, keyNotFound) {
		return new(value.Map), nil
	}
	if err != nil {
		return nil, err
	}
	m := new(value.Map)
	for _, n := range top.children() {
		switch {
		case n.Dir && n.Key == top.Key: // empty
		case n.Dir:
			m.Set(n.Key+"/", new(value.Map))
		default:
			m.Set(n.Key, n.value())
		}
	}
	return value.M(path, m), nil
}

// form are the parameters of a write.
func form(ttl any, pairs ...string) url.Values {
	v := url.Values{}
	if ttl != nil {
		v.Set("ttl", value.Str(ttl))
	}
	for i := 0; i < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	return v
}

func (s *v2Store) set(key string, v any, ttl any) (any, error) {
	f := form(ttl)
	if v != nil {
		f.Set("value", value.Str(v))
	}
	n, err := s.do(http.MethodPut, pathV2(key), f)
	if err != nil {
		return nil, err
	}
	return n.value(), nil
}

func (s *v2Store) mkdir(key string, ttl any) (any, error) {
	n, err := s.do(http.MethodPut, pathV2(key), form(ttl, "dir", "true"))
	if refusedWith(err, notFile) { // it is there
		return true, nil
	}
	if err != nil {
		return nil, err
	}
	return n.Dir, nil
}

func (s *v2Store) rm(key string, recurse bool) (any, error) {
	path := pathV2(key)
	if recurse {
		path += "?recursive=true"
	}
	_, err := s.do(http.MethodDelete, path, nil)
	if err != nil {
		return nil, err
	}
	return true, nil
}

// watch asks the server to answer when something changes, up to the time that
// is given for it; then it says what is there.
func (s *v2Store) watch(key string, recurse bool, timeout float64, from any) (any, error) {
	q := url.Values{"wait": {"true"}, "recursive": {strconv.FormatBool(recurse)}}
	if value.Truth(from) {
		q.Set("waitIndex", value.Str(from))
	}
	ret := value.M("key", key, "value", nil, "changed", false, "mIndex", int64(0), "dir", false)
	n, err := s.wait(pathV2(key)+"?"+q.Encode(), timeout)
	if _, gone := err.(unreachable); gone {
		s.c.Log.Error("etcd: " + err.Error())
		return new(value.Map), nil
	}
	if err != nil {
		return nil, err
	}
	changed := n != nil
	if !changed {
		if n, err = s.read(key); refusedWith(err, keyNotFound) {
			return ret, nil
		} else if err != nil {
			return nil, err
		}
	}
	if recurse && changed {
		ret.Set("key", n.Key)
	}
	ret.Set("value", n.value())
	ret.Set("dir", n.Dir)
	ret.Set("changed", changed)
	ret.Set("mIndex", n.ModifiedIndex)
	return ret, nil
}

// wait is the node that changed; nil when the time is over.
func (s *v2Store) wait(path string, timeout float64) (*node, error) {
	ctx, cancel := limited(s.c, timeout)
	defer cancel()
	res, err := s.open(ctx, http.MethodGet, path, nil)
	if err == nil {
		defer res.Body.Close()
		var a answerV2
		if err = json.NewDecoder(res.Body).Decode(&a); err == nil {
			return a.Node, a.failure()
		}
	}
	if ctx.Err() == context.DeadlineExceeded {
		return nil, nil
	}
	return nil, err
}

// limited is a context that ends after some seconds; 0 is never.
func limited(c context.Context, seconds float64) (context.Context, context.CancelFunc) {
	if seconds <= 0 {
		return context.WithCancel(c)
	}
	return context.WithTimeout(c, time.Duration(seconds*float64(time.Second)))
}
