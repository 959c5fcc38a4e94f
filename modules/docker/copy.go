package docker

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"path"
	"strings"

	"pinch/modules/docker/engine"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type copyFromArgs struct {
	Name      string `py:"name"`            // name or ID of the container
	Source    string `py:"source"`          // a file in it
	Dest      string `py:"dest"`            // where to put it here: a path, or a folder
	Overwrite bool   `py:"overwrite=False"` // replace a file that is there
	Makedirs  bool   `py:"makedirs=False"`  // make the folder of dest
}

// copyFrom copies a file out of a container that runs.
//
//	salt-call docker.copy_from web /var/log/nginx/access.log /home/myuser
func copyFrom(c *salt.Ctx, a copyFromArgs) (bool, error) {
	return ask(c, func(d daemon) (bool, error) {
		if err := d.running(a.Name); err != nil {
			return false, err
		}
		if !path.IsAbs(a.Dest) {
			return false, salt.InvocationError("Destination path must be absolute")
		}
		dest := a.Dest
		if sys.IsDir(c.Sys, dest) {
			dest = path.Join(dest, path.Base(a.Source))
		} else if dir := path.Dir(dest); !sys.IsDir(c.Sys, dir) {
			if !a.Makedirs {
				return false, salt.InvocationError("Directory %s does not exist", dir)
			}
			if err := sys.MkdirAll(c.Sys, dir, 0o777); err != nil {
				return false, salt.CommandError("Unable to make destination directory %s: %s", dir, salt.OSError(err))
			}
		}
		if !a.Overwrite && sys.Exists(c.Sys, dest) {
			return false, salt.CommandError("Destination path %s already exists. Use overwrite=True to overwrite it", dest)
		}
		if !path.IsAbs(a.Source) {
			return false, salt.InvocationError("Source path must be absolute")
		}
		return d.take(a.Name, a.Source, dest)
	})
}

// take copies a file that differs, and reports whether it is the same now.
func (d daemon) take(name, source, dest string) (bool, error) {
	is, err := d.test(name, "-e", source)
	if err == nil && !is {
		err = salt.InvocationError("Source file %s does not exist", source)
	}
	if err != nil {
		return false, err
	}
	if is, err = d.test(name, "-f", source); err == nil && !is {
		err = salt.InvocationError("Source must be a regular file")
	}
	if err != nil {
		return false, err
	}
	want, err := d.sumIn(name, source)
	if err != nil {
		return false, err
	}
	same := func() (bool, error) {
		if !sys.IsFile(d.c.Sys, dest) {
			return false, nil
		}
		sum, err := d.sum(dest)
		return sum == want, err
	}
	if ok, err := same(); ok || err != nil {
		return ok, err
	}
	if err := d.fetch(name, source, dest); err != nil {
		return false, err
	}
	return same()
}

func (d daemon) running(name string) error {
	s, err := d.state(name)
	if err == nil && s != "running" {
		err = salt.CommandError("Container '%s' is not running", name)
	}
	return err
}

// fetch writes one file of a container here. Links are followed in the
// container, never here.
func (d daemon) fetch(name, source, dest string) error {
	for range 40 {
		resp, err := d.Do(engine.Request{Op: "get_archive", Path: "/containers/" + engine.ID(name) + "/archive", Query: engine.Query("path", source), Unlimited: true})
		if missing(err) {
			return salt.InvocationError("Source file %s does not exist", source)
		}
		if err != nil {
			return err
		}
		link, err := d.extract(resp.Body, source, dest)
		_ = resp.Body.Close()
		if link == "" {
			return err
		}
		if !path.IsAbs(link) {
			link = path.Join(path.Dir(source), link)
		}
		source = link
	}
	return salt.CommandError("Source file %s has too many links", source)
}

// extract writes the one file of an archive, or returns where it links to.
func (d daemon) extract(r io.Reader, source, dest string) (link string, err error) {
	t := tar.NewReader(r)
	h, err := t.Next()
	switch {
	case errors.Is(err, io.EOF):
		return "", salt.InvocationError("Source file %s does not exist", source)
	case err != nil:
		return "", salt.CommandError("Unable to perform get_archive: %s", err)
	case h.Typeflag == tar.TypeSymlink:
		return h.Linkname, nil
	case h.Typeflag != tar.TypeReg:
		return "", salt.InvocationError("Source must be a regular file")
	}
	mode := h.FileInfo().Mode().Perm()
	return "", d.c.Sys.Replace(dest, sys.FileAttrs{Mode: &mode}, func(w io.Writer) error {
		_, err := io.Copy(w, t)
		return err
	})
}

