package logging

import (
	"fmt"
	"io"
	"log/slog"

	"pinch/value"
)

// Setup makes the handler that the options ask for: the console's lines to
// stderr, the file's to log_file. yaml says that YAML goes to stdout: then the
// console's lines are comments. Close the closer at the end.
//
// Options: log_level, log_fmt_console, log_datefmt_console, log_datefmt,
// log_file, log_level_logfile, log_fmt_logfile, log_datefmt_logfile,
// log_granular_levels.
func Setup(opts *value.Map, stderr io.Writer, yaml bool) (slog.Handler, io.Closer, error) {
	text := func(def string, names ...string) string {
		for _, n := range names {
			if s := opts.Str(n); s != "" {
				return s
			}
		}
		return def
	}
	format := text(ConsoleFormat, "log_fmt_console", "log_fmt")
	if yaml {
		format = "# " + format
	}
	console, err := consoleHandler(stderr, text("warning", "log_level"), format, text(ConsoleDate, "log_datefmt_console", "log_datefmt"))
	if err != nil {
		return nil, nil, err
	}
	granular := levelsOf(opts.Map("log_granular_levels"))
	console.granular = granular
	target := opts.Str("log_file")
	level, _ := ParseLevel(text("warning", "log_level_logfile", "log_level"))
	if target == "" || level == Quiet {
		return console, io.NopCloser(nil), nil
	}
	fileFormat, err := ParseFormat(text(FileFormat, "log_fmt_logfile"), text(FileDate, "log_datefmt_logfile", "log_datefmt_console"))
	if err != nil {
		return nil, nil, err
	}
	bytes, _ := opts.At("log_rotate_max_bytes").(int64)
	backups, _ := opts.At("log_rotate_backup_count").(int64)
	w, err := OpenTarget(target, Rotation{bytes, backups}, func(err error) {
		slog.New(console).Warn(fmt.Sprintf("the log file cannot be written: %v", err))
	})
	if err != nil {
		return nil, nil, err
	}
	file := NewHandler(w, level, fileFormat)
	file.granular = granular
	return Both{console, file}, w, nil
}

func consoleHandler(w io.Writer, level, format, date string) (*Handler, error) {
	f, err := ParseFormat(format, date)
	if err != nil {
		return nil, err
	}
	l, _ := ParseLevel(level)
	return NewHandler(w, l, f), nil
}

func levelsOf(m *value.Map) map[string]slog.Level {
	if m.Len() == 0 {
		return nil
	}
	out := map[string]slog.Level{}
	for name, v := range m.Items() {
		if l, ok := ParseLevel(value.Str(v)); ok {
			out[name] = l
		}
	}
	return out
}
