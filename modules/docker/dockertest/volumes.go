package dockertest

import (
	"net/http"
	"slices"
)

func (d *Daemon) volumeAnswer(r *http.Request, parts []string, body object) (any, error) {
	at := -1
	if len(parts) > 1 {
		name := any(parts[1])
		if name == "create" {
			name = body["Name"]
		}
		at = slices.IndexFunc(d.volumes, func(v object) bool { return v["Name"] == name })
	}
	switch {
	case len(parts) == 1:
		return object{"Volumes": d.volumes, "Warnings": nil}, nil
	case parts[1] == "create" && at >= 0:
		return d.volumes[at], nil
	case parts[1] == "create":
		name, _ := body["Name"].(string)
		driver, _ := body["Driver"].(string)
		if driver == "" {
			driver = "local"
		}
		if driver != "local" {
			return nil, refuse(404, "create %s: error looking up volume plugin %s: plugin %q not found", name, driver, driver)
		}
		v := object{"Name": name, "Driver": driver, "Mountpoint": "/var/lib/docker/volumes/" + name + "/_data", "Labels": nil, "Scope": "local",
			"Options": body["DriverOpts"], "CreatedAt": "2024-01-02T03:04:05Z"}
		d.volumes = append(d.volumes, v)
		return v, nil
	case at < 0:
		return nil, refuse(404, "get %s: no such volume", parts[1])
	case r.Method == http.MethodDelete:
		d.volumes = slices.Delete(d.volumes, at, at+1)
		return nil, nil
	}
	return d.volumes[at], nil
}
