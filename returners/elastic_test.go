package returners

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"pinch/value"
)

// TestElasticsearch has a server that answers as Elasticsearch's reference
// says: 404 for an index that is not there, 201 for a document, 503 when busy.
func TestElasticsearch(t *testing.T) {
	var asked []string
	made, busy := false, 1
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		user, pass, _ := r.BasicAuth()
		if user != "u" || pass != "s3cret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if busy > 0 {
			busy--
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		if r.Method == http.MethodHead && !made {
			w.WriteHeader(http.StatusNotFound)
		}
		made = made || r.Method == http.MethodPut
		asked = append(asked, r.Method+" "+r.URL.Path+" "+string(body))
	}))
	defer srv.Close()
	opts := value.M("elasticsearch", value.M("hosts", value.L(srv.URL), "username", "u", "password", "s3cret", "states_count", true, "states_order_output", true,
		"number_of_shards", int64(2), "functions_blacklist", value.L("test.ping")))
	c, log := host(opts)
	ret := value.M("jid", jid, "id", "web1", "fun", "state.sls", "retcode", int64(2), "return", value.M(
		"file_|-/etc/a.conf_|-/etc/a.conf_|-managed", value.M("result", true, "__run_num__", int64(0), "changes", value.M("a.b", int64(1))),
		"test_|-b_|-b_|-nop", value.M("result", false, "__run_num__", int64(1))))
	before := value.Repr(ret)
	if !Send(c, []string{"elasticsearch"}, ret, io.Discard) {
		t.Fatal(log)
	}
	if value.Repr(ret) != before {
		t.Error("the return was changed")
	}
	if len(asked) != 4 || asked[0] != "HEAD /salt-state_sls-ordered " ||
		asked[1] != `PUT /salt-state_sls-ordered-v1 {"settings": {"number_of_shards": 2, "number_of_replicas": 0}}` ||
		asked[2] != "PUT /salt-state_sls-ordered-v1/_alias/salt-state_sls-ordered " {
		t.Fatalf("%q", asked)
	}
	path, doc, _ := strings.Cut(strings.TrimPrefix(asked[3], "POST "), " ")
	v, err := value.ParseJSON(doc)
	m, _ := v.(*value.Map)
	if err != nil || path != "/salt-state_sls-ordered/_doc" || m.Str("@timestamp") == "" {
		t.Fatalf("%s %s", path, doc)
	}
	m.Pop("@timestamp")
	want := value.M("success", false, "retcode", int64(2), "minion", "web1", "fun", "state.sls", "jid", jid, "counts", value.M("succeeded", int64(1), "failed", int64(1)),
		"data", value.M("_orig_key", "0_|-file_|-/etc/a.conf_|-/etc/a.conf_|-managed",
			"0_|-file_|-/etc/a_conf_|-/etc/a_conf_|-managed", value.M("result", true, "__run_num__", int64(0), "_func", "file.managed",
				"changes", value.M("_orig_key", "a.b", "a_b", int64(1))),
			"1_|-test_|-b_|-b_|-nop", value.M("result", false, "__run_num__", int64(1), "_func", "test.nop")))
	if !value.Equal(m, want) {
		t.Errorf("%s\nwant %s", value.Repr(m), value.Repr(want))
	}
	asked = nil
	if !Send(c, []string{"elasticsearch"}, value.M("jid", jid, "id", "web1", "fun", "test.ping", "return", true), io.Discard) || asked != nil {
		t.Errorf("a function of the blacklist was sent: %q", asked)
	}
	opts.Map("elasticsearch").Set("password", "wr0ng")
	log.Reset()
	if Send(c, []string{"elasticsearch"}, ret, io.Discard) || !strings.Contains(log.String(), "401 Unauthorized") || strings.Contains(log.String(), "once more") {
		t.Errorf("%s", log)
	}
}
