package git

import (
	"path/filepath"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type versionKey struct{}

type workTreeArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// currentBranch returns the name of the branch that is checked out, HEAD for none.
func currentBranch(c *salt.Ctx, a workTreeArgs) (string, error) {
	return newJob(c, a).out(c, []string{"git", "rev-parse", "--abbrev-ref", "HEAD"})
}

type describeArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	Rev            string `py:"rev='HEAD'"`           // the revision
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// describe returns what git describe calls a revision.
func describe(c *salt.Ctx, a describeArgs) (string, error) {
	return newJob(c, a).out(c, []string{"git", "describe", "--always", a.Rev})
}

type revParseArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	Rev            any    `py:"rev=None"`             // the revision
	Opts           any    `py:"opts=''"`              // more options of the subcommand: a text, or a list
	GitOpts        any    `py:"git_opts=''"`          // options of git itself, before the subcommand
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// revParse returns what git rev-parse answers.
func revParse(c *salt.Ctx, a revParseArgs) (string, error) {
	j := newJob(c, a)
	argv, err := j.withOpts("rev-parse")
	if err != nil {
		return "", err
	}
	if a.Rev != nil {
		argv = append(argv, value.Str(a.Rev))
	}
	return j.out(c, argv)
}

type revisionArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	Rev            string `py:"rev='HEAD'"`           // the revision
	Short          bool   `py:"short=False"`          // the short hash
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// revision returns the hash of a revision.
func revision(c *salt.Ctx, a revisionArgs) (string, error) {
	argv := []string{"git", "rev-parse"}
	if a.Short {
		argv = append(argv, "--short")
	}
	return newJob(c, a).out(c, append(argv, a.Rev))
}

type mergeTreeArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	Ref1           string `py:"ref1"`                 // a revision
	Ref2           string `py:"ref2"`                 // another revision
	Base           any    `py:"base=None"`            // the common ancestor; None finds it
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// mergeTree shows how two revisions would merge.
func mergeTree(c *salt.Ctx, a mergeTreeArgs) (string, error) {
	base := a.Base
	if base == nil {
		found, err := mergeBase(c, mergeBaseArgs{Cwd: a.Cwd, Refs: value.L(a.Ref1, a.Ref2), OutputEncoding: a.OutputEncoding})
		if err != nil {
			return "", salt.CommandError("Unable to determine merge base for %s and %s", a.Ref1, a.Ref2)
		}
		base = found
	}
	return newJob(c, a).out(c, []string{"git", "merge-tree", value.Str(base), a.Ref1, a.Ref2})
}

type listBranchesArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	Remote         bool   `py:"remote=False"`         // list the branches of remotes
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	IgnoreRetcode  bool   `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// listBranches lists the branches.
func listBranches(c *salt.Ctx, a listBranchesArgs) (*value.List, error) {
	kind := "heads"
	if a.Remote {
		kind = "remotes"
	}
	out, err := newJob(c, a).out(c, []string{"git", "for-each-ref", "--format", "%(refname:short)", "refs/" + kind + "/"})
	return value.Strings(splitLines(out)), err
}

// listTags lists the tags.
func listTags(c *salt.Ctx, a workTreeArgs) (*value.List, error) {
	out, err := newJob(c, a).out(c, []string{"git", "for-each-ref", "--format", "%(refname:short)", "refs/tags/"})
	return value.Strings(splitLines(out)), err
}

// status returns the changed files by what happened to them: modified, new, deleted, untracked.
func status(c *salt.Ctx, a workTreeArgs) (*value.Map, error) {
	out, err := newJob(c, a).out(c, []string{"git", "status", "-z", "--porcelain"})
	if err != nil {
		return nil, err
	}
	names := map[string]string{"M": "modified", "A": "new", "D": "deleted", "??": "untracked"}
	ret := new(value.Map)
	for item := range strings.SplitSeq(out, "\x00") {
		code, file, ok := strings.Cut(strings.TrimLeft(item, " "), " ")
		file = strings.TrimLeft(file, " ")
		if !ok || file == "" {
			continue
		}
		if n := names[code]; n != "" {
			code = n
		}
		if !ret.Has(code) {
			ret.Set(code, value.L())
		}
		ret.List(code).Append(file)
	}
	return ret, nil
}

type diffArgs struct {
	Cwd            string `py:"cwd"`                  // the checkout
	Item1          any    `py:"item1=None"`           // a revision
	Item2          any    `py:"item2=None"`           // another revision
	Opts           any    `py:"opts=''"`              // more options of the subcommand: a text, or a list
	GitOpts        any    `py:"git_opts=''"`          // options of git itself, before the subcommand
	User           any    `py:"user=None"`            // the user to run git as
	Password       any    `py:"password=None"`        // for Windows only, ignored here
	NoIndex        bool   `py:"no_index=False"`       // compare two paths outside of git
	Cached         bool   `py:"cached=False"`         // compare with the index
	Paths          any    `py:"paths=None"`           // only these paths: a list, or a text with commas
	OutputEncoding any    `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
}

