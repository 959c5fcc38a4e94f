package docker

import (
	"bytes"
	"io"
	"net/http"
	"time"

	"pinch/modules/docker/engine"
	"pinch/modules/docker/translate"
	"pinch/salt"
	"pinch/value"
)

type runContainerArgs struct {
	Image            string     `py:"image"`                   // the image; it is pulled when it is not there
	Name             any        `py:"name=None"`               // the container's name; None: the daemon makes one up
	SkipTranslate    any        `py:"skip_translate=None"`     // True, or names of arguments: they reach the API as they are
	IgnoreCollisions bool       `py:"ignore_collisions=False"` // of two names of one argument the API's wins, instead of an error
	ValidateIPAddrs  bool       `py:"validate_ip_addrs=True"`  // False: addresses are not looked at
	ClientTimeout    any        `py:"client_timeout=60"`       // seconds until the daemon must answer
	Bg               bool       `py:"bg=False"`                // do not wait for its end
	Replace          bool       `py:"replace=False"`           // remove a container of that name first
	Force            bool       `py:"force=False"`             // replace one that runs
	Networks         any        `py:"networks=None"`           // networks to join: names with commas, or a map from names to ipv4_address, aliases …
	Kwargs           *value.Map `py:"**kwargs"`                // as in docker.create
}

// runContainer makes a container, starts it, and waits for its end: Logs is
// what it wrote, ExitCode its exit code.
//
//	salt-call docker.run_container busybox name=hello cmd='echo hi'
func runContainer(c *salt.Ctx, a runContainerArgs) (*value.Map, error) {
	return changing(c, func(d daemon) (*value.Map, error) { return d.runContainer(a) })
}

func (d daemon) runContainer(a runContainerArgs) (*value.Map, error) {
	d.Client = d.Within(a.ClientTimeout)
	if err := d.need(a.Image, a.Kwargs); err != nil {
		return nil, err
	}
	gone, err := d.replace(a)
	if err != nil {
		return nil, err
	}
	kw := clean(a.Kwargs, "inspect")
	for _, it := range translate.ClientArgs([]string{"logs"}).List("logs").Items {
		kw.Pop(value.Str(it))
	}
	began := time.Now()
	reading := d.reading(a.SkipTranslate, a.IgnoreCollisions, a.ValidateIPAddrs)
	if _, err := translate.Container(kw, reading); err != nil {
		return nil, err
	}
	nets, err := endpoints(a.Networks)
	if err != nil {
		return nil, err
	}
	reading.Log = nil
	out, body, err := d.create(a.Image, a.Name, kw, reading)
	if err != nil {
		return nil, err
	}
	if gone != nil && gone.Len() > 0 {
		out.Set("Replaces", gone)
	}
	name, err := d.nameOf(out, a.Name)
	if err != nil {
		return nil, err
	}
	brief := body.Map("HostConfig").Truth("AutoRemove")
	for net, conf := range nets.Items() {
		if err := d.connect(out.Str("Id"), net, conf.(*value.Map)); err != nil {
			info := value.M("return", out)
			if brief {
				if _, rmErr := d.rm(name, false, false, false, nil); rmErr != nil {
					info.Set("other_errors", value.L("Failed to auto_remove container: "+rmErr.Error()))
				}
			}
			return nil, withInfo(err.Error(), info)
		}
	}
	read := func() (string, error) { return d.follow(out.Str("Id"), body.Truth("Tty")) }
	if brief && !a.Bg {
		read = d.attach(out.Str("Id"), body.Truth("Tty"), read)
	}
	if _, err := d.start(out.Str("Id")); err != nil {
		return nil, withInfo(err.Error(), value.M("return", out, "other_errors", value.L(nil)))
	}
	var logs string
	if !a.Bg {
		if logs, err = read(); err != nil {
			warn(out, "Failed to get logs from container. This may be because the container exited before Salt was able to attach to it to retrieve the logs. Consider setting auto_remove to False.")
		}
	}
	out.Set("Time_Elapsed", time.Since(began).Seconds())
	if a.Bg {
		return out, nil
	}
	out.Set("Logs", logs)
	if !brief {
		d.ended(out)
	}
	return out, nil
}

