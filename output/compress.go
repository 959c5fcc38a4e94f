package output

import (
	"fmt"
	"math"
	"strings"

	"pinch/value"
)

// compress rolls the states of one ID with the same result into one (for
// state_compress_ids): the earliest start, the sum of the times, the changes
// by name. Data that do not fit are printed as they are.
func (h *run) compress(hosts *value.Map) *value.Map {
	out := value.NewMap(hosts.Len())
	for name, data := range hosts.All() {
		states, ok := data.(*value.Map)
		if ok {
			states, ok = compressHost(states)
		}
		if !ok {
			h.o.logger().Warn("Unable to compress state output by ID! Returning output normally.")
			return hosts
		}
		if err := out.SetKey(name, states); err != nil {
			return hosts
		}
	}
	return out
}

// A group is what states must share to be rolled into one.
type group struct{ state, id, sls, result string }

func groupOf(tag any, v any) (group, []string, *value.Map, bool) {
	name, ok := tag.(string)
	ret, isMap := v.(*value.Map)
	if !ok || !isMap {
		return group{}, nil, nil, false
	}
	for _, k := range []string{"__id__", "__sls__", "result"} {
		if !ret.Has(k) {
			return group{}, nil, nil, false
		}
	}
	parts := strings.Split(name, "_|-")
	return group{parts[0], value.Str(ret.At("__id__")), value.Str(ret.At("__sls__")), value.Str(ret.At("result"))}, parts, ret, true
}

func compressHost(states *value.Map) (*value.Map, bool) {
	count := map[group]int{}
	for tag, v := range states.All() {
		g, _, _, ok := groupOf(tag, v)
		if !ok {
			return nil, false
		}
		count[g]++
	}
	out := value.NewMap(len(count))
	for tag, v := range states.All() {
		g, parts, ret, _ := groupOf(tag, v)
		if count[g] == 1 {
			out.Set(tag.(string), ret)
			continue
		}
		if len(parts) < 3 {
			return nil, false
		}
		parts[1] = fmt.Sprintf("%s (%d)", g.id, count[g])
		parts[2] = strings.Join([]string{"state_compressed", g.sls, g.id, g.result}, "_")
		name := strings.Join(parts, "_|-")
		if first := out.Map(name); first == nil {
			out.Set(name, ret.Shallow())
		} else if !fold(first, ret) {
			return nil, false
		}
	}
	return out, true
}

// fold adds the state ret to the first one of its group.
func fold(first, ret *value.Map) bool {
	if c, err := value.Compare(ret.At("__run_num__"), first.At("__run_num__"), "<"); err != nil {
		return false
	} else if c < 0 {
		first.Set("__run_num__", ret.At("__run_num__"))
	}
	a, okA := milliseconds(first)
	b, okB := milliseconds(ret)
	if !okA || !okB {
		return false
	}
	first.Set("duration", math.Round((a+b)*1000)/1000)
	if c, err := value.Compare(ret.At("start_time"), first.At("start_time"), "<"); err != nil {
		return false
	} else if c < 0 {
		first.Set("start_time", ret.At("start_time"))
	}
	changes := ret.At("changes")
	if !value.Truth(changes) {
		return true
	}
	all := first.Map("changes").Map("compressed changes")
	switch {
	case all.Len() > 0:
	case value.Truth(first.At("changes")):
		all = value.M(first.At("name"), first.At("changes"))
	default:
		all = new(value.Map)
	}
	if all.SetKey(ret.At("name"), changes) != nil {
		return false
	}
	first.Set("changes", value.M("compressed changes", all))
	return true
}

func milliseconds(ret *value.Map) (float64, bool) {
	switch d := ret.At("duration").(type) {
	case float64:
		return d, true
	case int64:
		return float64(d), true
	}
	return 0, false
}
