package daemon

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"pinch/caller"
	"pinch/gitfs"
	"pinch/value"
)

// watchTree converges after the state tree changed and was quiet for a while
// (watch_tree, watch_tree_delay in seconds): folders are watched, Git remotes
// are asked every gitfs_update_interval.
func (d *Daemon) watchTree(ctx context.Context) {
	o := d.opts()
	if !o.Truth("watch_tree") {
		return
	}
	quiet := 3 * time.Second
	if n, ok := o.At("watch_tree_delay").(int64); ok && n > 0 {
		quiet = time.Duration(n) * time.Second
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		d.o.Log.Error("the state tree cannot be watched: " + err.Error())
		return
	}
	conf := d.config()
	for _, root := range append(conf.FileRoots(), conf.PillarRoots()...) {
		for _, dir := range root.Dirs {
			d.addTree(w, dir)
		}
	}
	changed := make(chan string, 1)
	d.async.Add(2)
	go func() { defer d.async.Done(); defer w.Close(); d.collect(ctx, w, changed) }()
	go func() { defer d.async.Done(); d.converge(ctx, changed, quiet) }()
	if o.List("gitfs_remotes").Len() > 0 {
		d.async.Add(1)
		go func() { defer d.async.Done(); d.askGit(ctx, changed) }()
	}
}

// addTree watches a folder and all below it.
func (d *Daemon) addTree(w *fsnotify.Watcher, dir string) {
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // gone meanwhile, or not readable
		case e.IsDir() && e.Name() == ".git":
			return fs.SkipDir
		case e.IsDir():
			return w.Add(path)
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.o.Log.Error("the state tree cannot be watched: " + err.Error())
	}
}

// collect passes changes on, several as one.
func (d *Daemon) collect(ctx context.Context, w *fsnotify.Watcher, changed chan<- string) {
	for {
		select {
		case <-ctx.Done():
			return
		case err := <-w.Errors:
			if err != nil {
				d.o.Log.Warn("watching the state tree: " + err.Error())
			}
		case e := <-w.Events:
			base := filepath.Base(e.Name)
			if e.Op == fsnotify.Chmod || strings.HasSuffix(base, "~") || strings.HasPrefix(base, ".") || e.Name == "" {
				continue
			}
			if e.Has(fsnotify.Create) {
				d.addTree(w, e.Name)
			}
			select {
			case changed <- e.Name:
			default:
			}
		}
	}
}

// converge starts a highstate when changes have come and no more come.
func (d *Daemon) converge(ctx context.Context, changed <-chan string, quiet time.Duration) {
	for {
		var what string
		select {
		case <-ctx.Done():
			return
		case what = <-changed:
		}
		for waiting := true; waiting; {
			select {
			case <-ctx.Done():
				return
			case <-changed:
			case <-d.o.Clock.After(quiet):
				waiting = false
			}
		}
		d.o.Log.Info("the state tree changed", "path", what)
		d.start(ctx, Job{Fun: "state.apply", Why: "watch_tree", Kwargs: value.M("queue", true)})
	}
}

// treeCommit is the commit that the state tree was at: what gitfs shows for the
// environment base, or what the folder of file_roots has checked out; "" when
// the tree is in no repository. Nothing is fetched.
func (d *Daemon) treeCommit(ctx context.Context) string {
	conf := *d.config()
	conf.Opts = conf.Opts.Shallow()
	conf.Opts.Set("offline", true)
	if conf.Opts.List("gitfs_remotes").Len() > 0 {
		run := caller.New(caller.Options{Config: &conf, Registry: d.o.Registry, Log: d.o.Log})
		defer run.Close()
		run.Ctx(ctx)
		repos, _ := run.Repositories(true) // errors were those of the run
		commit := ""
		for _, r := range repos {
			for _, s := range r.Status(ctx) {
				for _, h := range s.Heads {
					if commit == "" && h.Env == "base" {
						commit = h.Commit
					}
				}
			}
			r.Close()
		}
		return commit
	}
	for _, root := range conf.FileRoots() {
		for _, dir := range root.Dirs {
			if commit := gitfs.CheckedOut(dir); commit != "" {
				return commit
			}
		}
	}
	return ""
}

// askGit asks the Git remotes for new commits.
func (d *Daemon) askGit(ctx context.Context, changed chan<- string) {
	every := time.Minute
	if n, ok := d.opts().At("gitfs_update_interval").(int64); ok && n > 0 {
		every = time.Duration(n) * time.Second
	}
	last := ""
	for {
		run := d.newRun()
		run.Ctx(ctx)
		repos, err := run.Repositories(true)
		if err != nil {
			d.o.Log.Error("gitfs: " + err.Error())
		}
		heads := ""
		for _, r := range repos {
			for _, err := range r.Update(ctx) {
				d.o.Log.Warn("gitfs: " + err.Error())
			}
			for _, s := range r.Status(ctx) {
				for _, h := range s.Heads {
					heads += h.Env + h.Ref + h.Commit
				}
			}
			r.Close()
		}
		if last != "" && heads != "" && heads != last {
			select {
			case changed <- "a new commit":
			default:
			}
		}
		if heads != "" {
			last = heads
		}
		select {
		case <-ctx.Done():
			return
		case <-d.o.Clock.After(every):
		}
	}
}
