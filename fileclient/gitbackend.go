package fileclient

import (
	"context"
	"errors"

	"pinch/gitfs"
	"pinch/salt"
)

// Git serves the trees of Git remotes (gitfs).
type Git struct {
	FS      *gitfs.FS
	Context func() context.Context // of the run
	// Err is why the configuration of the remotes cannot be used.
	Err error
}

// Name is the backend's in fileserver_backend.
func (g *Git) Name() string { return "gitfs" }

func (g *Git) upkeep(ctx context.Context, what, remote string) (done []string, err error) {
	if g.Err != nil {
		return nil, g.Err
	}
	switch what {
	case "update":
		return nil, errors.Join(g.FS.Update(ctx)...)
	case "clear_cache":
		if err := g.FS.Renew(ctx); err != nil {
			return nil, err
		}
		return []string{"The gitfs fileserver cache was successfully cleared"}, nil
	case "lock":
		return g.FS.Hold(remote)
	case "clear_lock":
		return g.FS.Release(remote)
	}
	return nil, nil
}

// Envs are the branches and tags that are environments.
func (g *Git) Envs() ([]string, error) {
	if g.Err != nil {
		return nil, g.Err
	}
	return g.FS.Envs(g.Context())
}

// Find reads the path from the object store.
func (g *Git) Find(path, env string) (*salt.File, error) {
	if g.Err != nil {
		return nil, g.Err
	}
	f, err := g.FS.Find(g.Context(), path, env)
	if f == nil || err != nil {
		return nil, err
	}
	return &salt.File{Path: path, Env: env, Mode: f.Mode, Size: f.Size, Time: f.Time, Open: f.Open}, nil
}

// List walks the tree of an environment.
func (g *Git) List(env string) (*Listing, error) {
	if g.Err != nil {
		return nil, g.Err
	}
	l, err := g.FS.List(g.Context(), env)
	if err != nil {
		return nil, err
	}
	return &Listing{Files: l.Files, Dirs: l.Dirs, Links: l.Links}, nil
}

// GitTrees serves single trees of Git remotes as one environment, the first
// that has a file wins (git_pillar).
type GitTrees struct {
	Env     string
	Trees   []*gitfs.Tree
	Context context.Context
}

// Envs is the one environment.
func (g *GitTrees) Envs() ([]string, error) { return []string{g.Env}, nil }

// Find looks through the trees.
func (g *GitTrees) Find(path, env string) (*salt.File, error) {
	if env != g.Env {
		return nil, nil
	}
	for _, t := range g.Trees {
		f, err := t.Find(g.Context, path)
		if err != nil {
			return nil, err
		}
		if f != nil {
			return &salt.File{Path: path, Env: env, Mode: f.Mode, Size: f.Size, Time: f.Time, Open: f.Open}, nil
		}
	}
	return nil, nil
}

// List is the union of the trees.
func (g *GitTrees) List(env string) (*Listing, error) {
	all := &Listing{Links: map[string]string{}}
	if env != g.Env {
		return all, nil
	}
	for _, t := range g.Trees {
		l, err := t.List(g.Context)
		if err != nil {
			return nil, err
		}
		all.Files, all.Dirs = append(all.Files, l.Files...), append(all.Dirs, l.Dirs...)
		for k, v := range l.Links {
			if _, ok := all.Links[k]; !ok {
				all.Links[k] = v
			}
		}
	}
	return all, nil
}
