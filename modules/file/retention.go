package file

import (
	"maps"
	"slices"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/pytime"
)

type retentionArgs struct {
	Name     string     `py:"name"`                 // the folder with backups
	Retain   *value.Map `py:"retain"`               // how many to keep: most_recent, first_of_hour, first_of_day, first_of_week, first_of_month, first_of_year; a number or all
	Format   string     `py:"strptime_format=None"` // how the names tell the time, in Python's strptime; by default the time of the last change counts
	Timezone any        `py:"timezone=None"`        // the time zone of times of the last change; by default the machine's
}

// retentionSchedule keeps some backups of a folder and removes the others.
//
//	/var/backups/db:
//	  file.retention_schedule:
//	    - retain:
//	        most_recent: 5
//	        first_of_day: 7
//	        first_of_month: all
//	    - strptime_format: db_%Y%m%d.sql.gz
func retentionSchedule(c *salt.Ctx, a retentionArgs) salt.Result {
	name := expandUser(c, a.Name)
	return renamed(a.Name, name, retentionState(c, name, a))
}

func retentionState(c *salt.Ctx, name string, a retentionArgs) salt.Result {
	if name == "" {
		return salt.Failed("Must provide name to file.retention_schedule")
	}
	if !sys.IsDir(c.Sys, name) {
		return salt.Failed("Name provided to file.retention must be a directory")
	}
	entries, err := c.Sys.ReadDir(name)
	if err != nil {
		return salt.Failed("%s", osText(err))
	}
	zone := time.Local
	if s, ok := a.Timezone.(string); ok && s != "" {
		if zone, err = time.LoadLocation(s); err != nil {
			return salt.Failed("%s", err)
		}
	}
	var files []dated
	ignored := []string{".", ".."}
	for _, e := range entries {
		var t time.Time
		ok := false
		if a.Format != "" {
			t, ok = pytime.Strptime(e.Name(), a.Format, time.UTC)
		} else if i, err := c.Sys.Lstat(joinPath(name, e.Name())); err == nil {
			t, ok = i.ModTime().In(zone), true
		}
		if ok {
			files = append(files, dated{e.Name(), t})
		} else {
			ignored = append(ignored, e.Name())
		}
	}
	kept, err := retained(files, a.Retain)
	if err != nil {
		return salt.Failed("%s", text(err))
	}
	var deleted []string
	for _, f := range files {
		if !kept[f.name] {
			deleted = append(deleted, f.name)
		}
	}
	return pruneBackups(c, name, slices.Collect(maps.Keys(kept)), deleted, ignored)
}

func pruneBackups(c *salt.Ctx, name string, kept, deleted, ignored []string) salt.Result {
	changes := new(value.Map)
	if deleted != nil {
		for _, l := range [][]string{kept, deleted, ignored} {
			slices.Sort(l)
			slices.Reverse(l)
		}
		changes = value.M("retained", value.Strings(kept), "deleted", value.Strings(deleted), "ignored", value.Strings(ignored))
	}
	if c.Test {
		r := salt.Would(changes, "%d backups would have been removed from %s.\n", len(deleted), name)
		if deleted == nil {
			r.Result = salt.True()
		}
		return r
	}
	for _, f := range deleted {
		if err := removeAny(c, joinPath(name, f)); err != nil {
			return salt.Failed("%s", text(err))
		}
	}
	return salt.Changed(changes, "%d backups were removed from %s.\n", len(deleted), name)
}

// dated is a file with the time it is from.
type dated struct {
	name string
	time time.Time
}

// periods cut a time into the parts that the rules count.
var periods = map[string]func(time.Time) [5]int{
	"first_of_year":  func(t time.Time) [5]int { return [5]int{t.Year()} },
	"first_of_month": func(t time.Time) [5]int { return [5]int{t.Year(), int(t.Month())} },
	"first_of_day":   func(t time.Time) [5]int { return [5]int{t.Year(), int(t.Month()), t.Day()} },
	"first_of_hour":  func(t time.Time) [5]int { return [5]int{t.Year(), int(t.Month()), t.Day(), t.Hour()} },
	"first_of_week":  func(t time.Time) [5]int { _, w := t.ISOWeek(); return [5]int{t.Year(), w} },
}

// retained are the files that some rule keeps: of the latest periods the
// first file each, or the latest files.
func retained(files []dated, rules *value.Map) (map[string]bool, error) {
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b dated) int { return a.time.Compare(b.time) })
	kept := map[string]bool{}
	for rule, v := range rules.Items() {
		n := int64(len(files))
		if v != "all" {
			var err error
			if n, err = intArg(v); err != nil {
				return nil, err
			}
		}
		cut := periods[rule]
		switch {
		case rule == "most_recent":
			for i := len(files) - 1; i >= 0 && n > 0; i, n = i-1, n-1 {
				kept[files[i].name] = true
			}
			continue
		case cut == nil:
			return nil, value.Errorf("KeyError", "%s", value.Quote(rule))
		case rule == "first_of_week" && v != "all":
			n++ // the running week comes on top
		}
		keepFirst(files, cut, n, kept)
	}
	return kept, nil
}

func keepFirst(files []dated, cut func(time.Time) [5]int, n int64, kept map[string]bool) {
	first := map[[5]int]string{}
	var order [][5]int
	for _, f := range files {
		p := cut(f.time)
		if _, ok := first[p]; !ok {
			first[p] = f.name
			order = append(order, p)
		}
	}
	slices.SortFunc(order, func(a, b [5]int) int { return slices.Compare(b[:], a[:]) })
	for i, p := range order {
		if int64(i) < n {
			kept[first[p]] = true
		}
	}
}
