// Package engine talks to a Docker daemon (or podman's service that speaks
// like one) over HTTP. Answers stay the daemon's own JSON, as values: Salt
// returns them whole, with keys that no typed client knows.
//
//	d, err := engine.For(c) // once for a run: finds the daemon, agrees on a version
//	v, err := d.Map(engine.Request{Op: "inspect_container", Path: "/containers/" + engine.ID(name) + "/json"})
//
// What is where: client.go has For and the settings, request.go one question
// and its answer (Do, JSON, Map, List, Text), stream.go the progress of long
// jobs and the output of containers, auth.go the credentials of registries,
// and errors.go what goes wrong, in the words of Salt's own client.
//
// The exec module docker (modules/docker) is made of this; states reach it
// by name, c.Call("docker.inspect_container", name), as Salt's do.
package engine
