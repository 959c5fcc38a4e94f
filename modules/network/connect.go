package network

import (
	"context"
	"encoding/hex"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
	"time"

	"pinch/salt"
	"pinch/value"
)

type connectArgs struct {
	Host   any        `py:"host"`      // a name or an address
	Port   any        `py:"port=None"` // a number or the name of a service
	Kwargs *value.Map `py:"**kwargs"`  // proto (tcp, udp), timeout in seconds (5), family (ipv4, ipv6)
}

// connect tries to reach a port.
//
//	salt-call network.connect example.org 443 timeout=3
func connect(c *salt.Ctx, a connectArgs) (any, error) {
	answer := func(ok bool, format string, args ...any) (any, error) {
		return value.M("result", ok, "comment", fmt.Sprintf(format, args...)), nil
	}
	if !value.Truth(a.Host) {
		return answer(false, "Required argument, host, is missing.")
	}
	if !value.Truth(a.Port) {
		return answer(false, "Required argument, port, is missing.")
	}
	host, port := value.Str(a.Host), value.Str(a.Port)
	proto, family := "tcp", ""
	if a.Kwargs.At("proto") == "udp" {
		proto = "udp"
	}
	switch a.Kwargs.At("family") {
	case "ipv4":
		family = "4"
	case "ipv6":
		family = "6"
	}
	timeout := 5 * time.Second
	if v, ok := a.Kwargs.Get("timeout"); ok {
		if s, err := strconv.ParseFloat(value.Str(v), 64); err == nil {
			timeout = time.Duration(s * float64(time.Second))
		}
	}
	ctx, cancel := context.WithTimeout(c, timeout)
	defer cancel()
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip"+family, sanitizeHost(host))
	number, portErr := net.DefaultResolver.LookupPort(ctx, proto, port)
	if err != nil || len(ips) == 0 || portErr != nil {
		return answer(false, "Unable to resolve host %s on %s port %s", host, proto, port)
	}
	to := netip.AddrPortFrom(ips[0].Unmap(), uint16(number))
	if err := reach(ctx, proto, to); err != nil {
		return answer(false, "Unable to connect to %s (%s) on %s port %s", host, to.Addr(), proto, port)
	}
	return answer(true, "Successfully connected to %s (%s) on %s port %s", host, to.Addr(), proto, port)
}

// reach connects; with UDP it also waits for an answer.
func reach(ctx context.Context, proto string, to netip.AddrPort) error {
	conn, err := new(net.Dialer).DialContext(ctx, proto, to.String())
	if err != nil {
		return err
	}
	defer conn.Close()
	if proto != "udp" {
		return nil
	}
	if end, ok := ctx.Deadline(); ok {
		conn.SetDeadline(end)
	}
	if _, err := conn.Write([]byte("pinch")); err != nil {
		return err
	}
	_, err = conn.Read(make([]byte, 255))
	return err
}

// sanitizeHost keeps an address, and of a name what RFC 952 allows in it.
func sanitizeHost(host string) string {
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return -1
	}, host[:min(len(host), 255)])
}

type wolArgs struct {
	Mac      string `py:"mac"`                     // the hardware address, with or without separators
	Bcast    string `py:"bcast='255.255.255.255'"` // where to send the packet
	Destport any    `py:"destport=9"`              // the UDP port
}

// wol sends a magic packet that wakes a machine.
func wol(c *salt.Ctx, a wolArgs) (bool, error) {
	mac, err := macBytes(a.Mac)
	if err != nil {
		return false, err
	}
	port, err := strconv.Atoi(value.Str(a.Destport))
	if err != nil {
		return false, value.Errorf("ValueError", "invalid literal for int() with base 10: %s", value.Repr(a.Destport))
	}
	packet := []byte("\xff\xff\xff\xff\xff\xff")
	for range 16 {
		packet = append(packet, mac...)
	}
	// Go's UDP sockets may send to a broadcast address.
	conn, err := new(net.Dialer).DialContext(c, "udp4", net.JoinHostPort(a.Bcast, strconv.Itoa(port)))
	if err == nil {
		_, err = conn.Write(packet)
		conn.Close()
	}
	if err != nil {
		return false, osError(err)
	}
	return true, nil
}

// osError words an error of the network as Python does.
func osError(err error) error {
	for e := err; e != nil; {
		if no, ok := e.(syscall.Errno); ok {
			text := no.Error()
			return value.Errorf("OSError", "[Errno %d] %s", int(no), strings.ToUpper(text[:1])+text[1:])
		}
		u, ok := e.(interface{ Unwrap() error })
		if !ok {
			break
		}
		e = u.Unwrap()
	}
	return value.Errorf("OSError", "%s", err)
}

func macBytes(s string) ([]byte, error) {
	if len(s) == 17 {
		s = strings.ReplaceAll(s, s[2:3], "")
	} else if len(s) != 12 {
		return nil, value.Errorf("ValueError", "Invalid MAC address")
	}
	for i := 0; i+1 < len(s); i += 2 {
		if _, err := hex.DecodeString(s[i : i+2]); err != nil {
			return nil, value.Errorf("ValueError", "invalid literal for int() with base 16: %s", value.Repr(s[i:i+2]))
		}
	}
	return hex.DecodeString(s)
}
