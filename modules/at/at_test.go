package at

import (
	"testing"
	"time"

	"pinch/value"
)

func TestNamed(t *testing.T) {
	time.Local = time.UTC
	j, ok := named("a0000b01d5c2e1")
	if got := value.Repr(j.data()); !ok || got != "{'job': 11, 'date': '2028-07-14', 'time': '08:33:00', 'queue': 'a', 'user': '', 'tag': ''}" {
		t.Error(got)
	}
	for _, bad := range []string{"", ".SEQ", "lost+found", "a0000g01d5c2e1"} {
		if _, ok := named(bad); ok {
			t.Error(bad)
		}
	}
}

// The jobs are those that Salt reads from the same lines.
func TestParse(t *testing.T) {
	got := value.Repr(data(parse("1\tThu Nov  4 09:09:00 2040 a root\n12\tWed Dec 25 00:00:00 2030 = www\nrubbish\n")))
	if got != "{'jobs': [{'job': 1, 'date': '2040-11-04', 'time': '09:09:00', 'queue': 'a', 'user': 'root', 'tag': ''}, {'job': 12, 'date': '2030-12-25', 'time': '00:00:00', 'queue': '=', 'user': 'www', 'tag': ''}]}" {
		t.Error(got)
	}
	if tag := tagIn("#!/bin/sh\n### SALT: first one\n### SALT: a_2-x\n"); tag != "a_2" {
		t.Error(tag)
	}
}

func TestMeets(t *testing.T) {
	j := job{id: 1, date: "2040-11-04", time: "09:09:00", user: "root", tag: "first"}
	for _, tt := range []struct {
		kw   *value.Map
		want bool
	}{
		{value.M("hour", int64(9), "minute", "09", "day", int64(4), "month", int64(11), "year", int64(40)), true},
		{value.M("year", "2040", "tag", "first", "runas", "root"), true},
		{value.M("year", "2041"), false},
		{value.M("tag", "other"), false},
		{value.M("jobs", value.L(int64(999))), true},
	} {
		if got, err := j.meets(tt.kw); got != tt.want || err != nil {
			t.Error(value.Repr(tt.kw), got, err)
		}
	}
	if _, err := j.meets(value.M("hour", "x")); err == nil {
		t.Error("no error for hour=x")
	}
}

func FuzzParse(f *testing.F) {
	f.Add("1\tThu Nov  4 09:09:00 2040 a root\n", "a0000b01d5c2e1")
	f.Fuzz(func(t *testing.T, text, name string) {
		for _, j := range parse(text) {
			if len(j.date) < 10 || len(j.time) != 8 {
				t.Errorf("%q %+v", text, j)
			}
		}
		tagIn(text)
		if j, ok := named(name); ok && (j.id < 0 || j.date == "") {
			t.Errorf("%q", name)
		}
	})
}
