// Package ethtool holds Salt's ethtool module: settings of network cards. The
// kernel is asked; pause and features need the command ethtool, whose words
// they return. Its main variable is Module.
//
//	salt-call ethtool.set_ring eth0 rx=1024 tx=512
package ethtool

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's ethtool module.
var Module = salt.Module{
	Name: "ethtool",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"set_coalesce":  salt.Exec(setCoalesce),
			"set_feature":   salt.Exec(setFeature),
			"set_offload":   salt.Exec(setOffload),
			"set_pause":     salt.Exec(setPause),
			"set_ring":      salt.Exec(setRing),
			"show_coalesce": salt.Exec(showCoalesce),
			"show_driver":   salt.Exec(showDriver),
			"show_features": salt.Exec(showFeatures),
			"show_offload":  salt.Exec(showOffload),
			"show_pause":    salt.Exec(showPause),
			"show_ring":     salt.Exec(showRing),
		}
	},
}

// A table is a struct of linux/ethtool.h: words behind the command, by Salt's
// names.
type table struct {
	get, set uint32
	words    string
}

// ring is struct ethtool_ringparam, coalesce struct ethtool_coalesce.
var (
	ring     = table{0x10, 0x11, "rx_max rx_mini_max rx_jumbo_max tx_max rx rx_mini rx_jumbo tx"}
	coalesce = table{0x0e, 0x0f, "rx_usecs rx_frames rx_usecs_irq rx_frames_irg tx_usecs tx_frames tx_usecs_irq tx_frames_irq stats_block_usecs " +
		"adaptive_rx adaptive_tx pkt_rate_low rx_usecs_low rx_frames_low tx_usecs_low tx_frames_low pkt_rate_high rx_usecs_high rx_frames_high " +
		"tx_usecs_high tx_frames_high sample_interval"}
)

// read asks for the words.
func (t *table) read(c *salt.Ctx, device string) (request []byte, m *value.Map, err error) {
	names := strings.Fields(t.words)
	request = make([]byte, 4*(len(names)+1))
	binary.NativeEndian.PutUint32(request, t.get)
	if err := c.Sys.Ethtool(device, request); err != nil {
		return nil, nil, err
	}
	m = new(value.Map)
	for i, name := range names {
		m.Set(name, int64(binary.NativeEndian.Uint32(request[4*(i+1):])))
	}
	return request, m, nil
}

// show returns the words.
func (t *table) show(c *salt.Ctx, device, otherwise string) (any, error) {
	_, m, err := t.read(c, device)
	if err != nil {
		c.Log.Error(otherwise + " on " + device + ": " + err.Error())
		return "Not supported", nil
	}
	return m, nil
}

// change sets the words that differ and returns all.
func (t *table) change(c *salt.Ctx, device, otherwise string, kw *value.Map) (any, error) {
	request, m, err := t.read(c, device)
	if err != nil {
		c.Log.Error(otherwise + " on " + device + ": " + err.Error())
		return "Not supported", nil
	}
	changed := false
	for i, name := range strings.Fields(t.words) {
		want, ok := number(kw.At(name))
		if ok && kw.Has(name) && !value.Equal(m.At(name), want) {
			binary.NativeEndian.PutUint32(request[4*(i+1):], uint32(want))
			changed = true
		} else if kw.Has(name) && !ok {
			return "Invalid arguments", nil
		}
	}
	if changed {
		binary.NativeEndian.PutUint32(request, t.set)
		if err := c.Sys.Ethtool(device, request); err != nil {
			c.Log.Error("Invalid arguments on " + device + ": " + err.Error())
			return "Invalid arguments", nil
		}
	}
	return t.show(c, device, otherwise)
}

// number is a value for a word; on and off stand for 1 and 0.
func number(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, v >= 0 && v < 1<<32
	case bool, string:
		if v == true || v == "on" {
			return 1, true
		}
		return 0, v == false || v == "off"
	}
	return 0, false
}

type deviceArgs struct {
	Devname string `py:"devname"` // the network card
}

type changeArgs struct {
	Devname string     `py:"devname"`  // the network card
	Kwargs  *value.Map `py:"**kwargs"` // what to change, by the names that the show function has
}

const (
	noRing     = "Ring parameters not supported"
	noCoalesce = "Interrupt coalescing not supported"
)

// showRing returns the sizes of the buffers and their limits.
func showRing(c *salt.Ctx, a deviceArgs) (any, error) { return ring.show(c, a.Devname, noRing) }

// setRing changes sizes of buffers: rx, rx_mini, rx_jumbo, tx.
func setRing(c *salt.Ctx, a changeArgs) (any, error) {
	return ring.change(c, a.Devname, noRing, a.Kwargs)
}

// showCoalesce returns how interrupts are put together.
func showCoalesce(c *salt.Ctx, a deviceArgs) (any, error) {
	return coalesce.show(c, a.Devname, noCoalesce)
}

// setCoalesce changes how interrupts are put together.
func setCoalesce(c *salt.Ctx, a changeArgs) (any, error) {
	return coalesce.change(c, a.Devname, noCoalesce, a.Kwargs)
}

