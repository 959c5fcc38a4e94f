package docker_image

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type absentArgs struct {
	Name   any  `py:"name=None"`   // the image: its name with a tag, or its ID
	Images any  `py:"images=None"` // several images instead
	Force  bool `py:"force=False"` // remove even one that a container uses
}

// absent makes sure that images are not there.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	var targets []any
	switch l, ok := a.Images.(*value.List); {
	case !value.Truth(a.Name) && !value.Truth(a.Images):
		return salt.Failed("One of 'name' and 'images' must be provided")
	case ok:
		targets = l.Items
	case a.Images != nil:
		targets = []any{a.Images}
	default:
		targets = []any{a.Name}
	}
	var there []string
	for _, it := range targets {
		v, err := c.Call("docker.resolve_tag", it)
		if err != nil {
			return salt.Raised(err)
		}
		if s, ok := v.(string); ok {
			there = append(there, s)
		}
	}
	switch {
	case there == nil && len(targets) == 1:
		return salt.Correct("Image %s is not present", value.Str(a.Name))
	case there == nil:
		return salt.Correct("All specified images are not present")
	case c.Test && len(there) == 1:
		return salt.Would(nil, "Image %s will be removed", there[0])
	case c.Test:
		return salt.Would(nil, "The following images will be removed: %s", strings.Join(there, ", "))
	}
	return remove(c, there, a.Force)
}

func remove(c *salt.Ctx, names []string, force bool) salt.Result {
	v, err := c.CallKw("docker.rmi", value.M("force", force), value.Strings(names).Items...)
	if err != nil {
		return salt.Raised(err)
	}
	done, _ := v.(*value.Map)
	tags, err := c.Call("docker.list_tags")
	if err != nil {
		return salt.Raised(err)
	}
	var left []string
	l, _ := tags.(*value.List)
	for _, n := range names {
		if l != nil && slices.Contains(l.Items, any(n)) {
			left = append(left, n)
		}
	}
	switch {
	case left == nil && len(names) == 1:
		return salt.Changed(done, "Image %s was removed", names[0])
	case left == nil:
		return salt.Changed(done, "The following images were removed: %s", strings.Join(names, ", "))
	case len(left) < len(names):
		r := salt.Failed("The following image(s) failed to be removed: %s", strings.Join(left, ", "))
		r.Changes = done
		return r
	}
	msg := "None of the specified images were removed"
	if bad := done.List("Errors"); bad != nil && bad.Len() > 0 {
		var texts []string
		for _, it := range bad.Items {
			texts = append(texts, value.Str(it))
		}
		msg += ". The following errors were encountered: " + strings.Join(texts, "; ")
	}
	return salt.Failed("%s", msg)
}
