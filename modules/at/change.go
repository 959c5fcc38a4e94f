package at

import (
	"slices"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type atArgs struct {
	Args   []any      `py:"*args"`    // when, and the words of the command
	Kwargs *value.Map `py:"**kwargs"` // tag: a name for the job; runas: the user
}

// at puts a job into the queue and returns it as at.atq does.
//
//	salt-call at.at 12:05am '/sbin/reboot' tag=reboot
func at(c *salt.Ctx, a atArgs) (*value.Map, error) {
	if len(a.Args) < 2 {
		return data(nil), nil
	}
	var words []string
	for _, w := range a.Args[1:] {
		words = append(words, value.Str(w))
	}
	text := strings.Join(words, " ") + "\n"
	if tag, ok := a.Kwargs.Get("tag"); ok {
		text = "### SALT: " + value.Str(tag) + "\n" + text
	}
	kw := value.M("stdin", text, "python_shell", false)
	if user, ok := a.Kwargs.Get("runas"); ok {
		kw.Set("runas", user)
	}
	v, err := c.CallKw("cmd.run", kw, value.L("at", value.Str(a.Args[0])))
	if err != nil {
		return nil, err
	}
	out := value.Str(v)
	if strings.HasSuffix(out, "Garbled time") {
		return value.M("jobs", value.L(), "error", "invalid timespec"), nil
	}
	for line := range strings.Lines(out) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "job" {
			if id, err := strconv.ParseInt(f[1], 10, 64); err == nil {
				return atq(c, atqArgs{id})
			}
		}
	}
	return value.M("jobs", value.L(), "error", out), nil
}

type atcArgs struct {
	Jobid any `py:"jobid"` // the number of a job
}

// atc returns the text that a job will run.
func atc(c *salt.Ctx, a atcArgs) (any, error) {
	r, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"at", "-c", value.Str(a.Jobid)}, Query: true})
	if err != nil {
		return nil, err
	}
	if text := strings.TrimRight(string(r.Stdout), "\n"); text != "" {
		return text, nil
	}
	return value.M("error", "invalid job id '"+value.Str(a.Jobid)+"'"), nil
}

type atrmArgs struct {
	Args []any `py:"*args"` // numbers of jobs, or "all" and, if only those are meant, a tag
}

// atrm removes jobs from the queue and returns the numbers of those removed.
//
//	salt-call at.atrm all reboot
func atrm(c *salt.Ctx, a atrmArgs) (*value.Map, error) {
	removed := func(ids []string, tag any) *value.Map {
		return value.M("jobs", value.M("removed", value.Strings(ids), "tag", tag))
	}
	if len(a.Args) == 0 {
		return removed(nil, nil), nil
	}
	list, err := jobs(c)
	if err != nil {
		return nil, err
	}
	var words, ids []string
	for _, w := range a.Args {
		words = append(words, value.Str(w))
	}
	var tag any
	if words[0] == "all" && len(words) > 1 {
		tag = words[1]
	}
	for _, j := range list {
		id := strconv.FormatInt(j.id, 10)
		switch {
		case tag != nil && tag != j.tag && tag != id, words[0] != "all" && !slices.Contains(words, id):
		default:
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		if c.Low == nil {
			c.Run.SetRetcode(1)
		}
		return removed(nil, tag), nil
	}
	argv := value.L("at", "-d")
	for _, id := range ids {
		argv.Append(id)
	}
	_, err = c.CallKw("cmd.run_stdout", value.M("python_shell", false), argv)
	return removed(ids, tag), err
}
