package git

import (
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type isWorktreeArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// isWorktree says whether a directory is a further work tree of a repository.
func isWorktree(c *salt.Ctx, a isWorktreeArgs) (bool, error) {
	j := newJob(c, a)
	j.IgnoreRetcode = true
	top, err := j.out(c, []string{"git", "rev-parse", "--show-toplevel"})
	if err != nil {
		return false, nil
	}
	b, err := c.Sys.ReadFile(filepath.Join(top, ".git"))
	if err != nil {
		return false, nil
	}
	label, path, _ := strings.Cut(strings.TrimSpace(string(b)), " ")
	return label == "gitdir:" && filepath.IsAbs(strings.TrimSpace(path)), nil
}

type listWorktreesArgs struct {
	Cwd            string     `py:"cwd"`                  // the checkout
	Stale          bool       `py:"stale=False"`          // only those whose folder is gone
	User           any        `py:"user=None"`            // the user to run git as
	Password       any        `py:"password=None"`        // for Windows only, ignored here
	OutputEncoding any        `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
	Kwargs         *value.Map `py:"**kwargs"`             // all: also those whose folder is gone
}

// listWorktrees returns the work trees of a repository.
func listWorktrees(c *salt.Ctx, a listWorktreesArgs) (*value.Map, error) {
	kw, err := only(a.Kwargs, "all")
	if err != nil {
		return nil, err
	}
	all := kw.Truth("all")
	if all && a.Stale {
		return nil, salt.CommandError("'all' and 'stale' cannot both be set to True")
	}
	j := newJob(c, a)
	out, err := j.out(c, []string{"git", "worktree", "list", "--porcelain"})
	if err != nil {
		return nil, err
	}
	ret := new(value.Map)
	for block := range strings.SplitSeq(strings.TrimSpace(out), "\n\n") {
		data := map[string]string{}
		for line := range strings.SplitSeq(block, "\n") {
			k, v, _ := strings.Cut(line, " ")
			data[k] = v
		}
		path := data["worktree"]
		stale := !sys.IsDir(c.Sys, path)
		if path == "" || stale && !all && !a.Stale || !stale && a.Stale {
			continue
		}
		_, detached := data["detached"]
		m := value.M("stale", stale, "HEAD", data["HEAD"], "detached", detached, "branch", strings.Replace(data["branch"], "refs/heads/", "", 1))
		if detached {
			m.Set("branch", nil)
			tags, err := j.out(c, []string{"git", "tag", "--points-at", data["HEAD"]})
			if err != nil {
				return nil, err
			}
			if tags != "" {
				m.Set("tags", value.Strings(splitLines(tags)))
			}
		}
		ret.Set(path, m)
	}
	return ret, nil
}

type worktreeAddArgs struct {
	Cwd            string     `py:"cwd"`                  // the checkout
	WorktreePath   string     `py:"worktree_path"`        // where to make the work tree
	Ref            any        `py:"ref=None"`             // the reference
	ResetBranch    any        `py:"reset_branch=None"`    // reset a branch that exists
	Force          any        `py:"force=None"`           // make it although the branch is checked out elsewhere
	Detach         bool       `py:"detach=False"`         // without a branch
	Opts           any        `py:"opts=''"`              // more options of the subcommand: a text, or a list
	GitOpts        any        `py:"git_opts=''"`          // options of git itself, before the subcommand
	User           any        `py:"user=None"`            // the user to run git as
	Password       any        `py:"password=None"`        // for Windows only, ignored here
	IgnoreRetcode  bool       `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any        `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
	Kwargs         *value.Map `py:"**kwargs"`             // branch: the branch to make; the folder's name without
}

// worktreeAdd makes a further work tree.
func worktreeAdd(c *salt.Ctx, a worktreeAddArgs) (string, error) {
	kw, err := only(a.Kwargs, "branch")
	if err != nil {
		return "", err
	}
	branch := kw.Str("branch")
	if branch != "" && a.Detach {
		return "", salt.InvocationError("Only one of 'branch' and 'detach' is allowed")
	}
	j := newJob(c, a)
	j.merged = true
	sub := []string{"worktree", "add"}
	if a.Detach {
		sub = append(sub, "--detach")
	} else {
		if branch == "" {
			branch = filepath.Base(a.WorktreePath)
		}
		option := "-b"
		if value.Truth(a.ResetBranch) {
			option = "-B"
		}
		sub = append(sub, option, branch)
		if value.Truth(a.Force) {
			sub = append(sub, "--force")
		}
	}
	argv, err := j.withOpts(sub...)
	if err != nil {
		return "", err
	}
	argv = append(argv, a.WorktreePath)
	if value.Truth(a.Ref) {
		argv = append(argv, value.Str(a.Ref))
	}
	return j.out(c, argv)
}

type worktreePruneArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	DryRun         bool   `py:"dry_run=False"`        // only say what would go
	Verbose        bool   `py:"verbose=True"`         // say what goes
	Expire         any    `py:"expire=None"`          // only those older than this
	Opts           any    `py:"opts=''"`              // more options of the subcommand: a text, or a list
	GitOpts        any    `py:"git_opts=''"`          // options of git itself, before the subcommand
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// worktreePrune forgets work trees whose folder is gone and returns what git says.
func worktreePrune(c *salt.Ctx, a worktreePruneArgs) (string, error) {
	j := newJob(c, a)
	sub := []string{"worktree", "prune"}
	if a.DryRun {
		sub = append(sub, "--dry-run")
	}
	if a.Verbose {
		sub = append(sub, "--verbose")
	}
	if value.Truth(a.Expire) {
		sub = append(sub, "--expire", value.Str(a.Expire))
	}
	argv, err := j.withOpts(sub...)
	if err != nil {
		return "", err
	}
	ret, err := j.all(c, argv)
	if err != nil {
		return "", err
	}
	// git 2.35.1 moved the answer to stderr.
	return ret.Str("stdout") + ret.Str("stderr"), nil
}

type worktreeRmArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	User           any    `py:"user=None"`            // the user to run git as
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// worktreeRm removes the folder of a further work tree.
func worktreeRm(c *salt.Ctx, a worktreeRmArgs) (bool, error) {
	dir := newJob(c, a).dir
	if !sys.Exists(c.Sys, dir) {
		return false, salt.CommandError("%s does not exist", dir)
	}
	if ok, _ := isWorktree(c, isWorktreeArgs{Cwd: a.Cwd, User: a.User, OutputEncoding: a.OutputEncoding}); !ok {
		return false, salt.CommandError("%s is not a git worktree", dir)
	}
	if err := c.Sys.RemoveAll(dir); err != nil {
		return false, salt.CommandError("Unable to remove %s: %s", dir, err)
	}
	return true, nil
}