// diff returns the difference between revisions, the index or files.
func diff(c *salt.Ctx, a diffArgs) (string, error) {
	if a.NoIndex && a.Cached {
		return "", salt.CommandError("The 'no_index' and 'cached' options cannot be used together")
	}
	j := newJob(c, a)
	j.merged = true
	argv, err := j.withOpts("diff")
	if err != nil {
		return "", err
	}
	revs := []any{a.Item1, a.Item2}
	switch {
	case a.NoIndex:
		argv, revs = append(argv, "--no-index"), nil
	case a.Cached:
		argv, revs = append(argv, "--cached"), revs[:1]
	}
	for _, r := range revs {
		if value.Truth(r) {
			argv = append(argv, value.Str(r))
		}
	}
	if paths := texts(a.Paths); len(paths) > 0 {
		argv = append(append(argv, "--"), paths...)
	}
	if !a.NoIndex {
		return j.out(c, argv)
	}
	j.IgnoreRetcode = true
	ret, err := j.try(c, argv, nil)
	return ret.Str("stdout"), err
}

type mergeBaseArgs struct {
	Cwd            string     `py:"cwd"`                  // the checkout
	Refs           any        `py:"refs=None"`            // revisions: a list, or a text with commas
	Octopus        bool       `py:"octopus=False"`        // the best common ancestor of all
	IsAncestor     bool       `py:"is_ancestor=False"`    // say whether the first is an ancestor of the second
	Independent    bool       `py:"independent=False"`    // only those that are not reachable from the others
	ForkPoint      any        `py:"fork_point=None"`      // where the branch forked off this one
	Opts           any        `py:"opts=''"`              // more options of the subcommand: a text, or a list
	GitOpts        any        `py:"git_opts=''"`          // options of git itself, before the subcommand
	User           any        `py:"user=None"`            // the user to run git as
	Password       any        `py:"password=None"`        // for Windows only, ignored here
	IgnoreRetcode  bool       `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any        `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
	Kwargs         *value.Map `py:"**kwargs"`             // all: return all of them
}

// mergeBase returns the common ancestor of revisions.
func mergeBase(c *salt.Ctx, a mergeBaseArgs) (any, error) {
	kw, err := only(a.Kwargs, "all")
	if err != nil {
		return nil, err
	}
	refs, err := a.refs(kw.Truth("all"))
	if err != nil {
		return nil, err
	}
	j := newJob(c, a)
	argv, err := j.withOpts("merge-base")
	if err != nil {
		return nil, err
	}
	if kw.Truth("all") {
		argv = append(argv, "--all")
	}
	switch {
	case a.Octopus:
		argv = append(argv, "--octopus")
	case a.IsAncestor:
		argv = append(argv, "--is-ancestor")
	case a.Independent:
		argv = append(argv, "--independent")
	case value.Truth(a.ForkPoint):
		argv = append(argv, "--fork-point", value.Str(a.ForkPoint))
	}
	argv = append(argv, refs...)
	if a.IsAncestor {
		ret, err := j.try(c, argv, nil)
		return err == nil && !value.Truth(ret.At("retcode")), err
	}
	out, err := j.out(c, argv)
	if err != nil {
		return nil, err
	}
	bases := splitLines(out)
	switch {
	case kw.Truth("all"):
		return value.Strings(bases), nil
	case len(bases) == 0:
		return nil, value.Errorf("IndexError", "list index out of range")
	}
	return bases[0], nil
}