// replace makes room for a new container, and returns what went.
func (d daemon) replace(a runContainerArgs) (*value.List, error) {
	if a.Name == nil {
		return nil, nil
	}
	name := text(a.Name)
	switch s, err := d.state(name); {
	case engine.Status(err) != 0:
		return nil, nil
	case err != nil:
		return nil, err
	case s == "running" && !(a.Replace && a.Force):
		return nil, salt.CommandError("Container '%s' exists and is running. Run with replace=True and force=True to force removal of the existing container.", name)
	case !a.Replace:
		return nil, salt.CommandError("Container '%s' exists. Run with replace=True to remove the existing container", name)
	}
	return d.rm(name, a.Force, false, false, nil)
}

// endpoints reads the argument networks: what to join, and how.
func endpoints(v any) (*value.Map, error) {
	bad := salt.InvocationError("Invalid format for networks argument")
	out := new(value.Map)
	if !value.Truth(v) {
		return out, nil
	}
	switch x := v.(type) {
	case string:
		for _, name := range splitInput(x) {
			out.Set(name, new(value.Map))
		}
		return out, nil
	case *value.Map:
		for _, conf := range x.Items() {
			if _, ok := conf.(*value.Map); !ok {
				return nil, bad
			}
		}
		return x, nil
	}
	return nil, bad
}

// warn adds to the daemon's warnings.
func warn(out *value.Map, text string) {
	l := out.List("Warnings")
	if l == nil {
		l = value.L()
		out.Set("Warnings", l)
	}
	l.Append(text)
}

// ended notes how a container came to its end.
func (d daemon) ended(out *value.Map) {
	m, err := d.container(out.Str("Id"))
	if err != nil {
		warn(out, "Failed to inspect container after running")
		return
	}
	if m.Map("State").Str("Status") != "exited" {
		warn(out, "Container state is not 'exited'")
	}
	out.Set("ExitCode", m.Map("State").At("ExitCode"))
}

// attach listens to a container before it starts, for its log goes with it when
// it removes itself; otherwise is what to do when that does not work.
func (d daemon) attach(id string, tty bool, otherwise func() (string, error)) func() (string, error) {
	var b bytes.Buffer
	ready, done := make(chan struct{}), make(chan error, 1)
	go func() {
		done <- d.Attach(engine.Request{Op: "attach", Method: http.MethodPost, Path: "/containers/" + engine.ID(id) + "/attach",
			Query: engine.Query("stream", "1", "stdout", "1", "stderr", "1")}, nil, func(r io.Reader) error {
			close(ready)
			return demux(&b, r, tty)
		})
	}()
	select {
	case <-ready:
		return func() (string, error) {
			err := <-done
			return decoded(b.Bytes()), err
		}
	case <-done:
		return otherwise
	}
}

func demux(b *bytes.Buffer, r io.Reader, tty bool) error {
	if !tty {
		return engine.Demux(r, b, b)
	}
	_, err := io.Copy(b, r)
	return err
}

// follow reads what a container writes until its end.
func (d daemon) follow(id string, tty bool) (string, error) {
	return d.output(id, tty, engine.Query("stderr", "1", "stdout", "1", "timestamps", "0", "follow", "1", "tail", "all"))
}

func (d daemon) output(id string, tty bool, query map[string][]string) (string, error) {
	resp, err := d.Do(engine.Request{Op: "logs", Path: "/containers/" + engine.ID(id) + "/logs", Query: query, Unlimited: true})
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var b bytes.Buffer
	if err := demux(&b, resp.Body, tty); err != nil {
		return "", salt.CommandError("Unable to perform logs: %s", err)
	}
	return decoded(b.Bytes()), nil
}
