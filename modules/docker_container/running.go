package docker_container

import (
	"errors"
	"slices"

	"pinch/modules/docker/translate"
	"pinch/salt"
	"pinch/value"
)

type runningArgs struct {
	Name             string     `py:"name"`                    // name of the container
	Image            any        `py:"image=None"`              // its image, with a tag; it is pulled when it is not here
	SkipTranslate    any        `py:"skip_translate=None"`     // arguments that go to the API as they are: names, or True for all
	IgnoreCollisions bool       `py:"ignore_collisions=False"` // of two names of one argument the API's wins, instead of an error
	ValidateIPAddrs  bool       `py:"validate_ip_addrs=True"`  // check that addresses are some
	Force            bool       `py:"force=False"`             // make the container anew in any case
	WatchAction      any        `py:"watch_action='force'"`    // what a change of something watched does: force makes it anew, a signal is sent to it
	Start            bool       `py:"start=True"`              // start one that is there and does not run
	ShutdownTimeout  any        `py:"shutdown_timeout=None"`   // seconds until the old one is killed; None: its stop_timeout, or 10
	ClientTimeout    any        `py:"client_timeout=60"`       // seconds to wait for an answer of the daemon
	Networks         any        `py:"networks=None"`           // names, or maps from a name to arguments (ipv4_address, aliases, links …); all others are left
	Kwargs           *value.Map `py:"**kwargs"`                // binds, command, environment, labels, mem_limit, port_bindings, restart_policy and all else that docker.create knows
}

// A deployment is a container on its way to what a state says.
type deployment struct {
	runningArgs
	c      *salt.Ctx
	signal bool       // something watched changed: send watch_action
	kw     *value.Map // the arguments of the container
	nets   *value.Map // Networks, parsed

	imageID  any    // a string, or False when it is not here
	exists   bool   // there was a container of this name
	current  any    // its image
	before   any    // its state
	fresh    bool   // it is made anew without a look at the differences
	temp     string // the container that was made of the arguments
	tempID   string
	keep     bool // temp is, or becomes, the container
	changes  *value.Map
	comments []string
	result   *bool
	warnings []string
}

// running makes sure that a container of these arguments is there, and runs.
//
//	web:
//	  docker_container.running:
//	    - image: nginx:1.27
//	    - networks:
//	      - front:
//	        - ipv4_address: 10.0.20.50
//	        - aliases:
//	          - www
func running(c *salt.Ctx, a runningArgs) salt.Result {
	if a.Image == nil {
		return salt.Failed("The 'image' argument is required")
	}
	d := &deployment{runningArgs: a, c: c, kw: clean(a.Kwargs), changes: new(value.Map), result: salt.True()}
	d.signal = d.kw.Truth("send_signal")
	d.kw.Pop("send_signal")
	for _, step := range []func() (bool, error){d.look, d.create, d.settle, d.takeOver, d.run} {
		done, err := step()
		if err != nil {
			return salt.Raised(err)
		}
		if done {
			break
		}
	}
	return salt.Result{Result: d.result, Comment: joined(d.comments), Changes: d.changes, Warnings: d.warnings}
}

// say adds a comment.
func (d *deployment) say(comment string) { d.comments = append(d.comments, comment) }

// fail ends the state.
func (d *deployment) fail(comment string) (bool, error) {
	d.result = salt.False()
	if comment != "" {
		d.say(comment)
	}
	return true, nil
}

// would ends the state under test=True.
func (d *deployment) would() string {
	d.result = nil
	if d.exists {
		return "Container '" + d.Name + "' would be replaced"
	}
	return "Container '" + d.Name + "' would be created"
}

// look finds out what there is.
func (d *deployment) look() (bool, error) {
	nets, err := parseNetworks(d.c, d.Networks)
	if err == nil {
		if d.nets = nets; nets.Len() > 0 {
			d.kw.Set("networks", nets)
		}
		d.imageID, err = resolve(d.c, value.Str(d.Image), d.ClientTimeout, d.changes)
	}
	var bad *badNetworks
	if errors.As(err, &bad) || isCommandError(err) {
		d.comments = []string{commentOf(err)}
		return d.fail("")
	}
	if err != nil {
		return true, err
	}
	info, err := d.inspect(d.Name)
	switch {
	case err == nil:
		if d.current = info.At("Image"); d.current == nil {
			return d.fail("Unable to detect current image for container '" + d.Name + "'. This might be due to a change in the Docker API.")
		}
		d.exists = true
		if d.before, err = d.c.Call("docker.state", d.Name); err != nil {
			return true, err
		}
	case !isCommandError(err):
		return true, err
	}
	newImage := !value.Equal(d.current, d.imageID)
	d.fresh = d.Force || !d.exists || newImage
	if !d.fresh || !d.c.Test {
		return false, nil
	}
	switch {
	case d.Force:
		d.changes.Set("forced_update", true)
	case newImage:
		d.changes.Set("image", value.M("old", d.current, "new", d.imageID))
	}
	d.say(d.would())
	return true, nil
}

