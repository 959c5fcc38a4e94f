package archive

import (
	"errors"
	"io"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
	"pinch/value/py"
)

type listArgs struct {
	Name       string `py:"name"`                  // the archive: a path or a URL
	Format     any    `py:"archive_format=None"`   // tar, zip, rar or 7z; None goes by the name
	Options    any    `py:"options=None"`          // for tar: a command that decompresses to its output
	Strip      any    `py:"strip_components=None"` // how many folders to take off the names
	Clean      bool   `py:"clean=False"`           // removes the archive afterwards
	Verbose    bool   `py:"verbose=False"`         // folders, files and links apart, and what is on top
	Env        string `py:"saltenv='base'"`        // the environment of salt:// URLs
	SourceHash any    `py:"source_hash=None"`      // a cached copy with this digest is not downloaded again
	UseETag    bool   `py:"use_etag=False"`        // downloads again only when the server's ETag changed
}

// list returns what an archive holds.
//
//	salt-call archive.list /srv/app.tar.gz verbose=True
func list(c *salt.Ctx, a listArgs) (any, error) {
	cached, err := cache(c, a.Name, a.Env, a.SourceHash, a.UseETag)
	if err != nil {
		return nil, err
	}
	l, err := a.read(c, cached)
	if err != nil {
		return nil, err
	}
	if a.Clean {
		if err := c.Sys.Remove(cached); err != nil {
			c.Log.Warn("Failed to clean cached archive " + cached + ": " + err.Error())
		}
	}
	if !a.Verbose {
		all := slices.Concat(l.dirs, l.files, l.links)
		slices.Sort(all)
		return value.Strings(all), nil
	}
	return value.M("dirs", value.Strings(l.dirs), "files", value.Strings(l.files), "links", value.Strings(l.links),
		"top_level_dirs", value.Strings(l.topDirs), "top_level_files", value.Strings(l.topFiles), "top_level_links", value.Strings(l.topLinks)), nil
}

// cache is cp.cache_file. A path is its own cache, even if nothing is there.
func cache(c *salt.Ctx, name, env string, hash any, etag bool) (string, error) {
	if strings.HasPrefix(name, "/") {
		return name, nil
	}
	v, err := c.CallKw("cp.cache_file", value.M("source_hash", hash, "use_etag", etag), name, env)
	if err != nil {
		return "", err
	}
	if s, ok := v.(string); ok && s != "" {
		return s, nil
	}
	return "", salt.CommandError("Failed to cache %s", name)
}

// A listing is what an archive holds, each list sorted.
type listing struct {
	dirs, files, links          []string
	topDirs, topFiles, topLinks []string
	bytes, count                int64
	bad                         error // the first member that must not be extracted
	encrypted                   bool
}

// read lists the archive at a path. The error has the path in it.
func (a *listArgs) read(c *salt.Ctx, cached string) (*listing, error) {
	l, err := a.open(c, cached)
	if err == nil {
		return l, nil
	}
	var d *decompressError
	switch {
	case errors.As(err, &d):
		return nil, withInfo("Failed to decompress "+a.Name, "error", d.text, "archive location", cached)
	default:
		return nil, withInfo(err.Error(), "archive location", cached)
	}
}

func (a *listArgs) open(c *salt.Ctx, cached string) (*listing, error) {
	n, err := stripCount(a.Strip)
	if err != nil {
		return nil, err
	}
	format, err := formatOf(a.Name, a.Format)
	if err != nil {
		return nil, err
	}
	command, err := words(a.Options)
	if err != nil {
		return nil, salt.CommandError("Invalid CLI options")
	}
	src, err := open(c, cached, format, command, "")
	if err == nil {
		defer src.Close()
		var l *listing
		if l, err = listed(c, a.Name, src, format, n); err == nil {
			return l, nil
		}
	}
	var d *decompressError
	switch {
	case errors.As(err, &d):
		return nil, err
	case errors.Is(err, errFormat) && format == "tar":
		return nil, salt.CommandError("Unable to list contents of %s. If this is an XZ-compressed tar archive, install XZ Utils to enable listing its contents. If it is compressed using something other than XZ, it may be necessary to specify CLI options to decompress the archive. See the documentation for details.", a.Name)
	case errors.Is(err, errFormat):
		return nil, salt.CommandError("%s is not a %s file", a.Name, strings.ToUpper(format))
	}
	if t, ok := src.(*tarSource); ok && len(t.closers) > 0 && errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, salt.CommandError("Uncaught exception 'Compressed file ended before the end-of-stream marker was reached' when listing contents of %s", a.Name)
	}
	return nil, salt.CommandError("Failed to list contents of %s: %s", a.Name, osText(err))
}

func stripCount(v any) (int, error) {
	if !value.Truth(v) {
		return 0, nil
	}
	n, ok := integer(v)
	if !ok || n <= 0 {
		return 0, salt.CommandError("'strip_components' must be a positive integer")
	}
	return n, nil
}

