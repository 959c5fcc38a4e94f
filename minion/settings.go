package minion

import (
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"time"

	"pinch/minion/session"
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
		a, err := address(strings.TrimSpace(n), port)
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
		return [][]string{addrs}, nil
	case "str", "":
		var out [][]string
		for _, a := range addrs {
			out = append(out, []string{a})
		}
		return out, nil
	case "disable":
		return nil, fmt.Errorf("master_type is disable: this minion has no master")
	default:
		return nil, fmt.Errorf("master_type %s is not known: str, failover and disable are", kind)
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

// Settings are the options of a session with a master.
func Settings(o *value.Map, addr string, log *slog.Logger) session.Options {
	number := func(key string) int { n, _ := o.At(key).(int64); return int(n) }
	s := session.Options{
		ID: o.Str("id"), PKIDir: o.Str("pki_dir"), Addr: addr, PubPort: number("publish_port"), Transport: o.Str("transport"),
		Encrypt: o.Str("encryption_algorithm"), Sign: o.Str("signing_algorithm"), KeySize: number("keysize"),
		Finger: o.Str("master_finger"), HashType: o.Str("hash_type"),
		AuthTimeout: time.Duration(number("auth_timeout")) * time.Second,
		Timeout:     time.Duration(number("request_channel_timeout")) * time.Second, Tries: number("request_channel_tries"),
		SignMessages: o.Truth("minion_sign_messages"), Log: log,
	}
	if o.Truth("verify_master_pubkey_sign") {
		s.SigningKey = o.Str("master_sign_key_name")
	}
	return s
}
