package docker

import (
	"net/http"
	"strings"
	"time"

	"pinch/modules/docker/engine"
	"pinch/salt"
	"pinch/value"
)

type pullArgs struct {
	Image            any  `py:"image"`                   // the image, with its registry and tag: host:5000/name:tag
	InsecureRegistry bool `py:"insecure_registry=False"` // what the daemon's own insecure-registries says today
	APIResponse      bool `py:"api_response=False"`      // API_Response is what the daemon said
	ClientTimeout    any  `py:"client_timeout=60"`       // seconds until the daemon must answer
}

// pull fetches an image from its registry. Layers says what was fetched
// (Pulled) and what was there (Already_Pulled).
//
//	salt-call docker.pull nginx:1.27
func pull(c *salt.Ctx, a pullArgs) (*value.Map, error) {
	return ask(c, func(d daemon) (*value.Map, error) { return d.pull(value.Str(a.Image), a.APIResponse) })
}

// repositoryTag takes a name apart; a digest counts as a tag.
func repositoryTag(image string) (repository, tag string) {
	if name, digest, ok := strings.Cut(image, "@"); ok {
		return name, digest
	}
	if i := strings.LastIndexByte(image, ':'); i >= 0 && !strings.Contains(image[i:], "/") {
		return image[:i], image[i+1:]
	}
	return image, ""
}

func validImage(image string) error {
	if strings.Contains(image, "://") {
		return salt.CommandError("Repository name cannot contain a scheme (%s)", image)
	}
	if host, _, ok := strings.Cut(image, "/"); ok && strings.ContainsAny(host, ".:") && (strings.HasPrefix(host, "-") || strings.HasSuffix(host, "-")) {
		return salt.CommandError("Invalid index name (%s). Cannot begin or end with a hyphen.", host)
	}
	return nil
}

func (d daemon) pull(image string, response bool) (*value.Map, error) {
	images, err := d.images(true, false)
	if err != nil {
		return nil, err
	}
	have := map[string]bool{}
	for id := range images.Items() {
		have[short(id)] = true
	}
	repository, tag := repositoryTag(image)
	if tag == "" {
		tag = "latest"
	}
	return d.transfer("Pull", image, engine.Request{Op: "pull", Method: http.MethodPost, Path: "/images/create", Query: engine.Query("tag", tag, "fromImage", repository)},
		response, pulling(have))
}

// transfer pulls or pushes.
func (d daemon) transfer(what, image string, r engine.Request, response bool, note func(out, m *value.Map)) (*value.Map, error) {
	if err := validImage(image); err != nil {
		return nil, err
	}
	auth, err := d.RegistryAuth(image)
	if err != nil {
		return nil, err
	}
	if auth != "" {
		r.Header = http.Header{"X-Registry-Auth": {auth}}
	}
	began := time.Now()
	events, err := d.Events(r)
	if err != nil {
		return nil, err
	}
	if events.Len() == 0 {
		return nil, salt.CommandError("%s failed for %s, no response returned from Docker API", what, image)
	}
	out := value.M("Time_Elapsed", time.Since(began).Seconds(), "retcode", int64(0))
	if response {
		out.Set("API_Response", events)
	}
	bad := progress(events, func(kind string, m *value.Map) {
		if kind == "status" {
			note(out, m)
		}
	})
	if bad != nil {
		out.Set("Errors", value.Strings(bad))
		out.Set("retcode", int64(1))
	}
	return out, nil
}

// layer notes what happened to one.
func layer(out *value.Map, what string, id any, once bool) {
	m := out.Map("Layers")
	if m == nil {
		m = new(value.Map)
		out.Set("Layers", m)
	}
	l := m.List(what)
	if l == nil {
		l = value.L()
		m.Set(what, l)
	}
	for _, it := range l.Items {
		if once && value.Equal(it, id) {
			return
		}
	}
	l.Append(id)
}

// pulling notes the events of a pull; have are the short IDs of the images from before.
func pulling(have map[string]bool) func(out, m *value.Map) {
	return func(out, m *value.Map) {
		switch status := m.Str("status"); {
		case status == "Already exists":
			layer(out, "Already_Pulled", m.At("id"), true)
		case status == "Pull complete", status == "Download complete" && !have[m.Str("id")]:
			layer(out, "Pulled", m.At("id"), true)
		case status == "Download complete":
			layer(out, "Already_Pulled", m.At("id"), true)
		case strings.HasPrefix(status, "Status: "):
			out.Set("Status", strings.TrimPrefix(status, "Status: "))
		}
	}
}

type pushArgs struct {
	Image            any  `py:"image"`                   // the image, with its registry and tag: host:5000/name:tag
	InsecureRegistry bool `py:"insecure_registry=False"` // what the daemon's own insecure-registries says today
	APIResponse      bool `py:"api_response=False"`      // API_Response is what the daemon said
	ClientTimeout    any  `py:"client_timeout=60"`       // seconds until the daemon must answer
}

// push sends an image to its registry; the credentials are those of
// docker.login.
func push(c *salt.Ctx, a pushArgs) (*value.Map, error) {
	return ask(c, func(d daemon) (*value.Map, error) {
		image := value.Str(a.Image)
		repository, tag := repositoryTag(image)
		return d.transfer("Push", image, engine.Request{Op: "push", Method: http.MethodPost, Path: "/images/" + engine.ID(repository) + "/push",
			Query: engine.Query("tag", tag), Body: new(value.Map)}, a.APIResponse, pushing)
	})
}

func pushing(out, m *value.Map) {
	status := strings.ToLower(m.Str("status"))
	switch {
	case !m.Has("id"):
	case strings.Contains(status, "already pushed"), strings.Contains(status, "already exists"):
		layer(out, "Already_Pushed", m.At("id"), false)
	case strings.Contains(status, "successfully pushed"), status == "pushed":
		layer(out, "Pushed", m.At("id"), false)
	}
}
