package selinux

import (
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/py"
	"pinch/value/pyre"
)

const configFile = "/etc/selinux/config"

// selinuxFsPath returns the folder of the kernel's interface, None without
// SELinux.
func selinuxFsPath(c *salt.Ctx, _ salt.NoArgs) (any, error) {
	for _, dir := range []string{"/sys/fs/selinux", "/selinux"} {
		if sys.IsFile(c.Sys, dir+"/enforce") {
			return dir, nil
		}
	}
	return nil, nil
}

// getenforce returns the mode: Enforcing, Permissive or Disabled.
func getenforce(c *salt.Ctx, _ salt.NoArgs) (string, error) {
	dir, _ := selinuxFsPath(c, salt.NoArgs{})
	if dir == nil {
		return "Disabled", nil
	}
	b, err := c.Sys.ReadFile(value.Str(dir) + "/enforce")
	switch {
	case err != nil:
		return "Disabled", nil
	case strings.TrimSpace(string(b)) == "0":
		return "Permissive", nil
	}
	return "Enforcing", nil
}

// getconfig returns the mode that the next start has, None if it is not
// known.
func getconfig(c *salt.Ctx, _ salt.NoArgs) (any, error) {
	b, err := c.Sys.ReadFile(configFile)
	if err != nil {
		return nil, nil
	}
	for line := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(line), "SELINUX="); ok {
			return strings.TrimLeft(py.Capitalize(v), " \t"), nil
		}
	}
	return nil, nil
}

type modeArgs struct {
	Mode any `py:"mode"` // enforcing, permissive or disabled
}

// setenforce sets the mode now and in the configuration, and returns the one
// that is in force.
func setenforce(c *salt.Ctx, a modeArgs) (string, error) {
	text, _ := a.Mode.(string)
	want := strings.ToLower(text)
	enforce := "0"
	switch want {
	case "enforcing":
		enforce = "1"
	case "permissive", "disabled":
	default:
		return "", salt.InvocationError("Invalid mode %s", value.Str(a.Mode))
	}
	now, _ := getenforce(c, salt.NoArgs{})
	if dir, _ := selinuxFsPath(c, salt.NoArgs{}); now != "Disabled" && dir != nil {
		if _, err := c.Sys.WriteAt(value.Str(dir)+"/enforce", []byte(enforce), 0); err != nil {
			return "", salt.CommandError("Could not write SELinux enforce file: %s", salt.OSError(err))
		}
	}
	b, err := c.Sys.ReadFile(configFile)
	if err != nil {
		return "", salt.CommandError("Could not read SELinux config file: %s", salt.OSError(err))
	}
	re, err := pyre.Compile(`^SELINUX=.*$`, pyre.Multiline)
	if err != nil {
		return "", err
	}
	conf, _, err := re.Sub("SELINUX="+want, string(b), 0)
	if err != nil {
		return "", err
	}
	if conf != string(b) {
		if err := sys.WriteFile(c.Sys, configFile, []byte(conf), sys.FileAttrs{}); err != nil {
			return "", salt.CommandError("Could not write SELinux config file: %s", salt.OSError(err))
		}
	}
	return getenforce(c, salt.NoArgs{})
}

type modeStateArgs struct {
	Name string `py:"name"` // enforcing, permissive or disabled
}

// mode makes sure of the mode, now and after the next start.
func mode(c *salt.Ctx, a modeStateArgs) salt.Result {
	want := ""
	switch low := strings.ToLower(a.Name); {
	case strings.HasPrefix(low, "e") || low == "1" || low == "on":
		want = "Enforcing"
	case strings.HasPrefix(low, "p") || low == "0" || low == "off":
		want = "Permissive"
	case strings.HasPrefix(low, "d"):
		want = "Disabled"
	default:
		return salt.Failed("%s is not an accepted mode", a.Name)
	}
	running, _ := getenforce(c, salt.NoArgs{})
	config, _ := getconfig(c, salt.NoArgs{})
	now := any(running)
	if now == want && config != want {
		now = config
	}
	switch {
	case now == want:
		return salt.Correct("SELinux is already in %s mode", want)
	case c.Test:
		return salt.Would(value.M("old", now, "new", want), "SELinux mode is set to be changed to %s", want)
	}
	is, err := setenforce(c, modeArgs{want})
	if err != nil {
		return salt.Raised(err)
	}
	config, _ = getconfig(c, salt.NoArgs{})
	if is == want || want == "Disabled" && config == want {
		return salt.Changed(value.M("old", now, "new", is), "SELinux has been set to %s mode", want)
	}
	return salt.Failed("Failed to set SELinux to %s mode", want)
}
