package minion

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"strconv"
	"syscall"
	"time"

	"pinch/caller"
	"pinch/value"
)

// signature is what questions and answers of Salt's discovery begin with.
const signature = "__salt_master_service"

// discoveryWait is how long answers are waited for.
const discoveryWait = 3 * time.Second

// discover looks for a master by Salt's discovery (a question to all on the
// network over UDP), when the option discovery asks for it and no master is
// named: the first whose mapping is the wanted one. What it answers is only an
// address; whether it is to be trusted its key tells, as always.
func (l *link) discover(ctx context.Context) {
	o := l.m.opts
	how := o.Map("discovery")
	if l.found || how == nil || o.At("master") != "salt" {
		return
	}
	number := func(key string) int { n, _ := strconv.Atoi(how.Str(key)); return n }
	match := how.Str("match")
	if match != "any" && match != "all" {
		l.m.o.Log.Error(fmt.Sprintf("SSDP configuration matcher failure: unknown value %q. Should be \"any\" or \"all\"", match))
		return
	}
	for i := range number("attempts") {
		l.m.o.Log.Info(fmt.Sprintf("Attempting %d time(s) to discover masters", i+1))
		found, err := ask(ctx, net.UDPAddr{IP: l.m.everyone, Port: number("port")}, func(theirs *value.Map) bool {
			return fits(how.Map("mapping"), theirs, match == "any")
		})
		if err != nil {
			l.m.o.Log.Error("SSDP discovery failure: " + err.Error())
			return
		}
		if found != "" {
			addrs, err := Masters(value.M("master", found, "master_port", o.At("master_port")))
			if err != nil {
				l.m.o.Log.Error("SSDP discovery failure: " + err.Error())
				return
			}
			l.addrs, l.found = addrs[0], true
			return
		}
		if !sleep(ctx, span(how, "pause", time.Second)) {
			return
		}
	}
	l.m.o.Log.Info("No master has been discovered.")
}

// fits reports whether what a master tells of itself is what is wanted: all of
// it, or any.
func fits(wanted, theirs *value.Map, some bool) bool {
	same := 0
	for k, v := range wanted.All() {
		if it, ok := theirs.GetKey(k); ok && value.Equal(it, v) {
			same++
		}
	}
	return some && same > 0 || same == wanted.Len()
}

// ask asks all of a network and is told the address of the first master whose
// mapping is taken; "" when none answers in time.
func ask(ctx context.Context, all net.UDPAddr, take func(mapping *value.Map) bool) (string, error) {
	dial := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) (err error) {
		if ctrl := c.Control(func(fd uintptr) { err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_BROADCAST, 1) }); ctrl != nil {
			return ctrl
		}
		return os.NewSyscallError("setsockopt", err)
	}}
	c, err := dial.ListenPacket(ctx, "udp4", "0.0.0.0:0")
	if err != nil {
		return "", err
	}
	defer c.Close()
	defer context.AfterFunc(ctx, func() { c.Close() })()
	now := strconv.FormatFloat(float64(time.Now().UnixMicro())/1e6, 'f', -1, 64)
	if _, err := c.WriteTo([]byte(signature+now), &all); err != nil {
		return "", err
	}
	if err := c.SetReadDeadline(time.Now().Add(discoveryWait)); err != nil {
		return "", err
	}
	buf := make([]byte, 1024)
	for {
		n, _, err := c.ReadFrom(buf)
		if err != nil {
			return "", ctx.Err() // the time is over
		}
		_, text, ok := bytes.Cut(buf[:n], []byte(signature+":@:"))
		var answer struct {
			Master  string
			Mapping json.RawMessage
		}
		if !ok || json.Unmarshal(text, &answer) != nil || answer.Master == "" {
			continue
		}
		mapping, _ := value.ParseJSON(string(answer.Mapping))
		m, _ := mapping.(*value.Map)
		if take(m) {
			return answer.Master, nil
		}
	}
}

// evaluate asks the function that the option master names for the masters
// (master_type: func).
func (m *Minion) evaluate() error {
	if m.opts.Str("master_type") != "func" {
		return nil
	}
	name := m.opts.Str("master")
	run := caller.New(caller.Options{Config: m.config(), Registry: m.o.Registry, Log: m.o.Log})
	defer run.Close()
	v, err := run.Ctx(context.Background()).Call(name)
	if err != nil {
		return fmt.Errorf("Failed to load module %s: %w", name, err)
	}
	switch v.(type) {
	case string, *value.List:
	default:
		return fmt.Errorf("%s returned from %s is not a string", value.Str(v), name)
	}
	m.opts.Set("master", v)
	m.o.Log.Info("Evaluated master from module: " + name)
	return nil
}
