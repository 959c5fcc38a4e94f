package x509

import (
	"strings"

	"pinch/value"
)

// A pair is a key with a value of OpenSSL's configuration strings.
type pair struct {
	key string
	val any
}

// absentValue stands for a word without a value.
const absentValue = "__present__"

// confString reads "critical, CA:true, pathlen:0".
func confString(s string) (pairs []pair, critical bool) {
	if critical = strings.HasPrefix(s, "critical"); critical {
		s = strings.TrimSpace(strings.Trim(s[len("critical"):], ","))
	}
	for _, word := range strings.Split(s, ",") {
		k, v, ok := strings.Cut(strings.TrimSpace(word), ":")
		if !ok {
			v = absentValue
		}
		pairs = append(pairs, pair{strings.TrimSpace(k), strings.TrimSpace(v)})
	}
	return pairs, critical
}

// lookup gives the last value of a key.
func lookup(pairs []pair, key string) (any, bool) {
	for i := len(pairs) - 1; i >= 0; i-- {
		if pairs[i].key == key {
			return pairs[i].val, true
		}
	}
	return nil, false
}

// has is Python's in: a part of a text, an item of a list, a key of a mapping.
func has(v any, word string) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(v, word)
	case *value.List:
		for _, it := range v.Items {
			if it == any(word) {
				return true
			}
		}
	case *value.Map:
		return v.Has(word)
	}
	return false
}

// namePairs reads general names: a text, a list of texts and mappings, or a
// mapping.
func namePairs(v any) (pairs []pair, critical bool) {
	critical = has(v, "critical")
	switch v := v.(type) {
	case string:
		return confString(v)
	case *value.Map:
		for k, x := range v.Items() {
			if k != "critical" {
				pairs = append(pairs, pair{k, x})
			}
		}
	case *value.List:
		for _, it := range v.Items {
			switch it := it.(type) {
			case string:
				if k, x, ok := strings.Cut(it, ":"); ok {
					pairs = append(pairs, pair{strings.TrimSpace(k), strings.TrimSpace(x)})
				}
			case *value.Map:
				for k, x := range it.Items() {
					pairs = append(pairs, pair{k, x})
				}
			}
		}
	}
	return pairs, critical
}
