package ethtool

import (
	"context"
	"encoding/binary"
	"log/slog"
	"syscall"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// card answers as a driver does; structs are those of linux/ethtool.h.
type card struct {
	sys.Sys
	ring []uint32
	tso  uint32
	sets int
}

func (d *card) Ethtool(device string, request []byte) error {
	if device != "eth0" {
		return syscall.ENODEV
	}
	switch binary.NativeEndian.Uint32(request) {
	case 0x10:
		for i, n := range d.ring {
			binary.NativeEndian.PutUint32(request[4*(i+1):], n)
		}
	case 0x11:
		for i := range d.ring {
			d.ring[i] = binary.NativeEndian.Uint32(request[4*(i+1):])
		}
		if d.ring[4] > d.ring[0] {
			return syscall.EINVAL
		}
		d.sets++
	case 0x03:
		copy(request[4:], "virtio_net")
		copy(request[4+32:], "1.0.0")
		copy(request[4+3*32:], "0000:00:03.0")
	case 0x18, 0x23:
		binary.NativeEndian.PutUint32(request[4:], 1)
	case 0x1e:
		binary.NativeEndian.PutUint32(request[4:], d.tso)
	case 0x1f:
		d.tso = binary.NativeEndian.Uint32(request[4:])
	default:
		return syscall.EOPNOTSUPP
	}
	return nil
}

func TestEthtool(t *testing.T) {
	d := &card{ring: []uint32{4096, 0, 0, 4096, 256, 0, 0, 256}}
	c := &salt.Ctx{Context: context.Background(), Sys: d, Run: salt.NewRun(), Log: slog.New(slog.DiscardHandler), Opts: new(value.Map)}
	for _, tt := range []struct {
		fun  string
		args []any
		kw   *value.Map
		want string
	}{
		{"show_ring", []any{"eth0"}, nil, "{'rx_max': 4096, 'rx_mini_max': 0, 'rx_jumbo_max': 0, 'tx_max': 4096, 'rx': 256, 'rx_mini': 0, 'rx_jumbo': 0, 'tx': 256}"},
		{"set_ring", []any{"eth0"}, value.M("rx", int64(512), "nonsense", int64(1)), "{'rx_max': 4096, 'rx_mini_max': 0, 'rx_jumbo_max': 0, 'tx_max': 4096, 'rx': 512, 'rx_mini': 0, 'rx_jumbo': 0, 'tx': 256}"},
		{"set_ring", []any{"eth0"}, value.M("rx", int64(512)), "{'rx_max': 4096, 'rx_mini_max': 0, 'rx_jumbo_max': 0, 'tx_max': 4096, 'rx': 512, 'rx_mini': 0, 'rx_jumbo': 0, 'tx': 256}"},
		{"set_ring", []any{"eth0"}, value.M("rx", int64(9999)), "'Invalid arguments'"},
		{"show_ring", []any{"lo"}, nil, "'Not supported'"},
		{"show_coalesce", []any{"eth0"}, nil, "'Not supported'"},
		{"show_driver", []any{"eth0"}, nil, "{'driver': 'virtio_net', 'bus_info': '0000:00:03.0'}"},
		{"show_driver", []any{"lo"}, nil, "'Not implemented'"},
		{"show_offload", []any{"eth0"}, nil, "{'scatter_gather': 'on', 'tcp_segmentation_offload': 'off', 'udp_fragmentation_offload': 'not supported', 'generic_segmentation_offload': 'on'}"},
		{"set_offload", []any{"eth0"}, value.M("tcp_segmentation_offload", "on"), "{'scatter_gather': 'on', 'tcp_segmentation_offload': 'on', 'udp_fragmentation_offload': 'not supported', 'generic_segmentation_offload': 'on'}"},
	} {
		if tt.kw == nil {
			tt.kw = new(value.Map)
		}
		got, err := Module.Exec()[tt.fun].Call(c, tt.args, tt.kw)
		if err != nil || value.Repr(got) != tt.want {
			t.Errorf("%s %v %s\n got %s, %v\nwant %s", tt.fun, tt.args, value.Repr(tt.kw), value.Repr(got), err, tt.want)
		}
	}
	if d.sets != 1 {
		t.Errorf("%d changes, not 1: what is so already must not be set", d.sets)
	}
}
