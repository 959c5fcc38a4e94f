package network

import (
	"net/netip"
	"testing"

	"pinch/value"
)

// TestAddresses has answers of Python's ipaddress module.
func TestAddresses(t *testing.T) {
	for _, c := range []struct {
		fun  string
		args []any
		want any
	}{
		{"is_private", []any{"192.0.0.8"}, false},
		{"is_private", []any{"192.0.0.170"}, true},
		{"is_private", []any{"198.18.0.1"}, true},
		{"is_private", []any{"2001:1::1"}, true},
		{"is_private", []any{"2002::1"}, false},
		{"is_private", []any{"fec0::1"}, false},
		{"is_private", []any{"::ffff:8.8.8.8"}, false},
		{"is_loopback", []any{"::1"}, true},
		{"reverse_ip", []any{"2001:1::1"}, "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1.0.0.0.1.0.0.2.ip6.arpa"},
		{"calc_net", []any{"10.1.2.3", int64(16)}, "10.1.0.0/16"},
		{"calc_net", []any{"10.1.2.3", "0.0.255.255"}, "10.1.0.0/16"},
		{"convert_cidr", []any{"10.1.2.3/20"}, value.M("network", "10.1.0.0", "netmask", "255.255.240.0", "broadcast", "10.1.15.255")},
		{"ip_in_subnet", []any{value.L("1.2.3.4", "10.9.9.9"), "10.0.0.0/8"}, true},
		{"ip_in_subnet", []any{"10.9.9.9", "10.0.0.1/8"}, false},
		{"interface_ip", []any{"lo"}, "127.0.0.1"},
		{"hw_addr", []any{"lo"}, "00:00:00:00:00:00"},
		{"ifacestartswith", []any{"127.0.0.1"}, value.L("lo")},
		{"ip_networks", []any{"lo", true, true}, value.M("127.0.0.0/8", value.M("address", "127.0.0.0", "netmask", "255.0.0.0",
			"num_addresses", int64(16777216), "prefixlen", int64(8)))},
		{"mod_bufsize", []any{"lo"}, false},
		{"get_bufsize", []any{"lo"}, new(value.Map)},
	} {
		if (c.fun == "mod_bufsize" || c.fun == "get_bufsize") && ctx().Sys.LookPath("ethtool") != "" {
			continue
		}
		got, err := Module.Exec()[c.fun].Call(ctx(), c.args, nil)
		if err != nil || !value.Equal(got, c.want) {
			t.Errorf("%s%v: got %s, %v, want %s", c.fun, c.args, value.Repr(got), err, value.Repr(c.want))
		}
	}
}

func TestGetRoute(t *testing.T) {
	got, err := Module.Exec()["get_route"].Call(ctx(), []any{"127.0.0.1"}, nil)
	want := value.M("destination", "127.0.0.1", "gateway", nil, "interface", "lo", "source", "127.0.0.1")
	if err != nil || !value.Equal(got, want) {
		t.Errorf("got %s, %v", value.Repr(got), err)
	}
	if _, err := Module.Exec()["get_route"].Call(ctx(), []any{"nowhere"}, nil); err == nil {
		t.Error("a name is no address")
	}
}

func TestTraceroute(t *testing.T) {
	modern := "traceroute to x (1.2.3.4), 30 hops max, 60 byte packets\n" +
		" 1  gw (10.0.0.1)  0.101 ms  0.202 ms  0.303 ms\n 2  * * *\n"
	want := value.L(value.M("count", int64(1), "hostname", "gw", "ip", "10.0.0.1", "ms1", 0.101, "ms2", 0.202, "ms3", 0.303),
		value.M("count", int64(2), "hostname", "*"))
	if got := hops(modern, modernTraceroute("Modern traceroute for Linux, version 2.1.0")); !value.Equal(got, want) {
		t.Errorf("got %s", value.Repr(got))
	}
	if modernTraceroute("traceroute: no such option") {
		t.Error("no version is not modern")
	}
}

func TestBufsizes(t *testing.T) {
	text := "Ring parameters for eth0:\nPre-set maximums:\nRX:\t\t256\nRX Mini:\t0\nCurrent hardware settings:\nRX:\t\t128\n"
	want := value.M("result", true, "rx-max", int64(256), "rx-mini-max", int64(0), "rx", int64(128))
	if got := bufsizes(text); !value.Equal(got, want) {
		t.Errorf("got %s", value.Repr(got))
	}
}

func TestRename(t *testing.T) {
	if got := renameHost("127.0.1.1  old.example  old", "old.example", "new"); got != "127.0.1.1\tnew\told" {
		t.Errorf("got %q", got)
	}
	if got := renameNetwork(`HOSTNAME="old"`, "new"); got != `HOSTNAME="new"` {
		t.Errorf("got %q", got)
	}
}

func TestProcAddress(t *testing.T) {
	for in, want := range map[string]string{"0100007F": "127.0.0.1", "0000000000000000FFFF00000100007F": "127.0.0.1",
		"00000000000000000000000001000000": "::1"} {
		if got := procIP(in); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

func FuzzNetwork(f *testing.F) {
	f.Add("10.0.0.1/8")
	f.Add("fe80::1%eth0/64")
	f.Fuzz(func(t *testing.T, s string) {
		if p, err := looseNetwork(s); err == nil && !p.Contains(netip.MustParseAddr(broadcast(p))) {
			t.Errorf("%q: the broadcast address is outside", s)
		}
	})
}
