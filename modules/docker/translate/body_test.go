package translate

import (
	"testing"

	"pinch/value"
)

func asJSON(t *testing.T, v any) any {
	t.Helper()
	s, err := value.JSON(v, value.JSONOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if v, err = value.ParseJSON(s); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestBodies compares what is sent to the daemon with what Salt 3007.17 and
// docker-py 7.1.0 send for the same arguments. Left out are errors that are
// accidents of Python (unhashable type: 'slice', for a list as memory).
func TestBodies(t *testing.T) {
	all := cases(t, "bodies.json")
	n := 0
	for _, c := range all {
		kw := c.Map("in")
		shown := value.Repr(kw)
		client := Client{Version: c.Str("version")}
		var got *value.Map
		var err error
		platform := ""
		switch c.Str("kind") {
		case "container":
			var made *Creation
			o := optionsOf(kw)
			if made, err = Create("img", kw, o, client); err == nil {
				got, platform = made.Body, made.Platform
			}
		case "network":
			got, err = CreateNetwork("net", kw, optionsOf(kw), client)
		case "connect":
			got, err = Connect("cont", kw, client.Version)
		}
		text := c.Str("error")
		switch {
		case text != "" && (err == nil || err.Error() != text):
			t.Errorf("%s %s %s\n got %s %v\nwant error %s", c.Str("kind"), client.Version, shown, value.Repr(got), err, text)
		case text == "" && err != nil:
			t.Errorf("%s %s %s\n got error %v\nwant %s", c.Str("kind"), client.Version, shown, err, value.Repr(c.At("out")))
		case text == "" && (!value.Equal(asJSON(t, got), c.At("out")) || platform != c.Str("platform")):
			t.Errorf("%s %s %s\n got %s\nwant %s", c.Str("kind"), client.Version, shown, value.Repr(got), value.Repr(c.At("out")))
		default:
			n++
		}
	}
	t.Logf("%d of %d cases as in Salt", n, len(all))
}

// TestMacAddress: Salt's manual has the argument; with docker-py 7
// Salt drops it, because connecting has one of that name.
func TestMacAddress(t *testing.T) {
	c, err := Create("img", value.M("mac_address", "00:11:22:33:44:55"), Options{}, Client{Version: "1.47"})
	if err != nil || c.Body.Str("MacAddress") != "00:11:22:33:44:55" || len(c.Unused) > 0 {
		t.Errorf("%v %v", value.Repr(c.Body), err)
	}
}

// TestUnused: Salt warns of what nothing takes.
func TestUnused(t *testing.T) {
	c, err := Create("img", value.M("zz", int64(1), "order", int64(5), "cmd", "true"), Options{}, Client{Version: "1.47"})
	if err != nil || len(c.Unused) != 2 || c.Unused[0] != "order" {
		t.Errorf("%v %v", c.Unused, err)
	}
}

// TestProxy: what config.json says of proxies comes first, so that the
// container's own wins.
func TestProxy(t *testing.T) {
	client := Client{Version: "1.47", ProxyEnv: []string{"HTTP_PROXY=http://p:1"}}
	for _, c := range []struct {
		kw   *value.Map
		want any
	}{
		{value.M("environment", "A=b"), value.L("HTTP_PROXY=http://p:1", "A=b")},
		{value.M(), value.L("HTTP_PROXY=http://p:1")},
		{value.M("use_config_proxy", false), nil},
	} {
		got, err := Create("img", c.kw, Options{}, client)
		if err != nil || !value.Equal(got.Body.At("Env"), c.want) {
			t.Errorf("%s: %s %v", value.Repr(c.kw), value.Repr(got.Body.At("Env")), err)
		}
	}
}

// TestLinksOfANetwork: the manual's form, CONTAINER:ALIAS, is where docker-py
// fails ("too many values to unpack").
func TestLinksOfANetwork(t *testing.T) {
	e, err := Endpoint(value.M("links", value.L("web1:link1", "db")), "1.47")
	if err != nil || !value.Equal(e, value.M("Links", value.L("db", "web1:link1"))) {
		t.Errorf("%s %v", value.Repr(e), err)
	}
}

func TestClientArgs(t *testing.T) {
	if m := ClientArgs([]string{"ipam_config", "logs"}); m.Len() != 2 || m.List("ipam_config").Len() != 4 || m.List("logs").Len() != 8 {
		t.Errorf("%s", value.Repr(m))
	}
	// 23 and 64 of docker-py 7.1.0 without self, version, and what another has.
	if m := ClientArgs(nil); m.List("create_container").Len() != 23 || m.List("host_config").Len() != 64 || m.List("connect_container_to_network").Len() != 7 {
		t.Errorf("%s", value.Repr(m))
	}
}
