package file

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type recurseArgs struct {
	Name          string     `py:"name"`                 // the folder that is filled
	Source        any        `py:"source"`               // the folder of the tree, salt://…; of a list the first that exists
	KeepSource    bool       `py:"keep_source=True"`     // False drops downloaded copies afterwards
	Clean         bool       `py:"clean=False"`          // removes what is not in the source
	Require       any        `py:"require=None"`         // the states whose files clean keeps
	User          any        `py:"user=None"`            // the owner
	Group         any        `py:"group=None"`           // the group
	DirMode       any        `py:"dir_mode=None"`        // the mode of folders
	FileMode      any        `py:"file_mode=None"`       // the mode of files, or keep: those of the source
	SymMode       any        `py:"sym_mode=None"`        // the mode of folders made for links
	Template      string     `py:"template=None"`        // the language of the files, such as jinja
	Context       any        `py:"context=None"`         // what the templates see
	Replace       bool       `py:"replace=True"`         // False leaves the content of files that are there
	Defaults      any        `py:"defaults=None"`        // what they see where context has nothing
	Empty         bool       `py:"include_empty=False"`  // also makes empty folders
	Backup        string     `py:"backup=''"`            // minion: old files are saved in cachedir/file_backup
	IncludePat    any        `py:"include_pat=None"`     // globs, or E@ and a regular expression, of what is copied
	ExcludePat    any        `py:"exclude_pat=None"`     // globs, or E@ and a regular expression, of what is not
	MaxDepth      any        `py:"maxdepth=None"`        // how many folders deep; 0: the files of the folder itself
	KeepSymlinks  bool       `py:"keep_symlinks=False"`  // makes links instead of copying what they lead to
	ForceSymlinks bool       `py:"force_symlinks=False"` // replaces files and folders by links
	WinOwner      any        `py:"win_owner=None"`       // Windows only
	WinPerms      any        `py:"win_perms=None"`       // Windows only
	WinDeny       any        `py:"win_deny_perms=None"`  // Windows only
	WinInherit    any        `py:"win_inheritance=True"` // Windows only
	Merge         bool       `py:"merge=False"`          // lays all sources over each other, the first on top
	Kwargs        *value.Map `py:"**kwargs"`             // other arguments of file.managed, and what templates see
}

// recurse copies a folder of the tree with all in it.
//
//	/etc/app:
//	  file.recurse:
//	    - source: salt://app/etc
//	    - file_mode: '0640'
//	    - clean: True
func recurse(c *salt.Ctx, a recurseArgs) salt.Result {
	name := expandUser(c, a.Name)
	r := &recursion{recurseArgs: &a, name: name, comments: new(value.Map)}
	return renamed(a.Name, name, r.run(c))
}

// recursion is one run of file.recurse.
type recursion struct {
	*recurseArgs
	name     string
	res      salt.Result
	comments *value.Map // path → list of texts
	file     managedArgs
	folder   directoryArgs
}

func (r *recursion) run(c *salt.Ctx) salt.Result {
	r.res = salt.Result{Result: salt.True(), Changes: new(value.Map)}
	sources, bad := r.check(c)
	if bad != nil {
		return *bad
	}
	plan, err := planRecurse(c, &planArgs{r.name, sources, r.KeepSymlinks, r.Empty, r.Merge, selection{r.IncludePat, r.ExcludePat}, r.MaxDepth})
	if err != nil {
		return salt.Failed("Recurse failed: %s", text(err))
	}
	if err := r.template(); err != nil {
		return salt.Failed("%s", text(err))
	}
	for _, d := range plan.dirs {
		r.manageDir(c, d)
	}
	for _, f := range plan.files {
		r.manageFile(c, f.dest, f.url)
	}
	for _, l := range plan.links {
		r.manageLink(c, l.dest, l.url)
	}
	if r.Clean {
		if err := r.clean(c, plan.keep); err != nil {
			return salt.Failed("%s", text(err))
		}
	}
	return r.summary()
}

func (r *recursion) check(c *salt.Ctx) ([]string, *salt.Result) {
	fail := func(format string, a ...any) ([]string, *salt.Result) {
		res := salt.Failed(format, a...)
		return nil, &res
	}
	r.User = ownerArg(c, r.User, r.Kwargs)
	if r.Kwargs.Has("mode") {
		return fail("'mode' is not allowed in 'file.recurse'. Please use 'file_mode' and 'dir_mode'.")
	}
	if msg := checkUser(c, r.User, r.Group); msg != "" {
		return fail("%s", msg)
	}
	if !isAbs(r.name) {
		return fail("Specified file %s is not an absolute path", r.name)
	}
	sources, err := recurseSources(c, r.Source)
	if err != nil {
		return fail("Recurse failed: %s", text(err))
	}
	if sys.IsDir(c.Sys, r.name) {
		return sources, nil
	}
	if sys.Exists(c.Sys, r.name) {
		return fail("The path %s exists and is not a directory", r.name)
	}
	if !c.Test {
		if err := makeAll(c, r.name, r.User, r.Group, normalMode(r.DirMode)); err != nil {
			return fail("%s", text(err))
		}
	}
	return sources, nil
}

// template fills in what all files and folders have in common.
func (r *recursion) template() error {
	r.folder = directoryArgs{User: r.User, Group: r.Group, DirMode: r.DirMode, Makedirs: true, AllowSymlink: true}
	f := newManagedArgs()
	if err := assignKnown(&f, r.Kwargs); err != nil {
		return err
	}
	f.KeepSource, f.User, f.Group, f.Template, f.Makedirs = r.KeepSource, r.User, r.Group, r.Template, true
	f.Mode, f.Context, f.Defaults, f.Backup, f.Replace = r.FileMode, r.Context, r.Defaults, r.Backup, r.Replace
	f.Attrs = nil
	f.Kwargs = r.Kwargs
	r.file = f
	return nil
}

