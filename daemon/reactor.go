package daemon

import (
	"context"
	"fmt"
	"os"
	"strings"

	"pinch/caller"
	"pinch/events"
	"pinch/render/yaml"
	"pinch/salt"
	"pinch/value"
)

// A reaction is one line of the option reactor: SLS files for the events whose
// tag a glob matches.
type reaction struct {
	glob string
	sls  []string
}

// setReactors reads the option reactor, a list or the path of a YAML file;
// d.mu is held.
func (d *Daemon) setReactors(o *value.Map) {
	v := o.At("reactor")
	if path, ok := v.(string); ok && path != "" {
		b, err := os.ReadFile(path)
		if err == nil {
			v, err = yaml.Load(path, string(b))
		}
		if err != nil {
			d.o.Log.Error(fmt.Sprintf("Failed to read reactor map: %q: %s", path, err))
			v = nil
		}
	}
	d.reactors = nil
	items := list(v)
	if m, ok := v.(*value.Map); ok {
		items = []any{m}
	}
	for _, it := range items {
		m, ok := it.(*value.Map)
		if !ok {
			d.o.Log.Error("reactor: each item must be a tag with its files, not " + value.Repr(it))
			continue
		}
		for glob, files := range m.Items() {
			d.reactors = append(d.reactors, reaction{glob, texts(files)})
		}
	}
}

// texts are the texts of a list, or a text alone.
func texts(v any) []string {
	if s, ok := v.(string); ok {
		return []string{s}
	}
	var out []string
	for _, it := range list(v) {
		out = append(out, value.Str(it))
	}
	return out
}

// react runs the reactions to all events, in order.
func (d *Daemon) react(ctx context.Context, all *events.Sub) {
	for e := range all.C {
		d.mu.Lock()
		var files []string
		for _, r := range d.reactors {
			if value.Fnmatch(e.Tag, r.glob) {
				files = append(files, r.sls...)
			}
		}
		d.mu.Unlock()
		if len(files) == 0 || e.Data.Str("user") == reactorUser || ctx.Err() != nil {
			continue
		}
		run := caller.New(d.options(ctx, false))
		c := run.Ctx(ctx)
		for _, file := range files {
			jobs, err := Reactions(c, file, e)
			if err != nil {
				d.o.Log.Error(fmt.Sprintf("the reaction %s to %s failed: %s", file, e.Tag, err), "tag", e.Tag)
				continue
			}
			for _, j := range jobs {
				d.start(ctx, j)
			}
		}
		run.Close()
		d.Stir()
	}
}

// reactorUser marks events of the reactor, which it does not react to.
const reactorUser = "Reactor"

// Reactions renders a reactor SLS for an event: the jobs it asks for. The
// template sees tag and data. local reactions run here if they target this
// machine, caller reactions run here, runner reactions where they have a meaning
// without a master.
func Reactions(c *salt.Ctx, file string, e events.Event) ([]Job, error) {
	t := salt.Template{Name: file, Engine: "jinja|yaml", Env: c.Env,
		Vars: value.M("tag", e.Tag, "data", value.Copy(e.Data))}
	if strings.HasPrefix(file, "salt://") {
		f, err := c.Files().Get(c, file, c.Env, salt.GetOptions{})
		if err != nil {
			return nil, err
		}
		b, err := f.Read()
		if err != nil {
			return nil, err
		}
		t.Text, t.File = string(b), f.Local
	} else {
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		t.Text, t.File = string(b), file
	}
	data, err := c.RenderData(c, t)
	if err != nil {
		return nil, err
	}
	high, ok := data.Value.(*value.Map)
	if data.Value == nil || !ok && !value.Truth(data.Value) {
		return nil, nil
	}
	if !ok {
		return nil, fmt.Errorf("%s does not render to a mapping", file)
	}
	var jobs []Job
	for id, body := range high.Items() {
		if strings.HasPrefix(id, "__") {
			continue
		}
		m, ok := body.(*value.Map)
		if !ok {
			return nil, fmt.Errorf("%s: the reaction %s is no mapping", file, id)
		}
		for fun, args := range m.Items() {
			if strings.HasPrefix(fun, "__") {
				continue
			}
			j, ok, err := reactionJob(c, fun, args)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", file, id, err)
			}
			if ok {
				j.Why = "reactor " + id
				jobs = append(jobs, j)
			}
		}
	}
	return jobs, nil
}

