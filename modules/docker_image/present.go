package docker_image

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type presentArgs struct {
	Name             any        `py:"name"`                    // the image, with its registry if it has one
	Tag              any        `py:"tag=None"`                // its tag; None: latest. It must be said when the image is made
	Build            any        `py:"build=None"`              // a folder with a Dockerfile to build it from
	Load             any        `py:"load=None"`               // an archive to load it from, a path or salt://
	Force            bool       `py:"force=False"`             // pull, build or load it even when it is there
	InsecureRegistry bool       `py:"insecure_registry=False"` // what the daemon's own insecure-registries says today
	ClientTimeout    any        `py:"client_timeout=60"`       // seconds until the daemon must answer
	Dockerfile       any        `py:"dockerfile=None"`         // another name of the Dockerfile, from build on
	Sls              any        `py:"sls=None"`                // states to build it with
	Base             any        `py:"base='opensuse/python'"`  // the image that they are applied to
	Saltenv          any        `py:"saltenv='base'"`          // the environment of the states
	Pillarenv        any        `py:"pillarenv=None"`          // the environment of their pillar
	Pillar           any        `py:"pillar=None"`             // pillar data for them
	Kwargs           *value.Map `py:"**kwargs"`                // kwargs: a map of further arguments of docker.build, such as buildargs
}

// present makes sure that there is an image: it is pulled, or built, or loaded.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	made := 0
	for _, v := range []any{a.Build, a.Load, a.Sls} {
		if v != nil {
			made++
		}
	}
	name := value.Str(a.Name)
	full := name
	switch {
	case made > 1:
		return salt.Failed("Only one of 'build', 'load', or 'sls' is permitted.")
	case made == 1 && !value.Truth(a.Tag):
		return salt.Failed("The 'tag' argument is required if any one of 'build', 'load', or 'sls' is used.")
	case made == 1:
		full += ":" + value.Str(a.Tag)
	case value.Truth(a.Tag):
		full += ":" + value.Str(a.Tag)
		name = full
	}
	was, err := inspect(c, full)
	if err != nil {
		return salt.Failed("%s", err)
	}
	if was != nil && !a.Force {
		return salt.Correct("Image %s already present", full)
	}
	action := "pulled"
	if value.Truth(a.Build) || value.Truth(a.Sls) {
		action = "built"
	} else if value.Truth(a.Load) {
		action = "loaded"
	}
	if c.Test {
		return salt.Would(nil, "Image %s will be %s", full, action)
	}
	changes, failed := a.fetch(c, name, full, was)
	if failed != "" {
		return salt.Failed("%s", failed)
	}
	if _, err := inspect(c, full); err != nil {
		r := salt.Failed("Failed to inspect image '%s' after it was %s: %s", full, action, err)
		if changes != nil {
			r.Changes = changes
		}
		return r
	}
	if changes == nil || changes.Len() == 0 {
		return salt.Correct("Image '%s' was %s, but there were no changes", name, action)
	}
	return salt.Changed(changes, "Image '%s' was %s", full, action)
}

// inspect is what the daemon knows about an image, nil without one.
func inspect(c *salt.Ctx, name string) (*value.Map, error) {
	v, err := c.Call("docker.inspect_image", name)
	if err != nil && strings.Contains(err.Error(), "404") {
		return nil, nil
	}
	m, _ := v.(*value.Map)
	return m, err
}

// fetch gets the image, and says what changed, or what failed.
func (a *presentArgs) fetch(c *salt.Ctx, name, full string, was *value.Map) (changes *value.Map, failed string) {
	call := func(fun string, kw *value.Map, what string) *value.Map {
		v, err := c.CallKw(fun, kw)
		if err != nil {
			failed = what + ": " + err.Error()
		}
		m, _ := v.(*value.Map)
		return m
	}
	id, _ := was.At("Id").(string)
	switch {
	case value.Truth(a.Build):
		kw := new(value.Map)
		for key, v := range a.Kwargs.Map("kwargs").Items() {
			switch key {
			case "cache", "rm", "api_response", "fileobj", "buildargs":
				kw.Set(key, v)
			}
		}
		kw.Update(value.M("path", a.Build, "repository", name, "tag", a.Tag, "dockerfile", a.Dockerfile))
		m := call("docker.build", kw, "Encountered error building "+value.Str(a.Build)+" as "+full)
		if was == nil || !same(m.Str("Id"), id) {
			changes = m
		}
	case value.Truth(a.Sls):
		kw := value.M("repository", name, "tag", a.Tag, "base", a.Base, "mods", a.Sls)
		for key, v := range map[string]any{"saltenv": a.Saltenv, "pillarenv": a.Pillarenv, "pillar": a.Pillar} {
			if v != nil {
				kw.Set(key, v)
			}
		}
		m := call("docker.sls_build", kw, "Encountered error using SLS "+value.Str(a.Sls)+" for building "+full)
		if was == nil || !same(m.Str("Id"), id) {
			changes = m
		}
	case value.Truth(a.Load):
		m := call("docker.load", value.M("path", a.Load, "repository", name, "tag", a.Tag), "Encountered error loading "+value.Str(a.Load)+" as "+full)
		if l := m.List("Layers"); was == nil || l != nil && l.Len() > 0 {
			changes = m
		}
	default:
		m := call("docker.pull", value.M("image", name, "insecure_registry", a.InsecureRegistry, "client_timeout", a.ClientTimeout), "Encountered error pulling "+full)
		if was == nil || value.Truth(m.Map("Layers").At("Pulled")) {
			changes = m
		}
	}
	return changes, failed
}

// same reports whether a short ID is that of an image.
func same(short, id string) bool {
	short, id = strings.TrimPrefix(short, "sha256:"), strings.TrimPrefix(id, "sha256:")
	return short != "" && strings.HasPrefix(id, short)
}

type watchArgs struct {
	Name   any        `py:"name"`      // the image
	Sfun   any        `py:"sfun=None"` // the state's function
	Kwargs *value.Map `py:"**kwargs"`  // its arguments
}

var watch = salt.State(modWatch)

// modWatch gets the image anew when something that it watches has changed.
func modWatch(c *salt.Ctx, a watchArgs) salt.Result {
	if a.Sfun != "present" {
		return salt.Failed("watch requisite is not implemented for %s", value.Str(a.Sfun))
	}
	kw := a.Kwargs.Shallow()
	kw.Update(value.M("name", a.Name, "force", true))
	r, err := c.CallState(c, "docker_image.present", kw)
	if err != nil {
		return salt.Raised(err)
	}
	return r
}
