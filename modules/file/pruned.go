package file

import (
	"slices"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// pruning removes empty folders.
type pruning struct {
	before  time.Time // only those that did not change since; zero: all
	deleted []string
	errors  *value.List // [path, reason]
}

func (p *pruning) remove(c *salt.Ctx, dir string) bool {
	if !p.before.IsZero() {
		i, err := c.Sys.Stat(dir)
		if err != nil || !i.ModTime().Before(p.before) {
			return true
		}
	}
	entries, err := c.Sys.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		p.errors.Append(value.L(dir, "[Errno 39] Directory not empty: "+value.Quote(dir)))
		return false
	}
	if err == nil {
		err = c.Sys.Remove(dir)
	}
	if err != nil {
		p.errors.Append(value.L(dir, osText(err)))
		return false
	}
	p.deleted = append(p.deleted, dir)
	return true
}

// below removes the empty folders below dir, the lowest first.
func (p *pruning) below(c *salt.Ctx, dir string) {
	entries, err := c.Sys.ReadDir(dir)
	if err != nil {
		return
	}
	var dirs []string
	for _, e := range entries {
		if e.IsDir() {
			dirs = append(dirs, joinPath(dir, e.Name()))
			p.below(c, joinPath(dir, e.Name()))
		}
	}
	for _, d := range dirs {
		p.remove(c, d)
	}
}

// prune removes a folder that is empty, with recurse also those below it first.
func prune(c *salt.Ctx, path string, recurse bool, olderThan any) (*pruning, bool) {
	p := &pruning{errors: new(value.List)}
	if value.Truth(olderThan) {
		days, err := intArg(olderThan)
		if err != nil {
			c.Log.Error("Unable to set 'older_than'. Defaulting to 0 days. (" + err.Error() + ")")
		} else {
			p.before = c.Sys.Now().Add(-time.Duration(days) * 24 * time.Hour)
		}
	}
	if recurse {
		p.below(c, path)
	}
	ok := p.errors.Len() == 0
	due := true
	if !p.before.IsZero() {
		i, err := c.Sys.Stat(path)
		due = err == nil && i.ModTime().Before(p.before)
	}
	if !due {
		return p, recurse && ok
	}
	return p, p.remove(c, path) && (ok || !recurse)
}

type rmdirArgs struct {
	Path      string `py:"path"`            // the folder
	Recurse   bool   `py:"recurse=False"`   // first removes the empty folders below it
	Verbose   bool   `py:"verbose=False"`   // returns what was removed and what could not be
	OlderThan any    `py:"older_than=None"` // only folders that did not change for so many days
}

// rmdir removes an empty folder.
func rmdir(c *salt.Ctx, a rmdirArgs) (any, error) {
	path := expandUser(c, a.Path)
	if !isAbs(path) {
		return nil, salt.InvocationError("File path must be absolute.")
	}
	if !sys.IsDir(c.Sys, path) {
		return nil, salt.InvocationError("A valid directory was not specified: %s", path)
	}
	p, ok := prune(c, path, a.Recurse, a.OlderThan)
	if a.Verbose {
		return value.M("deleted", value.Strings(p.deleted), "errors", p.errors, "result", ok), nil
	}
	return ok, nil
}

type prunedArgs struct {
	Name         string `py:"name"`                // the folder
	Recurse      bool   `py:"recurse=False"`       // first removes the empty folders below it
	IgnoreErrors bool   `py:"ignore_errors=False"` // folders that are not empty are no error; implies recurse
	OlderThan    any    `py:"older_than=None"`     // only folders that did not change for so many days
}

// pruned removes a folder if it is empty, with recurse also the empty folders
// below it. Files are never removed.
//
//	/srv/spool:
//	  file.pruned:
//	    - recurse: True
//	    - ignore_errors: True
func pruned(c *salt.Ctx, a prunedArgs) salt.Result {
	name := expandUser(c, a.Name)
	return renamed(a.Name, name, prunedState(c, name, a))
}

func prunedState(c *salt.Ctx, name string, a prunedArgs) salt.Result {
	recurse := a.Recurse || a.IgnoreErrors
	if !sys.IsDir(c.Sys, name) {
		return salt.Correct("Directory %s is not present", name)
	}
	if c.Test {
		return salt.Would(value.M("deleted", name), "Directory %s is set for removal", name)
	}
	if !isAbs(name) {
		return salt.Failed("File path must be absolute.")
	}
	p, ok := prune(c, name, recurse, a.OlderThan)
	slices.Sort(p.deleted)
	switch {
	case ok && recurse && p.deleted != nil, !ok && a.IgnoreErrors && p.deleted != nil:
		return salt.Changed(value.M("deleted", value.Strings(p.deleted)), "Recursively removed empty directories under %s", name)
	case ok && !recurse:
		return salt.Changed(value.M("deleted", name), "Removed directory %s", name)
	case ok:
		return salt.Correct("")
	}
	r := salt.Failed("Failed to remove directory %s", name)
	r.Changes = value.M("deleted", value.Strings(p.deleted), "errors", p.errors)
	return r
}
