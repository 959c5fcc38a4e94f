package args

import (
	"errors"
	"log/slog"

	"pinch/cli/logging"
)

// minionOptions are the options of salt-minion, under Salt's names.
func minionOptions() []Group {
	return []Group{
		{"Options", []Option{
			{Names: []string{"--version"}, Kind: version, Help: "print the version and end"},
			{Names: []string{"-V", "--versions-report"}, Dest: "versions_report", Help: "print the versions of everything inside and end"},
			{Names: []string{"-h", "--help"}, Kind: help, Help: "print this help and end"},
			{Names: []string{"-c", "--config-dir"}, Dest: "config_dir", Kind: Text, Meta: "DIR", Help: "the folder with the minion file", Example: "-c ./etc"},
			{Names: []string{"-u", "--user"}, Dest: "user", Kind: Text, Meta: "USER", Help: "run as this user"},
			{Names: []string{"-d", "--daemon"}, Dest: "daemon", Help: "taken and ignored: the service manager keeps it in the background"},
			{Names: []string{"--pid-file"}, Dest: "pidfile", Kind: Text, Meta: "FILE", Help: "write the process number there"},
			{Names: []string{"--disable-keepalive"}, Dest: "disable_keepalive", Help: "taken and ignored: the service manager restarts it"},
		}},
		{"Log", []Option{
			{Names: []string{"-l", "--log-level"}, Dest: "log_level", Kind: Choice, Meta: "LEVEL", Choices: levelChoices, Help: "log to stderr from this level: trace debug info warning error critical quiet …", Example: "-l info"},
			{Names: []string{"--log-file"}, Dest: "log_file", Kind: Text, Meta: "FILE", Help: "the log file"},
			{Names: []string{"--log-file-level"}, Dest: "log_level_logfile", Kind: Choice, Meta: "LEVEL", Choices: logging.Names(), Help: "log to the file from this level; below info the log may hold secrets"},
		}},
	}
}

// MinionGrammar is the grammar of salt-minion's command line.
func (c *Command) MinionGrammar() *Grammar {
	c.fill()
	g := &Grammar{Prog: c.Prog, Usage: "[options]", Version: c.Version,
		About: "Belong to a salt-master: run what it asks for and send back what came of it.", Groups: minionOptions()}
	if g.Version == "" {
		g.Version = SaltVersion(c.Prog)
	}
	return g
}

// StartMinion reads the command line of salt-minion and the configuration,
// merges both and starts the log. The error is an *Exit.
func (c Command) StartMinion(argv []string) (*Call, error) {
	g := c.MinionGrammar()
	line, err := g.Parse(argv)
	if err != nil {
		return nil, err
	}
	if line.Values.Truth("versions_report") {
		return nil, &Exit{Stdout: c.Report() + "\n"}
	}
	if len(line.Args) > 0 {
		return nil, g.Fail("no argument %q is expected", line.Args[0])
	}
	early := logging.NewDeferred()
	call := &Call{Line: line, Log: slog.New(early)}
	if err := c.configure(g, call); err != nil {
		return nil, err
	}
	call.normalize()
	call.merge(g)
	if user := call.Values.Str("user"); call.Explicit["user"] && user != "" {
		return nil, failure(errors.New("running as another user is the service manager's part: set User=" + user + " in the unit"))
	}
	return call, c.startLog(call, early)
}
