// Package puppet holds Salt's puppet module: runs of the Puppet agent and its
// facts. Its main variable is Module.
//
//	salt-call puppet.run noop tags=web
package puppet

import (
	"errors"
	"strconv"
	"strings"
	"syscall"
	"time"

	"pinch/render/yaml"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's puppet module.
var Module = salt.Module{
	Name: "puppet",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"disable":     salt.Exec(disable),
			"enable":      salt.Exec(enable),
			"fact":        salt.Exec(fact),
			"facts":       salt.Exec(facts),
			"noop":        salt.Exec(noop),
			"plugin_sync": salt.Exec(pluginSync),
			"run":         salt.Exec(run),
			"status":      salt.Exec(status),
			"summary":     salt.Exec(summary),
		}
	},
	Virtual: func(c *salt.Ctx, _ string) error {
		var gone []string
		for _, exe := range []string{"facter", "puppet"} {
			if c.Sys.LookPath(exe) == "" {
				gone = append(gone, exe)
			}
		}
		if len(gone) > 0 {
			return errors.New("The puppet execution module cannot be loaded: " + strings.Join(gone, ", ") + " unavailable.")
		}
		return nil
	},
}

// dirs are the agent's folders.
type dirs struct{ vardir, rundir, confdir string }

func ask(c *salt.Ctx) (d dirs, err error) {
	r, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"puppet", "config", "print", "--render-as", "yaml", "vardir", "rundir", "confdir"}, Query: true})
	if err != nil {
		return d, err
	}
	v, err := yaml.Load("puppet config print", string(r.Stdout))
	m, ok := v.(*value.Map)
	if err != nil || !ok {
		return d, salt.CommandError("puppet config print: %s", strings.TrimSpace(string(r.Stderr)))
	}
	return dirs{m.Str("vardir"), m.Str("rundir"), m.Str("confdir")}, nil
}

func (d dirs) disabled() string { return d.vardir + "/state/agent_disabled.lock" }

type runArgs struct {
	Args   []any      `py:"*args"`    // agent or apply (with the manifest), and flags such as noop
	Kwargs *value.Map `py:"**kwargs"` // options with values, such as tags
}

// run runs the agent once, or applies a manifest. Code 2 (changes were made) is
// no failure.
func run(c *salt.Ctx, a runArgs) (any, error) {
	d, err := ask(c)
	if err != nil {
		return nil, err
	}
	sub, flags := "agent", []string{}
	for _, it := range a.Args {
		if s := value.Str(it); s == "agent" || s == "apply" {
			sub = s
		} else {
			flags = append(flags, s)
		}
	}
	words := []string{"puppet", sub, "--vardir", d.vardir, "--confdir", d.confdir}
	if sub == "apply" {
		if len(flags) == 0 {
			return nil, salt.InvocationError("puppet apply: the manifest is missing")
		}
		words, flags = append(words, flags[0]), flags[1:]
	} else {
		flags = append(flags, "test")
	}
	for _, f := range flags {
		words = append(words, "--"+f)
	}
	opts := value.M("color", "false")
	for k, v := range a.Kwargs.Items() {
		if !strings.HasPrefix(k, "__") {
			opts.Set(k, v)
		}
	}
	for k, v := range opts.Items() {
		words = append(words, "--"+k, value.Str(v))
	}
	for i, w := range words {
		words[i] = "'" + strings.ReplaceAll(w, "'", `'"'"'`) + "'"
	}
	return c.CallKw("cmd.run_all", value.M("python_shell", true), "("+strings.Join(words, " ")+") || test $? -eq 2")
}

// noop is puppet.run that changes nothing.
func noop(c *salt.Ctx, a runArgs) (any, error) {
	a.Args = append(append([]any{}, a.Args...), "noop")
	return run(c, a)
}

// enable lets the agent run again. It says whether it was disabled.
func enable(c *salt.Ctx, _ salt.NoArgs) (bool, error) {
	d, err := ask(c)
	if err != nil || !sys.IsFile(c.Sys, d.disabled()) {
		return false, err
	}
	if err := c.Sys.Remove(d.disabled()); err != nil {
		return false, salt.CommandError("Failed to enable: %s", err)
	}
	return true, nil
}

type disableArgs struct {
	Message any `py:"message=None"` // why
}

