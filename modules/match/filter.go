package match

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type filterArgs struct {
	Lookup     *value.Map `py:"lookup"`              // target expression → anything
	TgtType    string     `py:"tgt_type='compound'"` // the matcher
	MinionID   any        `py:"minion_id=None"`      // an id to match instead of this minion's
	Merge      any        `py:"merge=None"`          // a map that is merged into what was found
	MergeLists bool       `py:"merge_lists=False"`   // lists of both are joined
	Default    any        `py:"default='default'"`   // the key to take when none matches
}

// filterBy returns what stands under the first target that matches.
//
//	salt-call match.filter_by '{web*: [app], db*: [db]}' default=web*
func filterBy(c *salt.Ctx, a filterArgs) (any, error) {
	for key, found := range a.Lookup.All() {
		ok, err := byType(c, a.TgtType, key, a.MinionID)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if !value.Truth(a.Merge) {
			return found, nil
		}
		merge, ok := a.Merge.(*value.Map)
		if !ok {
			return nil, value.Errorf("SaltException", "filter_by merge argument must be a dictionary.")
		}
		if found == nil {
			return merge, nil
		}
		dest, ok := found.(*value.Map)
		if !ok {
			return nil, value.Errorf("TypeError", "Cannot update using non-dict types in dictupdate.update()")
		}
		return value.Update(dest, value.Copy(merge).(*value.Map), a.MergeLists), nil
	}
	v, _ := a.Lookup.GetKey(a.Default)
	return v, nil
}

// byType calls the function that is named like the matcher.
func byType(c *salt.Ctx, kind string, tgt, id any) (bool, error) {
	switch kind {
	case "compound", "list", "list_", "pcre", "glob":
		kind = strings.TrimSuffix(kind, "_")
		return match(c, kind, tgt, id, "")
	case "ipcidr", "data", "pillar", "pillar_pcre", "grain", "grain_pcre":
		if !value.Truth(id) {
			return match(c, kind, tgt, nil, "")
		}
		// Salt passes the id on as the second argument, a delimiter.
		if kind == "ipcidr" || kind == "data" {
			return false, value.Errorf("TypeError", "%s() takes 1 positional argument but 2 were given", kind)
		}
		return match(c, kind, tgt, nil, value.Str(id))
	}
	return false, value.Errorf("KeyError", "%s", value.Repr(kind))
}

type searchArgs struct {
	Lookup   *value.Map `py:"lookup"`              // anything → list of target expressions
	TgtType  string     `py:"tgt_type='compound'"` // the matcher
	MinionID any        `py:"minion_id=None"`      // an id to match instead of this minion's
}

// searchBy returns the keys that have a target that matches; null when there
// are none.
func searchBy(c *salt.Ctx, a searchArgs) (any, error) {
	out := new(value.List)
	for key, targets := range a.Lookup.All() {
		items, err := iterate(targets)
		if err != nil {
			return nil, err
		}
		for _, tgt := range items {
			ok, err := byType(c, a.TgtType, tgt, a.MinionID)
			if err != nil {
				return nil, err
			}
			if ok {
				out.Append(key)
			}
		}
	}
	if out.Len() == 0 {
		return nil, nil
	}
	return out, nil
}

// iterate gives the items of a list, or the letters of a text, as Python does.
func iterate(v any) ([]any, error) {
	switch v := v.(type) {
	case *value.List:
		return v.Items, nil
	case value.Tuple:
		return v, nil
	case *value.Map:
		return v.Keys(), nil
	case string:
		var out []any
		for _, r := range v {
			out = append(out, string(r))
		}
		return out, nil
	}
	return nil, value.Errorf("TypeError", "'%s' object is not iterable", value.TypeName(v))
}

type ifelseArgs struct {
	Args       []any  `py:"*args"`               // target, value, target, value, …, default
	TgtType    string `py:"tgt_type='compound'"` // the matcher
	MinionID   any    `py:"minion_id=None"`      // an id to match instead of this minion's
	Merge      any    `py:"merge=None"`          // a map that is merged into what was found
	MergeLists bool   `py:"merge_lists=False"`   // lists of both are joined
}

// ifelse returns the value that follows the first target that matches, else
// the last argument. True and False are targets that always and never match.
func ifelse(c *salt.Ctx, a ifelseArgs) (any, error) {
	n := len(a.Args)
	if n%2 == 0 {
		return nil, value.Errorf("SaltException", "The ifelse function must have an odd number of arguments!")
	}
	if n == 1 {
		return a.Args[0], nil
	}
	const none = "SALT_IFELSE_FUNCTION_DEFAULT"
	lookup := new(value.Map)
	for i := 0; i+1 < n; i += 2 {
		key := a.Args[i]
		switch key {
		case true:
			key = "*"
		case false:
			key = "SALT_IFELSE_MATCH_NOTHING"
		}
		if err := lookup.SetKey(key, a.Args[i+1]); err != nil {
			return nil, err
		}
	}
	lookup.Set(none, a.Args[n-1])
	return filterBy(c, filterArgs{Lookup: lookup, TgtType: a.TgtType, MinionID: a.MinionID, Merge: a.Merge, MergeLists: a.MergeLists, Default: none})
}
