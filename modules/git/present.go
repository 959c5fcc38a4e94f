package git

import (
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type presentArgs struct {
	Name           string `py:"name"`                  // the directory
	Force          bool   `py:"force=False"`           // remove what is in the way
	Bare           bool   `py:"bare=True"`             // without a work tree
	Template       any    `py:"template=None"`         // the folder with templates
	SeparateGitDir any    `py:"separate_git_dir=None"` // where to put .git
	Shared         any    `py:"shared=None"`           // who may write: a word or an octal mode of git init
	User           any    `py:"user=None"`             // the user to run git as
	Password       any    `py:"password=None"`         // for Windows only, ignored here
	OutputEncoding any    `py:"output_encoding=None"`  // how git's output is encoded; None is UTF-8
}

// present makes sure that a directory is a git repository, a bare one unless
// told otherwise.
//
//	/srv/git/app.git:
//	  git.present:
//	    - shared: group
func present(c *salt.Ctx, a presentArgs) salt.Result {
	kind, changes := "", new(value.Map)
	if a.Bare {
		kind = "bare "
	}
	if sys.IsDir(c.Sys, a.Name) {
		if a.isRepository(c) {
			return salt.Correct("")
		}
		entries, err := c.Sys.ReadDir(a.Name)
		switch {
		case err != nil:
			return salt.Raised(err)
		case a.Force && c.Test:
			return salt.Would(value.M("new", a.Name, "forced init", true),
				"Target directory %s exists. Since force=True, the contents of %s would be deleted, and a %srepository would be initialized in its place.", a.Name, a.Name, kind)
		case a.Force:
			if err := c.Sys.RemoveAll(a.Name); err != nil {
				return salt.Failed("Unable to remove %s: %s", a.Name, err)
			}
			changes.Set("forced init", true)
		case len(entries) > 0:
			return salt.Failed("Target '%s' exists, is non-empty, and is not a git repository. Set the 'force' option to True to remove this directory's contents and proceed with initializing a repository", a.Name)
		}
	}
	if c.Test {
		return salt.Would(value.M("new", a.Name), "New %srepository would be created", kind)
	}
	if _, err := init_(c, initArgs{Cwd: a.Name, Bare: a.Bare, Template: a.Template, SeparateGitDir: a.SeparateGitDir, Shared: a.Shared, User: a.User, OutputEncoding: a.OutputEncoding}); err != nil {
		return salt.Raised(err)
	}
	actions := []string{"Initialized " + kind + "repository in " + a.Name}
	if value.Truth(a.Template) {
		actions = append(actions, "Template directory set to "+value.Str(a.Template))
	}
	if value.Truth(a.SeparateGitDir) {
		actions = append(actions, "Gitdir set to "+value.Str(a.SeparateGitDir))
	}
	changes.Set("new", a.Name)
	return salt.Changed(changes, "%s", sentences(actions))
}

// sentences joins comments; several end with a full stop.
func sentences(list []string) string {
	s := strings.Join(list, ". ")
	if len(list) > 1 {
		s += "."
	}
	return s
}

func (a *presentArgs) isRepository(c *salt.Ctx) bool {
	if a.Bare {
		return sys.IsFile(c.Sys, a.Name+"/HEAD")
	}
	if sys.IsDir(c.Sys, a.Name+"/.git") {
		return true
	}
	if !sys.IsFile(c.Sys, a.Name+"/.git") {
		return false
	}
	ok, _ := isWorktree(c.With(false), isWorktreeArgs{Cwd: a.Name, User: a.User, OutputEncoding: a.OutputEncoding})
	return ok
}