// disable keeps the agent from running. It says whether it was enabled.
func disable(c *salt.Ctx, a disableArgs) (bool, error) {
	d, err := ask(c)
	if err != nil || sys.IsFile(c.Sys, d.disabled()) {
		return false, err
	}
	text := "{}"
	if a.Message != nil {
		s, err := value.JSON(value.Str(a.Message), value.JSONOptions{})
		if err != nil {
			return false, err
		}
		text = `{"disabled_message":` + s + "}"
	}
	if err := sys.WriteFile(c.Sys, d.disabled(), []byte(text), sys.FileAttrs{}); err != nil {
		return false, salt.CommandError("Failed to disable: %s", err)
	}
	return true, nil
}

// status says what the agent does.
func status(c *salt.Ctx, _ salt.NoArgs) (string, error) {
	d, err := ask(c)
	if err != nil {
		return "", err
	}
	if sys.IsFile(c.Sys, d.disabled()) {
		return "Administratively disabled", nil
	}
	for _, f := range []struct{ path, alive, stale string }{
		{d.vardir + "/state/agent_catalog_run.lock", "Applying a catalog", "Stale lockfile"},
		{d.rundir + "/agent.pid", "Idle daemon", "Stale pidfile"},
	} {
		if !sys.IsFile(c.Sys, f.path) {
			continue
		}
		b, _ := c.Sys.ReadFile(f.path)
		pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
		if err != nil || c.Sys.Kill(pid, syscall.Signal(0)) != nil {
			return f.stale, nil
		}
		return f.alive, nil
	}
	return "Stopped", nil
}

// summary returns what the agent noted about its last run.
func summary(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	d, err := ask(c)
	if err != nil {
		return nil, err
	}
	file := d.vardir + "/state/last_run_summary.yaml"
	b, err := c.Sys.ReadFile(file)
	if err != nil {
		return nil, salt.CommandError("Unable to read puppet run summary: %s", err)
	}
	v, err := yaml.Load(file, string(b))
	if err != nil {
		return nil, salt.CommandError("YAML error parsing puppet run summary: %s", err)
	}
	report, _ := v.(*value.Map)
	out := new(value.Map)
	if t := report.Map("time"); t != nil {
		last := "invalid or missing timestamp"
		if n, ok := t.At("last_run").(int64); ok {
			last = time.Unix(n, 0).Format("2006-01-02T15:04:05")
		}
		out.Set("last_run", last)
		times := new(value.Map)
		for _, k := range []string{"total", "config_retrieval"} {
			if v, ok := t.Get(k); ok {
				times.Set(k, v)
			}
		}
		out.Set("time", times)
	}
	if r, ok := report.Get("resources"); ok {
		out.Set("resources", r)
	}
	return out, nil
}

// pluginSync fetches plugins from the server.
func pluginSync(c *salt.Ctx, _ salt.NoArgs) (any, error) {
	return c.Call("cmd.run", "puppet plugin download")
}

type factsArgs struct {
	Puppet bool `py:"puppet=False"` // with the facts of Puppet
}

func facter(c *salt.Ctx, puppet bool, words ...string) (string, error) {
	argv := []string{"facter"}
	if puppet {
		argv = append(argv, "--puppet")
	}
	r, err := c.Sys.Run(c, sys.Cmd{Argv: append(argv, words...), Query: true})
	if err == nil && r.Code != 0 {
		err = salt.CommandError("%s", strings.TrimSpace(string(r.Stderr)))
	}
	return strings.TrimRight(string(r.Stdout), " \t\r\n"), err
}

// facts returns all facts.
func facts(c *salt.Ctx, a factsArgs) (*value.Map, error) {
	text, err := facter(c, a.Puppet)
	m := new(value.Map)
	for line := range strings.Lines(text) {
		if k, v, ok := strings.Cut(line, " => "); ok {
			m.Set(k, strings.TrimSpace(v))
		}
	}
	return m, err
}

type factArgs struct {
	Name   string `py:"name"`         // the fact
	Puppet bool   `py:"puppet=False"` // one of the facts of Puppet
}

// fact returns one fact.
func fact(c *salt.Ctx, a factArgs) (string, error) { return facter(c, a.Puppet, a.Name) }
