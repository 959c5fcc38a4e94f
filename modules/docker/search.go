package docker

import (
	"pinch/modules/docker/engine"
	"pinch/salt"
	"pinch/value"
)

type searchArgs struct {
	Name     string `py:"name"`           // what to look for
	Official bool   `py:"official=False"` // only official images
	Trusted  bool   `py:"trusted=False"`  // only trusted builds
}

// search looks for images on the registry.
func search(c *salt.Ctx, a searchArgs) (*value.Map, error) {
	names := map[string]string{"description": "Description", "is_official": "Official", "is_trusted": "Trusted", "star_count": "Stars"}
	return ask(c, func(d daemon) (*value.Map, error) {
		l, err := d.List(engine.Request{Op: "search", Path: "/images/search", Query: engine.Query("term", a.Name)})
		if err != nil {
			return nil, err
		}
		if l.Len() == 0 {
			return nil, salt.CommandError("No images matched the search string '%s'", a.Name)
		}
		out := new(value.Map)
		for _, it := range l.Items {
			m, _ := it.(*value.Map)
			name, ok := m.Pop("name")
			if !ok {
				continue
			}
			found := new(value.Map)
			for key, v := range m.Items() {
				if n := names[key]; n != "" {
					key = n
				}
				found.Set(key, v)
			}
			if !a.Official && !a.Trusted || a.Official && found.Truth("Official") || a.Trusted && found.Truth("Trusted") {
				out.Set(value.Str(name), found)
			}
		}
		return out, nil
	})
}
