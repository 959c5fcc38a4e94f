package pkg

import (
	"path/filepath"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// A repoFile is a file of yum's repositories: what stands in front, and the
// sections.
type repoFile struct {
	header   string
	sections *value.Map
}

// parseRepos reads a file: [section], key=value, lines further in that go on,
// and comments, which belong to the section above.
func parseRepos(text string) repoFile {
	f := repoFile{sections: new(value.Map)}
	var section *value.Map
	last := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "#"):
			if section == nil {
				f.header += trimmed + "\n"
				continue
			}
			l := section.List("comments")
			if l == nil {
				l = value.L()
				section.Set("comments", l)
			}
			l.Append(strings.TrimLeft(trimmed[1:], " \t"))
		case trimmed == "" || strings.HasPrefix(trimmed, ";"):
		case strings.HasPrefix(line, "[") && strings.Contains(line, "]"):
			section, last = new(value.Map), ""
			f.sections.Set(line[1:strings.LastIndexByte(line, ']')], section)
		case section == nil:
		case last != "" && line[0] != trimmed[0]: // goes on
			section.Set(last, section.Str(last)+"\n"+trimmed)
		default:
			i := strings.IndexAny(trimmed, "=:")
			if i < 0 {
				continue
			}
			last = strings.ToLower(strings.TrimSpace(trimmed[:i]))
			section.Set(last, strings.TrimSpace(trimmed[i+1:]))
		}
	}
	return f
}

// text writes sections as mod_repo does.
func (f repoFile) text() string {
	var b strings.Builder
	b.WriteString(f.header)
	for name := range f.sections.Items() {
		section := f.sections.Map(name)
		comments, _ := section.Pop("comments")
		b.WriteString("[" + name + "]\n")
		for key, v := range section.Items() {
			b.WriteString(key + "=" + repoValue(v) + "\n")
		}
		b.WriteString(repoComments(comments) + "\n")
	}
	return b.String()
}

func repoValue(v any) string {
	switch v := v.(type) {
	case bool:
		if v {
			return "1"
		}
		return "0"
	case string:
		return strings.ReplaceAll(v, "\n", "\n ")
	}
	return value.Str(v)
}

func repoComments(v any) string {
	l, ok := asList(v)
	if !ok && v != nil {
		l = []any{v}
	}
	out := ""
	for _, c := range l {
		out += "# " + strings.TrimLeft(strings.TrimLeft(value.Str(c), "#"), " ") + "\n"
	}
	return out
}

// repoDirs are the folders of repositories.
func (d dnf) repoDirs(kw *value.Map) ([]string, error) {
	var dirs []string
	if l, ok := asList(kw.At("basedir")); ok {
		dirs = texts(l)
	} else if s := kw.Str("basedir"); s != "" {
		for part := range strings.SplitSeq(s, ",") {
			dirs = append(dirs, strings.TrimSpace(part))
		}
	}
	if len(dirs) > 0 {
		return dirs, nil
	}
	files := []string{"/etc/yum/yum.conf", "/etc/yum.conf", "/etc/dnf/dnf.conf", "/etc/tdnf/tdnf.conf"}
	for _, path := range files {
		b, err := d.c.Sys.ReadFile(path)
		if err != nil {
			continue
		}
		if s := parseRepos(string(b)).sections.Map("main").Str("reposdir"); s != "" {
			for part := range strings.SplitSeq(s, ",") {
				dirs = append(dirs, strings.TrimSpace(part))
			}
			return dirs, nil
		}
		return []string{"/etc/yum/repos.d", "/etc/yum.repos.d"}, nil
	}
	return nil, salt.CommandError("No suitable yum config file found in: ('%s')", strings.Join(files, "', '"))
}

// repos are the repositories by name, each with its file.
func (d dnf) repos(kw *value.Map) (*value.Map, error) {
	dirs, err := d.repoDirs(kw)
	if err != nil {
		return nil, err
	}
	all := new(value.Map)
	for _, dir := range dirs {
		entries, _ := d.c.Sys.ReadDir(dir)
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".repo") {
				continue
			}
			path := filepath.Join(dir, e.Name())
			b, err := d.c.Sys.ReadFile(path)
			if err != nil {
				return nil, salt.OSError(err)
			}
			for name, s := range parseRepos(string(b)).sections.Items() {
				s.(*value.Map).Set("file", path)
				all.Set(name, s)
			}
		}
	}
	return all, nil
}

// repoName is the name in the files: copr:OWNER/NAME has another one there.
func (d dnf) repoName(repo string) string {
	copr, ok := strings.CutPrefix(repo, "copr:")
	if !ok {
		return repo
	}
	return "copr:copr.fedorainfracloud.org:" + strings.ReplaceAll(strings.ReplaceAll(copr, "@", "group_"), "/", ":")
}

func (d dnf) repo(repo string, kw *value.Map) (*value.Map, error) {
	all, err := d.repos(kw)
	if err != nil {
		return nil, err
	}
	m := all.Map(d.repoName(repo))
	if m == nil {
		return new(value.Map), nil
	}
	m.Pop("file")
	return m, nil
}

