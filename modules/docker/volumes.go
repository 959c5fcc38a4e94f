package docker

import (
	"net/http"

	"pinch/modules/docker/engine"
	"pinch/salt"
	"pinch/value"
)

type volumesArgs struct {
	Filters any `py:"filters=None"` // only volumes with these properties: a map such as {dangling: True}
}

// volumes returns the volumes (Volumes) and what the daemon warns of (Warnings).
func volumes(c *salt.Ctx, a volumesArgs) (*value.Map, error) {
	return ask(c, func(d daemon) (*value.Map, error) {
		f, err := filterText(a.Filters)
		if err != nil {
			return nil, err
		}
		return d.Map(engine.Request{Op: "volumes", Path: "/volumes", Query: engine.Query("filters", f)})
	})
}

type createVolumeArgs struct {
	Name       any `py:"name"`             // the volume
	Driver     any `py:"driver=None"`      // what keeps it; None: local
	DriverOpts any `py:"driver_opts=None"` // a map of options for the driver
}

// createVolume makes a volume.
//
//	salt-call docker.create_volume cache driver=local driver_opts="{'type': 'tmpfs', 'device': 'tmpfs'}"
func createVolume(c *salt.Ctx, a createVolumeArgs) (*value.Map, error) {
	return ask(c, func(d daemon) (*value.Map, error) {
		body := new(value.Map)
		if a.Name != nil {
			body.Set("Name", a.Name)
		}
		if a.Driver != nil {
			body.Set("Driver", a.Driver)
		}
		if a.DriverOpts != nil {
			if _, ok := a.DriverOpts.(*value.Map); !ok {
				return nil, salt.CommandError("Unable to perform create_volume: driver_opts must be a dictionary")
			}
			body.Set("DriverOpts", a.DriverOpts)
		}
		return d.Map(engine.Request{Op: "create_volume", Method: http.MethodPost, Path: "/volumes/create", Body: body})
	})
}

// removeVolume removes a volume.
func removeVolume(c *salt.Ctx, a volumeArgs) (bool, error) {
	return ask(c, func(d daemon) (bool, error) {
		_, err := d.Text(engine.Request{Op: "remove_volume", Method: http.MethodDelete, Path: "/volumes/" + engine.ID(a.Name)})
		return err == nil, err
	})
}