// reactionJob turns local.cmd.run and its arguments into a job; ok is false
// when it is for other machines.
func reactionJob(c *salt.Ctx, what string, body any) (j Job, ok bool, err error) {
	kind, fun, _ := strings.Cut(what, ".")
	low := new(value.Map)
	switch b := body.(type) {
	case nil:
	case *value.Map:
		low = b
	case *value.List:
		for _, it := range b.Items {
			switch it := it.(type) {
			case *value.Map:
				low.Update(it)
			case string: // local: [cmd.run, {tgt: …}]
				fun = it
			}
		}
	default:
		return j, false, fmt.Errorf("%s has no list of arguments", what)
	}
	if low.Has("fun") && fun == "" {
		fun = low.Str("fun")
	}
	if fun == "" {
		return j, false, fmt.Errorf("%s names no function", what)
	}
	j = Job{Fun: fun, Kwargs: new(value.Map)}
	switch kind {
	case "local", "cmd":
		if ok, err = targeted(c, low); err != nil || !ok {
			return j, false, err
		}
	case "caller":
	case "runner":
		if j.Fun, err = runnerFunction(fun); err != nil {
			return j, false, err
		}
	case "wheel":
		return j, false, fmt.Errorf("%s manages a master, and there is none", what)
	default:
		return j, false, fmt.Errorf("%s: reactions are local, caller or runner", what)
	}
	if err := j.fill(kind, low); err != nil {
		return j, false, err
	}
	if strings.HasPrefix(j.Fun, "state.") && !j.Kwargs.Has("queue") {
		j.Kwargs.Set("queue", true)
	}
	return j, true, nil
}

// fill takes the arguments from args (new form) or arg and kwarg.
func (j *Job) fill(kind string, low *value.Map) error {
	if v, ok := low.Get("args"); ok {
		switch v := v.(type) {
		case nil:
		case *value.Map:
			j.Kwargs.Update(v)
		case *value.List:
			dicts := len(v.Items) > 0
			for _, it := range v.Items {
				_, isMap := it.(*value.Map)
				dicts = dicts && isMap
			}
			if !dicts { // the old form of caller
				j.Args = v.Items
				return nil
			}
			for _, it := range v.Items {
				j.Kwargs.Update(it.(*value.Map))
			}
		default:
			return fmt.Errorf("args must be a list or a mapping, not %s", value.Repr(v))
		}
		return nil
	}
	if v, ok := low.Get("arg"); ok {
		if l, ok := v.(*value.List); ok {
			j.Args = l.Items
		} else if v != nil {
			j.Args = []any{v}
		}
	}
	kw := low.At("kwarg")
	if kw == nil {
		kw = low.At("kwargs")
	}
	if m, ok := kw.(*value.Map); ok {
		j.Kwargs.Update(m)
	}
	if kind == "runner" { // the old form has the arguments beside each other
		for k, v := range low.Items() {
			if k != "arg" && k != "kwarg" && k != "kwargs" {
				j.Kwargs.Set(k, v)
			}
		}
	}
	return nil
}

// targeted reports whether a local reaction is for this machine.
func targeted(c *salt.Ctx, low *value.Map) (bool, error) {
	tgt, ok := low.Get("tgt")
	if !ok {
		return true, nil
	}
	kind := low.Str("tgt_type")
	if kind == "" {
		kind = low.Str("expr_form")
	}
	if kind == "" {
		kind = "glob"
	}
	v, err := c.Call("match."+kind, tgt)
	return value.Truth(v), err
}

// runnerFunction is the function of this machine that does what a runner of the
// master would.
func runnerFunction(fun string) (string, error) {
	switch mod, name, _ := strings.Cut(fun, "."); {
	case fun == "state.orchestrate", fun == "state.orch", fun == "state.sls":
		return "state.orchestrate", nil
	case fun == "event.send", fun == "salt.cmd", mod == "saltutil", mod == "test":
		return fun, nil
	case mod == "state" && (name == "pause" || name == "resume" || name == "soft_kill"):
		return fun, nil
	}
	return "", fmt.Errorf("the runner %s works on a master, and there is none", fun)
}
