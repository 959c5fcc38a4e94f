package saltfilters

import (
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"syscall"

	"pinch/render/jinja"
	"pinch/render/jinja/filters"
	"pinch/sys"
	"pinch/value"
	"pinch/value/py"
)

type hostFunc = func(c *jinja.Call, h Host, a []any) (any, error)

// onHost gives a filter its host.
func onHost(host func(*jinja.State) Host, do hostFunc) func(*jinja.Call, []any) (any, error) {
	return func(c *jinja.Call, a []any) (any, error) { return do(c, host(c.State), a) }
}

// onSys is onHost for filters that look at files.
func onSys(host func(*jinja.State) Host, do func(s sys.Sys, a []any) (any, error)) func(*jinja.Call, []any) (any, error) {
	return onHost(host, func(c *jinja.Call, h Host, a []any) (any, error) {
		if h.Sys == nil {
			return nil, noHost(c)
		}
		return do(h.Sys, a)
	})
}

func noHost(c *jinja.Call) error {
	return value.Errorf("RuntimeError", "the filter %s has no access to the machine here", c.Name)
}

func fileFilters(host func(*jinja.State) Host) []filters.Entry {
	return []filters.Entry{
		entry("file_hashsum", sig("get_hash", "path", "form", "sha256", "chunk_size", int64(65536)), defined(onSys(host, fileHash))),
		entry("is_empty", sig("is_empty", "filename"), onSys(host, isEmpty)),
		entry("is_text_file", sig("is_text", "fp_", "blocksize", int64(512)), defined(onSys(host, isTextFile))),
		entry("is_bin_file", sig("is_binary", "path"), onSys(host, isBinFile)),
		entry("list_files", sig("list_files", "directory"), onSys(host, listFiles)),
		entry("which", sig("which", "", "exe", nil), onSys(host, which)),
		entry("get_uid", sig("get_uid", "", "user", nil), onSys(host, getUID)),
	}
}

func hostFilters(host func(*jinja.State) Host) []filters.Entry {
	query := sig("query", "", "*", "**")
	return []filters.Entry{
		entry("http_query", query, onHost(host, func(c *jinja.Call, h Host, a []any) (any, error) {
			if h.Query == nil {
				return nil, noHost(c)
			}
			return h.Query(c.State.Context(), a[0].(value.Tuple), a[1].(*value.Map))
		})),
		entry("dns_check", sig("dns_check", "addr port", "safe", false, "ipv6", nil), defined(onHost(host, dnsCheck))),
	}
}

func pathArg(v any) (string, error) {
	switch p := v.(type) {
	case string:
		return p, nil
	case py.Markup:
		return string(p), nil
	case []byte:
		return string(p), nil
	}
	return "", typeError("expected str, bytes or os.PathLike object, not %s", value.ClassName(v))
}

// osError is Python's OSError of a file that cannot be read.
func osError(name string, err error) error {
	var no syscall.Errno
	if !errors.As(err, &no) {
		return err
	}
	class := "OSError"
	switch no {
	case syscall.ENOENT:
		class = "FileNotFoundError"
	case syscall.EACCES, syscall.EPERM:
		class = "PermissionError"
	case syscall.EISDIR:
		class = "IsADirectoryError"
	case syscall.ENOTDIR:
		class = "NotADirectoryError"
	}
	text := no.Error()
	if text != "" {
		text = string(text[0]-'a'+'A') + text[1:]
	}
	return value.Errorf(class, "[Errno %d] %s: %s", int(no), text, value.Quote(name))
}

