package beacons

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"pinch/sys"
	"pinch/value"
)

// threshold reads "80%" or 80.
func threshold(v any) (float64, error) {
	switch v := v.(type) {
	case int64:
		return float64(v), nil
	case float64:
		return v, nil
	case string:
		return strconv.ParseFloat(strings.TrimSpace(strings.ReplaceAll(v, "%", "")), 64)
	}
	return 0, fmt.Errorf("%s is no percentage", value.Repr(v))
}

// percent is a share with one decimal, as psutil rounds it.
func percent(used, total float64) float64 {
	if total <= 0 {
		return 0
	}
	f, _ := strconv.ParseFloat(strconv.FormatFloat(100*used/total, 'f', 1, 64), 64)
	return f
}

// diskUsage tells of file systems that are fuller than their threshold:
//
//	diskusage:
//	  - /: 63%
//	  - '^\/(?!home).*$': 90%
func diskUsage() Kind {
	return Kind{
		Validate: func(conf any) string { return isList("diskusage", conf) },
		New: func(e *Env, conf *value.Map) (Watcher, error) {
			return looker(func() ([]*value.Map, error) {
				mounts, err := mountPoints(e.Sys)
				if err != nil {
					return nil, err
				}
				var out []*value.Map
				for pattern, limit := range conf.Items() {
					max, err := threshold(limit)
					if err != nil {
						return nil, err
					}
					match, err := mountPattern(pattern)
					if err != nil {
						return nil, err
					}
					for _, m := range mounts {
						if !match(m) {
							continue
						}
						f, err := e.Sys.Statfs(m)
						if err != nil {
							e.Log.Warn(m+" is not a valid mount point.", "beacon", "diskusage")
							continue
						}
						used := float64(f.Blocks - f.BlocksFree)
						if p := percent(used, used+float64(f.BlocksAvailable)); p >= max {
							out = append(out, value.M("diskusage", p, "mount", m))
						}
					}
				}
				return out, nil
			}), nil
		},
	}
}

// mountPattern matches a whole mount point.
func mountPattern(text string) (func(string) bool, error) {
	if !strings.HasSuffix(text, "$") {
		text += "$"
	}
	if re, err := regexp.Compile("^(?:" + text + ")"); err == nil {
		return re.MatchString, nil
	}
	return pythonPattern(text)
}

