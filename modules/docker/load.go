package docker

import (
	"io"
	"net/http"
	"strings"
	"time"

	"pinch/modules/docker/engine"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type loadArgs struct {
	Path       string `py:"path"`            // the archive: a path or salt://
	Repository any    `py:"repository=None"` // the name to give what it has
	Tag        any    `py:"tag=None"`        // and its tag
}

// load reads images from an archive that docker.save wrote; Layers are the new
// ones.
func load(c *salt.Ctx, a loadArgs) (*value.Map, error) {
	named := value.Truth(a.Repository) && value.Truth(a.Tag)
	if !named && (value.Truth(a.Repository) || value.Truth(a.Tag)) {
		return nil, salt.InvocationError("If tagging, both a repository and tag are required")
	}
	file, err := cached(c, a.Path)
	if err != nil {
		return nil, err
	}
	if !sys.IsFile(c.Sys, file) {
		return nil, salt.CommandError("Source file %s does not exist", a.Path)
	}
	return ask(c, func(d daemon) (*value.Map, error) {
		before, err := d.images(true, false)
		if err != nil {
			return nil, err
		}
		began := time.Now()
		if err := d.load(file); err != nil {
			return nil, salt.CommandError("Failed to load image(s) from %s: %s", a.Path, err)
		}
		out := value.M("Time_Elapsed", time.Since(began).Seconds(), "Path", a.Path)
		after, err := d.images(true, false)
		if err != nil {
			return nil, err
		}
		fresh, ids := without(after, before), value.L()
		for _, id := range fresh.Items {
			ids.Append(short(value.Str(id)))
		}
		out.Set("Layers", ids)
		if named {
			d.nameLoaded(out, topLevel(after, fresh.Items), value.Str(a.Repository), value.Str(a.Tag))
		}
		return out, nil
	})
}

func (d daemon) load(file string) error {
	f, err := d.c.Sys.Open(file)
	if err != nil {
		return salt.OSError(err)
	}
	defer f.Close()
	events, err := d.Events(engine.Request{Op: "load", Method: http.MethodPost, Path: "/images/load", Query: engine.Query("quiet", "1"), Body: io.Reader(f),
		Header: http.Header{"Content-Type": {"application/x-tar"}}})
	if err != nil {
		return err
	}
	for _, it := range events.Items {
		if m, ok := it.(*value.Map); ok && m.Has("error") {
			return salt.CommandError("%s", m.Str("error"))
		}
	}
	return nil
}

// nameLoaded names the one image that was loaded.
func (d daemon) nameLoaded(out *value.Map, top []string, repository, tag string) {
	name := repository + ":" + tag
	switch {
	case len(top) > 1:
		out.Set("Warning", "More than one top-level image layer was loaded ("+strings.Join(top, ", ")+"), no image was tagged")
	case len(top) == 0:
		out.Set("Warning", "No top-level image layers were loaded, no image was tagged")
	default:
		if err := d.give(top[0], repository, tag, false); err != nil {
			out.Set("Warning", "Failed to tag "+top[0]+" as "+name+": "+err.Error())
			return
		}
		out.Set("Image", name)
	}
}

// cached is the local path of a source that may be on the file server.
func cached(c *salt.Ctx, source string) (string, error) {
	if !strings.HasPrefix(source, "salt://") {
		return source, nil
	}
	v, err := c.Call("cp.cache_file", source)
	if err == nil && !value.Truth(v) {
		err = salt.CommandError("Unable to cache %s", source)
	}
	return text(v), err
}
