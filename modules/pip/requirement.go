package pip

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/sys"
)

// A requirement is what a state asks pip for. Where pip is given a URL or a
// path, nobody knows the package's name before: both fields are then empty.
type requirement struct {
	prefix  string // the normalized name
	clauses []clause
}

var (
	requirementForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[([^\]]*)\])?\s*(.*?)\s*$`)
	})
	clauseForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*(===|==|~=|!=|<=|>=|<|>)\s*([^\s,;)]+)\s*$`)
	})
	wheelName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(.+?)-([^-]+)(?:-\d[^-]*)?-[^-]+-[^-]+-[^-]+\.whl$`)
	})
	eggName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[#&]egg=([^&]*)`) })
)

// parseRequirement reads a requirement as pip reads an argument of install:
// a name with conditions, a URL, or a path. The error is Salt's comment.
func parseRequirement(c *salt.Ctx, s string) (requirement, error) {
	r, err := parsePip(c, s)
	if err == nil || vcs(s) {
		return r, nil
	}
	if strings.Contains(s, "=") && !strings.Contains(s, "==") {
		return r, fmt.Errorf("Invalid version specification in package %s. '=' is not supported, use '==' instead.", s)
	}
	return r, fmt.Errorf("pip raised an exception while parsing '%s': %w", s, err)
}

func vcs(s string) bool {
	for _, scheme := range []string{"git+", "svn+", "hg+", "bzr+"} {
		if strings.HasPrefix(s, scheme) {
			return true
		}
	}
	return false
}

func parsePip(c *salt.Ctx, s string) (requirement, error) {
	if scheme, _, ok := strings.Cut(s, ":"); ok && isURLScheme(scheme) {
		spec, _, _ := strings.Cut(s, "; ")
		return fromURL(spec)
	}
	bare, _, _ := strings.Cut(s, ";")
	bare = strings.TrimSpace(bare)
	path := bare
	if i := strings.IndexByte(path, '['); i > 0 && strings.HasSuffix(path, "]") {
		path = path[:i]
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return requirement{}, err
	}
	pathLike := strings.ContainsRune(path, '/') || strings.HasPrefix(path, ".")
	switch {
	case pathLike && sys.IsDir(c.Sys, abs):
		if sys.IsFile(c.Sys, filepath.Join(abs, "setup.py")) || sys.IsFile(c.Sys, filepath.Join(abs, "pyproject.toml")) {
			return requirement{}, nil
		}
		return requirement{}, fmt.Errorf("Directory '%s' is not installable. Neither 'setup.py' nor 'pyproject.toml' found.", bare)
	case archive(path):
		if before, _, direct := strings.Cut(bare, "@"); sys.IsFile(c.Sys, abs) || !direct || strings.ContainsRune(before, '/') {
			return fromURL("file://" + abs)
		}
	}
	return parseSpec(bare)
}

func isURLScheme(s string) bool {
	switch strings.ToLower(s) {
	case "http", "https", "file", "ftp", "ssh", "git", "hg", "bzr", "sftp", "svn":
		return true
	}
	return vcs(s)
}

func archive(path string) bool {
	for _, ext := range []string{".zip", ".whl", ".tar.gz", ".tgz", ".tar", ".tar.bz2", ".tbz", ".tar.xz", ".txz", ".tlz", ".tar.lz", ".tar.lzma"} {
		if strings.HasSuffix(strings.ToLower(path), ext) {
			return true
		}
	}
	return false
}

// fromURL knows the package of a wheel by its file name, and of others by egg=.
func fromURL(url string) (requirement, error) {
	path, _, _ := strings.Cut(url, "#")
	if m := wheelName().FindStringSubmatch(filepath.Base(path)); m != nil {
		return requirement{normalize(m[1]), []clause{{"==", strings.ReplaceAll(m[2], "_", "-")}}}, nil
	}
	if strings.HasSuffix(path, ".whl") {
		return requirement{}, fmt.Errorf("%s is not a valid wheel filename.", filepath.Base(path))
	}
	if m := eggName().FindStringSubmatch(url); m != nil && m[1] != "" {
		return parseSpec(m[1])
	}
	return requirement{}, nil
}

// parseSpec reads name[extras] with conditions, as PEP 508 has them.
func parseSpec(s string) (requirement, error) {
	invalid := func(why string) error {
		msg := fmt.Sprintf("Invalid requirement: '%s'", s)
		if why != "" {
			msg += "\nHint: " + why
		}
		return errors.New(msg)
	}
	m := requirementForm().FindStringSubmatch(s)
	if m == nil {
		if strings.ContainsRune(s, '/') {
			return requirement{}, invalid(fmt.Sprintf("It looks like a path. File '%s' does not exist.", s))
		}
		return requirement{}, invalid("")
	}
	r := requirement{prefix: normalize(m[1])}
	rest := m[3]
	if strings.HasPrefix(rest, "@") {
		return r, nil
	}
	if strings.HasPrefix(rest, "(") && strings.HasSuffix(rest, ")") {
		rest = rest[1 : len(rest)-1]
	}
	rest = strings.TrimSuffix(strings.TrimSpace(rest), ",")
	if rest == "" {
		return r, nil
	}
	for _, part := range strings.Split(rest, ",") {
		cl := clauseForm().FindStringSubmatch(part)
		switch {
		case cl == nil && strings.ContainsRune(s, '/'):
			return r, invalid(fmt.Sprintf("It looks like a path. File '%s' does not exist.", s))
		case cl == nil && strings.Contains(s, "=") && !strings.ContainsAny(s, "<>~!") && !strings.Contains(s, "=="):
			return r, invalid("= is not a valid operator. Did you mean == ?")
		case cl == nil:
			return r, invalid("")
		}
		r.clauses = append(r.clauses, clause{cl[1], cl[2]})
	}
	return r, nil
}