func fileHash(s sys.Sys, a []any) (any, error) {
	form := value.Str(a[1])
	make, ok := newHash(form)
	if !ok {
		return nil, value.Errorf("ValueError", "Invalid hash type: %s", form)
	}
	name, err := pathArg(a[0])
	if err != nil {
		return nil, err
	}
	f, err := s.Open(name)
	if err != nil {
		return nil, osError(name, err)
	}
	defer f.Close()
	h := make()
	if _, err := io.Copy(h, f); err != nil {
		return nil, osError(name, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func isEmpty(s sys.Sys, a []any) (any, error) {
	name, err := pathArg(a[0])
	if err != nil {
		return nil, err
	}
	i, err := s.Stat(name)
	return err == nil && i.Size() == 0, nil
}

// head reads the first n bytes of a file.
func head(s sys.Sys, name string, n int64) ([]byte, error) {
	f, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, n))
}

func isTextFile(s sys.Sys, a []any) (any, error) {
	name, err := pathArg(a[0])
	if err != nil {
		return nil, err
	}
	n, err := py.AsIndex(a[1])
	if err != nil {
		return nil, err
	}
	b, err := head(s, name, n)
	if err != nil {
		return false, nil
	}
	return !binary(b), nil
}

func isBinFile(s sys.Sys, a []any) (any, error) {
	name, err := pathArg(a[0])
	if err != nil {
		return nil, err
	}
	if !sys.IsFile(s, name) {
		return false, nil
	}
	b, err := head(s, name, 2048)
	return err == nil && binary(b), nil
}

// binary is Salt's guess: a zero byte, or more than three in ten bytes that
// are no text. Bytes beyond ASCII are text in what is, or begins as, UTF-8.
func binary(b []byte) bool {
	_, err := py.Decode(b, "utf-8", "strict")
	unicode := err == nil || strings.Contains(err.Error(), "unexpected end of data")
	odd := 0
	for _, c := range b {
		switch {
		case c == 0:
			return true
		case c >= ' ' && c < 0x7f || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == '\b':
		case unicode && c >= 0x80 && c < 0xff:
		default:
			odd++
		}
	}
	return odd*10 > 3*len(b)
}

func listFiles(s sys.Sys, a []any) (any, error) {
	dir, err := pathArg(a[0])
	if err != nil {
		return nil, err
	}
	out := value.L(dir)
	seen := map[[2]uint64]bool{}
	walk(s, dir, seen, out)
	return out, nil
}

// walk lists what lies below dir, following links to directories but none twice.
func walk(s sys.Sys, dir string, seen map[[2]uint64]bool, out *value.List) {
	if i, err := s.Stat(dir); err == nil {
		if st, ok := i.Sys().(*syscall.Stat_t); ok {
			id := [2]uint64{uint64(st.Dev), st.Ino}
			if seen[id] {
				return
			}
			seen[id] = true
		}
	}
	entries, err := s.ReadDir(dir)
	if err != nil {
		return
	}
	var dirs []string
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		out.Append(name)
		if e.IsDir() || e.Type()&fs.ModeSymlink != 0 && sys.IsDir(s, name) {
			dirs = append(dirs, name)
		}
	}
	for _, d := range dirs {
		walk(s, d, seen, out)
	}
}

func which(s sys.Sys, a []any) (any, error) {
	if !value.Truth(a[0]) {
		return nil, nil
	}
	name, err := pathArg(a[0])
	if err != nil {
		return nil, err
	}
	if p := s.LookPath(name); p != "" {
		return p, nil
	}
	return nil, nil
}

func getUID(s sys.Sys, a []any) (any, error) {
	if a[0] == nil {
		return int64(s.Getuid()), nil
	}
	name, ok := py.Text(a[0])
	if !ok {
		return nil, typeError("getpwnam() argument must be str, not %s", py.TypeName(a[0]))
	}
	u, err := s.User(name)
	if err != nil {
		return nil, nil
	}
	return int64(u.UID), nil
}

func dnsCheck(c *jinja.Call, h Host, a []any) (any, error) {
	if h.Resolve == nil {
		return nil, noHost(c)
	}
	name := value.Str(a[0])
	port, err := py.Int(a[1])
	if err != nil {
		return nil, err
	}
	var ipv6 *bool
	if a[3] != nil {
		b := value.Truth(a[3])
		ipv6 = &b
	}
	n, err := py.AsIndex(port)
	if err != nil {
		return nil, err
	}
	found, err := h.Resolve(c.State.Context(), name, n, ipv6)
	if err != nil && ipv6 != nil && *ipv6 {
		four := false
		found, err = h.Resolve(c.State.Context(), name, n, &four)
	}
	if err != nil || len(found) == 0 {
		if value.Truth(a[2]) {
			return nil, &value.Exception{Class: "SaltClientError"}
		}
		return nil, value.Errorf("SaltSystemExit", "DNS lookup or connection check of '%s' failed.", name)
	}
	return bracket(found[0])
}
