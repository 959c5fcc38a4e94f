package dnsutil

import (
	"testing"

	"pinch/value"
)

// The result is that of Salt 3008.4.
func TestZone(t *testing.T) {
	m, err := zone("$TTL 3600\n$ORIGIN example.com.\n@ IN SOA ns1.example.com. host.example.com. (\n 2024010101 ; serial\n 1H 15M 2W 1D )\n IN NS ns1.example.com.\n@ IN MX 10 mail.example.com.\nwww IN CNAME web.example.com.\nweb 300 IN A 10.0.0.1\n")
	want := "{'TTL': '3600', 'ORIGIN': 'example.com.', 'NETWORK': 'IN', 'SOURCE': 'ns1.example.com.', 'CONTACT': 'host@example.com.', 'SERIAL': '2024010101', 'REFRESH': 3600, 'RETRY': 604800, 'EXPIRE': 604800, 'MINTTL': 86400, 'NS': ['ns1.example.com.'], 'MX': [{'priority': '10', 'host': 'mail.example.com.'}], 'CNAME': {'www.example.com.': 'web.example.com.'}, 'A': {'web.example.com.': {'TARGET': '10.0.0.1', 'TTL': '300'}}}"
	if got := value.Repr(m); err != nil || got != want {
		t.Errorf("%s %v\nwant %s", got, err, want)
	}
}
