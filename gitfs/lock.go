package gitfs

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

// A Lock maps the IDs of remotes to the commits that their refs must have.
// A remote that is in it shows these refs and no others.
type Lock map[string]map[string]string

type lockFile struct {
	Version int  `json:"version"`
	Remotes Lock `json:"remotes"`
}

// ReadLock reads a lock file; one that is not there locks nothing.
func ReadLock(name string) (Lock, error) {
	b, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var f lockFile
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if f.Version != 1 {
		return nil, fmt.Errorf("%s: its version is %d, not 1", name, f.Version)
	}
	for id, refs := range f.Remotes {
		for ref, h := range refs {
			if !plumbing.IsHash(h) {
				return nil, fmt.Errorf("%s: %s of %s is no commit: %q", name, ref, id, h)
			}
		}
	}
	return f.Remotes, nil
}

// Write writes a lock file.
func (l Lock) Write(name string) error {
	b, err := json.MarshalIndent(lockFile{1, l}, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(name, append(b, '\n'))
}

// holds reports whether the lock names a commit for a remote.
func (l Lock) holds(id, commit string) bool {
	return slices.Contains(slices.Collect(maps.Values(l[id])), commit)
}
