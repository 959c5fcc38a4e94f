package docker

import (
	"compress/gzip"
	"io"
	"path"
	"strings"
	"time"

	"github.com/ulikunitz/xz"

	"pinch/modules/docker/engine"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type exportArgs struct {
	Name        string     `py:"name"`             // name or ID of the container
	Path        any        `py:"path"`             // the archive
	Overwrite   bool       `py:"overwrite=False"`  // replace a file that is there
	Makedirs    bool       `py:"makedirs=False"`   // make its folder
	Compression any        `py:"compression=None"` // gzip, bzip2 or xz; None: what the end of path says
	Kwargs      *value.Map `py:"**kwargs"`         // push: hand it to the master, too
}

// export writes the files of a container to an archive.
//
//	salt-call docker.export mycontainer /tmp/mycontainer.tar.xz
func export(c *salt.Ctx, a exportArgs) (*value.Map, error) {
	p, kind, err := target(c, a, "Parent dir %s of destination path does not exist. Use makedirs=True to create it.")
	if err != nil {
		return nil, err
	}
	return ask(c, func(d daemon) (*value.Map, error) {
		return d.save(engine.Request{Op: "export", Path: "/containers/" + engine.ID(a.Name) + "/export"}, p, kind, a.Kwargs, "Error occurred during container export: %s")
	})
}

// target checks where an archive shall go, and how it is compressed.
func target(c *salt.Ctx, a exportArgs, noDir string) (p, kind string, err error) {
	p, ok := a.Path.(string)
	if !ok || !path.IsAbs(p) {
		return "", "", salt.InvocationError("Path '%s' is not absolute", value.Str(a.Path))
	}
	if sys.Exists(c.Sys, p) && !a.Overwrite {
		return "", "", salt.CommandError("%s already exists", p)
	}
	if kind, err = compression(a.Compression, p); err != nil {
		return "", "", err
	}
	if dir := path.Dir(p); !sys.IsDir(c.Sys, dir) {
		if !a.Makedirs {
			return "", "", salt.CommandError(noDir, dir)
		}
		if err := sys.MkdirAll(c.Sys, dir, 0o777); err != nil {
			return "", "", salt.CommandError("Unable to make parent dir %s: %s", dir, salt.OSError(err))
		}
	}
	return p, kind, nil
}

func compression(given any, p string) (string, error) {
	if given == nil {
		for _, e := range []struct{ end, kind string }{{".tar.gz", "gzip"}, {".tgz", "gzip"}, {".tar.bz2", "bzip2"}, {".tbz2", "bzip2"}, {".tar.xz", "xz"}, {".txz", "xz"}} {
			if strings.HasSuffix(p, e.end) {
				return e.kind, nil
			}
		}
		return "", nil
	}
	switch s := value.Str(given); s {
	case "gz", "gzip":
		return "gzip", nil
	case "bz2", "bzip2":
		return "bzip2", nil
	case "lzma", "xz":
		return "xz", nil
	case "":
		return "", nil
	default:
		return "", salt.InvocationError("Invalid compression type '%s'", s)
	}
}

// save writes what the daemon answers to a file, in one step.
func (d daemon) save(r engine.Request, p, kind string, kw *value.Map, failed string) (*value.Map, error) {
	began := time.Now()
	r.Unlimited = true
	resp, err := d.Do(r)
	if err != nil {
		return nil, salt.CommandError(failed, err)
	}
	defer resp.Body.Close()
	err = d.c.Sys.Replace(p, sys.FileAttrs{}, func(w io.Writer) error {
		out, err := compressor(w, kind)
		if err != nil {
			return err
		}
		if _, err := io.Copy(out, resp.Body); err != nil {
			return err
		}
		return out.Close()
	})
	if err != nil {
		return nil, salt.CommandError(failed, salt.OSError(err))
	}
	info, err := d.c.Sys.Stat(p)
	if err != nil {
		return nil, salt.OSError(err)
	}
	out := value.M("Time_Elapsed", time.Since(began).Seconds(), "Path", p, "Size", info.Size(), "Size_Human", sizeText(info.Size()))
	if kw.Truth("push") {
		v, err := d.c.Call("cp.push", p)
		if err != nil {
			return nil, err
		}
		out.Set("Push", v)
	}
	return out, nil
}

type plain struct{ io.Writer }

func (plain) Close() error { return nil }

func compressor(w io.Writer, kind string) (io.WriteCloser, error) {
	switch kind {
	case "gzip":
		return gzip.NewWriter(w), nil
	case "bzip2":
		return newBzip2(w)
	case "xz":
		return xz.NewWriter(w)
	}
	return plain{w}, nil
}

type saveArgs struct {
	Name        string     `py:"name"`             // name or ID of the image
	Path        any        `py:"path"`             // the archive
	Overwrite   bool       `py:"overwrite=False"`  // replace a file that is there
	Makedirs    bool       `py:"makedirs=False"`   // make its folder
	Compression any        `py:"compression=None"` // gzip, bzip2 or xz; None: what the end of path says
	Kwargs      *value.Map `py:"**kwargs"`         // push: hand it to the master, too
}

// save writes an image to an archive that docker.load reads.
//
//	salt-call docker.save centos:7 /tmp/cent7.tar.gz
func save(c *salt.Ctx, a saveArgs) (*value.Map, error) {
	p, kind, err := target(c, exportArgs(a), "Parent dir '%s' of destination path does not exist. Use makedirs=True to create it.")
	if err != nil {
		return nil, err
	}
	return ask(c, func(d daemon) (*value.Map, error) {
		m, err := d.image(a.Name)
		if err != nil {
			return nil, err
		}
		what := m.Str("Id")
		if l := m.List("RepoTags"); l != nil {
			for _, t := range l.Items {
				if t == a.Name {
					what = a.Name
				}
			}
		}
		return d.save(engine.Request{Op: "save", Path: "/images/get", Query: engine.Query("names", what)}, p, kind, a.Kwargs, "Failed to save image(s) to "+strings.ReplaceAll(p, "%", "%%")+": %s")
	})
}
