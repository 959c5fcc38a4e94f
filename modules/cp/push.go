package cp

import (
	"errors"
	"io"
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// piece is how much of a file one message carries.
const piece = 1 << 20

// send sends one file.
func send(c *salt.Ctx, m salt.Master, a pushArgs) (bool, error) {
	if !filepath.IsAbs(a.Path) || strings.Contains(a.Path, "../") {
		c.Log.Debug("Path must be absolute, returning False")
		return false, nil
	}
	path := a.Path
	if !a.KeepSymlinks {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
	}
	if !sys.IsFile(c.Sys, path) {
		c.Log.Debug("Path failed os.path.isfile check, returning False")
		return false, nil
	}
	name := a.Path
	if a.UploadPath != nil && *a.UploadPath != "" {
		name = *a.UploadPath
		if strings.Contains(name, "../") {
			c.Log.Debug("Path must be absolute, returning False")
			return false, nil
		}
	}
	parts := value.Strings(strings.Split(strings.TrimLeft(name, "/"), "/"))
	f, err := c.Sys.Open(path)
	if err != nil {
		return false, salt.CommandError("%s", err)
	}
	defer f.Close()
	buf := make([]byte, piece)
	for at := int64(0); ; {
		n, err := io.ReadFull(f, buf)
		last := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !last {
			return false, salt.CommandError("%s: %s", path, err)
		}
		if n > 0 || at == 0 {
			v, err := m.Request(c, "_file_recv", value.M("path", parts, "size", int64(n), "loc", at, "data", buf[:n]))
			if err != nil {
				return false, err
			}
			if !value.Truth(v) {
				c.Log.Error("cp.push Failed transfer failed. Ensure master has 'file_recv' set to True and that the file is not larger than the 'file_recv_size_max' setting on the master.")
				return false, nil
			}
			at += int64(n)
		}
		if last {
			break
		}
	}
	if a.RemoveSource {
		return true, c.Sys.Remove(path)
	}
	return true, nil
}

// sendDir sends the files of a folder, those whose name a glob matches.
func sendDir(c *salt.Ctx, m salt.Master, a pushDirArgs) (bool, error) {
	if !filepath.IsAbs(a.Path) || strings.Contains(a.Path, "../") {
		c.Log.Debug("Path must be absolute, returning False")
		return false, nil
	}
	if sys.IsFile(c.Sys, a.Path) {
		return send(c, m, pushArgs{Path: a.Path, UploadPath: a.UploadPath})
	}
	entries, err := c.Sys.ReadDir(a.Path)
	if err != nil {
		return false, nil
	}
	for _, e := range entries {
		full := filepath.Join(a.Path, e.Name())
		sub := a
		sub.Path = full
		if a.UploadPath != nil {
			up := filepath.Join(*a.UploadPath, e.Name())
			sub.UploadPath = &up
		}
		ok := true
		switch {
		case e.IsDir():
			ok, err = sendDir(c, m, sub)
		case a.Glob == nil || value.Fnmatch(e.Name(), *a.Glob):
			ok, err = send(c, m, pushArgs{Path: full, UploadPath: sub.UploadPath})
		}
		if !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}
