package ps

import (
	"os"
	"strconv"
	"strings"

	"pinch/value"
)

// attributes are the facts of ps.proc_info.
var attributes = []string{
	"cmdline", "cpu_affinity", "cpu_num", "cpu_percent", "cpu_times", "create_time", "cwd", "environ", "exe", "gids", "io_counters", "memory_full_info",
	"memory_info", "memory_percent", "name", "nice", "num_ctx_switches", "num_fds", "num_threads", "open_files", "pid", "ppid", "status", "terminal",
	"threads", "uids", "username",
}

// attribute is a fact about a process; None when we may not see it.
func (p *process) attribute(name string) (v any, ok bool) {
	switch name {
	case "cmdline":
		return value.Strings(p.cmdline()), true
	case "cpu_affinity":
		return p.affinity(), true
	case "cpu_num":
		return number(p.field(39)), true
	case "cpu_percent":
		return 0.0, true // there is nothing to compare with
	case "cpu_times":
		return p.cpu(), true
	case "create_time":
		return p.createTime(), true
	case "cwd", "exe":
		if to, err := p.c.Sys.Readlink(p.path(name)); err == nil {
			return to, true
		}
		return nil, true
	case "environ":
		return p.environ(), true
	case "uids", "gids":
		return p.ids(name), true
	case "io_counters":
		return p.io(), true
	case "memory_info":
		return orNone(p.memory()), true
	case "memory_full_info":
		return p.fullMemory(), true
	case "memory_percent":
		if m := p.memory(); m != nil {
			return float64(m.At("rss").(int64)) / float64(meminfo(p.c)["MemTotal"]) * 100, true
		}
		return nil, true
	case "name":
		return p.name(), true
	case "nice":
		return number(p.field(19)), true
	case "num_ctx_switches":
		return value.M("voluntary", p.count("voluntary_ctxt_switches"), "involuntary", p.count("nonvoluntary_ctxt_switches")), true
	case "num_fds":
		entries, err := p.c.Sys.ReadDir(p.path("fd"))
		if err != nil {
			return nil, true
		}
		return int64(len(entries)), true
	case "num_threads":
		return number(p.field(20)), true
	case "open_files":
		return p.files(), true
	case "pid":
		return int64(p.pid), true
	case "ppid":
		return number(p.field(4)), true
	case "status":
		return p.status(), true
	case "terminal":
		return p.terminal(), true
	case "threads":
		return p.threads(), true
	case "username":
		return p.username(), true
	}
	return nil, false
}

func orNone(m *value.Map) any {
	if m == nil {
		return nil
	}
	return m
}

func (p *process) count(key string) int64 {
	if f := p.line(key); len(f) > 0 {
		return number(f[0])
	}
	return 0
}

// affinity are the processors that it may run on: "0-3,8".
func (p *process) affinity() any {
	l := value.L()
	for _, word := range p.line("Cpus_allowed_list") {
		for part := range strings.SplitSeq(word, ",") {
			first, last, ok := strings.Cut(part, "-")
			if !ok {
				last = first
			}
			for n := number(first); n <= number(last) && n < 1<<16; n++ {
				l.Append(n)
			}
		}
	}
	return l
}

func (p *process) environ() any {
	b, err := p.c.Sys.ReadFile(p.path("environ"))
	if err != nil {
		return nil
	}
	m := new(value.Map)
	for part := range strings.SplitSeq(string(b), "\x00") {
		if key, val, ok := strings.Cut(part, "="); ok {
			m.Set(key, val)
		}
	}
	return m
}

func (p *process) ids(name string) any {
	key := "Uid"
	if name == "gids" {
		key = "Gid"
	}
	return column("real effective saved", p.line(key), func(s string) any { return number(s) })
}

func (p *process) io() any {
	b, err := p.c.Sys.ReadFile(p.path("io"))
	if err != nil {
		return nil
	}
	have := map[string]int64{}
	for line := range strings.Lines(string(b)) {
		key, val, _ := strings.Cut(line, ":")
		have[key] = number(strings.TrimSpace(val))
	}
	return value.M("read_count", have["syscr"], "write_count", have["syscw"], "read_bytes", have["read_bytes"], "write_bytes", have["write_bytes"], "read_chars", have["rchar"], "write_chars", have["wchar"])
}

func (p *process) fullMemory() any {
	m := p.memory()
	b, err := p.c.Sys.ReadFile(p.path("smaps_rollup"))
	if err != nil || m == nil {
		return nil
	}
	var uss, pss, swap int64
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		n := number(f[1]) * 1024
		switch {
		case strings.HasPrefix(f[0], "Private_"):
			uss += n
		case f[0] == "Pss:":
			pss += n
		case f[0] == "Swap:":
			swap += n
		}
	}
	m.Update(value.M("uss", uss, "pss", pss, "swap", swap))
	return m
}

// files are the regular files that it has open.
func (p *process) files() any {
	entries, err := p.c.Sys.ReadDir(p.path("fd"))
	if err != nil {
		return nil
	}
	l := value.L()
	for _, e := range entries {
		to, err := p.c.Sys.Readlink(p.path("fd/" + e.Name()))
		if err != nil || !strings.HasPrefix(to, "/") {
			continue
		}
		if info, err := p.c.Sys.Stat(to); err != nil || !info.Mode().IsRegular() {
			continue
		}
		position, flags := int64(0), int64(0)
		for line := range strings.Lines(p.read("fdinfo/" + e.Name())) {
			switch f := strings.Fields(line); {
			case len(f) == 2 && f[0] == "pos:":
				position = number(f[1])
			case len(f) == 2 && f[0] == "flags:":
				flags, _ = strconv.ParseInt(f[1], 8, 64)
			}
		}
		mode := [4]string{"r", "w", "r+", "r+"}[flags&3]
		if flags&int64(os.O_APPEND) != 0 {
			mode = map[string]string{"w": "a", "r+": "a+", "r": "r"}[mode]
		}
		l.Append(value.M("path", to, "fd", number(e.Name()), "position", position, "mode", mode, "flags", flags))
	}
	return l
}

// terminal is the controlling one.
func (p *process) terminal() any {
	n := number(p.field(7))
	major, minor := n>>8&0xfff, n&0xff|n>>12&0xfff00
	switch {
	case n <= 0:
		return nil
	case major >= 136 && major <= 143:
		return "/dev/pts/" + strconv.FormatInt((major-136)<<8+minor, 10)
	case major == 4 && minor < 64:
		return "/dev/tty" + strconv.FormatInt(minor, 10)
	case major == 4:
		return "/dev/ttyS" + strconv.FormatInt(minor-64, 10)
	}
	return nil
}

func (p *process) threads() any {
	entries, err := p.c.Sys.ReadDir(p.path("task"))
	if err != nil {
		return nil
	}
	l := value.L()
	for _, e := range entries {
		text := p.read("task/" + e.Name() + "/stat")
		f := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
		if len(f) > 12 {
			l.Append(value.M("id", number(e.Name()), "user_time", ticks(f[11]), "system_time", ticks(f[12])))
		}
	}
	return l
}
