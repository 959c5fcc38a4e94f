package git

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
	"pinch/value/py"
)

// without drops words behind the first n.
func without(argv []string, n int, drop ...string) []string {
	out := append([]string(nil), argv[:n]...)
	for _, w := range argv[n:] {
		if !slices.Contains(drop, w) {
			out = append(out, w)
		}
	}
	return out
}

type fileArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	Filename       any    `py:"filename"`             // the file
	Opts           any    `py:"opts=''"`              // more options of the subcommand: a text, or a list
	GitOpts        any    `py:"git_opts=''"`          // options of git itself, before the subcommand
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// add adds a file to the index and returns what git says.
func add(c *salt.Ctx, a fileArgs) (string, error) {
	j := newJob(c, a)
	argv, err := j.withOpts("add", "--verbose")
	if err != nil {
		return "", err
	}
	argv = append(without(argv, 3, "-v", "--verbose"), "--", value.Str(a.Filename))
	return j.out(c, argv)
}

// rm takes a file out of the index and the checkout.
func rm(c *salt.Ctx, a fileArgs) (string, error) {
	j := newJob(c, a)
	argv, err := j.withOpts("rm")
	if err != nil {
		return "", err
	}
	argv = append(argv, "--", value.Str(a.Filename))
	return j.out(c, argv)
}

type commitArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	Message        string `py:"message"`              // the message
	Opts           any    `py:"opts=''"`              // more options of the subcommand: a text, or a list
	GitOpts        any    `py:"git_opts=''"`          // options of git itself, before the subcommand
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	Filename       any    `py:"filename=None"`        // commit only this file
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// commit commits what is in the index.
func commit(c *salt.Ctx, a commitArgs) (string, error) {
	j := newJob(c, a)
	argv, err := j.withOpts("commit", "-m", a.Message)
	if err != nil {
		return "", err
	}
	if value.Truth(a.Filename) {
		argv = append(argv, "--", value.Str(a.Filename))
	}
	return j.out(c, argv)
}

type mergeArgs struct {
	Cwd            string     `py:"cwd"`                  // the checkout
	Rev            any        `py:"rev=None"`             // the revision
	Opts           any        `py:"opts=''"`              // more options of the subcommand: a text, or a list
	GitOpts        any        `py:"git_opts=''"`          // options of git itself, before the subcommand
	User           any        `py:"user=None"`            // the user to run git as
	Password       any        `py:"password=None"`        // for Windows only, ignored here
	Identity       any        `py:"identity=None"`        // a private key for SSH, or several to try: paths or salt://…
	IgnoreRetcode  bool       `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any        `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
	Kwargs         *value.Map `py:"**kwargs"`             // none; others are an error
}

// merge merges a revision into the checkout.
func merge(c *salt.Ctx, a mergeArgs) (string, error) {
	if _, err := only(a.Kwargs); err != nil {
		return "", err
	}
	j := newJob(c, a)
	argv, err := j.withOpts("merge")
	if err != nil {
		return "", err
	}
	if value.Truth(a.Rev) {
		argv = append(argv, value.Str(a.Rev))
	}
	return j.out(c, argv)
}

type rebaseArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	Rev            any    `py:"rev='master'"`         // the revision to rebase onto
	Opts           any    `py:"opts=''"`              // more options of the subcommand: a text, or a list
	GitOpts        any    `py:"git_opts=''"`          // options of git itself, before the subcommand
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// rebase rebases the checkout onto a revision.
func rebase(c *salt.Ctx, a rebaseArgs) (string, error) {
	j := newJob(c, a)
	argv, err := j.withOpts("rebase")
	if err != nil {
		return "", err
	}
	if slices.Contains(argv, "-i") || slices.Contains(argv, "--interactive") {
		return "", salt.InvocationError("Interactive rebases are not supported")
	}
	rev, err := py.ShellSplit(value.Str(a.Rev))
	if err != nil {
		return "", err
	}
	argv = append(argv, rev...)
	return j.out(c, argv)
}

type resetArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	Opts           any    `py:"opts=''"`              // more options of the subcommand: a text, or a list
	GitOpts        any    `py:"git_opts=''"`          // options of git itself, before the subcommand
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	Identity       any    `py:"identity=None"`        // a private key for SSH, or several to try: paths or salt://…
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// reset resets the checkout, as opts say.
func reset(c *salt.Ctx, a resetArgs) (string, error) {
	j := newJob(c, a)
	argv, err := j.withOpts("reset")
	if err != nil {
		return "", err
	}
	return j.out(c, argv)
}

type stashArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	Action         string `py:"action='save'"`        // what git stash shall do
	Opts           any    `py:"opts=''"`              // more options of the subcommand: a text, or a list
	GitOpts        any    `py:"git_opts=''"`          // options of git itself, before the subcommand
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// stash saves local changes, or does another action of git stash.
func stash(c *salt.Ctx, a stashArgs) (string, error) {
	j := newJob(c, a)
	argv, err := j.withOpts("stash", a.Action)
	if err != nil {
		return "", err
	}
	return j.out(c, argv)
}

type discardLocalChangesArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	Path           string `py:"path='.'"`             // the file or folder
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// discardLocalChanges throws local changes of a path away.
func discardLocalChanges(c *salt.Ctx, a discardLocalChangesArgs) (string, error) {
	j := newJob(c, a)
	j.merged = true
	return j.out(c, []string{"git", "checkout", "--", a.Path})
}

type checkoutArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	Rev            any    `py:"rev=None"`             // the revision
	Force          bool   `py:"force=False"`          // do it although something is in the way
	Opts           any    `py:"opts=''"`              // more options of the subcommand: a text, or a list
	GitOpts        any    `py:"git_opts=''"`          // options of git itself, before the subcommand
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// checkout checks a revision out.
func checkout(c *salt.Ctx, a checkoutArgs) (string, error) {
	j := newJob(c, a)
	j.merged = true
	sub := []string{"checkout"}
	if a.Force {
		sub = append(sub, "--force")
	}
	argv, err := j.withOpts(sub...)
	if err != nil {
		return "", err
	}
	switch {
	case a.Rev != nil:
		argv = append(argv, value.Str(a.Rev))
	case !slices.Contains(argv, "-b") && !slices.Contains(argv, "-B"):
		return "", salt.InvocationError("'rev' argument is required unless -b or -B in opts")
	}
	return j.out(c, argv)
}

type symbolicRefArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	Ref            string `py:"ref"`                  // the reference
	Value          any    `py:"value=None"`           // the value
	Opts           any    `py:"opts=''"`              // more options of the subcommand: a text, or a list
	GitOpts        any    `py:"git_opts=''"`          // options of git itself, before the subcommand
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// symbolicRef returns or sets what a symbolic reference points to.
func symbolicRef(c *salt.Ctx, a symbolicRefArgs) (string, error) {
	j := newJob(c, a)
	argv, err := j.withOpts("symbolic-ref")
	if err != nil {
		return "", err
	}
	if a.Value != nil && (slices.Contains(argv, "-d") || slices.Contains(argv, "--delete")) {
		return "", salt.InvocationError("Value cannot be set for symbolic ref if -d/--delete is included in opts")
	}
	argv = append(argv, a.Ref)
	if value.Truth(a.Value) {
		argv = append(argv, value.Str(a.Value))
	}
	return j.out(c, argv)
}

type tagArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	Name           string `py:"name"`                 // the tag
	Ref            string `py:"ref='HEAD'"`           // what to tag
	Message        any    `py:"message=None"`         // the message
	Opts           any    `py:"opts=''"`              // more options of the subcommand: a text, or a list
	GitOpts        any    `py:"git_opts=''"`          // options of git itself, before the subcommand
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// tag makes a tag; with a message an annotated one.
func tag(c *salt.Ctx, a tagArgs) (string, error) {
	j := newJob(c, a)
	j.merged = true
	opts, err := words(j.Opts)
	if err != nil {
		return "", err
	}
	opts = without(opts, 0, "-a", "--annotate")
	if slices.ContainsFunc(opts, func(o string) bool { return o == "-m" || strings.Contains(o, "--message") }) {
		return "", salt.InvocationError(`Tag messages must be passed in the "message" argument`)
	}
	argv, err := j.command("tag")
	if err != nil {
		return "", err
	}
	if a.Message != nil {
		argv = append(argv, "-a", "-m", value.Str(a.Message))
	}
	argv = append(append(argv, opts...), a.Name)
	if !slices.Contains(opts, "-d") && !slices.Contains(opts, "--delete") {
		argv = append(argv, a.Ref)
	}
	return j.out(c, argv)
}

type branchArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	Name           any    `py:"name=None"`            // the branch; None lists
	Opts           any    `py:"opts=''"`              // more options of the subcommand: a text, or a list
	GitOpts        any    `py:"git_opts=''"`          // options of git itself, before the subcommand
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// branch makes a branch, or does what opts say with it.
func branch(c *salt.Ctx, a branchArgs) (bool, error) {
	j := newJob(c, a)
	argv, err := j.withOpts("branch")
	if err != nil {
		return false, err
	}
	if a.Name != nil {
		argv = append(argv, value.Str(a.Name))
	}
	_, err = j.out(c, argv)
	return err == nil, err
}

type initArgs struct {
	Cwd            string `py:"cwd"`                   // where to make the repository
	Bare           bool   `py:"bare=False"`            // without a work tree
	Template       any    `py:"template=None"`         // the folder with templates
	SeparateGitDir any    `py:"separate_git_dir=None"` // where to put .git
	Shared         any    `py:"shared=None"`           // who may write: a word or an octal mode of git init
	Opts           any    `py:"opts=''"`               // more options of the subcommand: a text, or a list
	GitOpts        any    `py:"git_opts=''"`           // options of git itself, before the subcommand
	User           any    `py:"user=None"`             // the user to run git as
	Password       any    `py:"password=None"`         // for Windows only, ignored here
	IgnoreRetcode  bool   `py:"ignore_retcode=False"`  // a failure is not logged
	OutputEncoding any    `py:"output_encoding=None"`  // how git's output is encoded; None is UTF-8
}

// init_ makes a repository.
func init_(c *salt.Ctx, a initArgs) (string, error) {
	j := newJob(c, a)
	sub := []string{"init"}
	if a.Bare {
		sub = append(sub, "--bare")
	}
	if a.Template != nil {
		sub = append(sub, "--template="+value.Str(a.Template))
	}
	if a.SeparateGitDir != nil {
		sub = append(sub, "--separate-git-dir="+value.Str(a.SeparateGitDir))
	}
	switch shared := a.Shared.(type) {
	case nil:
	case int64:
		sub = append(sub, "--shared=0"+value.Str(shared))
	case string:
		sub = append(sub, "--shared="+shared)
	default:
		sub = append(sub, "--shared="+strings.ToLower(value.Str(shared)))
	}
	argv, err := j.withOpts(sub...)
	if err != nil {
		return "", err
	}
	argv = append(argv, j.dir)
	j.dir = ""
	return j.out(c, argv)
}
