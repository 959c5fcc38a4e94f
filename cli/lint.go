package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pinch/caller"
	"pinch/cli/args"
	"pinch/lint"
	"pinch/modules"
	"pinch/value"
)

// withValue are the options of salt-call whose value is the next word.
var withValue = []string{"-c", "--config-dir", "-l", "--log-level", "--id", "--file-root", "--pillar-root", "--states-dir", "-m", "--module-dirs"}

// runLint looks for mistakes in a tree, or in the files named.
func runLint(p *program, ctx context.Context, argv []string) int {
	opts, words := taken(argv, "--format")
	words, style := without(words, "--style")
	var paths, rest []string
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "-h" || w == "--help":
			return p.help(verb("lint"))
		case slices.Contains(withValue, w):
			rest = append(rest, words[i:min(i+2, len(words))]...)
			i++
		case strings.HasPrefix(w, "-"):
			rest = append(rest, w)
		default:
			paths = append(paths, w)
		}
	}
	format := "text"
	if f := opts["--format"]; len(f) > 0 {
		format = f[len(f)-1]
	}
	if !slices.Contains([]string{"text", "json", "sarif"}, format) {
		fmt.Fprintf(p.stderr, "error: pinch lint writes text, json or sarif, not %q\n", format)
		return args.UsageCode
	}
	line, err := p.start(rest)
	if err != nil {
		return p.exit(err)
	}
	defer line.Close()
	o := lint.Options{Roots: line.Config.FileRoots()[0].Dirs, Style: style}
	if len(paths) > 0 {
		if o.Roots, o.Only, err = lintRoots(paths, o.Roots); err != nil {
			return report(err, p.stdout, p.stderr, p.stderrColor())
		}
		line.Opts.Set("file_roots", value.M("base", value.Strings(o.Roots)))
		if dir := pillarBeside(o.Roots); dir != "" && !line.Config.IsSet("pillar_roots") {
			line.Opts.Set("pillar_roots", value.M("base", value.L(dir)))
		}
	}
	run := caller.New(caller.Options{Config: line.Config, Registry: modules.Registry(), Log: line.Log})
	o.Inspect = run.Inspect
	found := lint.Tree(run.Ctx(ctx), o)
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
// a folder is a root by itself, and a file's is the nearest folder above it with
// a top.sls, or its own.
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
		} else if i.IsDir() {
			root = treeIn(abs)
		} else {
			root = filepath.Dir(abs)
			for d := root; d != "/"; d = filepath.Dir(d) {
				if _, err := os.Stat(filepath.Join(d, "top.sls")); err == nil {
					root = d
					break
				}
			}
		}
		if !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
		only = append(only, abs)
	}
	return roots, only, nil
}

// treeIn is where the states of a repository are: in the folder itself, or in
// one of the usual ones in it that has a top file.
func treeIn(dir string) string {
	for _, sub := range stateRoots {
		if _, err := os.Stat(filepath.Join(dir, sub, "top.sls")); err == nil {
			return filepath.Join(dir, sub)
		}
	}
	return dir
}

// pillarBeside is the folder pillar beside or below the first root, "" if
// there is none with a top file.
func pillarBeside(roots []string) string {
	for _, dir := range []string{filepath.Join(filepath.Dir(roots[0]), "pillar"), filepath.Join(roots[0], "pillar")} {
		if _, err := os.Stat(filepath.Join(dir, "top.sls")); err == nil {
			return dir
		}
	}
	return ""
}
