package cli

import (
	"context"
	"fmt"
	"time"

	"pinch/caller"
	"pinch/cli/args"
	"pinch/gitfs"
	"pinch/modules"
	"pinch/value"
)

const treeUsage = "status|update|lock"

// runTree shows and updates the Git repositories of the configuration.
func runTree(p *program, ctx context.Context, r *request) int {
	what, offline := r.words[0], r.has("--offline")
	do := map[string]func(*treeRun) error{"status": (*treeRun).status, "update": (*treeRun).update, "lock": (*treeRun).lock}[what]
	if do == nil {
		fmt.Fprintf(p.stderr, "error: pinch tree knows no %q\nhint: pinch tree %s\n", what, treeUsage)
		return args.UsageCode
	}
	line, err := p.start(r.opts)
	if err != nil {
		return p.exit(err)
	}
	defer line.Close()
	if offline || what == "status" {
		line.Opts.Set("offline", true)
	}
	if what == "update" || what == "lock" {
		line.Opts.Set("offline", offline)
	}
	run := caller.New(caller.Options{Config: line.Config, Registry: modules.Registry(), Log: line.Log})
	t := &treeRun{p: p, ctx: ctx, run: run, json: line.Opts.Str("output") == "json"}
	if t.all, err = run.Repositories(what == "status"); err == nil {
		err = do(t)
	}
	for _, fs := range t.all {
		fs.Close()
	}
	if err != nil {
		return report(err, p.stdout, p.stderr, p.stderrColor())
	}
	return t.code
}

// A treeRun is one call of pinch tree.
type treeRun struct {
	p    *program
	ctx  context.Context
	run  *caller.Caller
	all  []*gitfs.FS
	json bool
	code int
}

// status prints what the clones have, without fetching.
func (t *treeRun) status() error {
	out := new(value.List)
	for _, fs := range t.all {
		for _, s := range fs.Status(t.ctx) {
			if s.Error != "" || len(s.Refused) > 0 {
				t.code = exitGeneric
			}
			if t.json {
				out.Append(statusMap(s))
				continue
			}
			t.print(s)
		}
	}
	if t.json {
		text, err := value.JSON(out, value.JSONOptions{Indent: 4})
		if err != nil {
			return err
		}
		fmt.Fprintln(t.p.stdout, text)
	} else if len(t.all) == 0 {
		fmt.Fprintln(t.p.stdout, "no Git remotes are configured (gitfs_remotes, ext_pillar: git)")
	}
	return nil
}

func (t *treeRun) print(s gitfs.Status) {
	w := t.p.stdout
	fmt.Fprintf(w, "%s (%s)\n", s.Remote.Label(), s.Remote.Role)
	if s.Fetched.IsZero() {
		fmt.Fprintln(w, "  never fetched")
	} else {
		fmt.Fprintf(w, "  fetched %s ago\n", age(time.Since(s.Fetched)))
	}
	if s.Locked {
		fmt.Fprintln(w, "  locked by", t.run.LockFile())
	}
	if s.Error != "" {
		fmt.Fprintln(w, "  error:", s.Error)
	}
	for _, h := range s.Heads {
		fmt.Fprintf(w, "  %-12s %-16s %s  %s old, signature: %s\n", h.Env, h.Ref, h.Commit[:10], age(time.Since(h.Time)), h.Signature)
	}
	for ref, why := range s.Refused {
		fmt.Fprintf(w, "  refused: %s: %s\n", ref, why)
	}
}

func statusMap(s gitfs.Status) *value.Map {
	m := value.M("remote", s.Remote.Label(), "role", s.Remote.Role, "fetched", nil, "error", s.Error, "locked", s.Locked)
	if !s.Fetched.IsZero() {
		m.Set("fetched", s.Fetched.UTC().Format(time.RFC3339))
	}
	heads := new(value.List)
	for _, h := range s.Heads {
		heads.Append(value.M("env", h.Env, "ref", h.Ref, "commit", h.Commit, "time", h.Time.UTC().Format(time.RFC3339),
			"subject", h.Subject, "signature", h.Signature))
	}
	refused := new(value.Map)
	for ref, why := range s.Refused {
		refused.Set(ref, why)
	}
	m.Set("heads", heads)
	m.Set("refused", refused)
	return m
}

// age is a duration in its largest unit.
func age(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// update fetches all remotes now.
func (t *treeRun) update() error {
	for _, fs := range t.all {
		for _, err := range fs.Update(t.ctx) {
			fmt.Fprintln(t.p.stderr, "error:", err)
			t.code = exitGeneric
		}
	}
	return t.status()
}

// lock fetches and writes the commits of all remotes into the lock file.
func (t *treeRun) lock() error {
	all := gitfs.Lock{}
	for _, fs := range t.all {
		if errs := fs.Update(t.ctx); len(errs) > 0 {
			return errs[0]
		}
		for id, refs := range fs.Lock(t.ctx) {
			all[id] = refs
		}
	}
	if err := all.Write(t.run.LockFile()); err != nil {
		return err
	}
	fmt.Fprintf(t.p.stdout, "%s holds the commits of %d remotes\n", t.run.LockFile(), len(all))
	return nil
}
