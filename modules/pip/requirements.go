package pip

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// files are the requirements files of a call.
type files struct {
	c       *salt.Ctx
	user    string
	cwd     string
	saltenv string
	copies  string // a directory with copies that the user may read
}

// done removes the copies.
func (f *files) done() {
	if f.copies != "" {
		f.c.Sys.RemoveAll(f.copies)
	}
}

// missing is an answer instead of a call of pip.
type missing struct{ ret *value.Map }

func (m missing) Error() string { return m.ret.Str("comment") }

// arguments are the --requirement options.
func (f *files) arguments(v any) ([]string, error) {
	switch v.(type) {
	case nil:
		return nil, nil
	case string, *value.List:
	default:
		return nil, value.Errorf("TypeError", "requirements must be a string or list")
	}
	var out []string
	for _, req := range commas(v) {
		if strings.HasPrefix(req, "salt://") {
			local, err := f.c.Files().Cache(f.c, req, f.saltenv, salt.GetOptions{})
			if err != nil {
				return nil, missing{value.M("result", false, "comment", fmt.Sprintf("pip requirements file '%s' not found", req))}
			}
			req = local
		}
		if f.user != "" {
			copied, err := f.copy(req)
			if err != nil {
				return nil, err
			}
			req = copied
		}
		out = append(out, "--requirement", req)
	}
	return out, nil
}

// copy puts a requirements file, and those it names, where the user can read
// them: the files of the cache are for root only.
func (f *files) copy(req string) (string, error) {
	u, err := f.c.Sys.User(f.user)
	if err != nil {
		return "", err
	}
	if f.copies == "" {
		f.copies = sys.TempName("", "")
		if err := f.c.Sys.Mkdir(f.copies, 0o700); err != nil {
			return "", err
		}
		if err := f.c.Sys.Lchown(f.copies, u.UID, -1); err != nil {
			return "", err
		}
	}
	if !filepath.IsAbs(req) {
		dir := f.cwd
		if dir == "" {
			if dir, err = os.Getwd(); err != nil {
				return "", err
			}
		}
		req = filepath.Join(dir, req)
	}
	chain, err := f.chain(req, map[string]bool{})
	if err != nil {
		return "", err
	}
	mode := sys.Mode(0o600)
	for _, path := range chain {
		data, err := f.c.Sys.ReadFile(path)
		if err != nil {
			return "", err
		}
		to := filepath.Join(f.copies, filepath.Base(path))
		if sys.LExists(f.c.Sys, to) {
			continue
		}
		if err := sys.WriteFile(f.c.Sys, to, data, sys.FileAttrs{UID: &u.UID, Mode: &mode}); err != nil {
			return "", err
		}
	}
	return filepath.Join(f.copies, filepath.Base(req)), nil
}

var (
	reqComment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)(?:^|\s+)#.*$`) })
	reqChain   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)(?:-r\s|--requirement[=\s])(.*)\n?`) })
)

// chain is a requirements file with all that it includes.
func (f *files) chain(path string, seen map[string]bool) ([]string, error) {
	if seen[path] {
		return nil, nil
	}
	seen[path] = true
	data, err := f.c.Sys.ReadFile(path)
	if err != nil {
		return nil, err
	}
	out := []string{path}
	for _, m := range reqChain().FindAllStringSubmatch(reqComment().ReplaceAllString(string(data), ""), -1) {
		more, err := f.chain(filepath.Join(filepath.Dir(path), strings.TrimSpace(m[1])), seen)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}
