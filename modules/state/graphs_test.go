package state_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"pinch/golden"
	"pinch/value"
)

type graphRun struct {
	Name     string
	Args     []string
	Expected struct {
		Exit   any
		Return json.RawMessage
		Crash  *string
	}
}

type graphTree struct {
	Seed   int
	Files  map[string]any
	Config json.RawMessage
	Runs   []graphRun
}

// TestGraphs applies random trees with all kinds of requisites and compares
// the whole returns with those of Salt 3008.4.
func TestGraphs(t *testing.T) {
	t.Setenv("SHELL", "/bin/sh")
	z, err := gzip.NewReader(bytes.NewReader(golden.Bytes(t, "graphs/open.json.gz")))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Trees []graphTree }
	if err := json.NewDecoder(z).Decode(&file); err != nil {
		t.Fatal(err)
	}
	for i, tree := range file.Trees {
		if testing.Short() && i%10 != 0 {
			continue
		}
		for _, run := range tree.Runs {
			if diff := tryGraph(t, tree, run); diff != "" {
				t.Errorf("seed %d %s: %s", tree.Seed, run.Name, diff)
			}
		}
	}
}

func tryGraph(t *testing.T, tree graphTree, run graphRun, with ...func(*host)) string {
	files := map[string]string{}
	for p, text := range tree.Files {
		files["root/"+p] = fmt.Sprint(text)
	}
	conf, err := value.ParseJSON(string(tree.Config))
	if err != nil {
		t.Fatal(err)
	}
	opts := value.M("id", "graphs", "state_events", false)
	opts.Update(conf.(*value.Map))
	h := newHost(t, files, opts)
	for _, w := range with {
		w(h)
	}
	got, err := h.call(run.Args[0], run.Args[1:]...)
	if run.Expected.Crash != nil {
		if err == nil && h.run.Retcode() == 0 {
			return "expected a failure: " + *run.Expected.Crash
		}
		return ""
	}
	if err != nil {
		return err.Error()
	}
	var want any
	dec := json.NewDecoder(bytes.NewReader(run.Expected.Return))
	if err := dec.Decode(&want); err != nil && err != io.EOF {
		t.Fatal(err)
	}
	text, err := value.JSON(got, value.JSONOptions{})
	if err != nil {
		return err.Error()
	}
	var have any
	if err := json.Unmarshal([]byte(strings.ReplaceAll(text, filepath.Clean(h.dir), "<ROOT>")), &have); err != nil {
		return err.Error()
	}
	have = normal(have)
	forgive(want, have)
	if d := difference(normal(want), have, "return"); d != "" {
		return d
	}
	if code := h.run.Retcode(); fmt.Sprint(run.Expected.Exit) != fmt.Sprint(code) {
		return fmt.Sprintf("exit code %d, want %v", code, run.Expected.Exit)
	}
	return ""
}

var failedReq = regexp.MustCompile(`One or more requisite failed: [^"\n]*`)

// normal takes out what Salt itself does not determine: times, the order of
// sets, tracebacks.
func normal(v any) any {
	switch v := v.(type) {
	case []any:
		for i, x := range v {
			if s, ok := x.(string); ok && strings.HasPrefix(s, "Rendering SLS") {
				s, _, _ = strings.Cut(s, "\n")
				s, _, _ = strings.Cut(s, " failed")
				v[i] = s
			}
		}
	case map[string]any:
		for _, x := range v {
			ret, ok := x.(map[string]any)
			if !ok || ret["result"] == nil && ret["comment"] == nil {
				continue
			}
			delete(ret, "start_time")
			delete(ret, "duration")
			if s, ok := ret["comment"].(string); ok {
				s = failedReq.ReplaceAllStringFunc(s, func(m string) string {
					head, list, _ := strings.Cut(m, ": ")
					names := strings.Split(list, ", ")
					sort.Strings(names)
					return head + ": " + strings.Join(names, ", ")
				})
				if head, trace, ok := strings.Cut(s, "Traceback (most recent call last)"); ok {
					lines := strings.Split(strings.TrimSpace(trace), "\n")
					s = head + lines[len(lines)-1]
				}
				ret["comment"] = s
			}
			if ch, ok := ret["changes"].(map[string]any); ok {
				delete(ch, "pid")
				if l, ok := ch["Requisites with changes"].([]any); ok {
					slices.SortFunc(l, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
				}
			}
		}
	}
	return v
}

// forgive drops keys that Salt forgets in some returns and we give.
func forgive(want, have any) {
	w, ok1 := want.(map[string]any)
	g, ok2 := have.(map[string]any)
	if !ok1 || !ok2 {
		return
	}
	for tag, x := range g {
		ref, ok1 := w[tag].(map[string]any)
		ret, ok2 := x.(map[string]any)
		if !ok1 || !ok2 {
			continue
		}
		for _, k := range []string{"__id__", "__sls__", "__run_num__", "name"} {
			if _, ok := ref[k]; !ok {
				delete(ret, k)
			}
		}
	}
}

func difference(want, got any, path string) string {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			break
		}
		for _, k := range slices.Sorted(maps.Keys(w)) {
			x, ok := g[k]
			if !ok {
				return fmt.Sprintf("%s/%s: missing, want %v", path, k, w[k])
			}
			if d := difference(w[k], x, path+"/"+k); d != "" {
				return d
			}
		}
		for k := range g {
			if _, ok := w[k]; !ok {
				return fmt.Sprintf("%s/%s: unexpected %v", path, k, g[k])
			}
		}
		return ""
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			break
		}
		for i := range w {
			if d := difference(w[i], g[i], fmt.Sprintf("%s[%d]", path, i)); d != "" {
				return d
			}
		}
		return ""
	default:
		if want == got {
			return ""
		}
	}
	return fmt.Sprintf("%s: got %v, want %v", path, got, want)
}
