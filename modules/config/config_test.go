package config

import "testing"

// The answers are Salt 3008.4's.
func TestManageMode(t *testing.T) {
	for mode, want := range map[any]any{
		nil: nil, int64(775): "0775", "0": "0000", "": "0000", "1775": "1775", "01775": "1775", "0o644": "0644", "'0644'": "0644", `"4755"`: "4755",
	} {
		if got, err := manageMode(nil, modeArgs{mode}); err != nil || got != want {
			t.Errorf("%v: got %v, %v, want %v", mode, got, err, want)
		}
	}
}
