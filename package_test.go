package main

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"pinch/golden"
	"pinch/value"
)

// packageDifferences are the expressions whose value differs from Salt's, and
// why.
var packageDifferences = map[string]string{
	`salt.utils.data.from_entries({"key": "a", "value": 1})`:                                                                                                "the same error with other words",
	`[salt.utils.network.parse_host_port(v) for v in ("1.2.3.4:5","::1","[::1]","host.example.com")]`:                                                       "Salt raises IndexError for an address without port",
	`salt.utils.dictupdate.merge({"a": [1]}, {"a": [2]}, "aggregate")`:                                                                                      "a plain dict, that Salt's own kind of dict prints without quotes",
	`[salt.utils.stringutils.is_quoted(v) for v in ("'a'", '"a"', "a", "'a\"", "")]`:                                                                        "Salt raises IndexError for the empty text",
	`salt.utils.state.merge_subreturn({"result": True, "comment": "", "changes": {}}, {"result": None, "comment": ["b"], "changes": {}})`:                   "a return without a name is taken",
	`salt.utils.state.get_sls_opts({"a": 1, "saltenv": None, "pillarenv": None, "state_queue": False, "test": False}, saltenv="dev", test=True)["saltenv"]`: "options that are not there are not asked for",
}

// TestPackage evaluates expressions on our salt package that were recorded
// with Salt's own.
func TestPackage(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here")
	}
	cases := golden.Value(t, "saltutil/package.json").(*value.Map).List("cases")
	r := newCustomCase(t, value.M("config", value.M("custom_salt", "own", "module_dirs", value.L("<ROOT>/own")), "files", value.M("own/modules/m.py", `
import importlib, json, logging, os, re
def evaluate(path):
    logging.disable(50)
    out = []
    for case in json.load(open(path))["cases"]:
        for dotted in re.findall(r"salt(?:\.[a-z_]+)+", case["code"]):
            parts = dotted.split(".")
            for n in range(len(parts), 1, -1):
                try:
                    importlib.import_module(".".join(parts[:n]))
                    break
                except ImportError:
                    pass
        try:
            out.append(repr(eval(case["code"], {"salt": importlib.import_module("salt"), "os": os})))
        except BaseException as error:
            out.append("%s: %s" % (type(error).__name__, error))
    return out
`)))
	r.put("cases.json", jsonOf(value.M("cases", cases)))
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Args = []string{"salt-call", "-c", r.root + "/etc", "--local", "--out=json", "m.evaluate", filepath.Join(r.root, "cases.json")}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err, stderr.String())
	}
	v, err := value.ParseJSON(string(out))
	if err != nil {
		t.Fatal(err)
	}
	address := regexp.MustCompile(` at 0x[0-9a-f]+`)
	good, known := 0, map[string]int{}
	for i, got := range v.(*value.Map).List("local").Items {
		tc := cases.Items[i].(*value.Map)
		code := tc.Str("code")
		got := address.ReplaceAllString(value.Str(got), " at 0x")
		switch reason := packageDifferences[code]; {
		case got == tc.Str("value") && reason != "":
			t.Errorf("%s is as in Salt now: remove it from packageDifferences", code)
		case got == tc.Str("value"):
			good++
		case reason != "":
			known[reason]++
		default:
			t.Errorf("%s\n got %s\nwant %s", code, got, tc.Str("value"))
		}
	}
	t.Logf("%d values as in Salt", good)
	for _, reason := range slices.Sorted(maps.Keys(known)) {
		t.Logf("%d differ: %s", known[reason], reason)
	}
}
