package docker_container

import (
	"pinch/value"
)

// connect attaches the new container to the networks, and no others when
// there are some to be, and returns what differs from the old container's.
func (d *deployment) connect() (changes *value.Map, done bool, err error) {
	first := d.temp
	if d.exists {
		first = d.Name
	}
	before, err := d.inspect(first)
	if err != nil {
		return nil, true, err
	}
	for name, conf := range d.nets.Items() {
		_, err := d.c.CallKw("docker.connect_container_to_network", conf.(*value.Map), d.temp, name)
		if isCommandError(err) {
			done, err = d.fail(err.Error())
			return nil, done, err
		}
		if err != nil {
			return nil, true, err
		}
	}
	after, err := d.inspect(d.temp)
	if err != nil {
		return nil, true, err
	}
	if d.Networks != nil {
		extra := false
		for _, name := range names(after.Map("NetworkSettings").Map("Networks")) {
			if d.nets.Has(name) {
				continue
			}
			extra = true
			if _, err := d.c.Call("docker.disconnect_container_from_network", d.temp, name); err != nil {
				return nil, true, err
			}
		}
		if extra {
			if after, err = d.inspect(d.temp); err != nil {
				return nil, true, err
			}
		}
	}
	v, err := d.c.Call("docker.compare_container_networks", before, after)
	changes, _ = v.(*value.Map)
	return changes, false, err
}

// compare asks for the differences of the old and the new container, and
// replaces the old one when there are some.
func (d *deployment) compare() (bool, error) {
	ignore, err := d.ignored()
	if err != nil {
		return true, err
	}
	v, err := d.c.CallKw("docker.compare_containers", value.M("ignore", ignore), d.Name, d.temp)
	if err != nil {
		return true, err
	}
	changes, _ := v.(*value.Map)
	if changes.Len() == 0 {
		return d.unchanged()
	}
	if oldMistake(changes) {
		without := ""
		if d.c.Test {
			without = " without test=True"
		}
		d.warnings = append(d.warnings, "The detected changes may be due to incorrect handling of arguments in earlier Salt releases. If this warning persists after running the state again"+without+", and no changes were made to the SLS file, then please report this.")
	}
	d.part("container").Update(changes)
	if d.c.Test {
		d.say(d.would())
		return false, nil
	}
	d.keep = true
	ok, err := d.replace()
	switch {
	case err != nil:
		return true, err
	case !ok:
		return d.fail("")
	}
	d.part("container_id").Set("added", d.tempID)
	return false, nil
}

// ignored are the keys that differ in any two containers. Since Docker 25
// there is an address of the network card.
func (d *deployment) ignored() (string, error) {
	v, err := d.c.Call("docker.version")
	if err != nil {
		return "", err
	}
	m, _ := v.(*value.Map)
	t, _ := m.At("VersionInfo").(value.Tuple)
	if len(t) > 0 {
		if less, err := value.Less(t[0], int64(25)); err == nil && less {
			return "Hostname", nil
		}
	}
	return "Hostname,MacAddress", nil
}

// unchanged sends the signal that a watch asked for, or says that all is well.
func (d *deployment) unchanged() (bool, error) {
	action := value.Str(d.WatchAction)
	switch {
	case !d.signal:
		d.say("Container '" + d.Name + "' is already configured as specified")
		return false, nil
	case d.c.Test:
		d.say("Signal " + action + " would be sent to container")
		return false, nil
	}
	_, err := d.c.CallKw("docker.signal", value.M("signal", d.WatchAction), d.Name)
	switch {
	case isCommandError(err):
		return d.fail("Failed to signal container: " + err.Error())
	case err != nil:
		return true, err
	}
	d.changes.Set("signal", d.WatchAction)
	d.say("Sent signal " + action + " to container")
	return false, nil
}

// oldMistake reports whether values went that early releases of Salt set to
// empty text.
func oldMistake(changes *value.Map) bool {
	for part, v := range changes.Items() {
		items, _ := v.(*value.Map)
		if part == "Networks" {
			continue
		}
		for _, v := range items.Items() {
			diff, _ := v.(*value.Map)
			if diff.At("new") == nil && allEmpty(diff.At("old")) {
				return true
			}
		}
	}
	return false
}

func allEmpty(v any) bool {
	switch v := v.(type) {
	case string:
		return v == ""
	case *value.List:
		for _, it := range v.Items {
			if it != "" {
				return false
			}
		}
		return true
	case *value.Map:
		for k := range v.All() {
			if k != "" {
				return false
			}
		}
		return true
	}
	return false
}

// rewire brings the networks of a container that stays to what they should be.
func (d *deployment) rewire(changes *value.Map) (bool, error) {
	failed := false
	for _, name := range names(changes) {
		var wrong []string
		off, on := false, false
		err := d.leave(name, &off)
		if isCommandError(err) {
			wrong = append(wrong, err.Error())
		} else if err != nil {
			return true, err
		}
		if conf := d.nets.Map(name); conf != nil {
			_, err := d.c.CallKw("docker.connect_container_to_network", conf, d.Name, name)
			switch {
			case err == nil:
				on = true
			case isCommandError(err):
				wrong = append(wrong, err.Error())
				if off {
					lost(changes.Map(name))
				}
			default:
				return true, err
			}
		}
		if len(wrong) > 0 {
			d.comments = append(d.comments, wrong...)
			failed = true
		}
		switch {
		case off && on:
			d.say("Reconnected to network '" + name + "' with updated configuration")
		case off:
			d.say("Disconnected from network '" + name + "'")
		case on:
			d.say("Connected to network '" + name + "'")
		}
	}
	if failed {
		return d.fail("")
	}
	return false, nil
}

// leave disconnects the container from a network that it is connected to.
func (d *deployment) leave(name string, off *bool) error {
	v, err := d.c.Call("docker.connected", name)
	if err != nil {
		return err
	}
	if l, ok := v.(*value.List); ok {
		for _, it := range l.Items {
			if value.Str(it) != d.Name {
				continue
			}
			if _, err := d.c.Call("docker.disconnect_container_from_network", d.Name, name); err != nil {
				return err
			}
			*off = true
			return nil
		}
	}
	return nil
}

// lost notes that the container left a network and could not come back.
func lost(items *value.Map) {
	for _, key := range names(items) {
		diff := items.Map(key)
		if diff.At("old") == nil {
			items.Pop(key)
		} else {
			diff.Set("new", nil)
		}
	}
}

// fillAddresses replaces "automatic" in the changes by the addresses that the
// daemon gave when the container started.
func (d *deployment) fillAddresses() error {
	v, err := d.c.Call("config.option", "docker.compare_container_networks")
	if err != nil {
		return err
	}
	m, _ := v.(*value.Map)
	keys := m.List("automatic")
	var nets *value.Map
	for name, it := range d.changes.Map("container").Map("Networks").Items() {
		items, _ := it.(*value.Map)
		if keys.Len() == 0 || items.Map("IPConfiguration").At("new") != "automatic" {
			continue
		}
		if nets == nil {
			info, err := d.inspect(d.Name)
			if err != nil {
				return err
			}
			nets = info.Map("NetworkSettings").Map("Networks")
		}
		for _, k := range keys.Items {
			key := value.Str(k)
			if v := nets.Map(name).At(key); value.Truth(v) {
				items.Set(key, value.M("old", nil, "new", v))
				items.Pop("IPConfiguration")
			}
		}
	}
	return nil
}
