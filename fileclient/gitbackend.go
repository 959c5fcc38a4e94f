package fileclient

import (
	"context"

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
