package docker_container

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pinch/render/yaml"
	"pinch/salt"
	"pinch/value"
)

// badNetworks are several things that are wrong with networks.
type badNetworks struct{ texts []string }

func (e *badNetworks) Error() string { return strings.Join(e.texts, ". ") }

// commentOf is a state's comment for an error of parseNetworks or resolve.
func commentOf(err error) string {
	var bad *badNetworks
	if errors.As(err, &bad) {
		return joined(bad.texts)
	}
	return err.Error()
}

// parseNetworks reads the argument networks as a map from names to maps of
// arguments for connecting. All must exist.
func parseNetworks(c *salt.Ctx, v any) (*value.Map, error) {
	out := new(value.Map)
	if !value.Truth(v) {
		return out, nil
	}
	nets := repack(c, splitInput(v))
	if nets.Len() == 0 {
		return nil, salt.CommandError("Invalid network configuration (see documentation)")
	}
	var wrong []string
	for name, conf := range nets.Items() {
		m := new(value.Map)
		if conf != nil {
			if m = repack(c, conf); m.Len() == 0 {
				return nil, salt.CommandError("Invalid configuration for network '%s' (see documentation)", name)
			}
		}
		for _, key := range []string{"links", "aliases"} {
			if v, ok := m.Get(key); ok {
				m.Set(key, splitInput(v))
			}
		}
		for key, v := range m.Items() {
			if v == nil {
				wrong = append(wrong, fmt.Sprintf("Config option '%s' for network '%s' is missing a value", key, name))
			}
		}
		out.Set(name, m)
	}
	if len(wrong) > 0 {
		return nil, &badNetworks{wrong}
	}
	return out, mustExist(c, out)
}

func mustExist(c *salt.Ctx, nets *value.Map) error {
	v, err := c.Call("docker.networks")
	if isCommandError(err) {
		return salt.CommandError("Failed to get list of existing networks: %s.", err)
	}
	if err != nil {
		return err
	}
	known := map[string]bool{}
	if l, ok := v.(*value.List); ok {
		for _, it := range l.Items {
			if m, ok := it.(*value.Map); ok {
				known[m.Str("Name")] = true
			}
		}
	}
	var missing []string
	for name := range nets.Items() {
		if !known[name] {
			missing = append(missing, name)
		}
	}
	if slices.Sort(missing); len(missing) > 0 {
		return salt.CommandError("The following networks are not present: %s", strings.Join(missing, ", "))
	}
	return nil
}

// splitInput is a list; text is one with commas.
func splitInput(v any) *value.List {
	if l, ok := v.(*value.List); ok {
		return value.L(l.Items...)
	}
	out := value.L()
	for part := range strings.SplitSeq(value.Str(v), ",") {
		out.Append(strings.TrimSpace(part))
	}
	return out
}

// repack makes one map of a list of names and of maps of one entry; the map is
// empty when it is another list.
func repack(c *salt.Ctx, v any) *value.Map {
	if s, ok := v.(string); ok {
		v, _ = yaml.Load("", s)
	}
	l, ok := v.(*value.List)
	if !ok {
		c.Log.Error("Invalid input for repack_dictlist, data passed is not a list (" + value.Str(v) + ")")
		return new(value.Map)
	}
	out := new(value.Map)
	for _, it := range l.Items {
		m, ok := it.(*value.Map)
		switch {
		case ok && m.Len() == 1:
			out.Update(m)
		case ok:
			c.Log.Error("Invalid input for repack_dictlist: key/value pairs must contain only one element (data passed: " + value.Str(it) + ").")
			return new(value.Map)
		default:
			switch it.(type) {
			case string, int64, float64, bool:
				_ = out.SetKey(it, nil)
			default:
				c.Log.Error("Invalid input for repack_dictlist: element " + value.Str(it) + " is not a string/dict/numeric value")
				return new(value.Map)
			}
		}
	}
	return out
}

// resolve is the ID of an image, which is pulled when it is not here; what
// that says goes to the changes. Under test=True it may be False.
func resolve(c *salt.Ctx, image string, timeout any, changes *value.Map) (any, error) {
	id, err := c.Call("docker.resolve_image_id", image)
	if err != nil || id != false || c.Test {
		return id, err
	}
	pulled, err := c.CallKw("docker.pull", value.M("client_timeout", timeout), image)
	if err != nil {
		return nil, salt.CommandError("Failed to pull %s: %s", image, err)
	}
	changes.Set("image", pulled)
	id, err = c.Call("docker.resolve_image_id", image)
	if err == nil && id == false {
		return nil, salt.CommandError("Image '%s' not present despite a docker pull raising no errors", image)
	}
	return id, err
}
