package git

import (
	"errors"
	"path/filepath"
	"regexp"
	"sync"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

var failedCommand = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^Command ['"].+['"] failed: `) })

// plain is what git said, without the command.
func plain(err error) string { return failedCommand().ReplaceAllString(err.Error(), "") }

func commandFailed(err error) bool {
	var e *value.Exception
	return errors.As(err, &e) && e.Class == "CommandExecutionError"
}

type clonedArgs struct {
	Name           string `py:"name"`                 // the repository
	Target         any    `py:"target"`               // where the clone is
	Branch         any    `py:"branch=None"`          // the branch that must be checked out; None is the remote's default
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	Identity       any    `py:"identity=None"`        // a private key for SSH, or several to try: paths or salt://…
	HTTPSUser      any    `py:"https_user=None"`      // the user for HTTPS
	HTTPSPass      any    `py:"https_pass=None"`      // the password for HTTPS
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// cloned makes sure that a repository is cloned, and that a branch is checked
// out if one is named. An existing clone is not updated; git.latest does that.
//
//	https://example.com/app.git:
//	  git.cloned:
//	    - target: /opt/app
//	    - branch: stable
func cloned(c *salt.Ctx, a clonedArgs) salt.Result {
	if a.Target == nil {
		return salt.Failed("'target' argument is required")
	}
	target := value.Str(a.Target)
	switch {
	case !filepath.IsAbs(target):
		return salt.Failed("'target' path must be absolute")
	case a.Branch != nil && value.Str(a.Branch) == "":
		return salt.Failed("Invalid 'branch' argument")
	case !sys.Exists(c.Sys, target):
		return a.clone(c, target)
	}
	// These only look: they run under test=True as well.
	look := c.With(false)
	if _, err := status(look, workTreeArgs{Cwd: target, User: a.User, OutputEncoding: a.OutputEncoding}); err != nil {
		return salt.Failed("%s", err)
	}
	if a.Branch == nil {
		return salt.Correct("Repository already exists at %s", target)
	}
	branch := value.Str(a.Branch)
	now, err := currentBranch(look, workTreeArgs{Cwd: target, User: a.User, OutputEncoding: a.OutputEncoding})
	changes := value.M("branch", value.M("old", now, "new", branch))
	switch {
	case err != nil:
		return salt.Raised(err)
	case now == branch:
		return salt.Correct("Repository already exists at %s and is checked out to branch '%s'", target, branch)
	case c.Test:
		return salt.Would(changes, "Branch would be changed to '%s'", branch)
	}
	rev, opts := any(branch), any(nil)
	if _, err := revParse(c, revParseArgs{Cwd: target, Rev: branch, User: a.User, IgnoreRetcode: true, OutputEncoding: a.OutputEncoding}); err != nil {
		rev, opts = "origin/"+branch, value.L("-b", branch)
	}
	if _, err := checkout(c, checkoutArgs{Cwd: target, Rev: rev, Opts: opts, User: a.User, OutputEncoding: a.OutputEncoding}); err != nil {
		if commandFailed(err) {
			return salt.Failed("Failed to change branch to '%s': %s", branch, err)
		}
		return salt.Raised(err)
	}
	return salt.Changed(changes, "Branch changed to '%s'", branch)
}

func (a *clonedArgs) clone(c *salt.Ctx, target string) salt.Result {
	with, opts := "", any(nil)
	if a.Branch != nil {
		with, opts = " with branch '"+value.Str(a.Branch)+"'", value.L("--branch", value.Str(a.Branch))
	}
	changes := value.M("new", a.Name+" => "+target)
	if c.Test {
		return salt.Would(changes, "%s would be cloned to %s%s", a.Name, target, with)
	}
	_, err := clone(c, cloneArgs{Cwd: target, URL: a.Name, Opts: opts, User: a.User, Identity: a.Identity, HTTPSUser: a.HTTPSUser,
		HTTPSPass: a.HTTPSPass, Saltenv: "base", OutputEncoding: a.OutputEncoding})
	switch {
	case err != nil && commandFailed(err):
		return salt.Failed("Clone failed: %s", plain(err))
	case err != nil:
		return salt.Raised(err)
	}
	return salt.Changed(changes, "%s cloned to %s%s", a.Name, target, with)
}
