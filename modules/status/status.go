// Package status holds Salt's status module: load, memory, disks, processes
// and network counters, read from /proc. Its main variable is Module.
//
//	load:
//	  status.loadavg:
//	    - name: 1-min
//	    - maximum: 8
package status

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/value"
	"pinch/value/py"
)

// Module is Salt's status module.
var Module = salt.Module{
	Name: "status",
	States: func() salt.Funcs {
		return salt.Funcs{
			"loadavg": salt.State(loadavgState),
			"process": salt.State(process),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"all_status":      salt.Exec(allStatus),
			"cpuinfo":         salt.Exec(cpuinfo),
			"cpustats":        salt.Exec(cpustats),
			"custom":          salt.Exec(custom),
			"diskstats":       salt.Exec(diskstats),
			"diskusage":       salt.Exec(diskusage),
			"loadavg":         salt.Exec(loadavg),
			"master":          salt.Exec(master),
			"meminfo":         salt.Exec(meminfo),
			"netdev":          salt.Exec(netdev),
			"netstats":        salt.Exec(netstats),
			"nproc":           salt.Exec(nproc),
			"pid":             salt.Exec(pid),
			"ping_master":     salt.Exec(pingMaster),
			"procs":           salt.Exec(procs),
			"proxy_reconnect": salt.Exec(proxyReconnect),
			"time":            salt.Exec(time_).Named("time_"),
			"uptime":          salt.Exec(uptime),
			"version":         salt.Exec(version),
			"vmstats":         salt.Exec(vmstats),
			"w":               salt.Exec(w),
		}
	},
}

// lines are the words of each line of a file that is not empty; a missing file
// has none.
func lines(c *salt.Ctx, path string) ([][]string, error) {
	b, err := c.Sys.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out [][]string
	for line := range strings.Lines(string(b)) {
		if words := strings.Fields(line); len(words) > 0 {
			out = append(out, words)
		}
	}
	return out, err
}

// number reads a number, or leaves a text.
func number(s string) any {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && s[0] != '-' && s[0] != '+' {
		return n
	}
	if v, err := py.Int(s); err == nil && s[0] != '-' && s[0] != '+' {
		return v
	}
	if f, err := py.Float(s); err == nil {
		return f
	}
	return s
}

func numbers(words []string) *value.List {
	l := value.L()
	for _, w := range words {
		l.Append(number(w))
	}
	return l
}

// columns names numbers: the word at an index under a name.
func columns(words []string, names ...string) *value.Map {
	m := new(value.Map)
	for i, n := range names {
		if n != "" && i < len(words) {
			m.Set(n, number(words[i]))
		}
	}
	return m
}

// sorted is a mapping in the order of its keys.
func sorted(m *value.Map) *value.Map {
	out := value.NewMap(m.Len())
	keys := make([]string, 0, m.Len())
	for k := range m.Items() {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		out.Set(k, m.At(k))
	}
	return out
}

// cpustats returns the counters of /proc/stat.
func cpustats(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	all, err := lines(c, "/proc/stat")
	m := new(value.Map)
	for _, f := range all {
		if len(f) < 2 {
			continue
		}
		switch f[0] {
		case "cpu":
			m.Set("cpu", sorted(columns(f, "", "user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")))
		case "intr":
			m.Set("intr", value.M("total", number(f[1]), "irqs", numbers(f[2:])))
		case "softirq":
			m.Set("softirq", value.M("total", number(f[1]), "softirqs", numbers(f[2:])))
		default:
			m.Set(f[0], number(f[1]))
		}
	}
	return m, err
}

// meminfo returns /proc/meminfo: value and unit by name.
func meminfo(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	all, err := lines(c, "/proc/meminfo")
	m := new(value.Map)
	for _, f := range all {
		if len(f) < 2 {
			continue
		}
		v := value.M("value", f[1])
		if len(f) > 2 {
			v.Set("unit", f[2])
		}
		m.Set(strings.ReplaceAll(f[0], ":", ""), v)
	}
	return m, err
}

// cpuinfo returns what /proc/cpuinfo says about the last processor.
func cpuinfo(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	b, err := c.Sys.ReadFile("/proc/cpuinfo")
	m := new(value.Map)
	for line := range strings.Lines(string(b)) {
		k, rest, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		v, _, _ := strings.Cut(rest, ":")
		if k = strings.TrimSpace(k); k == "flags" {
			m.Set(k, value.Strings(strings.Fields(v)))
		} else {
			m.Set(k, strings.TrimSpace(v))
		}
	}
	return m, err
}

// diskstats returns the counters of /proc/diskstats by device.
func diskstats(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	all, err := lines(c, "/proc/diskstats")
	m := new(value.Map)
	for _, f := range all {
		if len(f) > 2 {
			m.Set(f[2], columns(f, "major", "minor", "device", "reads_issued", "reads_merged", "sectors_read", "ms_spent_reading",
				"writes_completed", "writes_merged", "sectors_written", "ms_spent_writing", "io_in_progress", "ms_spent_in_io", "weighted_ms_spent_in_io"))
		}
	}
	return m, err
}

// vmstats returns the counters of /proc/vmstat.
func vmstats(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	all, err := lines(c, "/proc/vmstat")
	m := new(value.Map)
	for _, f := range all {
		if len(f) > 1 {
			m.Set(f[0], number(f[1]))
		}
	}
	return m, err
}