// showDriver returns the driver and its place on the bus.
func showDriver(c *salt.Ctx, a deviceArgs) (any, error) {
	request := make([]byte, 196) // struct ethtool_drvinfo
	binary.NativeEndian.PutUint32(request, 0x03)
	if err := c.Sys.Ethtool(a.Devname, request); err != nil {
		c.Log.Error("Driver information not implemented on " + a.Devname + ": " + err.Error())
		return "Not implemented", nil
	}
	text := func(at int) string {
		s, _, _ := bytes.Cut(request[at:at+32], []byte{0})
		return string(s)
	}
	return value.M("driver", text(4), "bus_info", text(4+3*32)), nil
}

// flag asks for one word.
func flag(c *salt.Ctx, device string, command, data uint32) (uint32, error) {
	request := make([]byte, 8)
	binary.NativeEndian.PutUint32(request, command)
	binary.NativeEndian.PutUint32(request[4:], data)
	err := c.Sys.Ethtool(device, request)
	return binary.NativeEndian.Uint32(request[4:]), err
}

// showOffload returns what the card does in the place of the kernel: on, off
// or not supported.
func showOffload(c *salt.Ctx, a deviceArgs) (*value.Map, error) {
	m := new(value.Map)
	for _, o := range []struct {
		name    string
		command uint32
	}{{"scatter_gather", 0x18}, {"tcp_segmentation_offload", 0x1e}, {"udp_fragmentation_offload", 0x21}, {"generic_segmentation_offload", 0x23}} {
		switch n, err := flag(c, a.Devname, o.command, 0); {
		case err != nil:
			m.Set(o.name, "not supported")
		case n != 0:
			m.Set(o.name, "on")
		default:
			m.Set(o.name, "off")
		}
	}
	return m, nil
}

// setOffload changes tcp_segmentation_offload: on or off.
func setOffload(c *salt.Ctx, a changeArgs) (any, error) {
	if v, ok := a.Kwargs.Get("tcp_segmentation_offload"); ok {
		n, _ := number(v)
		if _, err := flag(c, a.Devname, 0x1f, uint32(n)); err != nil {
			return "Not supported", nil
		}
	}
	return showOffload(c, deviceArgs{a.Devname})
}

// ask runs the command and returns its lines.
func ask(c *salt.Ctx, change bool, words ...string) ([]string, error) {
	if c.Sys.LookPath("ethtool") == "" {
		return nil, salt.CommandError("Command 'ethtool' cannot be found")
	}
	r, err := c.Sys.Run(c, sys.Cmd{Argv: append([]string{"ethtool"}, words...), Query: !change, Merge: true})
	if err != nil {
		return nil, err
	}
	out := strings.TrimRight(string(r.Stdout), "\n")
	if out == "" {
		return nil, nil
	}
	lines := strings.Split(out, "\n")
	if strings.HasPrefix(lines[0], "Cannot") {
		return nil, salt.CommandError("%s", lines[0])
	}
	return lines, nil
}

// showPause returns the pause settings: Autonegotiate, RX, TX.
func showPause(c *salt.Ctx, a deviceArgs) (*value.Map, error) {
	lines, err := ask(c, false, "-a", a.Devname)
	m := new(value.Map)
	for i, line := range lines {
		if key, val, ok := strings.Cut(line, ":"); ok && i > 0 {
			m.Set(strings.TrimSpace(key), strings.TrimSpace(val) == "on")
		}
	}
	return m, err
}

// showFeatures returns the features: whether each is on, and fixed.
func showFeatures(c *salt.Ctx, a deviceArgs) (*value.Map, error) {
	lines, err := ask(c, false, "-k", a.Devname)
	m := new(value.Map)
	for i, line := range lines {
		key, val, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || i == 0 {
			continue
		}
		val = strings.TrimSpace(val)
		fixed := strings.Contains(val, "fixed")
		if fixed {
			val = strings.Fields(val)[0]
		}
		m.Set(strings.TrimSpace(key), value.M("on", val == "on", "fixed", fixed))
	}
	return m, err
}

// set changes settings among the known ones.
func set(c *salt.Ctx, option, device string, known []string, kw *value.Map) ([]string, error) {
	words := []string{option, device}
	for key, v := range kw.Items() {
		if key = strings.ToLower(key); slices.Contains(known, key) {
			if on, ok := v.(bool); ok {
				v = "off"
				if on {
					v = "on"
				}
			}
			words = append(words, key, value.Str(v))
		}
	}
	if len(words) == 2 {
		return nil, salt.CommandError("None of the valid parameters were provided: %s", value.Repr(value.Strings(known)))
	}
	return ask(c, true, words...)
}

// setPause changes the pause settings autoneg, rx and tx. It returns True, or
// what ethtool says.
func setPause(c *salt.Ctx, a changeArgs) (any, error) {
	lines, err := set(c, "-A", a.Devname, []string{"autoneg", "rx", "tx"}, a.Kwargs)
	if err != nil || len(lines) == 0 {
		return true, err
	}
	return lines, nil
}

// setFeature turns features on and off. It returns True, or what ethtool says.
func setFeature(c *salt.Ctx, a changeArgs) (any, error) {
	known := []string{"rx", "tx", "sg", "tso", "ufo", "gso", "gro", "lro", "rxvlan", "txvlan", "ntuple", "rxhash"}
	lines, err := set(c, "-K", a.Devname, known, a.Kwargs)
	if err != nil || len(lines) == 0 {
		return true, err
	}
	return strings.Join(lines, "\n"), nil
}
