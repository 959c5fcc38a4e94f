package docker

import (
	"fmt"
	"net/http"
	"strings"

	"pinch/modules/docker/engine"
	"pinch/salt"
	"pinch/value"
)

type rmiArgs struct {
	Names  []any      `py:"*names"`   // names or IDs of images
	Kwargs *value.Map `py:"**kwargs"` // force: even one that a container uses; prune=False: keep images without a tag that it was made of
}

// rmi removes images; Layers and Tags are what went.
//
//	salt-call docker.rmi busybox:latest force=True
func rmi(c *salt.Ctx, a rmiArgs) (*value.Map, error) {
	return ask(c, func(d daemon) (*value.Map, error) {
		var names []string
		for _, n := range a.Names {
			names = append(names, value.Str(n))
		}
		prune, ok := a.Kwargs.Get("prune")
		return d.rmi(names, a.Kwargs.Truth("force"), !ok || value.Truth(prune))
	})
}

func (d daemon) rmi(names []string, force, prune bool) (*value.Map, error) {
	images, err := d.images(true, false)
	if err != nil {
		return nil, err
	}
	bad := value.L()
	for _, name := range names {
		m, err := d.image(name)
		if err != nil {
			return nil, err
		}
		_, err = d.Text(engine.Request{Op: "remove_image", Method: http.MethodDelete, Path: "/images/" + engine.ID(m.Str("Id")), Unlimited: true,
			Query: engine.Query("force", pyBool(force), "noprune", pyBool(!prune))})
		switch status := engine.Status(err); {
		case status == http.StatusConflict:
			if err := d.conflict(bad, name, err); err != nil {
				return nil, err
			}
		case status != 0:
			bad.Append(err.Error())
		case err != nil:
			return nil, err
		}
	}
	after, err := d.images(true, false)
	if err != nil {
		return nil, err
	}
	out := value.M("Layers", without(images, after), "Tags", value.Strings(lost(tagsOf(images), tagsOf(after))), "retcode", int64(0))
	if bad.Len() > 0 {
		out.Set("Errors", bad)
		out.Set("retcode", int64(1))
	}
	return out, nil
}

// conflict tells who needs an image that cannot go.
func (d daemon) conflict(bad *value.List, name string, err error) error {
	bad.Append(strings.TrimPrefix(err.Error(), fmt.Sprintf("Error %d: ", http.StatusConflict)))
	m, err := d.depends(name)
	if err != nil {
		return err
	}
	var users []string
	for _, kind := range []struct{ key, what string }{{"Containers", "container(s): "}, {"Images", "image(s): "}} {
		if l := m.List(kind.key); l.Len() > 0 {
			users = append(users, kind.what+joined(l))
		}
	}
	if users != nil {
		bad.Append("Image is in use by " + strings.Join(users, " and "))
	}
	return nil
}

func joined(l *value.List) string {
	var out []string
	for _, it := range l.Items {
		out = append(out, value.Str(it))
	}
	return strings.Join(out, ", ")
}

// lost are the items that a list has no more.
func lost(before, after []string) []string {
	has := map[string]bool{}
	for _, s := range after {
		has[s] = true
	}
	var out []string
	for _, s := range before {
		if !has[s] {
			out = append(out, s)
		}
	}
	return out
}
