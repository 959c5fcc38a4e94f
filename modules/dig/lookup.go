package dig

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"strings"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"pinch/salt"
	"pinch/value"
)

// dig waits five seconds for an answer and asks three times.
const wait, tries = 5 * time.Second, 3

// lookup asks for records as dig does: of the name as it is, without /etc/hosts
// and search domains. The answers are in the form of dig +short.
func lookup(c *salt.Ctx, name string, server any, kind dnsmessage.Type) ([]string, error) {
	servers := []string{value.Str(server)}
	if !value.Truth(server) {
		servers = configured(c)
	}
	query, err := question(name, kind)
	if err != nil {
		return nil, err
	}
	for range tries {
		for _, s := range servers {
			var answer []byte
			if answer, err = exchange(c, s, query); err == nil {
				return records(answer)
			}
		}
	}
	return nil, err
}

// configured are the servers of resolv.conf(5).
func configured(c *salt.Ctx) []string {
	b, _ := c.Sys.ReadFile("/etc/resolv.conf")
	var out []string
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "nameserver" {
			out = append(out, f[1])
		}
	}
	if len(out) == 0 {
		return []string{"127.0.0.1"}
	}
	return out
}

func question(name string, kind dnsmessage.Type) ([]byte, error) {
	if !strings.HasSuffix(name, ".") {
		name += "."
	}
	n, err := dnsmessage.NewName(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	m := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: uint16(rand.Uint32()), RecursionDesired: true},
		Questions: []dnsmessage.Question{{Name: n, Type: kind, Class: dnsmessage.ClassINET}},
	}
	return m.Pack()
}

// exchange asks over UDP, and over TCP when the answer does not fit.
func exchange(ctx context.Context, server string, query []byte) ([]byte, error) {
	address := server
	if _, _, err := net.SplitHostPort(server); err != nil {
		address = net.JoinHostPort(server, "53")
	}
	conn, err := (&net.Dialer{Timeout: wait}).DialContext(ctx, "udp", address)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(wait))
	if _, err := conn.Write(query); err != nil {
		return nil, err
	}
	buf := make([]byte, 65535)
	for {
		n, err := conn.Read(buf)
		if err != nil {
			return nil, fmt.Errorf("no answer of %s: %w", server, err)
		}
		if n < 12 || buf[0] != query[0] || buf[1] != query[1] {
			continue // another's answer
		}
		if buf[2]&2 == 0 {
			return buf[:n], nil
		}
		return overTCP(ctx, address, query)
	}
}

func overTCP(ctx context.Context, address string, query []byte) ([]byte, error) {
	conn, err := (&net.Dialer{Timeout: wait}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(wait))
	if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(query))), query...)); err != nil {
		return nil, err
	}
	var size [2]byte
	if _, err := io.ReadFull(conn, size[:]); err != nil {
		return nil, err
	}
	buf := make([]byte, binary.BigEndian.Uint16(size[:]))
	_, err = io.ReadFull(conn, buf)
	return buf, err
}

// records are the answers of a message, one a line.
func records(message []byte) ([]string, error) {
	var p dnsmessage.Parser
	if _, err := p.Start(message); err != nil {
		return nil, err
	}
	if err := p.SkipAllQuestions(); err != nil {
		return nil, err
	}
	var out []string
	for {
		r, err := p.Answer()
		if errors.Is(err, dnsmessage.ErrSectionDone) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		switch b := r.Body.(type) {
		case *dnsmessage.AResource:
			out = append(out, netip.AddrFrom4(b.A).String())
		case *dnsmessage.AAAAResource:
			out = append(out, netip.AddrFrom16(b.AAAA).String())
		case *dnsmessage.CNAMEResource:
			out = append(out, b.CNAME.String())
		case *dnsmessage.NSResource:
			out = append(out, b.NS.String())
		case *dnsmessage.PTRResource:
			out = append(out, b.PTR.String())
		case *dnsmessage.MXResource:
			out = append(out, fmt.Sprintf("%d %s", b.Pref, b.MX))
		case *dnsmessage.TXTResource:
			out = append(out, quoted(b.TXT))
		case *dnsmessage.UnknownResource:
			if b.Type == typeSPF {
				out = append(out, quoted(strs(b.Data)))
			}
		}
	}
}

// strs reads the character strings of RFC 1035.
func strs(b []byte) []string {
	var out []string
	for len(b) > 0 && len(b) > int(b[0]) {
		out = append(out, string(b[1:1+b[0]]))
		b = b[1+b[0]:]
	}
	return out
}

// quoted writes texts as dig does.
func quoted(texts []string) string {
	var b strings.Builder
	for i, t := range texts {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteByte('"')
		for _, c := range []byte(t) {
			switch {
			case c == '"' || c == '\\':
				b.WriteString(`\` + string(c))
			case c < ' ' || c > '~':
				fmt.Fprintf(&b, `\%03d`, c)
			default:
				b.WriteByte(c)
			}
		}
		b.WriteByte('"')
	}
	return b.String()
}
