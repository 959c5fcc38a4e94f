package disk

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/value"
)

type hdparmsArgs struct {
	Disks any `py:"disks"`                        // a disk, or a list of them
	Args  any `py:"args='aAbBcCdgHiJkMmNnQrRuW'"` // letters of options of hdparm(8)
}

// hdparms returns what hdparm(8) says about disks.
//
//	salt-call disk.hdparms sda
func hdparms(c *salt.Ctx, a hdparmsArgs) (*value.Map, error) {
	out := new(value.Map)
	for _, disk := range words(a.Disks) {
		if !strings.HasPrefix(disk, "/dev") {
			disk = "/dev/" + disk
		}
		text, err := hdparm(c, false, "-"+strings.Join(words(a.Args), ""), disk)
		if err != nil {
			return nil, err
		}
		out.Set(disk, parameters(text, disk))
	}
	return out, nil
}

// words are the items of a list, or one.
func words(v any) []string {
	var items []any
	switch l := v.(type) {
	case *value.List:
		items = l.Items
	case value.Tuple:
		items = l
	default:
		return []string{value.Str(v)}
	}
	out := make([]string, len(items))
	for i, it := range items {
		out[i] = value.Str(it)
	}
	return out
}

func hdparm(c *salt.Ctx, hard bool, args ...string) (string, error) {
	if err := need(c, "hdparm"); err != nil {
		return "", err
	}
	stdout, stderr, code, err := run(c, append([]string{"hdparm"}, args...)...)
	if err == nil && code != 0 {
		text := "hdparm " + strings.Join(args, " ") + ": " + stderr
		if hard {
			return "", salt.CommandError("%s", text)
		}
		c.Log.Warn(text)
	}
	return stdout, err
}

