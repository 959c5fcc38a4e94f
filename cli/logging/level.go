// Package logging writes log lines as Salt does, for log/slog: on stderr
// "[INFO    ] text", in the log file with time, logger and process. Programs
// read these lines, so the text is the message alone and attributes stand
// behind it.
//
//	log := logging.New(os.Stderr, slog.LevelInfo, false)
//	log.Info("Running state [/etc/motd] at time 10:00:00.000000")
package logging

import (
	"log/slog"
	"strconv"
	"strings"
)

// Salt's levels beside slog's own four.
const (
	All      = slog.Level(-100)
	Garbage  = slog.Level(-12)
	Trace    = slog.Level(-8)
	Profile  = slog.Level(-2)
	Critical = slog.Level(12)
	Quiet    = slog.Level(1000) // nothing is logged at it
)

// A level is one row of the table of names; number is Python's.
type level struct {
	name   string
	level  slog.Level
	number int
	tint   string // SGR codes of the level's name
	plain  string // of the message
}

var levels = []level{
	{"all", All, 0, "0", "0"},
	{"garbage", Garbage, 1, "0;1;34", "0;34"},
	{"trace", Trace, 5, "0;1;35", "0;35"},
	{"debug", slog.LevelDebug, 10, "0;1;36", "0;36"},
	{"profile", Profile, 15, "0;1;36", "0;1;36"},
	{"info", slog.LevelInfo, 20, "0;1;32", "0;32"},
	{"warning", slog.LevelWarn, 30, "0;1;33", "0;33"},
	{"error", slog.LevelError, 40, "0;1;31", "0;31"},
	{"critical", Critical, 50, "0;1;31", "0;1;31"},
	{"quiet", Quiet, 1000, "0", "0"},
}

// Names are the level names, from all to quiet.
func Names() []string {
	out := make([]string, len(levels))
	for i, l := range levels {
		out[i] = l.name
	}
	return out
}

// ParseLevel gives the level of a name in any case; ok is false for a word
// that is none.
func ParseLevel(name string) (l slog.Level, ok bool) {
	name = strings.ToLower(name)
	for _, l := range levels {
		if l.name == name {
			return l.level, true
		}
	}
	return slog.LevelWarn, false
}

// Insecure reports whether a level logs what may be secret: below info.
func Insecure(l slog.Level) bool { return l < slog.LevelInfo }

// row is the level of the table at or next below l.
func row(l slog.Level) level {
	for i := len(levels) - 1; i > 0; i-- {
		if levels[i].level <= l {
			return levels[i]
		}
	}
	return level{name: "level " + strconv.Itoa(int(l)), level: l, tint: "0", plain: "0"}
}