type archiveArgs struct {
	Cwd            string     `py:"cwd"`                  // the checkout
	Output         string     `py:"output"`               // the archive to write
	Rev            string     `py:"rev='HEAD'"`           // the revision
	Prefix         any        `py:"prefix=None"`          // the folder in the archive; None is the checkout's name, nothing is no folder
	GitOpts        any        `py:"git_opts=''"`          // options of git itself, before the subcommand
	User           any        `py:"user=None"`            // the user to run git as
	Password       any        `py:"password=None"`        // for Windows only, ignored here
	IgnoreRetcode  bool       `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any        `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
	Kwargs         *value.Map `py:"**kwargs"`             // format: tar, zip, …
}

// archive writes an archive of a revision.
func archive(c *salt.Ctx, a archiveArgs) (bool, error) {
	kw, err := only(a.Kwargs, "format")
	if err != nil {
		return false, err
	}
	j := newJob(c, a)
	argv, err := j.command("archive")
	if err != nil {
		return false, err
	}
	if a.Prefix != "" {
		prefix := value.Str(a.Prefix)
		if !value.Truth(a.Prefix) {
			prefix = filepath.Base(j.dir) + "/"
		}
		argv = append(argv, "--prefix", prefix)
	}
	if f := kw.Str("format"); f != "" {
		argv = append(argv, "--format", f)
	}
	_, err = j.out(c, append(argv, "--output", j.path(c, a.Output), a.Rev))
	return err == nil, err
}

type versionArgs struct {
	Versioninfo bool `py:"versioninfo=False"` // return a list of numbers
}

// version returns the version of git.
func version(c *salt.Ctx, a versionArgs) (any, error) {
	read := func() (string, error) {
		res, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"git", "--version"}, Query: true})
		if err != nil || res.Code != 0 {
			return "unknown", nil
		}
		text, _, _ := strings.Cut(string(res.Stdout), "(")
		if w := strings.Fields(text); len(w) > 0 {
			return w[len(w)-1], nil
		}
		return "unknown", nil
	}
	v, err := salt.Once(c.Run, versionKey{}, read)
	if err != nil || !a.Versioninfo {
		return v, err
	}
	parts := value.L()
	for p := range strings.SplitSeq(v, ".") {
		if n, err := strconv.ParseInt(p, 10, 64); err == nil {
			parts.Append(n)
		} else {
			parts.Append(p)
		}
	}
	return parts, nil
}

// refs checks which arguments go together.
func (a *mergeBaseArgs) refs(all bool) ([]string, error) {
	refs := texts(a.Refs)
	for i := range refs {
		refs[i] = strings.TrimSpace(refs[i])
	}
	fork, modes := value.Truth(a.ForkPoint), 0
	for _, m := range []bool{a.Octopus, a.Independent, a.IsAncestor, fork} {
		if m {
			modes++
		}
	}
	switch {
	case all && (a.Independent || a.IsAncestor || fork):
		return nil, salt.InvocationError("The 'all' argument is not compatible with 'independent', 'is_ancestor', or 'fork_point'")
	case modes > 1:
		return nil, salt.InvocationError("Only one of 'octopus', 'independent', 'is_ancestor', and 'fork_point' is permitted")
	case a.IsAncestor && len(refs) != 2:
		return nil, salt.InvocationError("Two refs/commits are required if 'is_ancestor' is True")
	case fork && len(refs) > 1:
		return nil, salt.InvocationError("At most one ref/commit can be passed if 'fork_point' is specified")
	case fork && len(refs) == 0:
		return []string{"HEAD"}, nil
	}
	return refs, nil
}
