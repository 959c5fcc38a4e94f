package main

import (
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"pinch/golden"
	"pinch/value"
)

// rowDifferences are the steps (row, case and number from 0) whose outcome
// differs from Salt's, and why.
var rowDifferences = map[string]string{
	"4: sync_sdb takes no refresh 0":             crash,
	"12: refresh_modules 0":                      atOnce,
	"12: refresh_modules 1":                      atOnce,
	"13: refresh_pillar and its alias 0":         atOnce,
	"13: refresh_pillar and its alias 1":         atOnce,
	"13: refresh_pillar and its alias 2":         atOnce,
	"13: refresh_pillar and its alias 3":         atOnce,
	"15: refresh_beacons and refresh_matchers 0": atOnce,
	"15: refresh_beacons and refresh_matchers 1": atOnce,
	"26: regen_keys 0":                           crash,
	"27: revoke_auth 0":                          crash,
	"28: runner 0":                               local,
	"28: runner 1":                               local,
	"28: runner 2":                               crash,
	"29: wheel 0":                                local,
	"29: wheel 1":                                crash,
	"29: wheel 2":                                crash,
	"31: cmd 0":                                  local,
	"31: cmd 1":                                  crash,
	"32: cmd_iter 0":                             local,
	"33: mmodule 0":                              crash,
	"33: mmodule 1":                              crash,
	"34: update 0":                               "updates itself, without esky",
	"34: update 1":                               "updates itself, without esky",
	"35: recipes: sync_all, refresh and use 1":   atOnce,
	"35: recipes: sync_all, refresh and use 2":   atOnce,
	"35: recipes: clear_job_cache, runner 1":     local,
}

// rowsElsewhere are rows of the table that no call of salt-call shows, and
// where they are tested.
var rowsElsewhere = map[int]string{
	30: "Salt's runners and wheels are children that drop to the user of the master; ours run in the process that asked",
}

// TestRows has a case for every row of the table of saltutil's features, as
// recorded from Salt.
func TestRows(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here")
	}
	f := golden.Value(t, "saltutil/rows.json").(*value.Map)
	var mu sync.Mutex
	rows, good, known, seen := map[int]bool{}, 0, map[string]int{}, map[string]bool{}
	t.Run("cases", func(t *testing.T) {
		for _, it := range f.List("cases").Items {
			tc := it.(*value.Map)
			name := tc.Str("name")
			var row int
			if _, err := fmt.Sscanf(name, "row %d:", &row); err != nil {
				t.Errorf("%s: the name begins with no row", name)
			}
			rows[row] = true
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				newCustomCase(t, tc).run(func(step, diff string) {
					key := strings.TrimPrefix(name, "row ") + " " + step
					mu.Lock()
					defer mu.Unlock()
					seen[key] = true
					switch reason := rowDifferences[key]; {
					case diff == "" && reason != "":
						t.Errorf("%s is as in Salt now: remove it from rowDifferences", key)
					case diff == "":
						good++
					case reason != "":
						known[reason]++
					default:
						t.Errorf("%s: %s", key, diff)
					}
				})
			})
		}
	})
	for row := 1; row <= 35; row++ {
		if !rows[row] && rowsElsewhere[row] == "" {
			t.Errorf("row %d has no case", row)
		}
	}
	for key := range rowDifferences {
		if !seen[key] {
			t.Errorf("there is no step %s", key)
		}
	}
	t.Logf("%d outcomes as in Salt", good)
	for _, reason := range slices.Sorted(maps.Keys(known)) {
		t.Logf("%d differ: %s", known[reason], reason)
	}
}
