package docker

import (
	"net/http"
	"slices"

	"pinch/modules/docker/engine"
	"pinch/salt"
	"pinch/value"
)

type pruneArgs struct {
	Containers bool       `py:"containers=False"` // those that do not run
	Networks   bool       `py:"networks=False"`   // those without a container
	Images     bool       `py:"images=False"`     // those that nothing needs
	Build      bool       `py:"build=False"`      // the cache of builds
	Volumes    bool       `py:"volumes=False"`    // those without a container; never unless asked for
	System     *bool      `py:"system=None"`      // all of these but volumes; True when nothing is chosen
	Filters    *value.Map `py:"**filters"`        // only what is so: until=24h, label=web, dangling=False
}

// prune removes what is not in use and returns what the daemon says about it.
//
//	salt-call docker.prune images=True until=24h
func prune(c *salt.Ctx, a pruneArgs) (*value.Map, error) {
	all := a.System != nil && *a.System || a.System == nil && !slices.Contains([]bool{a.Containers, a.Images, a.Networks, a.Build}, true)
	filters := new(value.Map)
	for key, v := range clean(a.Filters).Items() {
		if _, ok := v.(bool); !ok {
			l := splitInput(v)
			if !value.Truth(v) {
				l = []string{value.Str(v)}
			}
			v = value.Strings(l)
		}
		filters.Set(key, v)
	}
	f, err := filterText(filters)
	if err != nil {
		return nil, err
	}
	some := f
	if filters.Len() == 0 {
		some = ""
	}
	return ask(c, func(d daemon) (*value.Map, error) {
		out := new(value.Map)
		for _, kind := range []struct {
			name, filters string
			wanted        bool
		}{{"containers", some, all || a.Containers}, {"images", f, all || a.Images}, {"networks", some, all || a.Networks}, {"build", "", all || a.Build}, {"volumes", some, a.Volumes}} {
			if !kind.wanted {
				continue
			}
			v, err := d.JSON(engine.Request{Op: "prune_" + kind.name, Method: http.MethodPost, Path: "/" + kind.name + "/prune", Query: engine.Query("filters", kind.filters), Unlimited: true})
			if err != nil {
				return nil, err
			}
			out.Set(kind.name, v)
		}
		return out, nil
	})
}
