package docker

import (
	"archive/tar"
	"io"
	"net/http"
	"os"
	"strings"

	"pinch/modules/docker/engine"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// A guest is this program in a container, in a folder of its own.
type guest struct {
	d         daemon
	name, dir string
}

// enter puts this program into a container that runs. It needs nothing there:
// no shell, no Python.
func (d daemon) enter(name string) (*guest, error) {
	m, err := d.container(name)
	if missing(err) {
		return nil, absentee("Error: No such container: " + name)
	}
	if err != nil {
		return nil, err
	}
	if s := stateOf(m); s != "running" {
		return nil, absentee("Error response from daemon: Container " + m.Str("Id") + " is not running")
	}
	g := &guest{d: d, name: name, dir: sys.TempName(writable(m), "")}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	info, err := d.c.Sys.Stat(self)
	if err != nil {
		return nil, salt.OSError(err)
	}
	conf, err := value.JSON(value.M("file_client", "local", "id", m.Map("Config").Str("Hostname"), "root_dir", g.dir, "log_level_logfile", "quiet"), value.JSONOptions{})
	if err != nil {
		return nil, err
	}
	return g, g.put(func(w *tar.Writer, in string) error {
		if err := w.WriteHeader(&tar.Header{Name: in + "/", Mode: 0o700, Typeflag: tar.TypeDir}); err != nil {
			return err
		}
		if err := file(w, in+"/minion", []byte(conf)); err != nil {
			return err
		}
		if err := w.WriteHeader(&tar.Header{Name: in + "/pinch", Mode: 0o755, Size: info.Size(), Typeflag: tar.TypeReg}); err != nil {
			return err
		}
		f, err := d.c.Sys.Open(self)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	})
}

// writable is a folder of a container that the daemon can write to: it does
// not see what is mounted in memory.
func writable(container *value.Map) string {
	if container.Map("HostConfig").Map("Tmpfs").Has("/tmp") {
		return "/var/tmp"
	}
	if l := container.List("Mounts"); l != nil {
		for _, it := range l.Items {
			if m, ok := it.(*value.Map); ok && m.Str("Destination") == "/tmp" && m.Str("Type") == "tmpfs" {
				return "/var/tmp"
			}
		}
	}
	return "/tmp"
}

// put writes files below the guest's folder; fill gets its name in the archive.
func (g *guest) put(fill func(w *tar.Writer, in string) error) error {
	body := g.d.archive(func(w *tar.Writer) error { return fill(w, strings.TrimPrefix(g.dir, "/")) })
	_, err := g.d.Text(engine.Request{Op: "put_archive", Method: http.MethodPut, Path: "/containers/" + engine.ID(g.name) + "/archive",
		Query: engine.Query("path", "/"), Body: body, Header: http.Header{"Content-Type": {"application/x-tar"}}, Unlimited: true})
	return err
}

// leave removes what was put into the container.
func (g *guest) leave() {
	if _, err := g.run("file.remove", []any{g.dir}, nil); err != nil {
		g.d.c.Log.Error("docker: cannot remove " + g.dir + " in " + g.name + ": " + err.Error())
	}
}

func (g *guest) run(fun string, args []any, kw *value.Map) (result, error) {
	argv := []string{g.dir + "/pinch", "-c", g.dir, "--local", "--metadata", "--out", "json", "-l", "quiet", "--", fun}
	for _, a := range args {
		argv = append(argv, value.Str(a))
	}
	for key, v := range kw.Items() {
		if !strings.HasPrefix(key, "__") {
			argv = append(argv, key+"="+value.Str(v))
		}
	}
	return g.d.exec(g.name, argv, nil, false)
}

// call calls a function in the container and returns what it returned.
func (g *guest) call(fun string, args []any, kw *value.Map) (any, error) {
	r, err := g.run(fun, args, kw)
	if err != nil {
		return nil, err
	}
	v, err := value.ParseJSON(r.stdout)
	m, ok := v.(*value.Map)
	switch {
	case (err != nil || !ok) && r.code != 0:
		return nil, salt.CommandError("%s", strings.TrimSpace(r.stderr+r.stdout))
	case err != nil || !ok:
		return value.M("result", false, "comment", "Can't parse container command output"), nil
	}
	local := m.Map("local")
	if !local.Has("return") {
		return m, nil
	}
	if n, ok := local.At("retcode").(int64); ok {
		g.d.c.Run.SetRetcode(int(n))
	}
	return local.At("return"), nil
}

// absentee is a container that nothing can be called in.
type absentee string

func (a absentee) Error() string { return string(a) }

// answer is what Salt returns of an absentee.
func answer(v any, err error) (any, error) {
	if a, ok := err.(absentee); ok {
		return value.M("result", false, "comment", string(a)), nil
	}
	return v, err
}

type callArgs struct {
	Name     string     `py:"name"`     // name or ID of the container
	Function any        `py:"function"` // the function, such as test.ping
	Args     []any      `py:"*args"`    // its arguments
	Kwargs   *value.Map `py:"**kwargs"` // and those with names
}

// call calls a function in a container that runs, with this program, which is
// put into it for that time.
//
//	salt-call docker.call compassionate_mirzakhani test.arg arg1 arg2 key1=val1
func call(c *salt.Ctx, a callArgs) (any, error) {
	if a.Function == nil {
		return nil, salt.CommandError("Missing function parameter")
	}
	return answer(changing(c, func(d daemon) (any, error) {
		g, err := d.enter(a.Name)
		if err != nil {
			return nil, err
		}
		defer g.leave()
		return g.call(value.Str(a.Function), a.Args, a.Kwargs)
	}))
}
