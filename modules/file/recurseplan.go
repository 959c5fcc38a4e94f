package file

import (
	"path"
	"slices"
	"strings"

	"pinch/salt"
)

// planArgs say what a recursion copies.
type planArgs struct {
	name         string
	sources      []string
	keepSymlinks bool
	empty        bool
	merge        bool
	sel          selection
	maxDepth     any
}

// A pair is a path on this machine and where it comes from: a URL, or a link's target.
type pair struct{ dest, url string }

// recursePlan is what a recursion makes, each list in order of the paths.
type recursePlan struct {
	files, links []pair
	dirs         []string
	keep         []string // all of it, for clean
}

// planner works out a plan from the lists of the tree.
type planner struct {
	*planArgs
	depth   int // -1: no limit
	files   map[string]string
	links   map[string]string
	dirs    map[string]bool // folders of files
	allDirs map[string]bool // and those above them
	ignored map[string]bool
	keep    []string
}

// planRecurse lists what a recursion makes. Where several sources are merged
// the first that has a path wins.
func planRecurse(c *salt.Ctx, a *planArgs) (*recursePlan, error) {
	p := &planner{a, -1, map[string]string{}, map[string]string{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, nil}
	if a.maxDepth != nil {
		n, err := intArg(a.maxDepth)
		if err != nil {
			return nil, err
		}
		p.depth = int(n)
	}
	sources := a.sources
	if !a.merge && len(sources) > 1 {
		sources = sources[:1]
	}
	for _, s := range sources {
		root, env := splitEnv(s)
		if env == "" {
			env = c.Env
		}
		if err := p.source(c, strings.TrimRight(root, "/")+"/", env); err != nil {
			return nil, err
		}
	}
	out := &recursePlan{keep: p.keep}
	for _, d := range sortedKeys(p.files) {
		out.files = append(out.files, pair{d, p.files[d]})
	}
	out.links = p.orderedLinks()
	out.dirs = sortedKeys(p.dirs)
	return out, nil
}

// orderedLinks puts a link behind the one that it leads to.
func (p *planner) orderedLinks() (out []pair) {
	done := map[string]bool{}
	var add func(dest string, hops int)
	add = func(dest string, hops int) {
		if done[dest] || hops > len(p.links) {
			return
		}
		if to := linkTarget(dest, p.links[dest]); p.links[to] != "" && to != dest {
			add(to, hops+1)
		}
		if !done[dest] {
			done[dest] = true
			out = append(out, pair{dest, p.links[dest]})
		}
	}
	for _, d := range sortedKeys(p.links) {
		add(d, 0)
	}
	return out
}

func linkTarget(dest, target string) string { return normPath(joinPath(dirName(dest), target)) }

func (p *planner) full(rel string) string {
	if rel == "." {
		return p.name
	}
	return joinPath(p.name, normPath(rel))
}

// relative is a path of the tree below the source, if it is selected.
func (p *planner) relative(file, root string) (string, bool, error) {
	if strings.TrimSpace(file) == "" {
		return "", false, nil
	}
	rel := relPath(path.Clean("/"+file), path.Clean("/"+root))
	if strings.Contains("/"+rel+"/", "/../") {
		return "", false, nil
	}
	if p.depth >= 0 && strings.Count(strings.Trim(rel, "/"), "/") > p.depth {
		return "", false, nil
	}
	ok, err := p.sel.admits(rel)
	return rel, ok, err
}

// occupied reports whether something of an earlier source is at a path or above it.
func (p *planner) occupied(dest string) bool {
	if p.allDirs[dest] {
		return true
	}
	for d := dest; ; d = dirName(d) {
		if _, ok := p.files[d]; ok {
			return true
		}
		if _, ok := p.links[d]; ok {
			return true
		}
		if d == "/" || d == "" {
			return false
		}
	}
}

func (p *planner) addParents(dest string) {
	for d := dirName(dest); !p.allDirs[d]; d = dirName(d) {
		p.allDirs[d] = true
	}
}

func (p *planner) source(c *salt.Ctx, root, env string) error {
	files, err := c.Files().List(c, env, root)
	if err != nil {
		return err
	}
	if p.keepSymlinks {
		if files, err = p.symlinks(c, files, root, env); err != nil {
			return err
		}
	}
	for _, f := range files {
		rel, ok, err := p.relative(f, root)
		if err != nil {
			return err
		}
		dest := p.full(rel)
		if !ok || p.occupied(dest) {
			continue
		}
		p.keep = append(p.keep, dest)
		p.dirs[dirName(dest)] = true
		p.addParents(dest)
		p.files[dest] = "salt://" + f + "?saltenv=" + env
	}
	switch {
	case p.empty:
		return p.folders(c, root, env)
	case p.keepSymlinks:
		return p.dropEmptyLinks(c, root, env)
	}
	return nil
}

// symlinks plans the links of a source and takes what is behind them off the files.
func (p *planner) symlinks(c *salt.Ctx, files []string, root, env string) ([]string, error) {
	links, err := c.Files().Symlinks(c, env, root)
	if err != nil {
		return nil, err
	}
	files = slices.Clone(files)
	for _, name := range sortedKeys(links) {
		target := links[name]
		wasDir := false
		files = slices.DeleteFunc(files, func(f string) bool {
			below := strings.HasPrefix(f, name+"/")
			wasDir = wasDir || below
			return below || f == name
		})
		rel, ok, err := p.relative(name, root)
		if err != nil {
			return nil, err
		}
		dest := p.full(rel)
		if !ok || p.occupied(dest) {
			continue
		}
		to := linkTarget(dest, target)
		if _, isFile := p.files[to]; wasDir && isFile {
			p.ignored[dest] = true
			continue
		}
		if !wasDir && p.dirs[to] {
			continue
		}
		p.links[dest] = target
		p.keep = append(p.keep, dest)
	}
	return files, nil
}

// folders plans all folders of a source, also empty ones.
func (p *planner) folders(c *salt.Ctx, root, env string) error {
	dirs, err := c.Files().Dirs(c, env, root)
	if err != nil {
		return err
	}
	for _, d := range dirs {
		rel, ok, err := p.relative(d, root)
		if err != nil {
			return err
		}
		dest := p.full(rel)
		if !ok || p.ignored[dest] || p.underFile(dest) {
			continue
		}
		p.dirs[dest], p.allDirs[dest] = true, true
		p.keep = append(p.keep, dest)
	}
	return nil
}

func (p *planner) underFile(dest string) bool {
	had := p.allDirs[dest]
	delete(p.allDirs, dest)
	under := p.occupied(dest)
	if had {
		p.allDirs[dest] = true
	}
	return under
}

// dropEmptyLinks takes links out that lead to a folder which is not made,
// because it is empty.
func (p *planner) dropEmptyLinks(c *salt.Ctx, root, env string) error {
	dirs, err := c.Files().Dirs(c, env, root)
	if err != nil {
		return err
	}
	for again := true; again; {
		again = false
		for _, l := range sortedKeys(p.links) {
			target := p.links[l]
			if !slices.Contains(dirs, path.Join(root, target)) {
				continue
			}
			to := normPath(p.full(target))
			_, isFile := p.files[to]
			_, isLink := p.links[to]
			if isFile || isLink || p.allDirs[to] {
				continue
			}
			delete(p.links, l)
			again = true
		}
	}
	return nil
}
