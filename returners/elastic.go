package returners

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"pinch/value"
)

// stateFunctions are the calls whose returns are results of states.
var stateFunctions = []string{"state.apply", "state.highstate", "state.sls"}

// elasticsearch indexes the return as Salt's returner of that name does, over
// the server's HTTP interface. Options, below elasticsearch:, are hosts
// (host:port or URLs, tried in turn), username, password, api_key, verify_certs,
// functions_blacklist, index_date, number_of_shards, number_of_replicas,
// states_count, states_order_output, states_single_index.
func elasticsearch(s *settings, ret *value.Map, _ io.Writer) error {
	s.name = "elasticsearch"
	fun := ret.Str("fun")
	if black, ok := s.get("functions_blacklist"); ok && slices.Contains(List(black), fun) {
		s.c.Log.Info("the return " + ret.Str("jid") + " of " + fun + " is not indexed: functions_blacklist")
		return nil
	}
	if ret.At("return") == nil {
		s.c.Log.Info("the return " + ret.Str("jid") + " is not indexed: it is None")
		return nil
	}
	index, doc := s.document(ret, time.Now())
	body, err := text(doc)
	if err != nil {
		return err
	}
	e := elastic{s: s, client: s.client(s.flag("verify_certs", true))}
	v, _ := s.get("hosts")
	hosts := List(v)
	if len(hosts) == 0 {
		hosts = []string{"127.0.0.1:9200"}
	}
	try := 0
	return again(s, func() error {
		e.base = hosts[try%len(hosts)]
		if try++; !strings.Contains(e.base, "://") {
			e.base = "http://" + e.base
		}
		if err := e.ensure(index); err != nil {
			return err
		}
		return e.send(http.MethodPost, "/"+index+"/_doc", body)
	})
}

// document is the name of the index and what goes into it.
func (s *settings) document(ret *value.Map, now time.Time) (index string, doc *value.Map) {
	fun := ret.Str("fun")
	states := slices.Contains(stateFunctions, fun)
	index = "salt-" + strings.ReplaceAll(fun, ".", "_")
	if states && s.flag("states_single_index", false) {
		index = "salt-state_apply"
	}
	if s.flag("index_date", false) {
		index += "-" + now.Format("2006.01.02")
	}
	data, counts := ret.At("return"), new(value.Map)
	if states {
		m, ok := data.(*value.Map)
		if !ok {
			m = value.M("return", data)
		}
		if s.flag("states_count", false) {
			counts = count(m)
		}
		if ok && s.flag("states_order_output", false) {
			index += "-ordered"
			m = ordered(m)
		}
		data = m
	}
	code, ok := ret.At("retcode").(int64)
	if !ok {
		code = 1
	}
	return index, value.M("@timestamp", now.UTC().Format("2006-01-02T15:04:05.000000-07:00"), "success", code == 0, "retcode", code,
		"minion", ret.Str("id"), "fun", fun, "jid", ret.Str("jid"), "counts", counts, "data", undotted(data))
}

// count counts results of states; what is no result of one is not counted.
func count(m *value.Map) *value.Map {
	var ok, bad int64
	for _, v := range m.Items() {
		st, is := v.(*value.Map)
		switch {
		case is && st.Has("result") && st.At("result") == false:
			bad++
		case is && st.Has("result"):
			ok++
		}
	}
	return value.M("succeeded", ok, "failed", bad)
}

// ordered has the states under keys that sort as they ran, with their function.
func ordered(m *value.Map) *value.Map {
	out := value.NewMap(m.Len())
	digits := len(strconv.Itoa(m.Len()))
	for tag, v := range m.Items() {
		st, is := v.(*value.Map)
		if !is {
			out.Set(tag, v)
			continue
		}
		st = st.Shallow()
		parts := strings.Split(tag, "_|-")
		st.Set("_func", parts[0]+"."+parts[len(parts)-1])
		num, _ := st.At("__run_num__").(int64)
		out.Set(fmt.Sprintf("%0*d_|-%s", digits, num, tag), st)
	}
	return out
}

// undotted replaces dots in keys, which are paths to the server.
func undotted(v any) any {
	switch v := v.(type) {
	case *value.Map:
		out := value.NewMap(v.Len())
		for k, it := range v.Items() {
			if strings.Contains(k, ".") {
				out.Set("_orig_key", k)
				k = strings.ReplaceAll(k, ".", "_")
			}
			out.Set(k, undotted(it))
		}
		return out
	case *value.List:
		out := new(value.List)
		for _, it := range v.Items {
			out.Append(undotted(it))
		}
		return out
	}
	return v
}

// An elastic is a conversation with one server.
type elastic struct {
	s      *settings
	client *http.Client
	base   string
}

var errAbsent = errors.New("404 Not Found")

// ensure makes the index, behind an alias, when there is none.
func (e *elastic) ensure(index string) error {
	err := e.send(http.MethodHead, "/"+index, "")
	if !errors.Is(err, errAbsent) {
		return err
	}
	settings := fmt.Sprintf(`{"settings": {"number_of_shards": %d, "number_of_replicas": %d}}`, e.s.number("number_of_shards", 1), e.s.number("number_of_replicas", 0))
	if err := e.send(http.MethodPut, "/"+index+"-v1", settings); err != nil && !strings.Contains(err.Error(), "resource_already_exists") {
		return err
	}
	return e.send(http.MethodPut, "/"+index+"-v1/_alias/"+index, "")
}

func (e *elastic) send(method, path, body string) error {
	req, err := http.NewRequestWithContext(e.s.c, method, strings.TrimSuffix(e.base, "/")+path, strings.NewReader(body))
	if err != nil {
		return final{errors.New("elasticsearch.hosts has no address: " + e.base)}
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if user := e.s.text("username", ""); user != "" {
		req.SetBasicAuth(user, e.s.text("password", ""))
	} else if key := e.s.text("api_key", ""); key != "" {
		req.Header.Set("Authorization", "ApiKey "+key)
	}
	res, err := e.client.Do(req)
	if err != nil {
		return plainError(err)
	}
	defer res.Body.Close()
	answer, _ := io.ReadAll(io.LimitReader(res.Body, 1000))
	switch {
	case method == http.MethodHead && res.StatusCode == http.StatusNotFound:
		return errAbsent
	case res.StatusCode >= 500 || res.StatusCode == http.StatusTooManyRequests:
		return fmt.Errorf("%s: %s", res.Status, answer)
	case res.StatusCode >= 300:
		return final{fmt.Errorf("%s: %s", res.Status, answer)}
	}
	return nil
}
