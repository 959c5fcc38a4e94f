package main

import (
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pinch/modules/docker/dockertest"
)

// TestDockerStates applies SLS of all Docker states before a daemon on a Unix
// socket. The returns are Salt's (testdata/docker/README.md).
func TestDockerStates(t *testing.T) {
	dir := t.TempDir()
	tree, err := filepath.Abs("testdata/docker")
	if err != nil {
		t.Fatal(err)
	}
	conf := "file_client: local\nroot_dir: " + dir + "\nid: box\ndocker.update_mine: False\nfile_roots: {base: [" + tree + "]}\n"
	if err := os.WriteFile(filepath.Join(dir, "minion"), []byte(conf), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(dir, "sock"))
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: dockertest.New("27.5.1", "1.47")}
	go func() { _ = srv.Serve(l) }()
	t.Cleanup(func() { srv.Close() })
	var calls []struct {
		Call string
		Ret  map[string]any
	}
	b, err := os.ReadFile("testdata/docker/salt.json")
	if err == nil {
		err = json.Unmarshal(b, &calls)
	}
	if err != nil {
		t.Fatal(err)
	}
	states := 0
	for i, call := range calls {
		cmd := exec.Command("pinch", append([]string{"-c", dir, "--local", "--out=json", "state.apply"}, strings.Fields(call.Call)...)...)
		cmd.Env = append(os.Environ(), "DOCKER_HOST=unix://"+dir+"/sock")
		out, _ := cmd.Output() // a state may fail
		var got struct{ Local map[string]any }
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%s: %v\n%s", call.Call, err, out)
		}
		for tag, want := range call.Ret {
			states++
			if mine := timeless(got.Local[tag]); !reflect.DeepEqual(mine, want) {
				t.Errorf("call %d, %s: %s\n got %v\nwant %v", i, call.Call, tag, mine, want)
			}
		}
		if len(got.Local) != len(call.Ret) {
			t.Errorf("call %d, %s: %d states, not %d", i, call.Call, len(got.Local), len(call.Ret))
		}
	}
	if states != 28 {
		t.Errorf("%d states, not 28", states)
	}
}

// timeless is data without what differs from run to run.
func timeless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, it := range v {
			if k != "duration" && k != "start_time" && k != "Time_Elapsed" {
				out[k] = timeless(it)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, it := range v {
			out[i] = timeless(it)
		}
		return out
	}
	return v
}
