package translate

import (
	"slices"
	"strings"

	"pinch/value"
)

var endpointArgs = []string{"aliases", "links", "ipv4_address", "ipv6_address", "link_local_ips", "driver_opt", "mac_address"}

// Connect makes the body of POST /networks/ID/connect.
func Connect(container string, kw *value.Map, version string) (*value.Map, error) {
	for k := range kw.Items() {
		if !slices.Contains(endpointArgs, k) {
			return nil, asSalt("connect_container_to_network", typeError("NetworkApiMixin.connect_container_to_network() got an unexpected keyword argument '%s'", k))
		}
	}
	e, err := Endpoint(kw, version)
	if err != nil {
		return nil, asSalt("connect_container_to_network", err)
	}
	return value.M("Container", container, "EndpointConfig", e), nil
}

// Endpoint makes the configuration of a container in one network.
func Endpoint(kw *value.Map, version string) (*value.Map, error) {
	for k := range kw.Items() {
		if !slices.Contains(endpointArgs, k) {
			return nil, typeError("EndpointConfig.__init__() got an unexpected keyword argument '%s'", k)
		}
	}
	if kw.Truth("mac_address") && older(version, "1.25") {
		return nil, clientErrorf("mac_address is not supported for API version < 1.25")
	}
	if kw.Truth("driver_opt") && older(version, "1.32") {
		return nil, clientErrorf("DriverOpts is not supported for API version < 1.32")
	}
	out, ipam := new(value.Map), new(value.Map)
	if kw.Truth("aliases") {
		out.Set("Aliases", kw.At("aliases"))
	}
	if kw.Truth("links") {
		l, err := linkList(linkPairs(kw.At("links")))
		if err != nil {
			return nil, err
		}
		out.Set("Links", l)
	}
	if kw.Truth("ipv4_address") {
		ipam.Set("IPv4Address", kw.At("ipv4_address"))
	}
	if kw.Truth("ipv6_address") {
		ipam.Set("IPv6Address", kw.At("ipv6_address"))
	}
	if kw.Truth("mac_address") {
		out.Set("MacAddress", kw.At("mac_address"))
	}
	if v := kw.At("link_local_ips"); v != nil {
		ipam.Set("LinkLocalIPs", v)
	}
	if ipam.Len() > 0 {
		out.Set("IPAMConfig", ipam)
	}
	if v := kw.At("driver_opt"); value.Truth(v) {
		if !isA(v, "dict") {
			return nil, typeError("driver_opt must be a dictionary")
		}
		out.Set("DriverOpts", v)
	}
	return out, nil
}

// linkPairs takes CONTAINER:ALIAS apart, as Salt's manual has them in the
// configuration of a network, where Salt itself fails.
func linkPairs(v any) any {
	l, ok := v.(*value.List)
	if !ok {
		return v
	}
	out := value.L()
	for _, it := range l.Items {
		if s, ok := it.(string); ok {
			name, alias, _ := strings.Cut(s, ":")
			it = value.L(name, alias)
		}
		out.Append(it)
	}
	return out
}
