package caller

import (
	"pinch/fileclient"
	"pinch/gitfs"
	"pinch/pillar"
	"pinch/salt"
	"pinch/value"
)

// A pillarTree is one remote of git_pillar and the environment it is for.
type pillarTree struct {
	tree *gitfs.Tree
	env  string
}

// gitPillar is the external pillar git: it compiles the pillar of each remote
// with the others of the same environment behind it, and merges them.
func (r *Caller) gitPillar(c *salt.Ctx, o salt.PillarOptions, args []any) (any, error) {
	remotes, err := gitfs.Parse("git_pillar", c.Opts, value.L(args...), r.o.Config.IsSet)
	if err != nil {
		return nil, err
	}
	fs, err := r.gitOver("git_pillar", remotes, true)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	asked := o.Env
	if asked == "" {
		asked = c.Opts.Str("pillarenv")
	}
	target := asked
	if target == "" {
		target = o.SaltEnv
	}
	if target == "" {
		target = "base"
	}
	var trees []pillarTree
	for i, re := range remotes {
		ref, env := branchOf(re, target)
		t, err := fs.At(c, i, ref)
		if err != nil {
			r.o.Log.Error(err.Error())
			continue
		}
		trees = append(trees, pillarTree{t, env})
	}
	out := new(value.Map)
	for i, t := range trees {
		if t.tree.Mounted() || asked != "" && t.env != asked {
			continue
		}
		got, err := r.compileTree(c, o, trees, i)
		if err != nil {
			return nil, err
		}
		out = value.Merge(out, got, strategy(c.Opts), "yaml", c.Opts.Truth("pillar_merge_lists"))
	}
	return out, nil
}

func strategy(opts *value.Map) string {
	if s := opts.Str("pillar_source_merging_strategy"); s != "" {
		return s
	}
	return "smart"
}

// branchOf is the ref of a remote and the pillar environment that it is for.
func branchOf(re *gitfs.Remote, target string) (ref, env string) {
	ref = re.Branch
	if re.Branch == "__env__" {
		switch {
		case re.AllEnvs != "":
			return re.AllEnvs, target
		case target == "base":
			ref = re.Base
		default:
			ref = target
		}
	}
	switch {
	case re.Env == "__env__":
		env = target
	case re.Env != "":
		env = re.Env
	case ref == re.Base:
		env = "base"
	default:
		env = ref
	}
	return ref, env
}

// compileTree compiles the pillar whose top file is in the i-th tree.
func (r *Caller) compileTree(c *salt.Ctx, o salt.PillarOptions, trees []pillarTree, i int) (*value.Map, error) {
	env := trees[i].env
	b := &fileclient.GitTrees{Env: env, Trees: []*gitfs.Tree{trees[i].tree}, Context: c}
	if c.Opts.Truth("git_pillar_includes") {
		for j, t := range trees {
			if j != i && t.env == env {
				b.Trees = append(b.Trees, t.tree)
			}
		}
	}
	inner := *c
	inner.Opts = c.Opts.Shallow()
	inner.Opts.Set("pillar_roots", value.M(env, value.L("git")))
	return pillar.Compile(&inner, pillar.Options{
		Files: fileclient.New(fileclient.Options{Backends: []fileclient.Backend{b}, CacheDir: c.Opts.Str("cachedir")}),
		ID:    c.Opts.Str("id"), Env: o.Env, SaltEnv: env, NoExternal: true,
	})
}
