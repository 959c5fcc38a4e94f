package minion

import (
	"fmt"
	"hash/crc32"
	"log/slog"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"time"

	"pinch/minion/session"
	"pinch/minion/transport"
	"pinch/value"
)

// Masters are the addresses of the masters in the options: one group for each
// that the minion belongs to at the same time, in a group those of which one
// is enough (master_type: failover).
func Masters(o *value.Map) ([][]string, error) {
	var names []string
	switch v := o.At("master").(type) {
	case string:
		names = []string{v}
	case *value.List:
		for _, it := range v.Items {
			names = append(names, value.Str(it))
		}
	default:
		return nil, fmt.Errorf("the option master must be a host's name or a list of them, not %s", value.Repr(v))
	}
	port, _ := o.At("master_port").(int64)
	if port == 0 {
		port = 4506
	}
	var addrs []string
	for _, n := range names {
		n = strings.TrimSpace(n)
		if o.Str("master_uri_format") == "ip_only" && net.ParseIP(n) == nil {
			return nil, fmt.Errorf("'%s' does not appear to be an IPv4 or IPv6 address (master_uri_format: ip_only)", n)
		}
		a, err := address(n, port)
		if err != nil {
			return nil, err
		}
		addrs = append(addrs, a)
	}
	if len(addrs) == 0 {
		return nil, fmt.Errorf("the option master names no host")
	}
	switch kind := o.Str("master_type"); kind {
	case "failover", "distributed":
		order(o, addrs)
		return [][]string{addrs}, nil
	case "str", "", "func":
		var out [][]string
		for _, a := range addrs {
			out = append(out, []string{a})
		}
		return out, nil
	case "disable":
		return nil, fmt.Errorf("master_type is disable: this minion has no master")
	default:
		return nil, fmt.Errorf("master_type %s is not known: str, failover, distributed, func and disable are", kind)
	}
}

// order puts the masters in the order in which they are tried: with
// distributed the minion's name chooses the first, with random_master chance
// chooses; a first one to go back to (master_failback) stays.
func order(o *value.Map, addrs []string) {
	if o.Str("master_type") == "distributed" {
		first := int(crc32.ChecksumIEEE([]byte(o.Str("id"))) % uint32(len(addrs)))
		addr := addrs[first]
		copy(addrs[1:], addrs[:first])
		addrs[0] = addr
	}
	if o.Truth("random_master") || o.Truth("master_shuffle") {
		if o.Truth("master_failback") {
			addrs = addrs[1:]
		}
		rand.Shuffle(len(addrs), func(i, j int) { addrs[i], addrs[j] = addrs[j], addrs[i] })
	}
}

// address is host:port; the name may have a port of its own, and an address of
// IPv6 may stand in brackets.
func address(name string, port int64) (string, error) {
	if name == "" {
		return "", fmt.Errorf("the option master has an empty name")
	}
	if net.ParseIP(name) != nil {
		return net.JoinHostPort(name, strconv.FormatInt(port, 10)), nil
	}
	if host, own, err := net.SplitHostPort(name); err == nil {
		if _, err := strconv.ParseUint(own, 10, 16); err != nil {
			return "", fmt.Errorf("the option master: %s has no port number", name)
		}
		return net.JoinHostPort(host, own), nil
	}
	return net.JoinHostPort(strings.Trim(name, "[]"), strconv.FormatInt(port, 10)), nil
}

// Settings are the options of a session with a master. Of what grains gives the
// master is told those of autosign_grains; nil: none.
func Settings(o *value.Map, addr string, grains func() *value.Map, log *slog.Logger) session.Options {
	number := func(key string) int { n, _ := o.At(key).(int64); return int(n) }
	s := session.Options{
		ID: o.Str("id"), PKIDir: o.Str("pki_dir"), Addr: addr, PubPort: number("publish_port"), Transport: o.Str("transport"), Line: line(o, log),
		Encrypt: o.Str("encryption_algorithm"), Sign: o.Str("signing_algorithm"), KeySize: number("keysize"),
		Finger: o.Str("master_finger"), HashType: o.Str("hash_type"),
		AuthTimeout: span(o, "auth_timeout", time.Second),
		Timeout:     span(o, "request_channel_timeout", time.Second), Tries: number("request_channel_tries"),
		SignMessages: o.Truth("minion_sign_messages"), Log: log,
	}
	if o.Truth("verify_master_pubkey_sign") {
		s.SigningKey = o.Str("master_sign_key_name")
	}
	if names := o.List("autosign_grains"); names.Len() > 0 && grains != nil {
		s.Grains = func() *value.Map {
			all, some := grains(), new(value.Map)
			for _, n := range names.Items {
				some.Set(value.Str(n), all.At(value.Str(n)))
			}
			return some
		}
	}
	return s
}

// line is how connections to masters are made: source_* and tcp_keepalive*.
func line(o *value.Map, log *slog.Logger) transport.Line {
	number := func(key string) int { n, _ := strconv.Atoi(o.Str(key)); return n }
	l := transport.Line{AskPort: number("source_ret_port"), PubPort: number("source_publish_port")}
	if o.Has("tcp_keepalive") {
		l.KeepAlive = &net.KeepAliveConfig{Enable: o.Truth("tcp_keepalive"), Idle: span(o, "tcp_keepalive_idle", time.Second), Interval: span(o, "tcp_keepalive_intvl", time.Second), Count: number("tcp_keepalive_cnt")}
	}
	switch name, addr := o.Str("source_interface_name"), o.Str("source_address"); {
	case name != "":
		i, err := net.InterfaceByName(name)
		if err != nil {
			log.Warn(name + " is not a valid interface. Ignoring.")
			break
		}
		if i.Flags&net.FlagUp == 0 {
			log.Warn("The interface " + name + " is down so it cannot be used as source to connect to the Master")
			break
		}
		addrs, _ := i.Addrs()
		for _, a := range addrs {
			if n, ok := a.(*net.IPNet); ok && (n.IP.To4() == nil) == o.Truth("ipv6") {
				l.From = n.IP
				break
			}
		}
	case addr != "":
		a, err := net.ResolveIPAddr("ip", strings.Trim(addr, "[]"))
		if err != nil {
			log.Warn("source_address: " + err.Error())
			break
		}
		l.From = a.IP
	}
	return l
}

// span is the time that an option says in so many units, whole or not; 0 when
// it says none.
func span(o *value.Map, key string, unit time.Duration) time.Duration {
	switch n := o.At(key).(type) {
	case int64:
		return time.Duration(n) * unit
	case float64:
		return time.Duration(n * float64(unit))
	}
	return 0
}
