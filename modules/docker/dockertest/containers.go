package dockertest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"net/http"
	"strings"
)

type container struct {
	id, name string
	image    object
	config   object
	host     object
	running  bool
	paused   bool
	exit     int
	output   string
	started  bool
	nets     map[string]object // the endpoints, by the names of networks
}

func (d *Daemon) container(name string) (*container, error) {
	name = strings.TrimPrefix(name, "/")
	for _, c := range d.containers {
		if c.name == name || c.id == name || len(name) >= 12 && strings.HasPrefix(c.id, name) {
			return c, nil
		}
	}
	return nil, refuse(404, "No such container: %s", name)
}

func (d *Daemon) containerAnswer(r *http.Request, parts []string, body object) (any, error) {
	if len(parts) == 2 && parts[1] == "json" {
		return d.listContainers(r.URL.Query().Get("all")), nil
	}
	if len(parts) == 2 && parts[1] == "create" {
		return d.create(r.URL.Query().Get("name"), body)
	}
	c, err := d.container(parts[1])
	if err != nil {
		return nil, err
	}
	if r.Method == http.MethodDelete {
		return nil, d.remove(c, r.URL.Query().Get("force"))
	}
	switch action := parts[2]; action {
	case "json":
		return d.inspect(c), nil
	case "start":
		return nil, d.start(c)
	case "stop", "kill":
		return nil, d.stop(c, action, r.URL.Query().Get("signal"))
	case "pause", "unpause":
		c.paused = action == "pause"
		return nil, nil
	case "wait":
		return object{"StatusCode": c.exit}, nil
	case "rename":
		c.name = r.URL.Query().Get("name")
		return nil, nil
	case "logs":
		var b bytes.Buffer
		if c.output != "" {
			var head [8]byte
			head[0] = 1
			binary.BigEndian.PutUint32(head[4:], uint32(len(c.output)))
			b.Write(head[:])
			b.WriteString(c.output)
		}
		return b.Bytes(), nil
	}
	return nil, refuse(404, "page not found")
}

func (d *Daemon) listContainers(all string) []object {
	out := []object{}
	for i := len(d.containers) - 1; i >= 0; i-- {
		c := d.containers[i]
		if !c.running && (all == "" || all == "0" || all == "False") {
			continue
		}
		out = append(out, object{"Id": c.id, "Names": []any{"/" + c.name}, "Image": c.config["Image"], "ImageID": c.image["Id"], "Command": "x",
			"Created": 1700000000, "Ports": []any{}, "Labels": c.config["Labels"], "State": c.status(), "Status": "Up", "Mounts": []any{}})
	}
	return out
}

func (c *container) status() string {
	switch {
	case c.paused:
		return "paused"
	case c.running:
		return "running"
	case !c.started:
		return "created"
	}
	return "exited"
}

// overlay puts what is given, and not null, over the defaults.
func overlay(def, given object) object {
	out := object{}
	maps.Copy(out, def)
	for k, v := range given {
		if v != nil {
			out[k] = v
		}
	}
	return out
}

func (d *Daemon) create(name string, body object) (any, error) {
	img := d.image(fmt.Sprint(body["Image"]))
	if img == nil {
		return nil, refuse(404, "No such image: %s", body["Image"])
	}
	if name == "" {
		name = fmt.Sprintf("auto_%d", d.count+1)
	}
	if _, err := d.container(name); err == nil {
		return nil, refuse(409, `Conflict. The container name "/%s" is already in use.`, name)
	}
	host, _ := body["HostConfig"].(object)
	networking, _ := body["NetworkingConfig"].(object)
	c := &container{id: d.next("container"), name: name, image: img, nets: map[string]object{}}
	delete(body, "HostConfig")
	delete(body, "NetworkingConfig")
	own := img["Config"].(object)
	c.config = overlay(object{"Hostname": c.id[:12], "Domainname": "", "User": "", "AttachStdin": false, "AttachStdout": false, "AttachStderr": false,
		"Tty": false, "OpenStdin": false, "StdinOnce": false, "Env": own["Env"], "Cmd": own["Cmd"], "Image": "", "Volumes": own["Volumes"],
		"WorkingDir": own["WorkingDir"], "Entrypoint": own["Entrypoint"], "OnBuild": nil, "Labels": object{}}, body)
	delete(c.config, "NetworkDisabled")
	if env, ok := body["Env"].([]any); ok {
		c.config["Env"] = append(append([]any{}, env...), own["Env"].([]any)...)
	}
	c.host = overlay(hostDefaults(), host)
	if m, ok := c.host["Memory"].(float64); ok && m > 0 && c.host["MemorySwap"] == 0 {
		c.host["MemorySwap"] = 2 * m
	}
	if p, ok := c.host["RestartPolicy"].(object); ok && p["Name"] == "" {
		p["Name"] = "no"
	}
	mode := fmt.Sprint(c.host["NetworkMode"])
	if mode == "default" {
		c.host["NetworkMode"], mode = "bridge", "bridge"
	}
	if !strings.HasPrefix(mode, "container:") {
		n, err := d.network(mode)
		if err != nil {
			return nil, err
		}
		endpoints, _ := networking["EndpointsConfig"].(object)
		conf, _ := endpoints[mode].(object)
		c.nets[n.name()] = d.endpoint(c, n, conf)
	}
	d.containers = append(d.containers, c)
	return object{"Id": c.id, "Warnings": []any{}}, nil
}

