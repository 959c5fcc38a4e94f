package pkg

import (
	"slices"

	"pinch/salt"
	"pinch/value"
)

type modWatchArgs struct {
	Name   string     `py:"name"`     // the package
	Kwargs *value.Map `py:"**kwargs"` // sfun, the state's function, and its arguments
}

// modWatch runs the state again when something it watches changed.
func modWatch(c *salt.Ctx, a modWatchArgs) salt.Result {
	kw := a.Kwargs.Shallow()
	fun, _ := kw.Pop("sfun")
	name, _ := fun.(string)
	f := map[string]*salt.Func{"purged": purgedFunc, "latest": latestFunc, "removed": removedFunc, "installed": installedFunc}[name]
	if f == nil {
		return salt.Failed("pkg.%s does not work with the watch requisite", value.Str(fun))
	}
	kw.Set("name", a.Name)
	r, err := f.Call(c, nil, kw)
	if err != nil {
		return salt.Raised(err)
	}
	return r.(salt.Result)
}

type modInitArgs struct {
	Low *value.Map `py:"low"` // the chunk of the first state
}

// modInit asks for a refresh of the lists at the first installation of a run.
func modInit(c *salt.Ctx, a modInitArgs) salt.Result {
	if !initialise(c, a.Low) {
		return salt.Failed("")
	}
	return salt.Correct("")
}

func initialise(c *salt.Ctx, low *value.Map) bool {
	if fun := low.Str("fun"); fun != "installed" && fun != "latest" {
		return false
	}
	writeRtag(c)
	return true
}

type modAggregateArgs struct {
	Low     *value.Map  `py:"low"`     // the chunk whose turn it is
	Chunks  *value.List `py:"chunks"`  // the chunks of the run
	Running *value.Map  `py:"running"` // the results so far
}

// modAggregate puts the packages of later states of the same function into the
// one whose turn it is, so that they are installed at once.
func modAggregate(c *salt.Ctx, a modAggregateArgs) salt.Result {
	var chunks []*value.Map
	for _, it := range a.Chunks.Items {
		if m, ok := it.(*value.Map); ok {
			chunks = append(chunks, m)
		}
	}
	return salt.Changed(aggregate(c, a.Low, chunks, a.Running), "")
}

func aggregate(_ *salt.Ctx, low *value.Map, chunks []*value.Map, running *value.Map) *value.Map {
	if !slices.Contains([]string{"installed", "latest", "removed", "purged"}, low.Str("fun")) {
		return low
	}
	kind := "pkgs"
	if low.Has("sources") {
		kind = "sources"
	}
	more := new(value.Map) // name → list of versions
	for _, ch := range chunks {
		tag := ch.Str("state") + "_|-" + ch.Str("__id__") + "_|-" + ch.Str("name") + "_|-" + ch.Str("fun")
		if running.Has(tag) || ch.Str("state") != "pkg" || ch.Has("__agg__") || ch.Str("fun") != low.Str("fun") ||
			!value.Equal(ch.At("fromrepo"), low.At("fromrepo")) || ch.Has("hold") {
			continue
		}
		switch {
		case ch.Has(kind):
			combine(more, ch.At(kind))
		case kind == "pkgs" && ch.Has("name"):
			version, _ := ch.Pop("version")
			add(more, ch.Str("name"), version)
		default:
			continue
		}
		ch.Set("__agg__", true)
	}
	if more.Len() == 0 {
		return low
	}
	all := new(value.Map)
	combine(all, low.At(kind))
	for name := range more.Items() {
		if !all.Has(name) {
			add(all, name, nil)
		}
		for _, v := range more.List(name).Items {
			add(all, name, v)
		}
	}
	list := value.L()
	for name, vs := range all.Items() {
		specific := false
		for _, v := range vs.(*value.List).Items {
			if v != nil {
				list.Append(value.M(name, v))
				specific = true
			}
		}
		// Salt lists a package with and without its version, and its own check
		// for duplicates refuses that.
		if !specific {
			list.Append(name)
		}
	}
	low.Set(kind, list)
	return low
}

func combine(into *value.Map, list any) {
	l, _ := asList(list)
	for _, it := range l {
		if m, ok := it.(*value.Map); ok {
			for name, v := range m.Items() {
				add(into, name, v)
			}
			continue
		}
		add(into, value.Str(it), nil)
	}
}

func add(into *value.Map, name string, version any) {
	l := into.List(name)
	if l == nil {
		l = value.L()
		into.Set(name, l)
	}
	if !slices.ContainsFunc(l.Items, func(v any) bool { return value.Equal(v, version) }) {
		l.Append(version)
	}
}

type modBeaconArgs struct {
	Name   string     `py:"name"`     // the package
	Kwargs *value.Map `py:"**kwargs"` // sfun, beacon, pkgs: the arguments of the state
}

// modBeacon makes the beacon that a state with beacon: True asks for.
func modBeacon(c *salt.Ctx, a modBeaconArgs) salt.Result {
	fun := a.Kwargs.Str("sfun")
	if fun != "installed" && fun != "removed" {
		return salt.Failed("pkg.%s does not work with the mod_beacon state function", fun)
	}
	if !a.Kwargs.Truth("beacon") {
		return salt.Correct("Not adding beacon.")
	}
	pkgs := any(value.L(a.Name))
	if v, ok := a.Kwargs.Get("pkgs"); ok {
		pkgs = v
	}
	r, err := c.CallState(c, "beacon.present", value.M("name", "beacon_pkg_"+a.Name, "pkgs", pkgs, "interval", int64(60), "beacon_module", "pkg"))
	if err != nil {
		return salt.Raised(err)
	}
	return r
}
