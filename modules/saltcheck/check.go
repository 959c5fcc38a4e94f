package saltcheck

import (
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"pinch/salt"
	"pinch/value"
	"pinch/value/py"
)

// without are the assertions that compare with nothing.
var without = []string{"assertEmpty", "assertNotEmpty", "assertTrue", "assertFalse"}

// signs are how assertions are shown.
var signs = map[string]string{
	"assertEqual": "==", "assertNotEqual": "!=", "assertTrue": "True is", "assertFalse": "False is", "assertIn": "IN", "assertNotIn": "NOT IN",
	"assertGreater": ">", "assertGreaterEqual": ">=", "assertLess": "<", "assertLessEqual": "<=", "assertEmpty": "IS EMPTY", "assertNotEmpty": "IS NOT EMPTY",
}

// either is the value under a name, or under the same with dashes.
func either(m *value.Map, name string) any {
	if v, ok := m.Get(name); ok {
		return v
	}
	return m.At(strings.ReplaceAll(name, "_", "-"))
}

// groups are the assertions of a test.
func groups(t *value.Map) []*value.Map {
	l, ok := t.At("assertions").(*value.List)
	if !ok || l.Len() == 0 {
		return []*value.Map{t}
	}
	var out []*value.Map
	for _, it := range l.Items {
		m, _ := it.(*value.Map)
		out = append(out, m)
	}
	return out
}

// mistake says what is wrong with a test, "" if nothing is.
func mistake(c *salt.Ctx, t *value.Map) string {
	fun := t.Str("module_and_function")
	switch fun {
	case "saltcheck.state_apply":
		return ""
	case "":
		return "missing module_and_function"
	}
	for _, g := range groups(t) {
		a := g.Str("assertion")
		if signs[a] == "" {
			return a + " is not in the assertions list"
		}
		if !slices.Contains(without, a) && either(g, "expected_return") == nil {
			return "expected_return missing a value"
		}
	}
	if _, err := c.Registry().Exec(c, fun); err != nil {
		return fun + " is not a valid function"
	}
	return ""
}

// run makes the call of a test and looks at the answer.
func run(c *salt.Ctx, t *value.Map) *value.Map {
	begin := time.Now()
	out := new(value.Map)
	if m := mistake(c, t); m != "" {
		c.Log.Error("Saltcheck: " + m)
		out.Set("status", "Fail - invalid test")
	} else if t.Truth("skip") {
		return value.M("status", "Skip", "duration", 0.0)
	} else {
		answer, err := call(c, t)
		assess(c, t, answer, err, out)
	}
	out.Set("duration", math.Round(time.Since(begin).Seconds()*1e4)/1e4)
	return out
}

func call(c *salt.Ctx, t *value.Map) (any, error) {
	kw := new(value.Map)
	kw.Update(t.Map("kwargs"))
	kw.Pop("pillar")
	if p := either(t, "pillar_data"); value.Truth(p) {
		kw.Set("pillar", p)
	}
	var args []any
	if a := t.At("args"); a != nil {
		items, err := py.Items(a)
		if err != nil {
			return nil, err
		}
		args = items
	}
	return c.CallKw(t.Str("module_and_function"), kw, args...)
}

// assess puts the results of all assertions into out.
func assess(c *salt.Ctx, t *value.Map, answer any, failure error, out *value.Map) {
	details := t.At("output_details")
	if !t.Has("output_details") {
		details, _ = c.Call("config.get", "saltcheck_output_details", false)
	}
	all := groups(t)
	if len(all) == 1 && all[0] == t {
		out.Update(assertion(t, t, answer, failure, value.Truth(details)))
		return
	}
	status := "Pass"
	for i, g := range all {
		r := assertion(t, g, answer, failure, value.Truth(details))
		if r.Str("status") != "Pass" {
			status = "Fail"
		}
		out.Set(fmt.Sprintf("assertion%d", i+1), r)
	}
	out.Set("status", status)
}

func assertion(t, g *value.Map, answer any, failure error, details bool) *value.Map {
	section := ""
	if s := g.At("assertion_section"); value.Truth(s) {
		section = value.Str(s)
		delimiter := g.Str("assertion_section_delimiter")
		if delimiter == "" {
			delimiter = ":"
		}
		answer = value.TraverseOr(answer, section, false, delimiter)
	}
	how := g.Str("assertion")
	fun := t.Str("module_and_function")
	if fun == "saltcheck.state_apply" {
		how = "assertNotEmpty"
	}
	want := either(g, "expected_return")
	if !slices.Contains(without, how) && how != "assertIn" && how != "assertNotIn" {
		want = cast(want, answer)
	}
	show := true
	if v, ok := t.Get("print_result"); ok {
		show = value.Truth(v)
	}
	out := new(value.Map)
	if failure != nil {
		out.Set("status", "Fail: "+failure.Error())
	} else {
		out.Set("status", verdict(how, want, answer, show))
	}
	if !details {
		return out
	}
	title, behind := "module.function [args]", ""
	if section != "" {
		title, behind = title+" assertion_section", " "+section
	}
	args, _ := value.JSON(t.At("args"), value.JSONOptions{})
	out.Set(title, fun+" "+args+behind)
	text, is := "", "hidden"
	if want != nil {
		text = value.Str(want) + " "
	}
	if show {
		is = value.Str(answer)
	}
	out.Set("saltcheck assertion", text+signs[how]+" "+is)
	return out
}