// newManagedArgs are the defaults of file.managed.
func newManagedArgs() managedArgs {
	return managedArgs{SourceHash: "", KeepSource: true, Replace: true, ShowChanges: true, Create: true, Newline: true, Delimiter: ":",
		EncErrors: "strict", AllowEmpty: true, Follow: true, VerifySSL: true, SigBackend: "gpg"}
}

// assignKnown sets the fields of an argument struct that kw names.
func assignKnown(args any, kw *value.Map) error {
	v := reflect.ValueOf(args).Elem()
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("py"), "=")
		x, ok := kw.Get(name)
		if !ok || name == "makedirs" || strings.HasPrefix(name, "*") {
			continue
		}
		if err := salt.Assign(v.Field(i), x); err != nil {
			return value.Errorf("TypeError", "%s: %s", name, err)
		}
	}
	return nil
}

// merge adds the result for one path.
func (r *recursion) merge(path string, one salt.Result) {
	if one.Bad() || r.res.OK() {
		r.res.Result = one.Result
	}
	if !one.OK() && one.Comment != "" {
		r.comment(path, one.Comment)
	}
	if one.Changes.Len() > 0 {
		r.res.Changes.Set(path, one.Changes)
	}
}

func (r *recursion) comment(path string, texts ...string) {
	l := r.comments.List(path)
	if l == nil {
		l = new(value.List)
		r.comments.Set(path, l)
	}
	for _, t := range texts {
		l.Append(t)
	}
}

func (r *recursion) manageFile(c *salt.Ctx, path, source string) {
	if r.Clean && r.Replace && sys.IsDir(c.Sys, path) {
		if c.Test {
			r.merge(path, salt.Would(nil, "Replacing directory %s with a file", path))
			return
		}
		if err := removeAny(c, path); err != nil {
			r.merge(path, salt.Failed("%s", text(err)))
			return
		}
		r.merge(path, salt.Changed(value.M("diff", "Replaced directory with a new file"), ""))
	}
	a := r.file
	a.Name, a.Source = path, source
	r.merge(path, (&managedState{managedArgs: &a, m: managing{name: path}}).run(c))
}

func (r *recursion) manageDir(c *salt.Ctx, path string) {
	if baseName(path) == ".." {
		return
	}
	if r.Clean && sys.Exists(c.Sys, path) && !sys.IsDir(c.Sys, path) {
		if c.Test {
			r.merge(path, salt.Would(nil, "Replacing %s with a directory", path))
			return
		}
		if err := removeAny(c, path); err != nil {
			r.merge(path, salt.Failed("%s", text(err)))
			return
		}
		r.merge(path, salt.Changed(value.M("diff", "Replaced file with a directory"), ""))
	}
	a := r.folder
	a.Name = path
	r.merge(path, (&folder{directoryArgs: &a, name: path, changes: new(value.Map)}).run(c))
}

func (r *recursion) manageLink(c *salt.Ctx, path, target string) {
	l := &link{symlinkArgs{Name: path, Target: target, Makedirs: true, Force: r.ForceSymlinks, User: r.User, Group: r.Group, Mode: r.SymMode, Follow: true}, path}
	r.merge(path, l.run(c))
}

func (r *recursion) clean(c *salt.Ctx, keep []string) error {
	keep = append(keep, keepRequired(c, r.name, r.Require)...)
	found, err := strays(c, r.name, keep, r.ExcludePat)
	if err != nil || found == nil {
		return err
	}
	if c.Test {
		if r.res.OK() {
			r.res.Result = nil
		}
		r.comment("removed", found...)
		return nil
	}
	if found, err = removeStrays(c, found); err != nil {
		return err
	}
	r.res.Changes.Set("removed", value.Strings(found))
	return nil
}

func (r *recursion) summary() salt.Result {
	var parts []string
	for path, l := range r.comments.Items() {
		parts = append(parts, fmt.Sprintf("\n#### %s ####\n%s", path, strings.Join(strs(l.(*value.List).Items), "\n")))
	}
	r.res.Comment = strings.TrimSpace(strings.Join(parts, "\n"))
	if r.res.Comment == "" {
		r.res.Comment = "Recursively updated " + r.name
	}
	if r.res.Changes.Len() == 0 && r.res.OK() {
		r.res.Comment = "The directory " + r.name + " is in the correct state"
	}
	return r.res
}

// recurseSources are the folders of the tree among the sources that are there.
func recurseSources(c *salt.Ctx, source any) ([]string, error) {
	list := stringList(source)
	if source == nil {
		list = []string{"None"}
	}
	for i, s := range list {
		if list[i] = strings.TrimRight(s, "/"); !strings.HasPrefix(list[i], "salt://") {
			return nil, salt.CommandError("Invalid source '%s' (must be a salt:// URI)", list[i])
		}
	}
	var found []string
	for _, s := range list {
		path, env := splitEnv(s)
		if env == "" {
			env = c.Env
		}
		dirs, err := c.Files().Dirs(c, env, path)
		if err != nil {
			return nil, err
		}
		if slices.Contains(dirs, path) {
			found = append(found, s)
		}
	}
	if found == nil {
		return nil, salt.CommandError("none of the specified sources were found")
	}
	return found, nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
