package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pinch/caller"
	"pinch/cli/args"
	"pinch/fileclient"
	"pinch/gitfs"
	"pinch/value"
)

// Where the state tree and the pillar are in the usual repositories.
var (
	stateRoots  = []string{"", "salt", "states", "state", "srv/salt", "salt/states", "salt/base"}
	pillarRoots = []string{"pillar", "srv/pillar", "salt/pillar", "pillars", "pillar/base"}
)

// fromTree makes the state tree and the pillar of a call those of an archive on
// a web server, of a plain folder, or of a repository.
func (p *program) fromTree(ctx context.Context, line *args.Call, from string) error {
	if bare, _, _ := strings.Cut(from, "#"); fileclient.IsArchive(bare) && isPacked(bare) {
		return fromArchive(line, from)
	}
	if i, err := os.Stat(from); err == nil && i.IsDir() && !isRepository(from) {
		dir, err := filepath.Abs(from)
		if err != nil {
			return err
		}
		return fromFolder(line, dir)
	}
	return p.fromGit(ctx, line, from)
}

// isRepository reports whether a folder is a Git repository, with a work tree or bare.
func isRepository(dir string) bool {
	for _, names := range [][]string{{".git"}, {"HEAD", "objects", "refs"}} {
		missing := func(name string) bool { _, err := os.Stat(filepath.Join(dir, name)); return err != nil }
		if !slices.ContainsFunc(names, missing) {
			return true
		}
	}
	return false
}

// isPacked reports whether a URL ends like the name of an archive.
func isPacked(url string) bool {
	for _, end := range []string{".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar.zst", ".zip"} {
		if strings.HasSuffix(url, end) {
			return true
		}
	}
	return false
}

// fromArchive takes the trees of an archive, "URL" or "URL#dir=…&sha256=…".
func fromArchive(line *args.Call, from string) error {
	o := line.Opts
	a := &fileclient.Archives{
		Dir: filepath.Join(o.Str("cachedir"), "archives"), HTTP: caller.HTTPOptions(o), Offline: o.Truth("offline"), Log: line.Log,
	}
	dir, err := a.Root(from)
	if err != nil {
		return err
	}
	return fromFolder(line, dir)
}

// fromFolder takes the trees that lie in a folder.
func fromFolder(line *args.Call, dir string) error {
	o := line.Opts
	list, err := (&fileclient.Roots{Dirs: map[string][]string{"base": {dir}}}).List("base")
	if err != nil {
		return err
	}
	slices.Sort(list.Files)
	o.Set("fileserver_backend", value.L("roots"))
	o.Set("file_roots", value.M("base", value.L(filepath.Join(dir, layout(list.Files, stateRoots)))))
	pillar := new(value.List)
	if root := layout(list.Files, pillarRoots); root != "" {
		pillar.Append(filepath.Join(dir, root))
	}
	o.Set("pillar_roots", value.M("base", pillar))
	return nil
}

// fromGit makes the state tree and the pillar of a call those of one
// repository, "URL" or "URL#REF", whatever the configuration says.
func (p *program) fromGit(ctx context.Context, line *args.Call, from string) error {
	url, ref, _ := strings.Cut(from, "#")
	if ref == "" {
		ref = "HEAD"
	}
	if strings.HasPrefix(url, ".") || !strings.Contains(url, ":") {
		abs, err := filepath.Abs(url)
		if err != nil {
			return err
		}
		url = "file://" + abs
	}
	o := line.Opts
	sum := sha256.Sum256([]byte(url + "#" + ref))
	conf := value.M("base", ref, "name", "from-"+hex.EncodeToString(sum[:6]), "disable_saltenv_mapping", true, "update_interval", int64(0))
	if !isCommit(ref) { // nothing but the one ref is needed
		specs := new(value.List)
		if ref != "HEAD" {
			specs.Append("+refs/heads/"+ref+":refs/remotes/origin/"+ref, "+refs/tags/"+ref+":refs/tags/"+ref)
		}
		conf.Set("refspecs", specs)
	}
	remote := func(root string) *value.List {
		c := conf.Shallow()
		c.Set("root", root)
		return value.L(value.M(url, c))
	}
	remotes, err := gitfs.Parse("gitfs", o, remote(""), func(string) bool { return false })
	if err != nil {
		return err
	}
	fs := gitfs.New(gitfs.Options{
		Remotes: remotes, Dir: filepath.Join(o.Str("cachedir"), "gitfs"),
		Offline: o.Truth("offline"), Log: line.Log, Force: true,
	})
	defer fs.Close()
	list, err := fs.List(ctx, "base")
	if err != nil {
		return err
	}
	if len(list.Files) == 0 {
		for _, s := range fs.Status(ctx) {
			if s.Error != "" {
				return errors.New(s.Error)
			}
		}
		if o.Truth("offline") {
			return fmt.Errorf("the run is offline, and nothing of %s was fetched before", ref)
		}
		return fmt.Errorf("%s has no branch, tag or commit %s, or it is empty", url, ref)
	}
	o.Set("fileserver_backend", value.L("gitfs"))
	o.Set("gitfs_remotes", remote(layout(list.Files, stateRoots)))
	for _, key := range []string{"gitfs_mountpoint", "gitfs_saltenv", "gitfs_saltenv_whitelist", "gitfs_saltenv_blacklist"} {
		o.Pop(key)
	}
	if root := layout(list.Files, pillarRoots); root != "" {
		o.Set("__pillar_in_git", root)
	} else {
		o.Set("pillar_roots", value.M("base", new(value.List)))
	}
	o.Set("offline", true) // it is here now: one fetch a run
	return nil
}

// isCommit reports whether a ref looks like the hash of a commit.
func isCommit(ref string) bool {
	return len(ref) >= 7 && strings.Trim(strings.ToLower(ref), "0123456789abcdef") == ""
}

// layout is the first folder of sorted files with a top file, or else with SLS files, "" for
// the top of the tree.
func layout(files []string, roots []string) string {
	for _, root := range roots {
		if _, ok := slices.BinarySearch(files, path.Join(root, "top.sls")); ok {
			return root
		}
	}
	for _, root := range roots {
		if root != "" && slices.ContainsFunc(files, func(f string) bool {
			return strings.HasPrefix(f, root+"/") && strings.HasSuffix(f, ".sls")
		}) {
			return root
		}
	}
	return ""
}