// cast gives what is expected the type of what was returned, where that works.
func cast(want, answer any) any {
	var v any
	var err error
	switch answer.(type) {
	case bool:
		v = want != "False" && value.Truth(want)
	case int64:
		v, err = py.Int(want)
	case float64:
		v, err = py.Float(want)
	case string:
		v = value.Str(want)
	case *value.List:
		var items []any
		items, err = py.Items(want)
		v = value.L(items...)
	default:
		return want
	}
	if err != nil {
		return want
	}
	return v
}

// verdict is Pass, or Fail with the reason in Salt's words.
func verdict(how string, want, answer any, show bool) string {
	w, a := value.Str(want), value.Str(answer)
	ok, text, hidden := false, a+" not False", ""
	var err error
	order := func(op string, sign int, equal bool) {
		var n int
		n, err = value.Compare(want, answer, op)
		ok = n == sign || equal && n == 0
	}
	switch how {
	case "assertEqual":
		ok, text, hidden = value.Equal(want, answer), w+" is not equal to "+a, "Result is not equal"
	case "assertNotEqual":
		ok, text, hidden = !value.Equal(want, answer), w+" is equal to "+a, "Result is equal"
	case "assertTrue":
		ok, text = answer == true, a+" not True"
	case "assertFalse":
		if s, is := answer.(string); is {
			answer, text = s != "", map[bool]string{true: "True", false: "False"}[s != ""]+" not False"
		}
		ok = answer == false
	case "assertIn":
		ok, err = py.Contains(answer, want)
		text, hidden = w+" not found in "+a, "Result not found"
	case "assertNotIn":
		ok, err = py.Contains(answer, want)
		ok = !ok
		text, hidden = w+" was found in "+a, "Result was found"
	case "assertGreater":
		order(">", 1, false)
	case "assertGreaterEqual":
		order(">=", 1, true)
	case "assertLess":
		order("<", -1, false)
	case "assertLessEqual":
		order("<=", -1, true)
	case "assertEmpty":
		ok, text = !value.Truth(answer), a+" is not empty"
	case "assertNotEmpty":
		ok, text = value.Truth(answer), "value is empty"
	}
	switch {
	case err != nil:
		return "Fail: " + err.Error()
	case ok:
		return "Pass"
	case hidden != "" && !show:
		return "Fail: " + hidden
	}
	return "Fail: " + text
}

type testcase struct {
	Name    string  `xml:"name,attr"`
	Time    string  `xml:"time,attr,omitempty"`
	Failure *reason `xml:"failure"`
	Skipped *reason `xml:"skipped"`
}

type reason struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
}

// junit is the results in the form that build servers read.
func junit(c *salt.Ctx, results []suite) (string, error) {
	var doc struct {
		XMLName xml.Name `xml:"testsuites"`
		Suite   struct {
			Name  string     `xml:"name,attr"`
			Tests int        `xml:"tests,attr"`
			Fails int        `xml:"failures,attr"`
			Skips int        `xml:"skipped,attr"`
			Cases []testcase `xml:"testcase"`
		} `xml:"testsuite"`
	}
	s := &doc.Suite
	s.Name = "test_results"
	for _, r := range results {
		if r.results.Len() == 0 {
			s.Cases = append(s.Cases, testcase{Name: "missing_test"})
		}
		for name, v := range r.results.All() {
			m := v.(*value.Map)
			tc := testcase{Name: value.Str(name), Time: value.Str(m.At("duration"))}
			switch status := m.Str("status"); {
			case strings.HasPrefix(status, "Fail"):
				tc.Failure = &reason{"failure", status}
				s.Fails++
			case strings.HasPrefix(status, "Skip"):
				tc.Skipped = &reason{"skipped", status}
				s.Skips++
			}
			s.Cases = append(s.Cases, tc)
		}
	}
	s.Tests = len(s.Cases)
	b, err := xml.MarshalIndent(doc, "", "\t")
	c.Run.SetRetcode(min(s.Fails, 1))
	return xml.Header + string(b) + "\n", err
}
