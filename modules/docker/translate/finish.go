package translate

import (
	"slices"

	"pinch/value"
	"pinch/value/py"
)

// mergeLog makes log_config of log_driver and log_opt.
func mergeLog(a *args) {
	driver, hasDriver := a.kw.Pop("log_driver")
	opt, hasOpt := a.kw.Pop("log_opt")
	if a.kw.Has("log_config") || !hasDriver && !hasOpt {
		return
	}
	if !hasDriver {
		driver = "none"
	}
	if !hasOpt {
		opt = new(value.Map)
	}
	a.kw.Set("log_config", value.M("Type", driver, "Config", opt))
}

// finishContainer refuses arguments that exclude each other, and adds the
// volumes and ports that others imply.
func finishContainer(a *args) error {
	if a.kw.At("port_bindings") != nil && a.kw.Truth("publish_all_ports") {
		a.kw.Pop("port_bindings")
		a.invalid.Set("port_bindings", "Cannot be used when publish_all_ports=True")
	}
	if a.kw.At("hostname") != nil && value.Equal(a.kw.At("network_mode"), "host") {
		a.kw.Pop("hostname")
		a.invalid.Set("hostname", "Cannot be used when network_mode=True")
	}
	if v := a.kw.At("binds"); v != nil && !a.skip["binds"] && !a.skip["volume"] && !a.skip["volumes"] {
		if err := a.addVolumes(v); err != nil {
			return err
		}
	}
	if v := a.kw.At("port_bindings"); v != nil && !a.skip["port_bindings"] && !a.skip["expose"] && !a.skip["ports"] {
		return a.addPorts(v)
	}
	return nil
}

// addVolumes makes the targets of bind mounts volumes.
func (a *args) addVolumes(binds any) error {
	var targets []any
	switch b := binds.(type) {
	case *value.Map:
		for _, v := range b.All() {
			if m, ok := v.(*value.Map); ok && m.Has("bind") {
				targets = append(targets, m.At("bind"))
			}
		}
	case *value.List:
		for _, it := range b.Items {
			s, ok := it.(string)
			if !ok {
				return errAsIs
			}
			if parts := split(s, ":"); len(parts) > 1 {
				targets = append(targets, parts[1])
			}
		}
	}
	if len(targets) == 0 {
		return nil
	}
	have := a.kw.List("volumes")
	if have == nil {
		if a.kw.Has("volumes") {
			return errAsIs
		}
		have = value.L()
		a.kw.Set("volumes", have)
	}
	old := slices.Clone(have.Items)
	for _, t := range targets {
		if !slices.ContainsFunc(old, func(v any) bool { return value.Equal(v, t) }) {
			have.Append(t)
		}
	}
	sorted, err := py.Sorted(have.Items, nil, false)
	if err != nil {
		return err
	}
	have.Items = sorted
	return nil
}

// addPorts exposes the ports that are published.
func (a *args) addPorts(bindings any) error {
	b, ok := bindings.(*value.Map)
	if !ok || b.Len() == 0 {
		return nil
	}
	var all portSet
	if have, ok := a.kw.Get("ports"); ok {
		items, err := py.Items(have)
		if err != nil {
			return err
		}
		for _, p := range items {
			all.add(p)
		}
	}
	for k := range b.All() {
		def, err := portDef(k, "tcp")
		if err != nil {
			return err
		}
		all.add(def)
	}
	a.kw.Set("ports", all.list())
	return nil
}
