package test

import (
	"pinch/salt"
	"pinch/value"
)

type modWatchArgs struct {
	Name   string     `py:"name"`      // the name of the state, free to choose
	Sfun   any        `py:"sfun=None"` // the function that was called before
	Kwargs *value.Map `py:"**kwargs"`  // result, comment and changes to answer with
}

// modWatch is what a state of this module does when something that it watches
// changed: it succeeds and names what did.
func modWatch(c *salt.Ctx, a modWatchArgs) salt.Result {
	changed := value.L()
	for _, low := range watched(c) {
		ret := c.Results().Map(tag(low))
		if ret != nil && ret.Truth("changes") {
			changed.Append(low.Str("state") + ": " + low.Str("__id__"))
		}
	}
	r := salt.Changed(value.M("Requisites with changes", changed), "%s", commentOf(a.Kwargs, "Watch statement fired."))
	if v, ok := a.Kwargs.Get("changes"); ok {
		m, isMap := v.(*value.Map)
		if !isMap {
			return salt.Raised(value.Errorf("SaltException", "'Changes' should be a dictionary."))
		}
		r.Changes = m
	}
	if v, ok := a.Kwargs.Get("result"); ok {
		r.Result = nil
		if v != nil {
			r.Result = truth(value.Truth(v))
		}
	}
	return r
}

// watched are the chunks that the running state watches.
func watched(c *salt.Ctx) []*value.Map {
	if c.Low == nil {
		return nil
	}
	reqs, _ := c.Low.At("__reqs__").(*value.Map)
	if reqs == nil {
		return nil
	}
	var lows []*value.Map
	if l := reqs.List("watch"); l != nil {
		for _, it := range l.Items {
			if low, ok := it.(*value.Map); ok {
				lows = append(lows, low)
			}
		}
	}
	return lows
}

// tag is the key of a state's return.
func tag(low *value.Map) string {
	return low.Str("state") + "_|-" + low.Str("__id__") + "_|-" + low.Str("name") + "_|-" + low.Str("fun")
}
