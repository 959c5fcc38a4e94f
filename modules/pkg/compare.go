package pkg

import (
	"regexp"
	"strings"
	"sync"

	"pinch/value"
)

var comparison = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(<=>|!=|>=|<=|>>|<<|<>|>|<|=)?\s?([^<>=]+)$`) })

// splitComparison takes the operator from a version: ">=1.2" → ">=", "1.2".
func splitComparison(version string) (oper, rest string) {
	if m := comparison().FindStringSubmatch(version); m != nil {
		return m[1], m[2]
	}
	return "", version
}

// splitSpecs takes NAME>=VERSION apart.
func splitSpecs(specs []string) (names []string, conditions map[string]string) {
	conditions = map[string]string{}
	for _, s := range specs {
		i := len(s)
		if j := strings.IndexAny(s, "<>="); j > 0 {
			i = j
		}
		names = append(names, s[:i])
		conditions[s[:i]] = s[i:]
	}
	return names, conditions
}

// matches compares two versions by an operator; an unknown one fits nothing.
func matches(m manager, a, oper, b string, ignoreEpoch bool) bool {
	n, ok := m.compare(a, b, ignoreEpoch)
	if !ok {
		return false
	}
	switch oper {
	case "<":
		return n < 0
	case "<=":
		return n <= 0
	case "==":
		return n == 0
	case ">=":
		return n >= 0
	case ">":
		return n > 0
	case "!=":
		return n != 0
	}
	return false
}

// fulfills says whether one of the installed versions meets all conditions,
// such as ">=1.2,<2", "1.2*" or "1.2-3".
func fulfills(m manager, installed []string, conditions string, ignoreEpoch any, allowUpdates bool) bool {
	conditions = strings.TrimSpace(conditions)
	var all []string
	if conditions != "" {
		all = strings.Split(conditions, ",")
	}
	for _, have := range installed {
		good := true
		for _, cond := range all {
			oper, want := spec(cond)
			if allowUpdates && len(all) == 1 && oper == "==" {
				oper = ">="
			}
			ignore := !strings.ContainsAny(oper, "<>") && !strings.Contains(want, ":")
			if ignoreEpoch != nil {
				ignore = value.Truth(ignoreEpoch)
			}
			good = good && (oper == "==" && value.Fnmatch(have, want) || matches(m, have, oper, want, ignore))
		}
		if good {
			return true
		}
	}
	return false
}

// spec reads one condition.
func spec(cond string) (oper, version string) {
	oper, version = splitComparison(strings.TrimSpace(cond))
	if oper == "=" || oper == "" {
		oper = "=="
	}
	return oper, version
}

// matchVersion is the first candidate that meets a condition, "" if none does.
func matchVersion(m manager, condition string, candidates []string, ignoreEpoch bool) string {
	oper, version := splitComparison(condition)
	if oper == "" {
		oper = "=="
	}
	for _, c := range candidates {
		if matches(m, c, oper, version, ignoreEpoch) {
			return c
		}
	}
	return ""
}

// isTrue reads a truth that may be written as a text (salt.utils.data.is_true).
func isTrue(v any) bool {
	switch v := v.(type) {
	case string:
		s := strings.TrimSpace(v)
		if len(s) > 0 && (s[0] >= '0' && s[0] <= '9' || s[0] == '.') {
			return strings.Trim(s, "0.") != ""
		}
		return strings.EqualFold(s, "true")
	case int64:
		return v > 0
	case float64:
		return v > 0
	}
	return value.Truth(v)
}

// difference is what changed from one listing to the next: old and new for
// each package that differs.
func difference(old, after *value.Map) *value.Map {
	out := new(value.Map)
	for k, v := range after.Items() {
		switch before, ok := old.Get(k); {
		case !ok:
			out.Set(k, value.M("old", "", "new", v))
		case !value.Equal(before, v):
			out.Set(k, value.M("old", before, "new", v))
		}
	}
	for k, v := range old.Items() {
		if !after.Has(k) {
			out.Set(k, value.M("new", "", "old", v))
		}
	}
	return out
}

// joined is a listing with the versions of each package in one text.
func joined(m *value.Map) *value.Map {
	out := value.NewMap(m.Len())
	for k := range m.Items() {
		out.Set(k, strings.Join(versions(m, k), ","))
	}
	return out
}