// open opens an archive of a format that is known.
func open(c *salt.Ctx, name, format string, command []string, password string) (source, error) {
	switch format {
	case "tar":
		return openTar(c, name, command)
	case "zip":
		return openZip(c, name, password)
	case "rar":
		return openRar(c, name, password)
	case "7z":
		return open7z(c, name, password)
	}
	return nil, salt.CommandError("Unsupported archive format '%s'", format)
}

// formats are the endings of file names by format.
var formats = []struct{ format, endings string }{
	{"tar", "tar tar.gz tgz tar.bz2 tbz2 tbz tar.xz txz tar.lzma tlz tar.zst tzst"},
	{"zip", "zip"}, {"rar", "rar"}, {"7z", "7z"},
}

// guess finds the format by the name, "" when it has no known ending.
func guess(name string) string {
	name = strings.ToLower(name)
	for _, f := range formats {
		for ending := range strings.FieldsSeq(f.endings) {
			if strings.HasSuffix(name, "."+ending) {
				return f.format
			}
		}
	}
	return ""
}

func formatOf(name string, given any) (string, error) {
	if value.Truth(given) {
		f := value.Str(given)
		if !slices.ContainsFunc(formats, func(k struct{ format, endings string }) bool { return k.format == f }) {
			return "", salt.CommandError("Unsupported archive format '%s'", f)
		}
		return f, nil
	}
	u := parseURL(name)
	if f := guess(u.file()); f != "" {
		return f, nil
	}
	return "", salt.CommandError("Unable to guess archive format, please pass an 'archive_format' argument.")
}

// words splits a command line; a list is taken as it is.
func words(v any) ([]string, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case string:
		return py.ShellSplit(v)
	case *value.List:
		var out []string
		for _, it := range v.Items {
			out = append(out, value.Str(it))
		}
		return out, nil
	}
	return nil, errors.New("neither text nor list")
}

// listed reads all entries of an archive.
func listed(c *salt.Ctx, name string, src source, format string, strips int) (*listing, error) {
	l := new(listing)
	g := guard{strip: strips}
	for {
		e, err := src.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := c.Err(); err != nil {
			return nil, err
		}
		l.bytes += e.size
		l.count++
		if l.bad == nil {
			if why := g.check(e); why != "" {
				l.bad = unsafe(name, e, why)
			}
		}
		l.add(e)
	}
	if z, ok := src.(*zipSource); ok {
		l.encrypted = z.encrypted()
	}
	if format == "zip" {
		l.addParents()
	}
	for _, names := range []*[]string{&l.dirs, &l.files, &l.links} {
		*names = stripped(*names, strips)
	}
	l.tops()
	return l, nil
}

func (l *listing) add(e *entry) {
	switch e.kind {
	case folder:
		l.dirs = append(l.dirs, strings.TrimRight(e.name, "/")+"/")
	case symlink:
		l.links = append(l.links, e.name)
	default:
		l.files = append(l.files, e.name)
	}
}

// addParents adds the folders of files: zip archives may lack them.
func (l *listing) addParents() {
	seen := map[string]bool{}
	for _, d := range l.dirs {
		seen[d] = true
	}
	for _, f := range l.files {
		if d := f[:strings.LastIndexByte(f, '/')+1]; d != "" && !seen[d] {
			seen[d] = true
			l.dirs = append(l.dirs, d)
		}
	}
}

func stripped(names []string, n int) []string {
	out := make([]string, 0, len(names))
	for _, name := range names {
		if s := strip(name, n); s != "" {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return out
}

// tops finds what is at the top of the archive. A folder counts too that only
// shows as the common start of all names.
func (l *listing) tops() {
	one := func(names []string, slashes int) []string {
		out := []string{}
		for _, n := range names {
			if strings.Count(n, "/") == slashes {
				out = append(out, n)
			}
		}
		return out
	}
	l.topDirs, l.topFiles, l.topLinks = one(l.dirs, 1), one(l.files, 0), one(l.links, 0)
	if first, _, ok := strings.Cut(commonPrefix(l.dirs, l.files, l.links), "/"); ok && !slices.Contains(l.topDirs, first+"/") {
		l.topDirs = append(l.topDirs, first+"/")
	}
}

// commonPrefix is what all names start with; each list is sorted.
func commonPrefix(lists ...[]string) string {
	var low, high string
	some := false
	for _, l := range lists {
		if len(l) == 0 {
			continue
		}
		if first, last := l[0], l[len(l)-1]; !some {
			low, high, some = first, last, true
		} else {
			low, high = min(low, first), max(high, last)
		}
	}
	n := 0
	for n < len(low) && n < len(high) && low[n] == high[n] {
		n++
	}
	return low[:n]
}
