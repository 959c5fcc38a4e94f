package alternatives

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type nameArgs struct {
	Name string `py:"name"` // the name of the group, such as editor
}

// display shows a group as update-alternatives does.
func display(c *salt.Ctx, a nameArgs) (string, error) {
	text, _, err := shown(c, a.Name)
	return text, err
}

// showLink is the path of the link that a group manages, False if there is no group.
func showLink(c *salt.Ctx, a nameArgs) (any, error) {
	switch c.Grains.Str("os_family") {
	case "RedHat":
		return secondLine(c, "/var/lib/alternatives/"+a.Name), nil
	case "Suse":
		return secondLine(c, "/var/lib/rpm/alternatives/"+a.Name), nil
	}
	g, err := read(c, a.Name)
	if err != nil || g == nil {
		return false, err
	}
	return g.link, nil
}

func secondLine(c *salt.Ctx, path string) any {
	b, err := c.Sys.ReadFile(path)
	lines := strings.Split(string(b), "\n")
	if err != nil || len(lines) < 2 {
		c.Log.Error("alternatives: " + path + " does not exist")
		return false
	}
	return lines[1]
}

// showCurrent is the path that a name stands for now, False if there is none.
func showCurrent(c *salt.Ctx, a nameArgs) (any, error) {
	if to := current(c, a.Name); to != "" {
		return to, nil
	}
	c.Log.Error("alternative: " + a.Name + " does not exist")
	return false, nil
}

type pathArgs struct {
	Name string `py:"name"` // the name of the group, such as editor
	Path string `py:"path"` // the program
}

// checkExists says whether a program is one of a group.
func checkExists(c *salt.Ctx, a pathArgs) (bool, error) {
	text, ok, err := shown(c, a.Name)
	if err != nil || !ok {
		return false, err
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, a.Path) {
			return true, nil
		}
	}
	return false, nil
}

// checkInstalled says whether a name stands for a program now.
func checkInstalled(c *salt.Ctx, a pathArgs) (bool, error) { return current(c, a.Name) == a.Path, nil }

type installArgs struct {
	Name     string `py:"name"`     // the name of the group, such as editor
	Link     string `py:"link"`     // the link it manages, such as /usr/bin/editor
	Path     string `py:"path"`     // the program
	Priority any    `py:"priority"` // the highest one wins in auto mode
}

// install makes a program one of a group, and returns what update-alternatives said.
func install(c *salt.Ctx, a installArgs) (string, error) {
	text, _, err := run(c, false, "--install", a.Link, a.Name, a.Path, value.Str(a.Priority))
	return text, err
}

// remove takes a program out of a group.
func remove(c *salt.Ctx, a pathArgs) (string, error) {
	text, _, err := run(c, false, "--remove", a.Name, a.Path)
	return text, err
}

// auto lets the priorities of a group decide.
func auto(c *salt.Ctx, a nameArgs) (string, error) {
	text, _, err := run(c, false, "--auto", a.Name)
	return text, err
}

// set makes a name stand for a program.
func set(c *salt.Ctx, a pathArgs) (string, error) {
	text, _, err := run(c, false, "--set", a.Name, a.Path)
	return text, err
}
