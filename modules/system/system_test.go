package system

import (
	"testing"
	"time"
)

// The errors are those of Python's datetime.
func TestApply(t *testing.T) {
	at := time.Date(2024, 2, 10, 11, 12, 13, 0, time.UTC)
	for _, tc := range []struct {
		a    dateTimeArgs
		want string
	}{
		{dateTimeArgs{}, "2024-02-10 11:12:13"},
		{dateTimeArgs{Days: int64(29), Hours: int64(0)}, "2024-02-29 00:12:13"},
		{dateTimeArgs{Years: int64(2023), Days: int64(29)}, "day is out of range for month"},
		{dateTimeArgs{Months: int64(13)}, "month must be in 1..12"},
		{dateTimeArgs{Seconds: int64(60)}, "second must be in 0..59"},
		{dateTimeArgs{Years: int64(0)}, "year 0 is out of range"},
		{dateTimeArgs{Years: "2024"}, "'str' object cannot be interpreted as an integer"},
	} {
		got, err := tc.a.apply(at)
		text := got.Format("2006-01-02 15:04:05")
		if err != nil {
			text = err.Error()
		}
		if text != tc.want {
			t.Errorf("%+v: %s, want %s", tc.a, text, tc.want)
		}
	}
}

func TestParse(t *testing.T) {
	for s, want := range map[string]string{"11:31:00 am": "11:31:00", "1:05 PM": "13:05:00", "23:59": "23:59:00", "7:5": "07:05:00", "24:00": "", "x": ""} {
		got, ok := parse(s, "3:4:5 PM", "3:4 PM", "15:4:5", "15:4")
		if text := got.Format("15:04:05"); ok != (want != "") || ok && text != want {
			t.Errorf("%s: %s %v, want %q", s, text, ok, want)
		}
	}
}
