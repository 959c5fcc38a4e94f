package beacons

import (
	"fmt"
	"strings"

	"github.com/pmezard/go-difflib/difflib"

	"pinch/salt"
	"pinch/value"
)

type addArgs struct {
	Name       any        `py:"name"`        // the name of the beacon
	BeaconData any        `py:"beacon_data"` // its configuration, a list of mappings
	Kwargs     *value.Map `py:"**kwargs"`    // test; timeout: how many seconds the daemon has
}

// add configures a beacon.
//
//	salt-call beacons.add ps "[{'processes': {'salt-master': 'stopped', 'apache2': 'stopped'}}]"
func add(c *salt.Ctx, a addArgs) (*value.Map, error) {
	name := value.Str(a.Name)
	now, err := current(c, a.Kwargs)
	if err != nil {
		return nil, err
	}
	if now.Has(name) {
		return ret(true, "Beacon %s is already configured.", name), nil
	}
	kind := module(name, a.BeaconData)
	if ok, err := available(c, kind, a.Kwargs); err != nil || !ok {
		return ret(false, `Beacon "%s" is not available.`, kind), err
	}
	if a.Kwargs.Truth("test") {
		return ret(true, "Beacon: %s would be added.", name), nil
	}
	if why, err := invalid(c, name, a.BeaconData, a.Kwargs); err != nil || why != "" {
		return ret(false, "Beacon %s configuration invalid, not adding.\n%s", name, why), err
	}
	answer, err := ask(c, value.M("name", name, "beacon_data", a.BeaconData, "func", "add"), a.Kwargs)
	switch {
	case err != nil:
		return nil, err
	case !answer.Truth("complete"):
		return ret(false, "%s", answer.Str("comment")), nil
	case !answer.Map("beacons").Has(name):
		return ret(false, "Failed to add beacon %s.", name), nil
	}
	return ret(true, "Added beacon: %s.", name), nil
}

func available(c *salt.Ctx, kind string, kw *value.Map) (bool, error) {
	v, err := listAvailable(c, listAvailableArgs{Kwargs: kw})
	if err != nil {
		return false, err
	}
	if l, ok := v.(*value.List); ok {
		for _, it := range l.Items {
			if it == kind || it == "log" && kind == "log_beacon" {
				return true, nil
			}
		}
	}
	return false, nil
}

// invalid says what is wrong with a configuration, "" for nothing.
func invalid(c *salt.Ctx, name string, data any, kw *value.Map) (string, error) {
	answer, err := ask(c, value.M("name", name, "beacon_data", data, "func", "validate_beacon"), kw)
	if err != nil || answer.Truth("valid") {
		return "", err
	}
	return answer.Str("vcomment"), nil
}

// modify replaces the configuration of a beacon.
//
//	salt-call beacons.modify ps "[{'processes': {'apache2': 'stopped'}}]"
func modify(c *salt.Ctx, a addArgs) (*value.Map, error) {
	name := value.Str(a.Name)
	now, err := current(c, a.Kwargs)
	if err != nil {
		return nil, err
	}
	if !now.Has(name) {
		return ret(true, "Beacon %s is not configured.", name), nil
	}
	if a.Kwargs.Truth("test") {
		return ret(true, "Beacon: %s would be modified.", name), nil
	}
	if why, err := invalid(c, name, a.BeaconData, a.Kwargs); err != nil || why != "" {
		return ret(false, "Beacon %s configuration invalid, not modifying.\n%s", name, why), err
	}
	if value.Equal(a.BeaconData, now.At(name)) {
		return ret(true, "Job %s in correct state", name), nil
	}
	diff, err := difflib.GetUnifiedDiffString(difflib.UnifiedDiff{A: lines(now.At(name)), B: lines(a.BeaconData), Context: 3, FromFile: "", ToFile: "", Eol: "\n"})
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(diff, "---") && diff != "" {
		diff = "--- \n+++ \n" + diff
	}
	answer, err := ask(c, value.M("name", name, "beacon_data", a.BeaconData, "func", "modify"), a.Kwargs)
	if err != nil {
		return nil, err
	}
	out := ret(true, "Modified beacon: %s.", name)
	if !answer.Truth("complete") {
		out = ret(false, "%s", answer.Str("comment"))
	}
	out.Set("changes", value.M("diff", diff))
	return out, nil
}

// lines are the options of a configuration, one a line.
func lines(conf any) []string {
	items := []any{conf}
	if l, ok := conf.(*value.List); ok {
		items = l.Items
	}
	var out []string
	for _, it := range items {
		m, _ := it.(*value.Map)
		for k, v := range m.Items() {
			out = append(out, fmt.Sprintf("%s:%s\n", k, value.Str(v)))
		}
	}
	return out
}

type nameArgs struct {
	Name   any        `py:"name"`     // the beacon
	Kwargs *value.Map `py:"**kwargs"` // test; timeout: how many seconds the daemon has
}

// delete_ takes a beacon out.
func delete_(c *salt.Ctx, a nameArgs) (*value.Map, error) {
	name := value.Str(a.Name)
	if a.Kwargs.Truth("test") {
		return ret(true, "Beacon: %s would be deleted.", name), nil
	}
	answer, err := ask(c, value.M("name", name, "func", "delete"), a.Kwargs)
	switch {
	case err != nil:
		return nil, err
	case !answer.Truth("complete"):
		return ret(false, "%s", answer.Str("comment")), nil
	case answer.Map("beacons").Has(name):
		return ret(false, "Failed to delete beacon %s.", name), nil
	}
	return ret(true, "Deleted beacon: %s.", name), nil
}

// enableBeacon switches a beacon on.
func enableBeacon(c *salt.Ctx, a nameArgs) (*value.Map, error) {
	return switchBeacon(c, a, "enable", "Beacon "+value.Str(a.Name)+" would be enabled.")
}

// disableBeacon switches a beacon off.
func disableBeacon(c *salt.Ctx, a nameArgs) (*value.Map, error) {
	return switchBeacon(c, a, "disable", "Beacons would be disabled.")
}

func switchBeacon(c *salt.Ctx, a nameArgs, verb, would string) (*value.Map, error) {
	name := value.Str(a.Name)
	if !value.Truth(a.Name) {
		return ret(false, "Beacon name is required."), nil
	}
	if a.Kwargs.Truth("test") {
		return ret(true, "%s", would), nil
	}
	now, err := current(c, a.Kwargs)
	if err != nil {
		return nil, err
	}
	if !now.Has(name) {
		return ret(false, "Beacon %s is not currently configured.", name), nil
	}
	answer, err := ask(c, value.M("func", verb+"_beacon", "name", name), a.Kwargs)
	if err != nil {
		return nil, err
	}
	if !answer.Truth("complete") {
		return ret(false, "%s", answer.Str("comment")), nil
	}
	return ret(true, "%s beacon %s on minion.", did(verb), name), nil
}
