package cp

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"path/filepath"

	"pinch/render/saltfilters"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type pushArgs struct {
	Path         string  `py:"path"`                // a file of this machine
	KeepSymlinks bool    `py:"keep_symlinks=False"` // don't follow links
	UploadPath   *string `py:"upload_path=None"`    // its name on the master
	RemoveSource bool    `py:"remove_source=False"` // remove the file afterwards
}

func noMaster(fun string) error {
	return salt.CommandError("cp.%s sends files to a master: there is none in a local run", fun)
}

// push sends a file to the master, if the master takes files (file_recv); a
// local run has none.
func push(c *salt.Ctx, a pushArgs) (bool, error) {
	m := c.Run.Master
	if m == nil {
		return false, noMaster("push")
	}
	return send(c, m, a)
}

type pushDirArgs struct {
	Path       string  `py:"path"`             // a folder of this machine
	Glob       *string `py:"glob=None"`        // only files that match
	UploadPath *string `py:"upload_path=None"` // its name on the master
}

// pushDir sends the files of a folder to the master; a local run has none.
func pushDir(c *salt.Ctx, a pushDirArgs) (bool, error) {
	m := c.Run.Master
	if m == nil {
		return false, noMaster("push_dir")
	}
	return sendDir(c, m, a)
}

type recvArgs struct {
	Files *value.Map `py:"files"` // contents by name
	Dest  string     `py:"dest"`  // a file or a folder
}

// recv writes files that salt-cp sent.
func recv(c *salt.Ctx, a recvArgs) (any, error) {
	out := new(value.Map)
	for name, data := range a.Files.Items() {
		to := a.Dest
		switch {
		case sys.IsDir(c.Sys, to):
			to = filepath.Join(to, filepath.Base(name))
		case filepath.Base(name) == filepath.Base(to), sys.IsDir(c.Sys, filepath.Dir(to)):
		default:
			return "Destination unavailable", nil
		}
		out.Set(to, sys.WriteFile(c.Sys, to, []byte(value.Str(data)), sys.FileAttrs{}) == nil)
	}
	return out, nil
}

type chunkArgs struct {
	Dest       string `py:"dest"`            // the file
	Chunk      any    `py:"chunk"`           // base64; None makes an empty folder
	Append     bool   `py:"append=False"`    // behind what is there
	Compressed bool   `py:"compressed=True"` // the chunk is gzip
	Mode       *int64 `py:"mode=None"`       // of the file
}

// recvChunked writes a part of a file that salt-cp sent.
func recvChunked(c *salt.Ctx, a chunkArgs) (any, error) {
	failed := func(err error) (any, error) {
		c.Run.SetRetcode(1)
		return err.Error(), nil
	}
	if a.Chunk == nil {
		if sys.IsFile(c.Sys, a.Dest) {
			return "Path exists and is a file", nil
		}
		if err := sys.MkdirAll(c.Sys, a.Dest, 0o755); err != nil {
			return failed(err)
		}
		return true, nil
	}
	b, err := saltfilters.DecodeBase64([]byte(value.Str(a.Chunk)))
	if err == nil && a.Compressed {
		b, err = unzip(b)
	}
	if err != nil {
		return failed(err)
	}
	if err := sys.MkdirAll(c.Sys, filepath.Dir(a.Dest), 0o755); err != nil {
		return failed(err)
	}
	if a.Append {
		w, err := c.Sys.Append(a.Dest)
		if err == nil {
			_, err = w.Write(b)
			w.Close()
		}
		if err != nil {
			return failed(err)
		}
		return true, nil
	}
	var attrs sys.FileAttrs
	if a.Mode != nil {
		m := fs.FileMode(sys.Mode(uint32(*a.Mode)))
		attrs.Mode = &m
	}
	if err := sys.WriteFile(c.Sys, a.Dest, b, attrs); err != nil {
		return failed(err)
	}
	return true, nil
}

func unzip(b []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