type copyToArgs struct {
	Name       string `py:"name"`             // name or ID of the container
	Source     any    `py:"source"`           // the file here: a path or salt://
	Dest       string `py:"dest"`             // where to put it there: a path, or a folder
	ExecDriver any    `py:"exec_driver=None"` // docker-exec
	Overwrite  bool   `py:"overwrite=False"`  // replace a file that is there
	Makedirs   bool   `py:"makedirs=False"`   // make the folder of dest
}

// copyTo copies a file into a container that runs.
//
//	salt-call docker.copy_to web salt://web/index.html /usr/share/nginx/html/index.html overwrite=True
func copyTo(c *salt.Ctx, a copyToArgs) (bool, error) {
	source, ok := a.Source.(string)
	if !ok {
		return false, salt.InvocationError("Invalid source file %s", value.Str(a.Source))
	}
	file, err := cached(c, source)
	if err != nil {
		return false, err
	}
	return ask(c, func(d daemon) (bool, error) {
		if err := d.drives(a.ExecDriver); err != nil {
			return false, err
		}
		return d.send(a, file)
	})
}

func (d daemon) send(a copyToArgs, file string) (bool, error) {
	if err := d.running(a.Name); err != nil {
		return false, err
	}
	switch {
	case !path.IsAbs(file):
		return false, salt.InvocationError("Source path must be absolute")
	case !sys.Exists(d.c.Sys, file):
		return false, salt.InvocationError("Source file %s does not exist", file)
	case !sys.IsFile(d.c.Sys, file):
		return false, salt.InvocationError("Source must be a regular file")
	case !path.IsAbs(a.Dest):
		return false, salt.InvocationError("Destination path must be absolute")
	}
	dest, err := d.place(a, file)
	if err != nil {
		return false, err
	}
	if !a.Overwrite {
		there, err := d.test(a.Name, "-e", dest)
		if err != nil {
			return false, err
		}
		if there {
			return false, salt.CommandError("Destination path %s already exists. Use overwrite=True to overwrite it", dest)
		}
	}
	sum, err := d.sum(file)
	if err != nil {
		return false, err
	}
	if now, err := d.sumIn(a.Name, dest); err != nil || now == sum {
		return err == nil, err
	}
	f, err := d.c.Sys.Open(file)
	if err != nil {
		return false, salt.OSError(err)
	}
	defer f.Close()
	r, err := d.exec(a.Name, []string{"env", "-i", searched, "tee", dest}, f, false)
	if err != nil {
		return false, err
	}
	now, err := d.sumIn(a.Name, dest)
	if err == nil && now != sum {
		d.c.Log.Error("docker: " + dest + " in " + a.Name + " is not what was sent: " + r.stderr)
	}
	return now == sum, err
}

// write makes a file in a container.
func (d daemon) write(name, dest string, content io.Reader) error {
	r, err := d.exec(name, []string{"env", "-i", searched, "tee", dest}, content, false)
	if err == nil && r.code != 0 {
		err = salt.CommandError("Unable to write %s in container '%s': %s", dest, name, strings.TrimSpace(r.stderr))
	}
	return err
}

// place is where a file goes in a container.
func (d daemon) place(a copyToArgs, file string) (string, error) {
	is, err := d.test(a.Name, "-d", a.Dest)
	if err != nil || is {
		return path.Join(a.Dest, path.Base(file)), err
	}
	dir := path.Dir(a.Dest)
	if is, err = d.test(a.Name, "-d", dir); err != nil || is {
		return a.Dest, err
	}
	if !a.Makedirs {
		return "", salt.InvocationError("Directory %s does not exist on docker container '%s'", dir, a.Name)
	}
	r, err := d.exec(a.Name, []string{"env", "-i", searched, "mkdir", "-p", dir}, nil, false)
	if err == nil && r.code != 0 {
		msg := "Unable to create destination directory " + dir + " in container '" + a.Name + "'"
		if r.stderr != "" {
			msg += ": " + strings.TrimSpace(r.stderr)
		}
		err = salt.CommandError("%s", msg)
	}
	return a.Dest, err
}

func (d daemon) test(name, what, path string) (bool, error) {
	r, err := d.exec(name, []string{"env", "-i", searched, "test", what, path}, nil, false)
	return r.code == 0, err
}

// sum is the SHA-256 of a file here.
func (d daemon) sum(file string) (string, error) {
	f, err := d.c.Sys.Open(file)
	if err != nil {
		return "", salt.OSError(err)
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}

// sumIn is that of a file in a container, "" without one.
func (d daemon) sumIn(name, path string) (string, error) {
	r, err := d.exec(name, []string{"env", "-i", searched, "sha256sum", path}, nil, false)
	sum, _, _ := strings.Cut(r.stdout, " ")
	return strings.TrimSpace(sum), err
}
