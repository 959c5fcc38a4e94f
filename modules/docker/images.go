package docker

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"syscall"
	"time"

	"pinch/modules/docker/engine"
	"pinch/salt"
	"pinch/sys"
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

type importArgs struct {
	Source      any  `py:"source"`             // an archive of files: a path, salt://, or a URL that the daemon reads
	Repository  any  `py:"repository"`         // the image's name
	Tag         any  `py:"tag='latest'"`       // and its tag
	APIResponse bool `py:"api_response=False"` // API_Response is what the daemon said
}

// importImage makes an image of an archive of files.
//
//	salt-call docker.import /tmp/rootfs.tar.gz myrepo/base 1.0
func importImage(c *salt.Ctx, a importArgs) (*value.Map, error) {
	source, ok := a.Source.(string)
	if !ok {
		return nil, salt.InvocationError("Invalid source file %s", value.Str(a.Source))
	}
	file, err := cached(c, source)
	if err != nil {
		return nil, err
	}
	return ask(c, func(d daemon) (*value.Map, error) {
		began := time.Now()
		repository, tag := value.Str(a.Repository), value.Str(a.Tag)
		r := engine.Request{Op: "import_image", Method: http.MethodPost, Path: "/images/create", Query: engine.Query("repo", repository, "tag", tag, "fromSrc", file)}
		if sys.IsFile(c.Sys, file) {
			f, err := c.Sys.Open(file)
			if err != nil {
				return nil, salt.OSError(err)
			}
			defer f.Close()
			r.Query.Set("fromSrc", "-")
			r.Body, r.Header = io.Reader(f), http.Header{"Content-Type": {"application/tar"}}
		} else if path.IsAbs(file) {
			return nil, salt.OSError(&fs.PathError{Op: "open", Path: file, Err: syscall.ENOENT})
		}
		events, err := d.Events(r)
		if err != nil {
			return nil, err
		}
		out := value.M("Time_Elapsed", time.Since(began).Seconds())
		if a.APIResponse {
			out.Set("API_Response", events)
		}
		bad := progress(events, func(kind string, m *value.Map) {
			if id := m.Str("status"); kind == "status" && strings.Trim(strings.TrimPrefix(id, "sha256:"), "0123456789abcdefABCDEF") == "" {
				out.Set("Image", repository+":"+tag)
				out.Set("Id", id)
			}
		})
		if !out.Has("Id") {
			return nil, salt.CommandError("%s", follows("Import failed for "+source, bad))
		}
		return out, nil
	})
}

// follows is a message with the errors of a stream, if there are any.
func follows(msg string, errs []string) string {
	if errs == nil {
		return msg
	}
	return msg + ". Error(s) follow:\n\n" + strings.Join(errs, "\n\n")
}

// progress hands out the events of a stream with what they are of (the first
// key), and gives the errors among them.
func progress(events *value.List, f func(kind string, m *value.Map)) []string {
	var bad []string
	for _, it := range events.Items {
		m, ok := it.(*value.Map)
		if !ok || m.Len() == 0 {
			continue
		}
		kind := value.Str(m.Keys()[0])
		if kind == "errorDetail" {
			e := m.Map("errorDetail")
			msg := e.Str("message")
			if e.Has("code") {
				msg = e.Str("code") + ": " + msg
			}
			bad = append(bad, msg)
			continue
		}
		f(kind, m)
	}
	return bad
}

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