var counted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]+ \(.*\)`) })

// parameters reads the output of hdparm(8): lines with a colon or an equals
// sign, several values apart by slashes or commas.
func parameters(text, disk string) *value.Map {
	m := new(value.Map)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line == disk+":" {
			continue
		}
		key, vals, ok := strings.Cut(line, ":")
		if ok {
			key = strings.TrimSuffix(key, " is")
		} else if key, vals, ok = strings.Cut(line, "="); !ok {
			continue
		}
		if v := parameter(strings.TrimSpace(vals)); v != nil {
			m.Set(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(key)), " ", "_"), v)
		}
	}
	return m
}

func parameter(vals string) any {
	if counted().MatchString(vals) {
		f := strings.Split(vals, " ")
		return value.L(integer(f[0]), strings.Trim(f[1], "()"))
	}
	l, deep := value.L(), new(value.Map)
	for _, val := range strings.FieldsFunc(vals, func(r rune) bool { return r == '/' || r == ',' }) {
		val = strings.TrimSpace(val)
		key, v, ok := strings.Cut(val, "=")
		switch n := integer(val); {
		case n != any(val):
			l.Append(n)
		case ok && strings.TrimSpace(v) != "":
			deep.Set(strings.TrimSpace(key), strings.TrimSpace(v))
		case !ok && val != "":
			l.Append(val)
		}
	}
	if deep.Len() > 0 {
		l.Append(deep)
	}
	switch l.Len() {
	case 0:
		return nil
	case 1:
		return l.Items[0]
	}
	return l
}

// integer is a text as a number, or as it is.
func integer(s string) any {
	if n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64); err == nil {
		return n
	}
	return s
}

type hpaArgs struct {
	Disks any `py:"disks"`     // a disk, or a list of them
	Size  any `py:"size=None"` // sectors, or percent, to hide; without it nothing is changed
}

// hpa returns, or sets, how many sectors at the end of a disk are hidden.
func hpa(c *salt.Ctx, a hpaArgs) (any, error) {
	all, err := hdparms(c, hdparmsArgs{a.Disks, "N"})
	if err != nil {
		return nil, err
	}
	out := new(value.Map)
	for disk, v := range all.Items() {
		for _, v := range v.(*value.Map).Items() {
			l, ok := v.(*value.List)
			if !ok || l.Len() < 3 {
				return nil, salt.CommandError("hdparm does not tell the sectors of %s", disk)
			}
			visible, _ := l.Items[0].(int64)
			total, _ := l.Items[1].(int64)
			out.Set(disk, value.M("total", total))
			if visible != total && !strings.Contains(value.Str(l.Items[2]), "disabled") {
				out.Set(disk, value.M("total", total, "visible", visible, "hidden", total-visible))
			}
			break
		}
	}
	if a.Size == nil {
		return out, nil
	}
	for disk, v := range out.Items() {
		total := v.(*value.Map).At("total").(int64)
		text, percent := strings.CutSuffix(value.Str(a.Size), "%")
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, salt.InvocationError("size must be a number of sectors or percent: %s", value.Str(a.Size))
		}
		size := total - n
		if percent {
			size = (100 - n) * total / 100
		}
		if size <= 0 {
			size = total
		}
		if _, err := hdparm(c, true, "--yes-i-know-what-i-am-doing", "-Np"+strconv.FormatInt(size, 10), disk); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

type smartAttributesArgs struct {
	Dev        string `py:"dev"`             // a disk
	Attributes any    `py:"attributes=None"` // only these numbers
	Values     any    `py:"values=None"`     // only these columns
}

// smartAttributes returns the health values of a disk, by number.
//
//	salt-call disk.smart_attributes /dev/sda attributes='[5,190,194]'
func smartAttributes(c *salt.Ctx, a smartAttributesArgs) (*value.Map, error) {
	dev := a.Dev
	if !strings.HasPrefix(dev, "/dev/") {
		dev = "/dev/" + dev
	}
	stdout, stderr, code, err := run(c, "smartctl", "--attributes", dev)
	if err != nil {
		return nil, err
	}
	if code != 0 {
		return nil, salt.CommandError("%s", stderr)
	}
	only := func(v any, have any) bool {
		l, ok := v.(*value.List)
		return !ok || slices.ContainsFunc(l.Items, func(x any) bool { return value.Equal(x, have) })
	}
	return smart(stdout, func(n int64) bool { return only(a.Attributes, n) }, func(s string) bool { return only(a.Values, s) }), nil
}

// smart reads the table of smartctl(8).
func smart(text string, row func(int64) bool, column func(string) bool) *value.Map {
	var names []string
	m := new(value.Map)
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if names == nil {
			if strings.HasPrefix(line, "ID#") {
				names = strings.Fields(strings.ToLower(line))[1:]
			}
			continue
		}
		if len(f) == 0 {
			break
		}
		n, err := strconv.ParseInt(f[0], 10, 64)
		if err != nil {
			break
		}
		if !row(n) {
			continue
		}
		info := new(value.Map)
		for i, name := range names {
			if i+1 >= len(f) {
				break
			}
			val := f[i+1]
			if i == len(names)-1 {
				val = strings.Join(f[i+1:], " ")
			}
			if column(name) {
				info.Set(name, integers(val))
			}
		}
		m.SetKey(n, info)
	}
	return m
}

// integers is a text as a number or a list of numbers, or as it is.
func integers(s string) any {
	if n := integer(s); n != any(s) {
		return n
	}
	l := value.L()
	for word := range strings.SplitSeq(s, " ") {
		n := integer(word)
		if n == any(word) {
			return s
		}
		l.Append(n)
	}
	return l
}

type iostatArgs struct {
	Interval int `py:"interval=1"` // seconds between two samples
	Count    int `py:"count=5"`    // samples
	Disks    any `py:"disks=None"` // a disk, or a list of them
}

// iostat returns means of what iostat(1) sees, by disk; "sys" has the
// processors.
func iostat(c *salt.Ctx, a iostatArgs) (*value.Map, error) {
	if err := need(c, "iostat"); err != nil {
		return nil, err
	}
	argv := []string{"iostat", "-x", strconv.Itoa(a.Interval), strconv.Itoa(a.Count)}
	if a.Disks != nil {
		argv[1] = "-xd"
		argv = append(argv, words(a.Disks)...)
	}
	stdout, _, _, err := run(c, argv...)
	return means(stdout), err
}

// means reads the tables of iostat(1).
func means(text string) *value.Map {
	var order []string
	heads, rows := map[string][]string{}, map[string][][]float64{}
	add := func(name string, head []string, f []string) {
		if heads[name] == nil {
			order, heads[name] = append(order, name), head
		}
		var row []float64
		for _, s := range f {
			n, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", "."), 64)
			if err != nil {
				return
			}
			row = append(row, n)
		}
		rows[name] = append(rows[name], row)
	}
	var head []string
	system := false
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
			if !system {
				head = nil
			}
		case f[0] == "avg-cpu:":
			head, system = f[1:], true
		case f[0] == "Device:" || f[0] == "Device":
			head, system = f[1:], false
		case head != nil && system:
			add("sys", head, f)
			head, system = nil, false
		case head != nil:
			add(f[0], head, f[1:])
		}
	}
	m := new(value.Map)
	for _, name := range order {
		info := new(value.Map)
		for i, col := range heads[name] {
			sum, n := 0.0, 0
			for _, row := range rows[name] {
				if i < len(row) {
					sum, n = sum+row[i], n+1
				}
			}
			if n > 0 {
				mean, _ := strconv.ParseFloat(strconv.FormatFloat(sum/float64(n), 'f', 2, 64), 64)
				info.Set(col, mean)
			}
		}
		m.Set(name, info)
	}
	return m
}
