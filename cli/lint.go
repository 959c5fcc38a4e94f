package cli

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pinch/caller"
	"pinch/cli/args"
	"pinch/diag"
	"pinch/lint"
	"pinch/modules"
	"pinch/value"
)

// runLint looks for mistakes in a tree, or in the files named.
func runLint(p *program, ctx context.Context, r *request) int {
	paths, format := r.words, "text"
	if r.has("--format") {
		format = r.value("--format")
	}
	if !slices.Contains([]string{"text", "json", "sarif"}, format) {
		fmt.Fprintf(p.stderr, "error: pinch lint writes text, json or sarif, not %q\n", format)
		return args.UsageCode
	}
	line, err := p.start(r.opts)
	if err != nil {
		return p.exit(err)
	}
	defer line.Close()
	o := lint.Options{Roots: line.Config.FileRoots()[0].Dirs, Style: r.has("--style")}
	var inner []string
	if len(paths) > 0 {
		if o.Roots, o.Only, err = lintRoots(paths, o.Roots); err != nil {
			return report(err, p.stdout, p.stderr, p.stderrColor())
		}
		if len(o.Roots) == 1 && !hasTop(o.Roots[0]) {
			inner = treesBelow(o.Roots[0])
			o.Except = inner
		}
	}
	look := func(o lint.Options) diag.List {
		if len(paths) > 0 {
			line.Opts.Set("file_roots", value.M("base", value.Strings(o.Roots)))
			if !line.Config.IsSet("pillar_roots") {
				line.Opts.Set("pillar_roots", value.M("base", pillarBeside(o.Roots)))
			}
		}
		run := caller.New(caller.Options{Config: line.Config, Registry: modules.Registry(), Log: line.Log})
		o.Inspect = run.Inspect
		return lint.Tree(run.Ctx(ctx), o)
	}
	found := look(o)
	for _, root := range inner {
		found = append(found, look(lint.Options{Roots: []string{root}, Style: r.has("--style")})...)
	}
	switch format {
	case "json":
		err = lint.JSON(p.stdout, found)
	case "sarif":
		err = lint.SARIF(p.stdout, found, Version)
	default:
		lint.Text(p.stdout, found, p.color())
	}
	if err != nil {
		return report(err, p.stdout, p.stderr, p.stderrColor())
	}
	if len(found) > 0 {
		return exitGeneric
	}
	return 0
}

// lintRoots are the roots for the paths: those configured that hold them, else
// the nearest folder above that is one (see rootAbove), else a folder itself and
// a file's own folder.
func lintRoots(paths, configured []string) (roots, only []string, err error) {
	for _, path := range paths {
		abs, err := filepath.Abs(path)
		if err != nil {
			return nil, nil, err
		}
		i, err := os.Stat(abs)
		if err != nil {
			return nil, nil, err
		}
		var root string
		if j := slices.IndexFunc(configured, func(r string) bool { return abs == r || strings.HasPrefix(abs, strings.TrimSuffix(r, "/")+"/") }); j >= 0 {
			root = configured[j]
		} else if root = rootAbove(abs); root == "" && i.IsDir() {
			root = treeIn(abs)
		} else if root == "" {
			root = filepath.Dir(abs)
		}
		if !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
		only = append(only, abs)
	}
	return roots, only, nil
}

// rootAbove is the nearest folder above a path that is a root of states: it has
// a top file or modules to sync, or is where a formula's repository begins.
func rootAbove(path string) string {
	for d := filepath.Dir(path); ; d = filepath.Dir(d) {
		if hasTop(d) || hasModules(d) {
			return d
		}
		for _, mark := range []string{"FORMULA", "pillar.example"} {
			if _, err := os.Stat(filepath.Join(d, mark)); err == nil {
				return d
			}
		}
		if _, err := os.Stat(filepath.Join(d, ".git")); err == nil || d == filepath.Dir(d) {
			return ""
		}
	}
}

// treeIn is where the states of a repository are: in the folder itself, or in
// one of the usual ones in it that has a top file, else Python modules to sync.
func treeIn(dir string) string {
	for _, is := range []func(string) bool{hasTop, hasModules} {
		for _, sub := range stateRoots {
			if is(filepath.Join(dir, sub)) {
				return filepath.Join(dir, sub)
			}
		}
	}
	return dir
}

// hasModules reports whether a folder has what is synced from the top of a tree.
func hasModules(dir string) bool {
	for _, kind := range []string{"_modules", "_states", "_grains"} {
		if i, err := os.Stat(filepath.Join(dir, kind)); err == nil && i.IsDir() {
			return true
		}
	}
	return false
}

func hasTop(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "top.sls"))
	return err == nil
}

// treesBelow are the trees of states that lie in a folder which is none itself,
// as a repository of several has them.
func treesBelow(dir string) []string {
	var trees []string
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || path == dir {
			return nil
		}
		name := strings.ToLower(d.Name())
		switch rel, _ := filepath.Rel(dir, path); {
		case strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || strings.HasPrefix(name, "pillar"),
			name == "test" || name == "tests", strings.Count(rel, string(filepath.Separator)) > 3:
			return fs.SkipDir
		case hasTop(path) || hasModules(path):
			trees = append(trees, path)
			return fs.SkipDir
		}
		return nil
	})
	return trees
}

// pillarBeside lists the folder pillar beside or below the first root, if there
// is one with a top file.
func pillarBeside(roots []string) *value.List {
	for _, dir := range []string{filepath.Join(filepath.Dir(roots[0]), "pillar"), filepath.Join(roots[0], "pillar")} {
		if hasTop(dir) {
			return value.L(dir)
		}
	}
	return new(value.List)
}
