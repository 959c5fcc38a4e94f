package pyenv

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// machine has a pyenv with versions, of which those that begin with 9 cannot
// be built.
type machine struct {
	sys.Sys
	salt.Host
	have   []string
	global string
}

func (m *machine) LookPath(name string) string { return name }

func (m *machine) CallFunc(c *salt.Ctx, fun string, args []any, kw *value.Map) (any, error) {
	if fun == "config.option" {
		return map[string]string{"pyenv.root": "/opt/pyenv"}[value.Str(args[0])], nil
	}
	words := args[0].(*value.List).Items[3:]
	ret := value.M("retcode", int64(0), "stdout", "", "stderr", "")
	last := value.Str(words[len(words)-1])
	switch words[0] {
	case "versions":
		ret.Set("stdout", strings.Join(m.have, "\n"))
	case "install":
		ret.Set("stderr", "built")
		if strings.HasPrefix(last, "9") {
			ret.Set("retcode", int64(2))
		} else {
			m.have = append(m.have, last)
		}
	case "uninstall":
		m.have = slices.DeleteFunc(m.have, func(v string) bool { return v == last })
	case "global":
		if len(words) == 1 {
			ret.Set("stdout", m.global)
		} else {
			m.global = last
		}
	}
	return ret, nil
}

// The answers are Salt's for the same pyenv.
func TestStates(t *testing.T) {
	m := &machine{global: "system"}
	c := &salt.Ctx{Context: context.Background(), Sys: m, Host: m, Run: salt.NewRun(), Log: slog.New(slog.DiscardHandler)}
	for i, tc := range []struct {
		fun, name string
		isDefault bool
		result    bool
		comment   string
		changes   *value.Map
		global    string
	}{
		{"installed", "python-3.12.4", false, true, "Successfully installed python", value.M("3.12.4", "Installed"), "system"},
		{"installed", "3.12.4", true, true, "Requested python exists.", new(value.Map), "3.12.4"},
		{"installed", "9.9", false, false, "Could not install python.", new(value.Map), "3.12.4"},
		{"absent", "3.12.4", false, true, "Successfully removed python", value.M("3.12.4", "Uninstalled"), "system"},
		{"absent", "3.12.4", false, true, "python 3.12.4 is already absent", new(value.Map), "system"},
	} {
		kw := value.M("name", tc.name)
		if tc.isDefault {
			kw.Set("default", true)
		}
		v, err := Module.States()[tc.fun].Call(c, nil, kw)
		if err != nil {
			t.Fatal(err)
		}
		r := v.(salt.Result)
		if r.OK() != tc.result || r.Comment != tc.comment || !value.Equal(r.Changes, tc.changes) || m.global != tc.global {
			t.Errorf("%d: %v %q %s, default %s", i, r.OK(), r.Comment, value.Repr(r.Changes), m.global)
		}
	}
}
