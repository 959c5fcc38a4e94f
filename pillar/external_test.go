package pillar

import (
	"os"
	"path/filepath"
	"testing"

	"pinch/render/yaml"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

func load(t *testing.T, text string) *value.Map {
	t.Helper()
	v, err := yaml.Load("", text)
	if err != nil {
		t.Fatal(err)
	}
	return v.(*value.Map)
}

// The answers are those of salt.pillar.stack._merge_dict.
func TestStackMerge(t *testing.T) {
	for _, tt := range []struct{ stack, obj, want string }{
		{"a: {x: 1}", "a: {y: 2}", "{'a': {'x': 1, 'y': 2}}"},
		{"a: {x: 1}", "a: {__: overwrite, y: 2}", "{'a': {'y': 2}}"},
		{"a: {x: 1, z: 3}", "a: {__: remove, x: }", "{'a': {'z': 3}}"},
		{"a: {x: 1}", "a: {__: merge-first, x: 2, y: 3}", "{'a': {'x': 1, 'y': 3}}"},
		{"a: [1]", "a: [2]", "{'a': [1, 2]}"},
		{"a: [1]", "a: [{__: overwrite}, 2]", "{'a': [2]}"},
		{"a: [1]", "a: [{__: merge-first}, 2]", "{'a': [2, 1]}"},
		{"a: [1, 2]", "a: [{__: remove}, 1]", "{'a': [2]}"},
		{"a: [1]", "a: {__: merge-first, b: {__: remove, c: 1}}", "{'a': {'b': {'c': 1}}}"},
		{"a: 1", "b: [{__: remove}, 1]", "{'a': 1, 'b': [1]}"},
		{"a: 1", "__: overwrite\nb: 2", "{'b': 2}"},
		{"a: {x: 1}", "a: {__: nosuch}", "Unknown strategy \"nosuch\", should be one of ('overwrite', 'merge-first', 'merge-last', 'remove')"},
	} {
		got, err := stackMaps(load(t, tt.stack), load(t, tt.obj))
		text := value.Repr(got)
		if err != nil {
			text = err.Error()
		}
		if text != tt.want {
			t.Errorf("%s + %s:\ngot  %s\nwant %s", tt.stack, tt.obj, text, tt.want)
		}
	}
}

func TestCSV(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("id,role,env\ndb1,database,prod\nweb1,\"proxy, web\",dev\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := &compiler{c: &salt.Ctx{Sys: sys.Real{}}, o: Options{ID: "web1"}}
	for _, tt := range []struct {
		kw   *value.Map
		want string
	}{
		{value.M("path", path), "{'id': 'web1', 'role': 'proxy, web', 'env': 'dev'}"},
		{value.M("path", path, "namespace", "n"), "{'n': {'id': 'web1', 'role': 'proxy, web', 'env': 'dev'}}"},
		{value.M("path", path, "idkey", "env"), "None"},
		{value.M("path", path, "fieldnames", value.L("id", "what")), "{'id': 'web1', 'what': 'proxy, web'}"},
	} {
		got, err := csvPillar(p, nil, nil, tt.kw)
		if err != nil || value.Repr(got) != tt.want {
			t.Errorf("%s: got %s %v, want %s", value.Repr(tt.kw), value.Repr(got), err, tt.want)
		}
	}
}

func TestGrainsInURL(t *testing.T) {
	p := &compiler{c: &salt.Ctx{Grains: value.M("os", "Debian", "a", value.M("b", "x y"))}, o: Options{ID: "web1"}}
	if got, err := p.withGrains("http://x/<os>/<a:b>?z=1"); err != nil || got != "http://x/Debian/x%20y?z=1" {
		t.Error(got, err)
	}
	if _, err := p.withGrains("http://x/<gone>"); err == nil || err.Error() != "Unable to get minion 'web1' grain 'gone'" {
		t.Error(err)
	}
}
