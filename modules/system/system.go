// Package system holds Salt's system module: halt and reboot, the clock and
// the names of the machine. Its main variable is Module.
//
//	salt-call system.reboot at_time=+5
package system

import (
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's system module.
var Module = salt.Module{
	Name: "system",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"get_computer_desc":             salt.Exec(getComputerDesc),
			"get_computer_name":             salt.Exec(getComputerName),
			"get_reboot_required_witnessed": salt.Exec(getRebootRequiredWitnessed),
			"get_system_date":               salt.Exec(getSystemDate),
			"get_system_date_time":          salt.Exec(getSystemDateTime),
			"get_system_time":               salt.Exec(getSystemTime),
			"halt":                          salt.Exec(halt),
			"has_settable_hwclock":          salt.Exec(hasSettableHwclock),
			"init":                          salt.Exec(initLevel),
			"poweroff":                      salt.Exec(poweroff),
			"reboot":                        salt.Exec(reboot),
			"set_computer_desc":             salt.Exec(setComputerDesc),
			"set_computer_name":             salt.Exec(setComputerName),
			"set_reboot_required_witnessed": salt.Exec(setRebootRequiredWitnessed),
			"set_system_date":               salt.Exec(setSystemDate),
			"set_system_date_time":          salt.Exec(setSystemDateTime),
			"set_system_time":               salt.Exec(setSystemTime),
			"shutdown":                      salt.Exec(shutdown),
		}
	},
}

func run(c *salt.Ctx, words ...string) (any, error) {
	return c.CallKw("cmd.run", value.M("python_shell", false), value.Strings(words))
}

// halt halts the machine.
func halt(c *salt.Ctx, _ salt.NoArgs) (any, error) { return run(c, "halt") }

// poweroff switches the machine off.
func poweroff(c *salt.Ctx, _ salt.NoArgs) (any, error) { return run(c, "poweroff") }

type initArgs struct {
	Runlevel any `py:"runlevel"` // the runlevel
}

// initLevel changes the runlevel.
func initLevel(c *salt.Ctx, a initArgs) (any, error) { return run(c, "init", value.Str(a.Runlevel)) }

type atArgs struct {
	AtTime any `py:"at_time=None"` // when: +MINUTES or hh:mm, at once by default
}

func (a atArgs) when() string {
	if value.Truth(a.AtTime) {
		return value.Str(a.AtTime)
	}
	return "now"
}

// reboot restarts the machine.
func reboot(c *salt.Ctx, a atArgs) (any, error) { return run(c, "shutdown", "-r", a.when()) }

// shutdown switches the machine off, at a time.
func shutdown(c *salt.Ctx, a atArgs) (any, error) { return run(c, "shutdown", "-h", a.when()) }

// getComputerName returns the host name.
func getComputerName(c *salt.Ctx, _ salt.NoArgs) (any, error) { return c.Call("network.get_hostname") }

type nameArgs struct {
	Hostname string `py:"hostname"` // the new name
}

// setComputerName renames the host, see network.mod_hostname.
func setComputerName(c *salt.Ctx, a nameArgs) (any, error) {
	return c.Call("network.mod_hostname", a.Hostname)
}

const machineInfo, prettyKey = "/etc/machine-info", "PRETTY_HOSTNAME="

// getComputerDesc returns the pretty host name of machine-info(5). Where there
// is none it is "", or False on a machine without hostnamectl.
func getComputerDesc(c *salt.Ctx, _ salt.NoArgs) (any, error) {
	b, _ := c.Sys.ReadFile(machineInfo)
	for line := range strings.Lines(string(b)) {
		v, ok := strings.CutPrefix(strings.TrimSpace(line), prettyKey)
		if !ok {
			continue
		}
		if v = strings.TrimSpace(v); len(v) > 1 && v[0] == v[len(v)-1] && (v[0] == '"' || v[0] == '\'') {
			v = v[1 : len(v)-1]
		}
		return strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n", `\t`, "\t").Replace(v), nil
	}
	if c.Sys.LookPath("hostnamectl") != "" {
		return "", nil
	}
	return false, nil
}

type descArgs struct {
	Desc string `py:"desc"` // the new description
}

// setComputerDesc sets the pretty host name. It says whether that worked.
func setComputerDesc(c *salt.Ctx, a descArgs) (bool, error) {
	desc := strings.NewReplacer(`"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(a.Desc)
	if c.Sys.LookPath("hostnamectl") != "" && sys.IsDir(c.Sys, "/run/systemd/system") {
		r, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"hostnamectl", "set-hostname", "--pretty", desc}})
		return err == nil && r.Code == 0, err
	}
	line := prettyKey + `"` + desc + "\"\n"
	old, _ := c.Sys.ReadFile(machineInfo)
	var text strings.Builder
	done := false
	for l := range strings.Lines(string(old)) {
		if !done && strings.HasPrefix(strings.TrimSpace(l), prettyKey) {
			l, done = line, true
		}
		text.WriteString(l)
	}
	if !done {
		if s := text.String(); s != "" && !strings.HasSuffix(s, "\n") {
			text.WriteByte('\n')
		}
		text.WriteString(line)
	}
	err := sys.WriteFile(c.Sys, machineInfo, []byte(text.String()), sys.FileAttrs{})
	return err == nil, err
}

// witness is the file by which NI Linux Real-Time notes that a reboot is due.
const witness = "/var/volatile/tmp/salt/reboot_witnessed"

// getRebootRequiredWitnessed says whether a reboot was noted to be due.
func getRebootRequiredWitnessed(c *salt.Ctx, _ salt.NoArgs) (bool, error) {
	return sys.Exists(c.Sys, witness), nil
}

// setRebootRequiredWitnessed notes that a reboot is due, until the next one.
func setRebootRequiredWitnessed(c *salt.Ctx, _ salt.NoArgs) (bool, error) {
	if err := sys.MkdirAll(c.Sys, filepath.Dir(witness), 0o755); err != nil {
		return false, salt.InvocationError("Error creating %s: %s", filepath.Dir(witness), err)
	}
	err := sys.WriteFile(c.Sys, witness, nil, sys.FileAttrs{})
	return err == nil, err
}
