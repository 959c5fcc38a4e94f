package docker

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"pinch/modules/docker/engine"
	"pinch/salt"
	"pinch/value"
)

type psArgs struct {
	Filters any        `py:"filters=None"` // only containers with these properties: a map such as {label: [web]}
	Kwargs  *value.Map `py:"**kwargs"`     // all (those that do not run, too), verbose (Info has inspect_container), host (adds the host's interfaces)
}

// ps returns the containers that run, by their IDs.
//
//	salt-call docker.ps all=True filters="{'label': ['role=web']}"
func ps(c *salt.Ctx, a psArgs) (*value.Map, error) {
	d, err := open(c)
	if err != nil {
		return nil, err
	}
	out, err := d.ps(a.Filters, a.Kwargs.Truth("all"), a.Kwargs.Truth("verbose"))
	if err != nil || !a.Kwargs.Truth("host") {
		return out, err
	}
	v, err := c.Call("network.interfaces")
	out.Set("host", value.M("interfaces", v))
	return out, err
}

func (d daemon) ps(filters any, all, verbose bool) (*value.Map, error) {
	f, err := filterText(filters)
	if err != nil {
		return nil, err
	}
	l, err := d.List(engine.Request{Op: "containers", Path: "/containers/json",
		Query: engine.Query("limit", "-1", "all", "1", "size", "0", "trunc_cmd", "0", "filters", f)})
	if err != nil {
		return nil, err
	}
	running, stopped := new(value.Map), new(value.Map)
	for _, it := range l.Items {
		m, ok := it.(*value.Map)
		if !ok {
			continue
		}
		id, ok := m.Pop("Id")
		if !ok {
			continue
		}
		if strings.HasPrefix(strings.ToLower(m.Str("Status")), "up ") {
			running.Set(value.Str(id), dated(m))
		} else {
			stopped.Set(value.Str(id), dated(m))
		}
	}
	if all {
		running.Update(stopped)
	}
	if verbose {
		err = inform(running, d.container)
	}
	return running, err
}

// inform adds what inspecting tells to each of a mapping by IDs.
func inform(all *value.Map, inspect func(id string) (*value.Map, error)) error {
	for id, v := range all.Items() {
		m, err := inspect(id)
		if err != nil {
			return err
		}
		v.(*value.Map).Set("Info", m)
	}
	return nil
}

// filterText writes filters as the API takes them: lists of texts.
func filterText(v any) (string, error) {
	if v == nil {
		return "", nil
	}
	m, ok := v.(*value.Map)
	if !ok {
		return "", salt.InvocationError("filters must be a dictionary, not %s", value.Repr(v))
	}
	out := new(value.Map)
	for key, v := range m.Items() {
		l, ok := v.(*value.List)
		if !ok {
			l = value.L(v)
		}
		texts := value.L()
		for _, it := range l.Items {
			if b, ok := it.(bool); ok {
				texts.Append(strconv.FormatBool(b))
			} else {
				texts.Append(value.Str(it))
			}
		}
		out.Set(key, texts)
	}
	return value.JSON(out, value.JSONOptions{})
}

// dated renames Created, and adds it as a person reads it.
func dated(m *value.Map) *value.Map {
	out := value.NewMap(m.Len() + 1)
	for key, v := range m.Items() {
		if key == "Created" {
			key = "Time_Created_Epoch"
		}
		out.Set(key, v)
	}
	if n, ok := out.At("Time_Created_Epoch").(int64); ok {
		out.Set("Time_Created_Local", local(n))
	}
	return out
}

func local(unix int64) string { return time.Unix(unix, 0).Format("2006-01-02 15:04:05 MST") }

// human adds sizes as a person reads them, under KEY_Human.
func human(m *value.Map, keys ...string) {
	for _, key := range keys {
		if v, ok := m.Get(key); ok {
			m.Set(key+"_Human", sizeText(v))
		}
	}
}

func sizeText(v any) any {
	var n float64
	switch x := v.(type) {
	case int64:
		if x < 1024 {
			return strconv.FormatInt(x, 10) + " bytes"
		}
		n = float64(x)
	case float64:
		n = x
	case *big.Int:
		n, _ = new(big.Float).SetInt(x).Float64()
	default:
		return "unknown"
	}
	for _, unit := range []string{"KiB", "MiB", "GiB", "TiB", "PiB"} {
		if n /= 1024; n < 1024 {
			return strconv.FormatFloat(n, 'f', 1, 64) + " " + unit
		}
	}
	return nil
}

type listContainersArgs struct {
	Kwargs *value.Map `py:"**kwargs"` // all: those that do not run, too
}

// listContainers returns the names of the containers that run, sorted.
func listContainers(c *salt.Ctx, a listContainersArgs) (*value.List, error) {
	d, err := open(c)
	if err != nil {
		return nil, err
	}
	l, err := d.names(a.Kwargs.Truth("all"))
	return value.Strings(l), err
}

