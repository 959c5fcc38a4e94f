package file

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// keepFiles are the paths that clean leaves alone: those that required file
// states manage.
func (d *folder) keepFiles(c *salt.Ctx) []string { return keepRequired(c, d.name, d.Require) }

// keepRequired are the paths that the file states in require manage. A
// required folder below name keeps all in it, a recursion what it manages.
func keepRequired(c *salt.Ctx, name string, require any) (keep []string) {
	l, ok := require.(*value.List)
	if !ok {
		return nil
	}
	var low []*value.Map
	if c.Run != nil {
		low = c.Run.Chunks
	}
	for _, it := range l.Items {
		m, ok := it.(*value.Map)
		if !ok || !m.Has("file") {
			continue
		}
		id := m.At("file")
		for _, chunk := range low {
			if !value.Equal(chunk.At("name"), id) && !value.Equal(chunk.At("__id__"), id) {
				continue
			}
			if st := chunk.Str("state"); st != "" && st != "file" {
				continue
			}
			keep = append(keep, keepChunk(c, name, chunk)...)
		}
	}
	return keep
}

func keepChunk(c *salt.Ctx, name string, chunk *value.Map) []string {
	path := expandUser(c, chunk.Str("name"))
	if !sys.IsDir(c.Sys, path) {
		return []string{path}
	}
	if !below(path, name) {
		return nil
	}
	if chunk.Str("fun") == "recurse" {
		return keepRecursion(c, path, chunk)
	}
	keep := []string{path}
	walk(c.Sys, path, false, func(dir string, dirs, files []string) []string {
		for _, n := range append(append([]string(nil), dirs...), files...) {
			keep = append(keep, joinPath(dir, n))
		}
		return dirs
	})
	return keep
}

// keepRecursion are the paths that a required file.recurse manages.
func keepRecursion(c *salt.Ctx, path string, chunk *value.Map) []string {
	sources, err := recurseSources(c, chunk.At("source"))
	if err != nil {
		return nil
	}
	p := planArgs{name: path, sources: sources, keepSymlinks: chunk.Truth("keep_symlinks"), empty: chunk.Truth("include_empty"), merge: chunk.Truth("merge"),
		sel: selection{chunk.At("include_pat"), chunk.At("exclude_pat")}, maxDepth: chunk.At("maxdepth")}
	plan, err := planRecurse(c, &p)
	if err != nil {
		return nil
	}
	return plan.keep
}

func below(path, dir string) bool {
	path, dir = absPath(path), absPath(dir)
	return path == dir || strings.HasPrefix(path, strings.TrimRight(dir, "/")+"/")
}

// strays are the paths below root that are not kept. The kept ones and the
// folders above them stay, and so do those that the patterns exclude.
func strays(c *salt.Ctx, root string, keep []string, exclude any) ([]string, error) {
	stay := map[string]bool{root: true, "/": true}
	hold := func(path string) {
		for ; !stay[path]; path = dirName(path) {
			stay[path] = true
		}
	}
	for _, k := range keep {
		if isAbs(k) {
			hold(absPath(k))
		}
	}
	sel := selection{exclude: exclude}
	var found []string
	var bad error
	walk(c.Sys, root, false, func(dir string, dirs, files []string) []string {
		for _, n := range append(append([]string(nil), files...), dirs...) {
			path := joinPath(dir, n)
			if stay[path] {
				continue
			}
			switch ok, err := sel.admits(relPath(path, root)); {
			case err != nil:
				bad = err
			case ok:
				found = append(found, path)
			default:
				hold(path)
			}
		}
		return dirs
	})
	return slices.DeleteFunc(found, func(p string) bool { return stay[p] }), bad
}

// removeStrays removes them and returns those that were not in a removed folder.
func removeStrays(c *salt.Ctx, paths []string) (removed []string, err error) {
	gone := map[string]bool{}
	for _, p := range paths {
		if gone[dirName(p)] {
			gone[p] = true
			continue
		}
		gone[p] = true
		if err := removeAny(c, p); err != nil {
			return removed, err
		}
		removed = append(removed, p)
	}
	return removed, nil
}
