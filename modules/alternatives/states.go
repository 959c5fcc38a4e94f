package alternatives

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

// installState makes sure that a program is one of a group.
func installState(c *salt.Ctx, a installArgs) salt.Result {
	r := register(c, a)
	r.Extra = value.M("path", a.Path, "link", a.Link, "priority", a.Priority)
	return r
}

func register(c *salt.Ctx, a installArgs) salt.Result {
	at := pathArgs{a.Name, a.Path}
	there, err := checkExists(c, at)
	switch {
	case err != nil:
		return salt.Raised(err)
	case there:
		return salt.Correct("Alternative %s for %s is already registered", a.Path, a.Name)
	case c.Test:
		return salt.Would(nil, "Alternative will be set for %s to %s with priority %s", a.Name, a.Path, value.Str(a.Priority))
	}
	out, err := install(c, a)
	if err != nil {
		return salt.Raised(err)
	}
	if there, err = checkExists(c, at); err != nil {
		return salt.Raised(err)
	}
	if !there {
		return salt.Failed("Alternative for %s not installed: %s", a.Name, out)
	}
	changes := value.M("name", a.Name, "link", a.Link, "path", a.Path, "priority", a.Priority)
	if current(c, a.Name) == a.Path {
		return salt.Changed(changes, "Alternative for %s set to path %s with priority %s", a.Name, a.Path, value.Str(a.Priority))
	}
	return salt.Changed(changes, "Alternative %s for %s registered with priority %s and not set to default", a.Path, a.Name, value.Str(a.Priority))
}

// removeState makes sure that a program is not one of a group.
func removeState(c *salt.Ctx, a pathArgs) salt.Result {
	r := unregister(c, a)
	r.Extra = value.M("path", a.Path)
	return r
}

func unregister(c *salt.Ctx, a pathArgs) salt.Result {
	there, err := checkExists(c, a)
	if err != nil {
		return salt.Raised(err)
	}
	if !there {
		if to := current(c, a.Name); to != "" {
			return salt.Correct("Alternative for %s is set to it's default path %s", a.Name, to)
		}
		return salt.Failed("Alternative for %s doesn't exist", a.Name)
	}
	if c.Test {
		return salt.Would(nil, "Alternative for %s will be removed", a.Name)
	}
	if _, err := remove(c, a); err != nil {
		return salt.Raised(err)
	}
	if to := current(c, a.Name); to != "" {
		return salt.Changed(value.M("path", to), "Alternative for %s removed. Falling back to path %s", a.Name, to)
	}
	return salt.Correct("Alternative for %s removed", a.Name)
}

// autoState makes sure that the priorities of a group decide.
func autoState(c *salt.Ctx, a nameArgs) salt.Result {
	text, _, err := shown(c, a.Name)
	if err != nil {
		return salt.Raised(err)
	}
	head, _, _ := strings.Cut(text, "\n")
	if strings.HasSuffix(head, " auto mode") {
		return salt.Correct("%s already in auto mode", a.Name)
	}
	if c.Test {
		return salt.Would(nil, "%s will be put in auto mode", a.Name)
	}
	out, err := auto(c, a)
	if err != nil {
		return salt.Raised(err)
	}
	return salt.Changed(value.M("result", out), "")
}

// setState makes sure that a name stands for a program.
func setState(c *salt.Ctx, a pathArgs) salt.Result {
	r := choose(c, a)
	r.Extra = value.M("path", a.Path)
	return r
}

func choose(c *salt.Ctx, a pathArgs) salt.Result {
	if current(c, a.Name) == a.Path {
		return salt.Correct("Alternative for %s already set to %s", a.Name, a.Path)
	}
	text, _, err := shown(c, a.Name)
	if err != nil {
		return salt.Raised(err)
	}
	if !strings.Contains("\n"+text, "\n"+a.Path) {
		return salt.Failed("Alternative %s for %s doesn't exist", a.Path, a.Name)
	}
	if c.Test {
		return salt.Would(nil, "Alternative for %s will be set to path %s", a.Name, a.Path)
	}
	if _, err := set(c, a); err != nil {
		return salt.Raised(err)
	}
	if to := current(c, a.Name); to == a.Path {
		return salt.Changed(value.M("path", to), "Alternative for %s set to path %s", a.Name, a.Path)
	}
	return salt.Correct("Alternative for %s not updated", a.Name)
}