// netstats returns the counters of /proc/net/netstat by protocol.
func netstats(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	all, err := lines(c, "/proc/net/netstat")
	m := new(value.Map)
	head := []string{""}
	for _, f := range all {
		if f[0] != head[0] {
			head = f
			continue
		}
		row := new(value.Map)
		for i := 1; i < min(len(head), len(f)); i++ {
			row.Set(head[i], number(f[i]))
		}
		m.Set(strings.ReplaceAll(head[0], ":", ""), row)
	}
	return m, err
}

// netdev returns the counters of /proc/net/dev by interface.
func netdev(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	b, err := c.Sys.ReadFile("/proc/net/dev")
	m := new(value.Map)
	for line := range strings.Lines(string(b)) {
		name, rest, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		name = strings.TrimSpace(name)
		row := value.M("iface", name)
		row.Update(columns(strings.Fields(rest), "rx_bytes", "rx_packets", "rx_errs", "rx_drop", "rx_fifo", "rx_frame", "rx_compressed", "rx_multicast",
			"tx_bytes", "tx_packets", "tx_errs", "tx_drop", "tx_fifo", "tx_colls", "tx_carrier", "tx_compressed"))
		m.Set(name, sorted(row))
	}
	return m, err
}

// loadavg returns the load averages of the last 1, 5 and 15 minutes.
func loadavg(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	all, err := lines(c, "/proc/loadavg")
	if err != nil || len(all) == 0 || len(all[0]) < 3 {
		return nil, cmp.Or(err, salt.CommandError("status.loadavag is not available on your platform"))
	}
	m := new(value.Map)
	for i, k := range []string{"1-min", "5-min", "15-min"} {
		f, err := strconv.ParseFloat(all[0][i], 64)
		if err != nil {
			return nil, err
		}
		m.Set(k, f)
	}
	return m, nil
}

// version returns the line of /proc/version.
func version(c *salt.Ctx, _ salt.NoArgs) (any, error) {
	b, err := c.Sys.ReadFile("/proc/version")
	if err != nil {
		return new(value.Map), nil
	}
	return strings.TrimSpace(string(b)), nil
}

type timeArgs struct {
	Format string `py:"format='%A, %d. %B %Y %I:%M%p'"` // the form, as of Python's strftime
}

// time_ returns the local time.
//
//	{{ salt['status.time']('%Y-%m-%d') }}
func time_(c *salt.Ctx, a timeArgs) (string, error) { return py.Strftime(c.Sys.Now(), a.Format) }

// allStatus returns what most of the other functions do, by their names.
func allStatus(c *salt.Ctx, no salt.NoArgs) (*value.Map, error) {
	m := new(value.Map)
	var fail error
	add := func(name string, v any, err error) {
		m.Set(name, v)
		fail = errors.Join(fail, err)
	}
	put := func(name string, f func(*salt.Ctx, salt.NoArgs) (*value.Map, error)) {
		v, err := f(c, no)
		add(name, v, err)
	}
	put("cpuinfo", cpuinfo)
	put("cpustats", cpustats)
	put("diskstats", diskstats)
	v, err := diskusage(c, diskusageArgs{})
	add("diskusage", v, err)
	put("loadavg", loadavg)
	put("meminfo", meminfo)
	put("netdev", netdev)
	put("netstats", netstats)
	put("uptime", uptime)
	put("vmstats", vmstats)
	users, err := w(c, no)
	add("w", users, err)
	return m, fail
}

// custom returns the values that options named status.FUNCTION.custom ask for.
//
//	status.cpustats.custom: [cpu, ctxt]
//	status.loadavg.custom: [1-min]
func custom(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	v, err := c.Call("config.dot_vals", "status")
	if err != nil {
		return nil, err
	}
	conf, _ := v.(*value.Map)
	out := new(value.Map)
	for k, want := range conf.Items() {
		fun := k[:strings.LastIndexByte(k, '.')]
		l, ok := want.(*value.List)
		if fun == "status.custom" || !ok {
			continue
		}
		if _, err := c.Registry().Exec(c, fun); err != nil {
			c.Log.Warn("custom status " + fun + " isn't loaded")
			continue
		}
		res, err := c.Call(fun)
		if err != nil {
			return nil, err
		}
		vals, _ := res.(*value.Map)
		for _, it := range l.Items {
			x, ok := vals.GetKey(it)
			if !ok {
				c.Log.Warn("val " + value.Str(it) + " not in return of " + fun)
				x = "UNKNOWN"
			}
			out.SetKey(it, x)
		}
	}
	return out, nil
}

// nproc returns the number of processors that this process may use.
func nproc(c *salt.Ctx, _ salt.NoArgs) (any, error) {
	b, err := c.Sys.ReadFile("/proc/self/status")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(b)) {
		list, ok := strings.CutPrefix(line, "Cpus_allowed_list:")
		if !ok {
			continue
		}
		n := 0
		for part := range strings.SplitSeq(strings.TrimSpace(list), ",") {
			from, to, ranged := strings.Cut(part, "-")
			a, err1 := strconv.Atoi(from)
			b, err2 := a, error(nil)
			if ranged {
				b, err2 = strconv.Atoi(to)
			}
			if err := errors.Join(err1, err2); err != nil {
				return nil, fmt.Errorf("/proc/self/status: %s: %w", list, err)
			}
			n += b - a + 1
		}
		if v, err := strconv.Atoi(os.Getenv("OMP_NUM_THREADS")); err == nil && v > 0 {
			n = v // nproc(1) obeys OpenMP's variables
		}
		if v, err := strconv.Atoi(os.Getenv("OMP_THREAD_LIMIT")); err == nil && v > 0 {
			n = min(n, v)
		}
		return n, nil
	}
	return 0, nil
}