// hostDefaults is HostConfig of a container that asks for nothing.
func hostDefaults() object {
	out := object{"LogConfig": object{"Type": "json-file", "Config": object{}}, "NetworkMode": "bridge", "PortBindings": object{},
		"RestartPolicy": object{"Name": "no", "MaximumRetryCount": 0}, "ConsoleSize": []any{0, 0}, "CgroupnsMode": "private", "IpcMode": "private", "ShmSize": 67108864, "Runtime": "runc"}
	for _, k := range strings.Fields("Binds VolumesFrom CapAdd CapDrop ExtraHosts GroupAdd Links SecurityOpt DeviceCgroupRules DeviceRequests MemorySwappiness OomKillDisable PidsLimit") {
		out[k] = nil
	}
	for _, k := range strings.Fields("ContainerIDFile VolumeDriver Cgroup PidMode UTSMode UsernsMode Isolation CgroupParent CpusetCpus CpusetMems") {
		out[k] = ""
	}
	for _, k := range strings.Fields("Dns DnsOptions DnsSearch BlkioWeightDevice BlkioDeviceReadBps BlkioDeviceWriteBps BlkioDeviceReadIOps BlkioDeviceWriteIOps Devices Ulimits") {
		out[k] = []any{}
	}
	for _, k := range strings.Fields("OomScoreAdj CpuShares Memory NanoCpus BlkioWeight CpuPeriod CpuQuota MemoryReservation MemorySwap CpuCount CpuPercent") {
		out[k] = 0
	}
	for _, k := range strings.Fields("AutoRemove Privileged PublishAllPorts ReadonlyRootfs") {
		out[k] = false
	}
	return out
}

func (d *Daemon) inspect(c *container) object {
	nets := object{}
	for k, v := range c.nets {
		nets[k] = v
	}
	pid := 0
	if c.running {
		pid = 4242
	}
	return object{"Id": c.id, "Name": "/" + c.name, "Image": c.image["Id"], "Created": "2024-01-02T03:04:05Z", "Path": "x", "Args": []any{}, "RestartCount": 0,
		"State":  object{"Status": c.status(), "Running": c.running, "Paused": c.paused, "ExitCode": c.exit, "Pid": pid, "Error": ""},
		"Config": c.config, "HostConfig": c.host, "Mounts": []any{}, "NetworkSettings": object{"Networks": nets}}
}

// start runs the command as far as its name tells.
func (d *Daemon) start(c *container) error {
	for name := range c.nets {
		if err := d.address(c, name); err != nil {
			return err
		}
	}
	c.started, c.running, c.exit = true, true, 0
	words, _ := c.config["Cmd"].([]any)
	if len(words) == 0 {
		return nil
	}
	first := fmt.Sprint(words[0])
	switch {
	case first == "echo":
		for i, w := range words[1:] {
			if i > 0 {
				c.output += " "
			}
			c.output += fmt.Sprint(w)
		}
		c.output += "\n"
		d.ended(c, 0)
	case first == "false":
		d.ended(c, 1)
	case first == "true", first == "sh" && c.config["Tty"] != true:
		d.ended(c, 0)
	}
	return nil
}

func (d *Daemon) ended(c *container, status int) {
	c.running, c.paused, c.exit = false, false, status
	for _, e := range c.nets {
		e["IPAddress"], e["IPPrefixLen"], e["Gateway"], e["MacAddress"], e["EndpointID"] = "", 0, "", "", ""
	}
	if c.host["AutoRemove"] == true {
		d.drop(c)
	}
}

func (d *Daemon) stop(c *container, action, signal string) error {
	if !c.running && action == "kill" {
		return refuse(409, "cannot kill container: %s: container %s is not running", c.name, c.id)
	}
	if action == "kill" && signal != "" && signal != "KILL" && signal != "SIGKILL" && signal != "TERM" && signal != "9" {
		return nil
	}
	if c.running {
		d.ended(c, 137)
	}
	return nil
}

func (d *Daemon) remove(c *container, force string) error {
	if c.running && force != "1" && force != "True" && force != "true" {
		return refuse(409, "cannot remove container \"%s\": container is running: stop the container before removing or force remove", c.name)
	}
	d.drop(c)
	return nil
}

func (d *Daemon) drop(c *container) {
	for i, o := range d.containers {
		if o == c {
			d.containers = append(d.containers[:i:i], d.containers[i+1:]...)
			return
		}
	}
}