func (d daemon) names(all bool) ([]string, error) {
	m, err := d.ps(nil, all, false)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, v := range m.Items() {
		out = append(out, namesOf(v.(*value.Map))...)
	}
	return sorted(out), nil
}

// namesOf are the names of one container in a list.
func namesOf(m *value.Map) []string {
	var out []string
	if l := m.List("Names"); l != nil {
		for _, n := range l.Items {
			out = append(out, strings.TrimLeft(value.Str(n), "/"))
		}
	}
	return out
}

func sorted(l []string) []string {
	slices.Sort(l)
	return slices.Compact(l)
}

type imagesArgs struct {
	Verbose bool       `py:"verbose=False"` // Info has what inspect_image returns
	Kwargs  *value.Map `py:"**kwargs"`      // all: those without a tag, too
}

// images returns the images that have a tag, by their IDs.
//
//	salt-call docker.images all=True
func images(c *salt.Ctx, a imagesArgs) (*value.Map, error) {
	return ask(c, func(d daemon) (*value.Map, error) { return d.images(a.Kwargs.Truth("all"), a.Verbose) })
}

func (d daemon) images(all, verbose bool) (*value.Map, error) {
	l, err := d.List(engine.Request{Op: "images", Path: "/images/json", Query: engine.Query("only_ids", "0", "all", engine.Bool(all))})
	if err != nil {
		return nil, err
	}
	tagged, rest := new(value.Map), new(value.Map)
	for _, it := range l.Items {
		m, ok := it.(*value.Map)
		if !ok {
			continue
		}
		id, ok := m.Pop("Id")
		if !ok {
			continue
		}
		m = dated(m)
		human(m, "Size", "VirtualSize")
		if untagged(m) {
			rest.Set(value.Str(id), m)
		} else {
			tagged.Set(value.Str(id), m)
		}
	}
	if all {
		tagged.Update(rest)
	}
	if verbose {
		err = inform(tagged, d.image)
	}
	return tagged, err
}

// untagged: old daemons say <none>:<none>, newer ones null or an empty list.
func untagged(m *value.Map) bool {
	l := m.List("RepoTags")
	return l == nil || l.Len() == 0 || l.Len() == 1 && l.Items[0] == "<none>:<none>"
}

// listTags returns the tags of all images, sorted.
func listTags(c *salt.Ctx, _ salt.NoArgs) (*value.List, error) {
	return ask(c, func(d daemon) (*value.List, error) {
		l, err := d.tags()
		return value.Strings(l), err
	})
}

func (d daemon) tags() ([]string, error) {
	m, err := d.images(false, false)
	return tagsOf(m), err
}

// tagsOf are the tags of images, sorted.
func tagsOf(images *value.Map) []string {
	var out []string
	for _, v := range images.Items() {
		if m := v.(*value.Map); !untagged(m) {
			for _, t := range m.List("RepoTags").Items {
				out = append(out, value.Str(t))
			}
		}
	}
	return sorted(out)
}

// resolveImageID returns the ID of an image, False without one.
func resolveImageID(c *salt.Ctx, a imageArgs) (any, error) {
	return ask(c, func(d daemon) (any, error) {
		m, err := d.image(a.Name)
		if engine.Status(err) != 0 {
			return false, nil
		}
		return m.At("Id"), err
	})
}

type resolveTagArgs struct {
	Name   string     `py:"name"`     // name or ID of the image
	Kwargs *value.Map `py:"**kwargs"` // all: all tags, as a list
}

// resolveTag returns the first tag of an image, its ID when it has none, False
// without the image.
func resolveTag(c *salt.Ctx, a resolveTagArgs) (any, error) {
	kw, err := only(a.Kwargs, "all")
	if err != nil {
		return nil, err
	}
	return ask(c, func(d daemon) (any, error) { return d.tag(a.Name, kw.Truth("all")) })
}

func (d daemon) tag(name string, all bool) (any, error) {
	m, err := d.image(name)
	if engine.Status(err) != 0 {
		return false, nil
	}
	if err != nil {
		return nil, err
	}
	tags := m.List("RepoTags")
	switch {
	case all && tags != nil && tags.Len() > 0:
		return tags, nil
	case all:
		return value.L(m.At("Id")), nil
	case tags != nil && tags.Len() > 0:
		return tags.Items[0], nil
	}
	return m.At("Id"), nil
}

// only are the keywords of a call without those of the engine; others than the
// known ones are an error.
func only(kw *value.Map, known ...string) (*value.Map, error) {
	out := new(value.Map)
	var bad []string
	for key, v := range kw.Items() {
		switch {
		case strings.HasPrefix(key, "__"):
		case slices.Contains(known, key):
			out.Set(key, v)
		default:
			bad = append(bad, key+"="+value.Str(v))
		}
	}
	if bad != nil {
		return nil, salt.InvocationError("The following keyword arguments are not valid: %s", strings.Join(bad, ", "))
	}
	return out, nil
}