// mountPoints are the places where file systems are mounted.
func mountPoints(s sys.Sys) ([]string, error) {
	b, err := s.ReadFile("/proc/self/mounts")
	if err != nil {
		return nil, err
	}
	var out []string
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) > 1 {
			out = append(out, strings.NewReplacer(`\040`, " ", `\011`, "\t", `\134`, `\`).Replace(f[1]))
		}
	}
	return out, nil
}

// meminfo reads /proc/meminfo, in kB.
func meminfo(s sys.Sys) (map[string]float64, error) {
	b, err := s.ReadFile("/proc/meminfo")
	if err != nil {
		return nil, err
	}
	out := map[string]float64{}
	for line := range strings.Lines(string(b)) {
		name, rest, ok := strings.Cut(line, ":")
		if f := strings.Fields(rest); ok && len(f) > 0 {
			out[name], _ = strconv.ParseFloat(f[0], 64)
		}
	}
	return out, nil
}

// memUsage tells when the memory is fuller than percent:
//
//	memusage:
//	  - percent: 63%
func memUsage() Kind {
	return percentKind("memusage", func(m map[string]float64) float64 {
		return percent(m["MemTotal"]-m["MemAvailable"], m["MemTotal"])
	})
}

// swapUsage tells when the swap space is fuller than percent.
func swapUsage() Kind {
	return percentKind("swapusage", func(m map[string]float64) float64 {
		return percent(m["SwapTotal"]-m["SwapFree"], m["SwapTotal"])
	})
}

func percentKind(name string, used func(map[string]float64) float64) Kind {
	return Kind{
		Validate: func(conf any) string {
			if text := isList(name, conf); text != "" {
				return text
			}
			if !options(conf).Has("percent") {
				return "Configuration for " + name + " beacon requires percent."
			}
			return ""
		},
		New: func(e *Env, conf *value.Map) (Watcher, error) {
			return looker(func() ([]*value.Map, error) {
				max, err := threshold(conf.At("percent"))
				if err != nil {
					return nil, err
				}
				m, err := meminfo(e.Sys)
				if err != nil {
					return nil, err
				}
				if p := used(m); p >= max {
					return []*value.Map{value.M(name, p)}, nil
				}
				return nil, nil
			}), nil
		},
	}
}

// load tells of load averages outside of their limits:
//
//	load:
//	  - averages:
//	      1m: [0.0, 2.0]
//	      5m: [0.0, 1.5]
//	      15m: [0.1, 1.0]
//	  - emitatstartup: True
//	  - onchangeonly: False
func load() Kind {
	return Kind{
		Validate: validateLoad,
		New: func(e *Env, conf *value.Map) (Watcher, error) {
			var last *value.Map
			return looker(func() ([]*value.Map, error) {
				now, err := loadAverages(e.Sys)
				if err != nil {
					return nil, err
				}
				before := last
				last = now
				onChange := conf.Truth("onchangeonly")
				if onChange && before == nil {
					if conf.Has("emitatstartup") && !conf.Truth("emitatstartup") {
						return nil, nil
					}
					before = now
				}
				for _, k := range []string{"1m", "5m", "15m"} {
					limits := conf.Map("averages").List(k)
					if limits.Len() != 2 {
						continue
					}
					lo, err1 := threshold(limits.Items[0])
					hi, err2 := threshold(limits.Items[1])
					if err1 != nil || err2 != nil {
						return nil, fmt.Errorf("the averages of load must be numbers")
					}
					x := now.At(k).(float64)
					out := x < lo || x > hi
					if onChange {
						b := before.At(k).(float64)
						out = x > hi && b < hi || x < lo && b > lo
					}
					if out {
						return []*value.Map{now.Shallow()}, nil
					}
				}
				return nil, nil
			}), nil
		},
	}
}

func validateLoad(conf any) string {
	if text := isList("load", conf); text != "" {
		return text
	}
	o := options(conf)
	for _, k := range []string{"emitatstartup", "onchangeonly"} {
		if v, ok := o.Get(k); ok {
			if _, ok := v.(bool); !ok {
				return "Configuration for load beacon option " + k + " must be a boolean."
			}
		}
	}
	if !o.Has("averages") {
		return "Averages configuration is required for load beacon."
	}
	a := o.Map("averages")
	if !a.Has("1m") && !a.Has("5m") && !a.Has("15m") {
		return "Averages configuration for load beacon must contain 1m, 5m or 15m items."
	}
	for _, k := range []string{"1m", "5m", "15m"} {
		if !a.Has(k) {
			continue // Salt fails on the missing ones
		}
		l := a.List(k)
		if l == nil {
			return "Averages configuration for load beacon: 1m, 5m and 15m items must be a list of two items."
		}
		if l.Len() != 2 {
			return "Configuration for load beacon: 1m, 5m and 15m items must be a list of two items."
		}
	}
	return ""
}

func loadAverages(s sys.Sys) (*value.Map, error) {
	b, err := s.ReadFile("/proc/loadavg")
	if err != nil {
		return nil, err
	}
	f := strings.Fields(string(b))
	if len(f) < 3 {
		return nil, fmt.Errorf("/proc/loadavg: %q", b)
	}
	out := new(value.Map)
	for i, k := range []string{"1m", "5m", "15m"} {
		x, err := strconv.ParseFloat(f[i], 64)
		if err != nil {
			return nil, err
		}
		out.Set(k, x)
	}
	return out, nil
}
