package ansible

import (
	"net/url"
	"strings"

	"pinch/fileclient"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type playbooksArgs struct {
	Playbook       string     `py:"playbook"`             // the playbook
	Rundir         any        `py:"rundir=None"`          // the folder to run it in
	Check          bool       `py:"check=False"`          // only say what would be done
	Diff           bool       `py:"diff=False"`           // show how files differ
	ExtraVars      any        `py:"extra_vars=None"`      // further variables: a map, or @FILE
	FlushCache     bool       `py:"flush_cache=False"`    // forget facts
	Forks          any        `py:"forks=5"`              // how many hosts at once
	Inventory      any        `py:"inventory=None"`       // the inventory
	Limit          any        `py:"limit=None"`           // a pattern of hosts
	ListHosts      bool       `py:"list_hosts=False"`     // only list the hosts
	ListTags       bool       `py:"list_tags=False"`      // only list the tags
	ListTasks      bool       `py:"list_tasks=False"`     // only list the tasks
	ModulePath     any        `py:"module_path=None"`     // folders of modules, with colons between
	SkipTags       any        `py:"skip_tags=None"`       // leave these tags out
	StartAtTask    any        `py:"start_at_task=None"`   // begin with this task
	SyntaxCheck    bool       `py:"syntax_check=False"`   // only read the playbook
	Tags           any        `py:"tags=None"`            // only these tags
	PlaybookKwargs *value.Map `py:"playbook_kwargs=None"` // further options
}

func (a *playbooksArgs) words() []string {
	words := []string{"ansible-playbook", a.Playbook}
	flag := func(on bool, name string) {
		if on {
			words = append(words, "--"+name)
		}
	}
	option := func(v any, name string) {
		if value.Truth(v) {
			words = append(words, "--"+name+"="+value.Str(v))
		}
	}
	flag(a.Check, "check")
	flag(a.Diff, "diff")
	switch v := a.ExtraVars.(type) {
	case *value.Map:
		option(asJSON(v), "extra-vars")
	case string:
		if strings.HasPrefix(v, "@") {
			option(v, "extra-vars")
		}
	}
	flag(a.FlushCache, "flush-cache")
	option(a.Inventory, "inventory")
	option(a.Limit, "limit")
	flag(a.ListHosts, "list-hosts")
	flag(a.ListTags, "list-tags")
	flag(a.ListTasks, "list-tasks")
	option(a.ModulePath, "module-path")
	option(a.SkipTags, "skip-tags")
	option(a.StartAtTask, "start-at-task")
	flag(a.SyntaxCheck, "syntax-check")
	option(a.Tags, "tags")
	for key, v := range a.PlaybookKwargs.Items() {
		key = strings.ReplaceAll(key, "_", "-")
		switch v := v.(type) {
		case bool:
			flag(v, key)
		case string:
			words = append(words, "--"+key+"="+v)
		case *value.Map:
			words = append(words, "--"+key+"="+asJSON(v))
		}
	}
	return append(words, "--forks="+value.Str(a.Forks))
}

func asJSON(v any) string {
	s, err := value.JSON(v, value.JSONOptions{ASCII: true})
	if err != nil {
		return value.Repr(v)
	}
	return s
}

// missingPlaybook says that the program is not there.
func missingPlaybook(c *salt.Ctx) error {
	if c.Sys.LookPath("ansible-playbook") != "" {
		return nil
	}
	return value.Errorf("CommandNotFoundError", "The 'ansible-playbook' binary was not found in $PATH.")
}

// playbooks runs a playbook and returns Ansible's report with retcode. What is
// no report comes as cmd.run_all gives it.
func playbooks(c *salt.Ctx, a playbooksArgs) (any, error) {
	if err := missingPlaybook(c); err != nil {
		return nil, err
	}
	env := value.M("ANSIBLE_STDOUT_CALLBACK", "json", "ANSIBLE_RETRY_FILES_ENABLED", "0", "ANSIBLE_DEPRECATION_WARNINGS", "0")
	v, err := c.CallKw("cmd.run_all", value.M("env", env, "cwd", a.Rundir, "reset_system_locale", false, "python_shell", false), value.Strings(a.words()))
	if err != nil {
		return nil, err
	}
	m, _ := v.(*value.Map)
	ret := m
	if got, err := value.ParseJSON(m.Str("stdout")); err == nil {
		report, ok := got.(*value.Map)
		if !ok {
			return got, nil
		}
		ret = report
	}
	if n, ok := m.At("retcode").(int64); ok {
		c.Run.SetRetcode(int(n))
		ret.Set("retcode", n)
	}
	return ret, nil
}

type playbooksStateArgs struct {
	Name          string     `py:"name"`                // the playbook
	Rundir        any        `py:"rundir=None"`         // the folder to run it in
	GitRepo       any        `py:"git_repo=None"`       // a repository with the playbook, cloned into rundir or the cache
	GitKwargs     *value.Map `py:"git_kwargs=None"`     // further arguments of git.latest
	AnsibleKwargs *value.Map `py:"ansible_kwargs=None"` // further arguments of ansible.playbooks
}

// playbooksState runs a playbook. Under test=True Ansible only says what it
// would do.
func playbooksState(c *salt.Ctx, a playbooksStateArgs) salt.Result {
	if err := missingPlaybook(c); err != nil {
		return salt.Raised(err)
	}
	if value.Truth(a.GitRepo) {
		if err := a.clone(c); err != nil {
			return salt.Raised(err)
		}
	}
	kw := value.M("rundir", a.Rundir)
	if c.Test {
		kw.Set("check", true)
	}
	kw.Set("diff", true)
	kw.Update(a.AnsibleKwargs)
	// Ansible itself changes nothing under --check.
	v, err := c.With(false).CallKw("ansible.playbooks", kw, a.Name)
	if err != nil {
		return salt.Raised(err)
	}
	m, _ := v.(*value.Map)
	if !m.Has("stats") {
		return failedRun(m)
	}
	return a.result(c, m)
}

func failedRun(m *value.Map) salt.Result {
	r := salt.Failed("%s", m.Str("stderr"))
	if !m.Has("stderr") {
		r.Comment = value.Repr(m)
	}
	return r
}

// clone has git bring the repository.
func (a *playbooksStateArgs) clone(c *salt.Ctx) error {
	repo := value.Str(a.GitRepo)
	if dir, ok := a.Rundir.(string); !ok || !sys.IsDir(c.Sys, dir) {
		u, err := url.Parse(repo)
		if err != nil {
			return salt.InvocationError("git_repo: %s", err)
		}
		a.Rundir = fileclient.DownloadPath(c.Opts.Str("cachedir"), "base", u)
	}
	kw := value.M("name", repo, "target", a.Rundir)
	kw.Update(a.GitKwargs)
	_, err := c.Host.CallState(c, "git.latest", kw)
	return err
}

// result reads Ansible's report.
func (a *playbooksStateArgs) result(c *salt.Ctx, m *value.Map) salt.Result {
	quiet, fine, changed := true, true, false
	for _, it := range m.Map("stats").Items() {
		s, _ := it.(*value.Map)
		bad := s.Truth("failures") || s.Truth("unreachable")
		quiet = quiet && !bad && !s.Truth("changed")
		fine = fine && !bad
		changed = changed || !bad && s.Truth("changed")
	}
	switch {
	case quiet && c.Test:
		return salt.Correct("No changes to be made from playbook %s", a.Name)
	case quiet:
		return salt.Changed(changes(m), "No changes to be made from playbook %s", a.Name)
	case c.Test && changed:
		return salt.Would(changes(m), "Changes will be made from playbook %s", a.Name)
	case fine && !c.Test:
		return salt.Changed(changes(m), "Changes were made by playbook %s", a.Name)
	}
	r := salt.Failed("There were some issues running the playbook %s", a.Name)
	r.Changes = changes(m)
	return r
}

// changes are what changed, failed or was left out, by play, task and host.
func changes(m *value.Map) *value.Map {
	out := new(value.Map)
	each(m.List("plays"), func(play *value.Map) {
		tasks := new(value.Map)
		each(play.List("tasks"), func(task *value.Map) {
			hosts := new(value.Map)
			for host, it := range task.Map("hosts").Items() {
				data, _ := it.(*value.Map)
				switch {
				case data.At("changed") == true:
					hosts.Set(host, first(data, "diff", "changes"))
				case data.Has("failed") || data.Has("skipped") || data.Has("unreachable"):
					hosts.Set(host, first(data, "results", "msg"))
				}
			}
			if hosts.Len() > 0 {
				tasks.Set(task.Map("task").Str("name"), hosts)
			}
		})
		if tasks.Len() > 0 {
			out.Set(play.Map("play").Str("name"), tasks)
		}
	})
	return out
}

func each(l *value.List, do func(*value.Map)) {
	if l == nil {
		return
	}
	for _, it := range l.Items {
		if m, ok := it.(*value.Map); ok {
			do(m)
		}
	}
}

func first(m *value.Map, keys ...string) any {
	for _, k := range keys {
		if v, ok := m.Get(k); ok {
			return v
		}
	}
	return new(value.Map)
}
