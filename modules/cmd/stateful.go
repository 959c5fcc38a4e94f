package cmd

import (
	"strings"
	"unicode/utf8"

	"pinch/salt"
	"pinch/value"
	"pinch/value/py"
)

// statefulMode reads a stateful argument: True, or a list whose first item may
// name a command for test=True.
func statefulMode(v any) (stateful bool, testName string) {
	l, ok := v.(*value.List)
	if !ok {
		return v == true, ""
	}
	if l.Len() > 0 {
		if m, ok := l.Items[0].(*value.Map); ok {
			testName = m.Str("test_name")
		}
	}
	return l.Len() > 0, testName
}

// reinterpret lets the output of a stateful command say whether something
// changed: a JSON object, or name=value pairs on the last line.
func reinterpret(r salt.Result) salt.Result {
	ran := r.Changes
	r.Changes, r.Comment = new(value.Map), ""
	out := ran.Str("stdout")
	if out == "" {
		r.Comment = ran.Str("stderr")
		return r
	}
	idx := -1
	data, isJSON, ok := readJSON(out)
	switch {
	case isJSON && !ok:
		return failOut(r, "script JSON output must be a JSON object (e.g., {})!")
	case !isJSON:
		if idx = strings.LastIndexByte(strings.TrimRight(out, " \t\r\n"), '\n'); idx != -1 {
			out = out[idx+1:]
		}
		if data, ok = readPairs(out); !ok {
			r = failOut(r, "Failed parsing script output! Stdout must be JSON or a line of name=value pairs.")
			r.Changes.Update(ran)
			return r
		}
	}
	changed, err := isTrue(data)
	if err != nil {
		return salt.Raised(err)
	}
	if v, ok := data.Pop("comment"); ok {
		r.Comment = value.Str(v)
	}
	if !changed {
		return r
	}
	for k, v := range ran.Items() {
		if !data.Has(k) {
			data.Set(k, v)
		}
	}
	rest := ""
	if s := data.Str("stdout"); !isJSON && s != "" {
		// As in Salt a single line loses only its last character here.
		if idx < 0 {
			_, n := utf8.DecodeLastRuneInString(s)
			idx = len(s) - n
		}
		rest = s[:min(idx, len(s))]
	}
	data.Set("stdout", rest)
	r.Changes = data
	return r
}

func failOut(r salt.Result, msg string) salt.Result {
	r.Comment, r.Result = msg, salt.False()
	return r
}

// readJSON reads a whole output as JSON; ok says that it is an object.
func readJSON(out string) (m *value.Map, isJSON, ok bool) {
	v, err := value.ParseJSON(out)
	if err != nil {
		return nil, false, false
	}
	m, ok = v.(*value.Map)
	return m, true, ok
}

// readPairs reads name=value words.
func readPairs(line string) (*value.Map, bool) {
	items, err := py.ShellSplit(line)
	if err != nil {
		return nil, false
	}
	m := new(value.Map)
	for _, it := range items {
		if strings.Count(it, "=") != 1 {
			return nil, false
		}
		k, v, _ := strings.Cut(it, "=")
		m.Set(k, v)
	}
	return m, true
}

func isTrue(data *value.Map) (bool, error) {
	v, ok := data.Get("changed")
	if !ok {
		return false, nil
	}
	switch strings.ToLower(value.Str(v)) {
	case "true", "yes", "1":
		return true, nil
	case "false", "no", "0":
		return false, nil
	}
	return false, value.Errorf("ValueError", "Failed parsing boolean value: %s", value.Str(v))
}
