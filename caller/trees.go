package caller

import (
	"context"
	"path/filepath"

	"pinch/fileclient"
	"pinch/gitfs"
)

// backends are the file server's backends in the order of an option; without
// one it is the roots alone.
func (r *Caller) backends(roots fileclient.Backend, option string) []fileclient.Backend {
	if option == "" {
		return []fileclient.Backend{roots}
	}
	var out []fileclient.Backend
	for _, name := range strs(r.opts().At(option)) {
		switch name {
		case "roots", "localfs":
			out = append(out, roots)
		case "gitfs", "git":
			if list := r.opts().List("gitfs_remotes"); list.Len() > 0 {
				out = append(out, r.gitTrees())
			}
		default:
			r.o.Log.Warn("There is no fileserver backend " + name)
		}
	}
	return out
}

// gitTrees is the backend over gitfs_remotes.
func (r *Caller) gitTrees() *fileclient.Git {
	remotes, err := gitfs.Parse("gitfs", r.opts(), r.opts().List("gitfs_remotes"), r.o.Config.IsSet)
	lock, lockErr := r.locked()
	if err == nil {
		err = lockErr
	}
	g := &fileclient.Git{Context: func() context.Context { return r.base }, Err: err}
	if err == nil {
		g.FS = gitfs.New(gitfs.Options{
			Remotes: remotes, Dir: filepath.Join(r.opts().Str("cachedir"), "gitfs"),
			Offline: r.opts().Truth("offline"), Log: r.o.Log, Locked: lock,
		})
	}
	return g
}

// locked are the commits of the lock file.
func (r *Caller) locked() (gitfs.Lock, error) { return gitfs.ReadLock(r.LockFile()) }

// LockFile is the path of the lock file: pinch.lock beside the minion file.
func (r *Caller) LockFile() string { return filepath.Join(r.o.Config.Dir, "pinch.lock") }