func (d dnf) delRepo(repo string, kw *value.Map) (any, error) {
	repo = d.repoName(repo)
	dirs, err := d.repoDirs(kw)
	if err != nil {
		return nil, err
	}
	all, err := d.repos(kw)
	if err != nil {
		return nil, err
	}
	if !all.Has(repo) {
		return "Error: the " + repo + " repo does not exist in " + value.Repr(value.Strings(dirs)), nil
	}
	path := all.Map(repo).Str("file")
	b, err := d.c.Sys.ReadFile(path)
	if err != nil {
		return nil, salt.OSError(err)
	}
	f := parseRepos(string(b))
	if f.sections.Len() == 1 {
		return "File " + path + " containing repo " + repo + " has been removed", salt.OSError(d.c.Sys.Remove(path))
	}
	out := f.header
	for name := range f.sections.Items() {
		if name == repo {
			continue
		}
		section := f.sections.Map(name)
		comments, _ := section.Pop("comments")
		out += "\n[" + name + "]"
		for key, v := range section.Items() {
			out += "\n" + key + "=" + repoValue(v)
		}
		out += "\n" + repoComments(comments) + "\n"
	}
	return "Repo " + repo + " has been removed from " + path, salt.OSError(sys.WriteFile(d.c.Sys, path, []byte(out), sys.FileAttrs{}))
}

var repoLinks = []string{"baseurl", "mirrorlist", "metalink"}

// modRepo adds a repository, or changes it. What is given without a value is
// taken out.
func (d dnf) modRepo(repo string, kw *value.Map) (*value.Map, error) {
	opts, gone := kw.Shallow(), []string{}
	opts.Pop("basedir")
	links := 0
	for _, l := range repoLinks {
		if opts.Has(l) {
			links++
		}
	}
	if links >= 2 {
		return nil, salt.InvocationError("One and only one of %s can be used", strings.Join(repoLinks, ", "))
	}
	for _, key := range keys(opts) {
		if v := opts.At(key); !value.Truth(v) && !value.Equal(v, int64(0)) {
			opts.Pop(key)
			gone = append(gone, key)
		}
	}
	if slices.Contains(gone, "name") {
		return nil, salt.InvocationError("The repo name cannot be deleted")
	}
	for _, l := range repoLinks {
		if opts.Has(l) { // another kind of link goes
			gone = append(gone, slices.DeleteFunc(slices.Clone(repoLinks), func(o string) bool { return o == l })...)
			break
		}
	}
	name := d.repoName(repo)
	path, f, err := d.repoFile(repo, name, opts, kw)
	if err != nil {
		return nil, err
	}
	section := f.sections.Map(name)
	for _, l := range repoLinks {
		others := slices.DeleteFunc(slices.Clone(repoLinks), func(o string) bool { return o == l })
		if slices.Contains(gone, l) && !slices.ContainsFunc(others, func(o string) bool { return opts.Has(o) || section.Has(o) }) {
			return nil, salt.InvocationError("Cannot delete %s without specifying %s", l, strings.Join(others, " or "))
		}
	}
	for _, key := range gone {
		section.Pop(key)
	}
	section.Update(opts)
	if err := sys.WriteFile(d.c.Sys, path, []byte(f.text()), sys.FileAttrs{}); err != nil {
		return nil, salt.OSError(err)
	}
	return value.M(path, f.sections), nil
}

// repoFile is the file that has a repository, or will have it.
func (d dnf) repoFile(repo, name string, opts, kw *value.Map) (string, repoFile, error) {
	all, err := d.repos(kw)
	if err != nil {
		return "", repoFile{}, err
	}
	if !all.Has(name) && name != repo {
		out, err := d.run(false, d.program(), "copr", "enable", strings.TrimPrefix(repo, "copr:"), "-y")
		if err == nil && out.code != 0 {
			err = salt.CommandError("Unable to add COPR '%s'. '%s' exited with status %d: '%s' ", strings.TrimPrefix(repo, "copr:"), d.program(), out.code, out.stderr)
		}
		if err != nil {
			return "", repoFile{}, err
		}
		if all, err = d.repos(kw); err != nil {
			return "", repoFile{}, err
		}
	}
	if m := all.Map(name); m != nil {
		b, err := d.c.Sys.ReadFile(m.Str("file"))
		return m.Str("file"), parseRepos(string(b)), salt.OSError(err)
	}
	dirs, err := d.repoDirs(kw)
	if err != nil {
		return "", repoFile{}, err
	}
	i := slices.IndexFunc(dirs, func(dir string) bool { return sys.Exists(d.c.Sys, dir) })
	switch {
	case i < 0:
		return "", repoFile{}, salt.InvocationError("The repo does not exist and needs to be created, but none of the following basedir directories exist: %s", value.Repr(value.Strings(dirs)))
	case !opts.Has("name"):
		return "", repoFile{}, salt.InvocationError("The repo does not exist and needs to be created, but a name was not given")
	case !slices.ContainsFunc(repoLinks, opts.Has):
		return "", repoFile{}, salt.InvocationError("The repo does not exist and needs to be created, but none of %s was given", strings.Join(repoLinks, ", "))
	}
	return filepath.Join(dirs[i], name+".repo"), repoFile{sections: value.M(name, new(value.Map))}, nil
}
