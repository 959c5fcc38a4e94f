package dig

import (
	"log/slog"
	"net"
	"net/netip"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// answer is a small name server for example.org.
func answer(query []byte) []byte {
	var m dnsmessage.Message
	if m.Unpack(query) != nil || len(m.Questions) == 0 {
		return nil
	}
	q := m.Questions[0]
	m.Response = true
	name := func(s string) dnsmessage.Name { return dnsmessage.MustNewName(s) }
	add := func(owner dnsmessage.Name, b dnsmessage.ResourceBody, kind dnsmessage.Type) {
		m.Answers = append(m.Answers, dnsmessage.Resource{Header: dnsmessage.ResourceHeader{Name: owner, Type: kind, Class: q.Class, TTL: 60}, Body: b})
	}
	switch key := q.Name.String() + " " + q.Type.String(); key {
	case "www.example.org. TypeA":
		add(q.Name, &dnsmessage.CNAMEResource{CNAME: name("web.example.org.")}, dnsmessage.TypeCNAME)
		add(name("web.example.org."), &dnsmessage.AResource{A: [4]byte{192, 0, 2, 7}}, dnsmessage.TypeA)
	case "ns.example.org. TypeA", "mail.example.org. TypeA":
		add(q.Name, &dnsmessage.AResource{A: [4]byte{192, 0, 2, 53}}, dnsmessage.TypeA)
	case "www.example.org. TypeAAAA":
		add(q.Name, &dnsmessage.AAAAResource{AAAA: netip.MustParseAddr("2001:db8::7").As16()}, dnsmessage.TypeAAAA)
	case "example.org. TypeNS":
		add(q.Name, &dnsmessage.NSResource{NS: name("ns.example.org.")}, dnsmessage.TypeNS)
	case "example.org. TypeMX":
		add(q.Name, &dnsmessage.MXResource{Pref: 10, MX: name("mail.example.org.")}, dnsmessage.TypeMX)
	case "example.org. TypeTXT":
		add(q.Name, &dnsmessage.TXTResource{TXT: []string{"v=spf1 ip4:192.0.2.0/24 include:other.example -all"}}, dnsmessage.TypeTXT)
	case "other.example. TypeTXT":
		add(q.Name, &dnsmessage.TXTResource{TXT: []string{"v=spf1 ", "ip6:2001:db8::/32 a"}}, dnsmessage.TypeTXT)
	case "7.2.0.192.in-addr.arpa. TypePTR":
		add(q.Name, &dnsmessage.PTRResource{PTR: name("web.example.org.")}, dnsmessage.TypePTR)
	}
	b, _ := m.Pack()
	return b
}

// The results are what Salt makes of dig's answers.
func TestLookup(t *testing.T) {
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer pc.Close()
	go func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := pc.ReadFrom(buf)
			if err != nil {
				return
			}
			pc.WriteTo(answer(buf[:n]), from)
		}
	}()
	c := &salt.Ctx{Context: t.Context(), Sys: sys.Real{}, Log: slog.New(slog.DiscardHandler)}
	at := value.M("nameserver", pc.LocalAddr().String())
	for _, tc := range []struct {
		fun, name string
		kw        *value.Map
		want      string
	}{
		{"A", "www.example.org", nil, "['192.0.2.7']"},
		{"AAAA", "www.example.org", nil, "['2001:db8::7']"},
		{"A", "nosuch.example.org", nil, "[]"},
		{"NS", "example.org", nil, "['192.0.2.53']"},
		{"NS", "example.org", value.M("resolve", false), "['ns.example.org.']"},
		{"MX", "example.org", nil, "[['10', 'mail.example.org.']]"},
		{"MX", "example.org", value.M("resolve", true), "[['10', '192.0.2.53']]"},
		{"MX", "nosuch.example.org", nil, "[[]]"},
		{"TXT", "other.example", nil, `['"v=spf1 " "ip6:2001:db8::/32 a"']`},
		{"TXT", "nosuch.example.org", nil, "['']"},
		{"SPF", "example.org", nil, "['192.0.2.0/24', '2001:db8::/32']"},
		{"PTR", "192.0.2.7", nil, "['web.example.org.']"},
		{"CNAME", "www.example.org", nil, "''"},
	} {
		kw := at.Shallow()
		kw.Update(tc.kw)
		v, err := Module.Exec()[tc.fun].Call(c, []any{tc.name}, kw)
		if got := value.Repr(v); err != nil || got != tc.want {
			t.Errorf("%s %s: %s %v, want %s", tc.fun, tc.name, got, err, tc.want)
		}
	}
}

func TestIsAddress(t *testing.T) {
	for s, want := range map[string]bool{"127.0.0.1": true, "10.0.0.0/8": true, "1.2.3": false, "1.2.3.4/33": false, "::1": true, "2001:db8::/32": true, "::/4": false, "x": false, "1.2.3.4/x": false} {
		if isAddress(s) != want {
			t.Errorf("%s: %v", s, !want)
		}
	}
	if got := reverse(netip.MustParseAddr("2001:db8::1")); got != "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa." {
		t.Error(got)
	}
}
