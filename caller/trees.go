package caller

import (
	"context"
	"path/filepath"

	"pinch/fileclient"
	"pinch/gitfs"
	"pinch/value"
)

// backends are the file server's backends in the order of an option; without
// one it is the roots alone.
func (r *Caller) backends(roots fileclient.Backend, option string) []fileclient.Backend {
	if r.o.Master != nil && option != "" {
		ask := func(cmd string, fields *value.Map) (any, error) { return r.o.Master.Request(r.base, cmd, fields) }
		return []fileclient.Backend{&fileclient.Remote{Ask: ask, CacheDir: r.opts().Str("cachedir")}}
	}
	if root := r.opts().Str(pillarInGit); option == "" && root != "" {
		return []fileclient.Backend{r.gitPillarTree(root)}
	}
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
	fs, err := r.gitFS(true)
	return &fileclient.Git{FS: fs, Context: func() context.Context { return r.base }, Err: err}
}

// gitFS are the remotes of gitfs_remotes.
func (r *Caller) gitFS(locked bool) (*gitfs.FS, error) {
	remotes, err := gitfs.Parse("gitfs", r.opts(), r.opts().List("gitfs_remotes"), r.o.Config.IsSet)
	if err != nil {
		return nil, err
	}
	return r.gitOver("gitfs", remotes, locked)
}

func (r *Caller) gitOver(folder string, remotes []*gitfs.Remote, locked bool) (*gitfs.FS, error) {
	var lock gitfs.Lock
	if locked {
		var err error
		if lock, err = gitfs.ReadLock(r.LockFile()); err != nil {
			return nil, err
		}
	}
	return gitfs.New(gitfs.Options{
		Remotes: remotes, Dir: filepath.Join(r.opts().Str("cachedir"), folder),
		Offline: r.opts().Truth("offline"), Log: r.o.Log, Locked: lock,
	}), nil
}

// LockFile is the path of the lock file: pinch.lock beside the minion file.
func (r *Caller) LockFile() string { return filepath.Join(r.o.Config.Dir, "pinch.lock") }

// Repositories are the Git remotes of the state trees and of the pillar.
// Without locked the lock file does not count.
func (r *Caller) Repositories(locked bool) ([]*gitfs.FS, error) {
	var out []*gitfs.FS
	if r.opts().List("gitfs_remotes").Len() > 0 {
		fs, err := r.gitFS(locked)
		if err != nil {
			return nil, err
		}
		out = append(out, fs)
	}
	ext := r.opts().List("ext_pillar")
	if ext == nil {
		return out, nil
	}
	for _, it := range ext.Items {
		m, _ := it.(*value.Map)
		if m == nil {
			continue
		}
		if l := m.List("git"); l.Len() > 0 {
			remotes, err := gitfs.Parse("git_pillar", r.opts(), l, r.o.Config.IsSet)
			if err != nil {
				return nil, err
			}
			fs, err := r.gitOver("git_pillar", remotes, locked)
			if err != nil {
				return nil, err
			}
			out = append(out, fs)
		}
	}
	return out, nil
}

// pillarInGit is the option that names the folder of the pillar in the first
// of gitfs_remotes, for a run that has everything from one repository.
const pillarInGit = "__pillar_in_git"

// gitPillarTree is the backend over that folder.
func (r *Caller) gitPillarTree(root string) *fileclient.Git {
	g := &fileclient.Git{Context: func() context.Context { return r.base }}
	remotes, err := gitfs.Parse("gitfs", r.opts(), r.opts().List("gitfs_remotes"), r.o.Config.IsSet)
	if err == nil {
		remotes = remotes[:1]
		remotes[0].Root = root
		g.FS, err = r.gitOver("gitfs", remotes, false)
	}
	g.Err = err
	return g
}
