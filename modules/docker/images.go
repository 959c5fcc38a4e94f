package docker

import (
	"net/http"
	"strings"
	"time"

	"pinch/modules/docker/engine"
	"pinch/salt"
	"pinch/value"
)

type tagArgs struct {
	Name       string `py:"name"`         // name or ID of the image
	Repository any    `py:"repository"`   // the name to give it
	Tag        any    `py:"tag='latest'"` // and its tag
	Force      bool   `py:"force=False"`  // old daemons only: move a tag from another image
}

// tag gives an image one more name.
//
//	salt-call docker.tag 0123456789ab myrepo/mycontainer
func tag(c *salt.Ctx, a tagArgs) (bool, error) {
	return ask(c, func(d daemon) (bool, error) {
		err := d.give(a.Name, value.Str(a.Repository), value.Str(a.Tag), a.Force)
		return err == nil, err
	})
}

func (d daemon) give(name, repository, tag string, force bool) error {
	m, err := d.image(name)
	if err != nil {
		return err
	}
	_, err = d.Text(engine.Request{Op: "tag", Method: http.MethodPost, Path: "/images/" + engine.ID(m.Str("Id")) + "/tag",
		Query: engine.Query("tag", tag, "repo", repository, "force", engine.Bool(force))})
	return err
}

type commitArgs struct {
	Name       string `py:"name"`         // name or ID of the container
	Repository any    `py:"repository"`   // the image's name
	Tag        any    `py:"tag='latest'"` // and its tag
	Message    any    `py:"message=None"` // what it is
	Author     any    `py:"author=None"`  // who made it
}

// commit makes an image of a container.
func commit(c *salt.Ctx, a commitArgs) (*value.Map, error) {
	return ask(c, func(d daemon) (*value.Map, error) {
		began := time.Now()
		m, err := d.Map(engine.Request{Op: "commit", Method: http.MethodPost, Path: "/commit", Body: new(value.Map), Unlimited: true,
			Query: engine.Query("container", a.Name, "repo", value.Str(a.Repository), "tag", value.Str(a.Tag), "comment", text(a.Message), "author", text(a.Author), "pause", "True")})
		if err != nil {
			return nil, err
		}
		if !m.Has("Id") {
			return nil, salt.CommandError("No image ID was returned in API response")
		}
		return value.M("Time_Elapsed", time.Since(began).Seconds(), "Id", m.At("Id")), nil
	})
}

type historyArgs struct {
	Name  string `py:"name"`        // name or ID of the image
	Quiet bool   `py:"quiet=False"` // only the commands
}

// history returns the steps that made an image, the first one first.
func history(c *salt.Ctx, a historyArgs) (*value.List, error) {
	return ask(c, func(d daemon) (*value.List, error) {
		l, err := d.List(engine.Request{Op: "history", Path: "/images/" + engine.ID(a.Name) + "/history"})
		if err != nil {
			return nil, err
		}
		out := value.L()
		for i := l.Len() - 1; i >= 0; i-- {
			m, _ := l.Items[i].(*value.Map)
			step := value.NewMap(m.Len() + 2)
			for key, v := range m.Items() {
				if key == "CreatedBy" {
					key, v = "Command", command(value.Str(v))
				}
				step.Set(key, v)
			}
			step = dated(step)
			human(step, "Size")
			if a.Quiet {
				out.Append(step.At("Command"))
			} else {
				out.Append(step)
			}
		}
		return out, nil
	})
}

// command is a step without the shell that ran it.
func command(s string) string {
	if s == "" {
		return "FROM scratch"
	}
	if rest, ok := strings.CutPrefix(s, "/bin/sh -c "); ok {
		return strings.TrimPrefix(rest, "#(nop) ")
	}
	return s
}

// layers returns the short IDs of the layers of an image, the first one first.
func layers(c *salt.Ctx, a imageArgs) (*value.List, error) {
	return ask(c, func(d daemon) (*value.List, error) {
		l, err := d.List(engine.Request{Op: "history", Path: "/images/" + engine.ID(a.Name) + "/history"})
		if missing(err) || err == nil && l.Len() == 0 {
			return nil, salt.CommandError("Image '%s' not found", a.Name)
		}
		if err != nil {
			return nil, err
		}
		out := value.L()
		for i := l.Len() - 1; i >= 0; i-- {
			m, _ := l.Items[i].(*value.Map)
			out.Append(short(strings.TrimPrefix(m.Str("Id"), "sha256:")))
		}
		return out, nil
	})
}

// short is what Salt shows of an ID.
func short(id string) string { return id[:min(12, len(id))] }

// depends returns the containers (Containers) and the images (Images) that are
// made of an image.
func depends(c *salt.Ctx, a imageArgs) (*value.Map, error) {
	return ask(c, func(d daemon) (*value.Map, error) { return d.depends(a.Name) })
}

func (d daemon) depends(name string) (*value.Map, error) {
	m, err := d.image(name)
	if err != nil {
		return nil, err
	}
	id := m.Str("Id")
	containers, err := d.ps(nil, true, true)
	if err != nil {
		return nil, err
	}
	in, on := value.L(), value.L()
	for _, v := range containers.Items() {
		if m := v.(*value.Map); m.Map("Info").Str("Image") == id {
			in.Items = append(in.Items, value.Strings(namesOf(m)).Items...)
		}
	}
	images, err := d.images(true, false)
	for key, v := range images.Items() {
		if v.(*value.Map).Str("ParentId") == id {
			on.Append(short(key))
		}
	}
	return value.M("Containers", in, "Images", on), err
}

type danglingArgs struct {
	Prune bool `py:"prune=False"` // remove them
	Force bool `py:"force=False"` // even those that a container uses
}

// dangling returns the short IDs of the images without a tag that no other
// image is made of.
func dangling(c *salt.Ctx, a danglingArgs) (any, error) {
	return ask(c, func(d daemon) (any, error) {
		images, err := d.images(true, false)
		if err != nil {
			return nil, err
		}
		out, done := value.L(), new(value.Map)
		for _, id := range topLevel(images, images.Keys()) {
			if !untagged(images.Map(id)) {
				continue
			}
			out.Append(short(id))
			if !a.Prune {
				continue
			}
			m, err := d.rmi([]string{id}, a.Force, true)
			if err != nil {
				d.c.Log.Error(err.Error())
				done.Set(short(id), value.M("Comment", err.Error(), "Removed", false))
				continue
			}
			done.Set(short(id), value.M("Removed", m))
		}
		if a.Prune {
			return done, nil
		}
		return out, nil
	})
}

// topLevel are those of some images that no image is made of.
func topLevel(images *value.Map, some []any) []string {
	parents := map[string]bool{}
	for _, v := range images.Items() {
		parents[v.(*value.Map).Str("ParentId")] = true
	}
	var out []string
	for _, id := range some {
		if s := value.Str(id); !parents[s] {
			out = append(out, s)
		}
	}
	return out
}