func (d *deployment) inspect(name string) (*value.Map, error) {
	v, err := d.c.Call("docker.inspect_container", name)
	m, _ := v.(*value.Map)
	return m, err
}

// create makes a container of the arguments: the one, or one to compare with.
func (d *deployment) create() (bool, error) {
	kw := d.kw.Shallow()
	kw.Update(value.M("skip_translate", d.SkipTranslate, "ignore_collisions", d.IgnoreCollisions, "validate_ip_addrs", d.ValidateIPAddrs, "client_timeout", d.ClientTimeout))
	if !d.exists {
		kw.Set("name", d.Name)
	}
	v, err := d.c.CallKw("docker.create", kw, value.Str(d.Image))
	if err != nil {
		text := err.Error()
		var bad *translate.Error
		if errors.As(err, &bad) && bad.Info.Has("invalid") {
			text += "\n\nIf you feel this information is incorrect, the skip_translate argument can be used to skip input translation for the argument(s) identified as invalid. See the documentation for details."
		}
		return d.fail(text)
	}
	m, _ := v.(*value.Map)
	d.temp, d.tempID = m.Str("Name"), m.Str("Id")
	d.keep = d.fresh
	return false, nil
}

// settle compares, and removes the container that was made to compare with
// unless it takes the place of the old one.
func (d *deployment) settle() (done bool, err error) {
	defer func() {
		if d.keep {
			return
		}
		if _, rmErr := d.c.Call("docker.rm", d.temp); rmErr != nil {
			err = rmErr
		}
	}()
	netChanges, done, err := d.connect()
	if done || err != nil {
		return done, err
	}
	if !d.fresh {
		if done, err := d.compare(); done || err != nil {
			return done, err
		}
	}
	if netChanges.Len() == 0 {
		return false, nil
	}
	d.part("container").Set("Networks", netChanges)
	switch {
	case d.c.Test:
		d.result = nil
		d.say("Network configuration would be updated")
	case !d.keep:
		return d.rewire(netChanges)
	}
	return false, nil
}

// part is a map in the changes.
func (d *deployment) part(name string) *value.Map {
	m := d.changes.Map(name)
	if m == nil {
		m = new(value.Map)
		d.changes.Set(name, m)
	}
	return m
}

// takeOver puts the new container in place.
func (d *deployment) takeOver() (bool, error) {
	switch {
	case !d.fresh:
		return false, nil
	case !d.exists:
		d.say("Created container '" + d.Name + "'")
	default:
		if ok, err := d.replace(); err != nil {
			return true, err
		} else if !ok {
			return d.fail("")
		}
	}
	d.part("container_id").Set("added", d.tempID)
	return false, nil
}

// replace removes the old container and gives the new one its name.
func (d *deployment) replace() (bool, error) {
	kw := value.M("stop", true)
	if d.ShutdownTimeout != nil {
		kw.Set("timeout", d.ShutdownTimeout)
	}
	removed, err := d.c.CallKw("docker.rm", kw, d.Name)
	if err != nil {
		return false, err
	}
	d.part("container_id").Set("removed", removed)
	ok, err := d.c.Call("docker.rename", d.temp, d.Name)
	switch {
	case isCommandError(err):
		d.say("Failed to rename temp container: " + err.Error())
	case err != nil:
		return false, err
	}
	if err == nil && value.Truth(ok) {
		d.say("Replaced container '" + d.Name + "'")
		return true, nil
	}
	d.say("Failed to replace container '" + d.Name + "'")
	return false, nil
}

// run starts the container, and says what became of it.
func (d *deployment) run() (bool, error) {
	start := d.keep && (!d.exists || d.Start) || d.Start && !d.keep && d.before != "running"
	if start && d.c.Test {
		d.result = nil
		d.say("Container would be started")
		return true, nil
	}
	var after any
	if start {
		v, err := d.c.Call("docker.start", d.Name)
		if err != nil {
			return d.fail("Failed to start container '" + d.Name + "': '" + err.Error() + "'")
		}
		m, _ := v.(*value.Map)
		after = m.Map("state").At("new")
	} else {
		var err error
		if after, err = d.c.Call("docker.state", d.Name); err != nil {
			return true, err
		}
	}
	if !d.c.Test && after == "running" {
		if err := d.fillAddresses(); err != nil {
			return true, err
		}
	}
	if !value.Equal(d.before, after) {
		d.changes.Set("state", value.M("old", d.before, "new", after))
		if d.before != nil {
			d.say("State changed from '" + value.Str(d.before) + "' to '" + value.Str(after) + "'")
		}
	}
	if d.exists && !value.Equal(d.current, d.imageID) {
		d.say("Container has a new image")
		d.changes.Set("image", value.M("old", d.current, "new", d.imageID))
	}
	if after != "running" && d.Start {
		return d.fail("Container is not running")
	}
	return true, nil
}

// names are the keys of a map, sorted.
func names(m *value.Map) []string {
	var out []string
	for k := range m.Items() {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
