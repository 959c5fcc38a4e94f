package docker

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"pinch/modules/docker/engine"
	"pinch/modules/docker/translate"
	"pinch/output"
	"pinch/salt"
	"pinch/value"
)

// withInfo is an error with more to it, as Salt shows it.
func withInfo(msg string, info *value.Map) error {
	if !strings.HasSuffix(msg, ".") && !strings.HasSuffix(msg, "?") && !strings.HasSuffix(msg, "!") {
		msg += "."
	}
	text := output.Format(info, "nested", output.From(new(value.Map), false))
	return salt.CommandError("%s Additional info follows:\n\n%s", msg, strings.TrimRight(text, " \n"))
}

// reading are the options of translate that calls share.
func (d daemon) reading(skip any, collisions, validate bool) translate.Options {
	return translate.Options{Skip: skip, IgnoreCollisions: collisions, ValidateIP: validate, Log: func(text string) { d.c.Log.Warn(text) }}
}

// clean are keywords without those of the engine, and without some of ours.
func clean(kw *value.Map, less ...string) *value.Map {
	out := new(value.Map)
	for key, v := range kw.Items() {
		if !strings.HasPrefix(key, "__") {
			out.Set(key, v)
		}
	}
	for _, key := range less {
		out.Pop(key)
	}
	return out
}

type createArgs struct {
	Image            string     `py:"image"`                   // the image; it is pulled when it is not there
	Name             any        `py:"name=None"`               // the container's name; None: the daemon makes one up
	Start            bool       `py:"start=False"`             // start it
	SkipTranslate    any        `py:"skip_translate=None"`     // True, or names of arguments: they reach the API as they are
	IgnoreCollisions bool       `py:"ignore_collisions=False"` // of two names of one argument the API's wins, instead of an error
	ValidateIPAddrs  bool       `py:"validate_ip_addrs=True"`  // False: addresses are not looked at
	ClientTimeout    any        `py:"client_timeout=60"`       // seconds until the daemon must answer
	Kwargs           *value.Map `py:"**kwargs"`                // what the container is like: cmd, binds, port_bindings, environment, restart_policy …; inspect=False: do not look for the image
}

// create makes a container.
//
//	salt-call docker.create nginx name=web port_bindings='8080:80' binds=/srv/www:/usr/share/nginx/html:ro start=True
func create(c *salt.Ctx, a createArgs) (*value.Map, error) {
	return changing(c, func(d daemon) (*value.Map, error) { return d.createAndStart(a) })
}

func (d daemon) createAndStart(a createArgs) (*value.Map, error) {
	d.Client = d.Within(a.ClientTimeout)
	if err := d.need(a.Image, a.Kwargs); err != nil {
		return nil, err
	}
	began := time.Now()
	out, _, err := d.create(a.Image, a.Name, clean(a.Kwargs, "inspect"), d.reading(a.SkipTranslate, a.IgnoreCollisions, a.ValidateIPAddrs))
	if err != nil {
		return nil, err
	}
	out.Set("Time_Elapsed", time.Since(began).Seconds())
	name, err := d.nameOf(out, a.Name)
	if err != nil {
		return nil, err
	}
	if a.Start {
		if _, err := d.start(name); err != nil {
			return nil, withInfo("Failed to start container after creation", value.M("response", out, "error", err.Error()))
		}
		out.Set("Started", true)
	}
	return out, nil
}

// need pulls an image that is not there, unless the call says inspect=False.
func (d daemon) need(image string, kw *value.Map) error {
	if v, ok := kw.Get("inspect"); ok && !value.Truth(v) {
		return nil
	}
	_, err := d.image(image)
	if engine.Status(err) != 0 {
		_, err = d.pull(image, false)
	}
	return err
}

// nameOf finds and notes the name of a new container.
func (d daemon) nameOf(out *value.Map, given any) (string, error) {
	name := text(given)
	if given == nil {
		m, err := d.container(out.Str("Id"))
		if err != nil {
			return "", err
		}
		name = strings.TrimLeft(m.Str("Name"), "/")
	}
	out.Set("Name", name)
	return name, nil
}

// create makes a container, and returns the daemon's answer and its
// configuration.
func (d daemon) create(image string, name any, kw *value.Map, o translate.Options) (out, body *value.Map, err error) {
	n, err := translate.Create(image, kw, o, translate.Client{Version: d.Version(), ProxyEnv: d.ProxyEnv()})
	if err != nil {
		return nil, nil, err
	}
	if len(n.Unused) > 0 {
		d.c.Log.Warn(fmt.Sprintf("The following arguments were ignored because they are not recognized by docker-py: %s", value.Repr(value.Strings(n.Unused))))
	}
	out, err = d.Map(engine.Request{Op: "create_container", Method: http.MethodPost, Path: "/containers/create",
		Query: engine.Query("name", text(name), "platform", n.Platform), Body: n.Body})
	return out, n.Body, err
}

type getClientArgsArgs struct {
	Limit any `py:"limit=None"` // only these: create_container, host_config, connect_container_to_network, logs, create_network, ipam_config
}

// getClientArgs returns the names of the arguments that the functions of
// Docker's Python client take, which those of this module take, too.
func getClientArgs(_ *salt.Ctx, a getClientArgsArgs) (*value.Map, error) {
	return translate.ClientArgs(splitInput(a.Limit)), nil
}

// splitInput takes a list, or a text with commas.
func splitInput(v any) []string {
	var out []string
	switch x := v.(type) {
	case nil:
	case *value.List:
		for _, it := range x.Items {
			out = append(out, value.Str(it))
		}
	default:
		if s := value.Str(v); value.Truth(v) {
			for part := range strings.SplitSeq(s, ",") {
				out = append(out, strings.TrimSpace(part))
			}
		}
	}
	return out
}
