package args

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"pinch/cli/logging"
	"pinch/config"
	"pinch/diag"
	"pinch/value"
)

// A Command is one call of the program with salt-call's grammar.
type Command struct {
	Prog    string              // the name that it is called by
	Version string              // what --version prints; SaltVersion(Prog) when empty
	Report  func() string       // the text of --versions-report
	Getenv  func(string) string // os.Getenv when nil
	Stdin   io.Reader
	Stderr  io.Writer
	Places  *config.Places // default paths; nil: by the user

	Hint func(option string) string // Grammar.Hint
}

// A Call is a command line with the configuration it goes with.
type Call struct {
	*Line
	Config *config.Config
	Opts   *value.Map // Config.Opts, with the options of the command line over it
	Fun    string     // the function; "" for --grains and --doc
	Arg    []string   // its arguments as they were typed
	Log    *slog.Logger

	// Warning is for stderr before the function runs, or "": options without
	// effect.
	Warning string

	close io.Closer
}

// Close writes out the log.
func (c *Call) Close() error {
	if c.close == nil {
		return nil
	}
	return c.close.Close()
}

// NoParse are the named arguments whose values stay text.
func (c *Call) NoParse() []string {
	var out []string
	if l, ok := c.Values.At("no_parse").(*value.List); ok {
		for _, it := range l.Items {
			out = append(out, value.Str(it))
		}
	}
	return out
}

// Grammar is the grammar of this command's line.
func (c *Command) Grammar() *Grammar {
	c.fill()
	var hard any
	if v := c.Getenv("SALT_HARD_CRASH"); v != "" {
		hard = v
	}
	line := c.Version
	if line == "" {
		line = SaltVersion(c.Prog)
	}
	about := "Run a function of Salt on this machine and print what it returns."
	if c.Prog == "pinch" {
		about += "\nThe commands (apply, plan, check …) are listed by pinch help; they take these options, too."
	}
	return &Grammar{Prog: c.Prog, Usage: "[options] <function> [arguments]", Version: line, Hint: c.Hint,
		About: about,
		Notes: "Examples:\n" +
			"  " + c.Prog + " --local test.ping\n" +
			"  " + c.Prog + " --local state.apply web test=True --state-output=changes\n" +
			"  " + c.Prog + " --local --file-root=srv/salt --pillar-root=srv/pillar state.highstate --retcode-passthrough\n" +
			"  " + c.Prog + " --local cmd.run 'df -h' --out=txt",
		Groups: saltCall(hard, c.Getenv("SALT_NO_PARSE"))}
}

func (c *Command) fill() {
	if c.Getenv == nil {
		c.Getenv = os.Getenv
	}
	if c.Stderr == nil {
		c.Stderr = os.Stderr
	}
	if c.Stdin == nil {
		c.Stdin = os.Stdin
	}
}

// Start reads the command line and the configuration, merges both and starts
// the log. The error is an *Exit.
func (c Command) Start(argv []string) (*Call, error) {
	g := c.Grammar()
	line, err := g.Parse(argv)
	if err != nil {
		return nil, err
	}
	if line.Values.Truth("args_stdin") {
		if err := c.stdin(g, line); err != nil {
			return nil, err
		}
	}
	if line.Values.Truth("versions_report") {
		text := g.Version
		if c.Report != nil {
			text = c.Report()
		}
		return nil, &Exit{Stdout: strings.TrimRight(text, "\n") + "\n"}
	}
	early := logging.NewDeferred()
	call := &Call{Line: line, Log: slog.New(early)}
	if err := c.saltfile(g, call); err != nil {
		return nil, err
	}
	if err := c.configure(g, call); err != nil {
		return nil, err
	}
	call.normalize()
	if err := check(g, call); err != nil {
		return nil, err
	}
	if err := call.truncate(g); err != nil {
		return nil, err
	}
	call.merge(g)
	call.Warning = call.applyRoots()
	return call, c.startLog(call, early)
}

// stdin reads further words over those of the command line.
func (c *Command) stdin(g *Grammar, line *Line) error {
	text, err := io.ReadAll(c.Stdin)
	if err != nil {
		return g.Fail("--args-stdin: %v", err)
	}
	if len(text) == 0 {
		return nil
	}
	words := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i, w := range words {
		words[i] = strings.TrimRight(w, "\r")
	}
	return g.parseInto(line, words)
}

// configure finds the configuration folder and reads it.
func (c *Command) configure(g *Grammar, call *Call) error {
	dir := call.Values.Str("config_dir")
	given := dir != ""
	if !given {
		dir = c.Getenv("SALT_CONFIG_DIR")
	}
	o := config.Options{Prog: c.Prog, Getenv: c.Getenv, Log: call.Log, Places: c.Places}
	if dir == "" {
		p := c.Places
		if p == nil {
			def := config.DefaultPlaces(c.Getenv)
			p = &def
		}
		o.Places, dir = p, p.Config
	} else {
		dir = expandUser(dir, c.Getenv("HOME"))
	}
	if info, err := os.Stat(dir); (err != nil || !info.IsDir()) && (given || strings.HasPrefix(c.Prog, "salt")) {
		io.WriteString(c.Stderr, "WARNING: CONFIG '"+dir+"' directory does not exist.\n")
	}
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	call.Values.Set("config_dir", dir)
	o.Dir = dir
	o.ID = call.Values.Str("proxyid")
	conf, err := config.Load(o)
	if err != nil {
		return failure(err)
	}
	call.Config, call.Opts = conf, conf.Opts
	return nil
}

func failure(err error) *Exit {
	var b bytes.Buffer
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		diag.Print(&b, d, false)
	} else {
		b.WriteString("[ERROR   ] " + err.Error() + "\n")
	}
	return &Exit{Code: 1, Stderr: b.String()}
}

func expandUser(path, home string) string {
	if home != "" && (path == "~" || strings.HasPrefix(path, "~/")) {
		return home + path[1:]
	}
	return path
}

// check refuses command lines that say too little or too much.
func check(g *Grammar, call *Call) error {
	switch v := call.Values; {
	case len(call.Args) == 0 && !v.Truth("grains_run") && !v.Truth("doc"):
		e := g.Fail("Requires function, --grains or --doc")
		e.Stdout = g.Help()
		return e
	case len(call.Args) == 0:
		return nil
	case v.Truth("grains_run"):
		return g.Fail("-g/--grains does not accept any arguments")
	case v.Truth("doc") && len(call.Args) > 1:
		return g.Fail("You can only get documentation for one method at one time")
	}
	call.Fun, call.Arg = call.Args[0], call.Args[1:]
	call.Opts.Set("fun", call.Fun)
	call.Opts.Set("arg", value.Strings(call.Arg))
	return nil
}

// startLog hands the log over to where the options say.
func (c *Command) startLog(call *Call, early *logging.Deferred) error {
	if l, ok := logging.ParseLevel(call.Opts.Str("log_level")); ok && logging.Insecure(l) {
		call.Log.Warn("Insecure logging configuration detected! Sensitive data may be logged.")
	}
	call.Log.Debug("Configuration file path: " + call.Config.ConfFile())
	h, closer, err := logging.Setup(call.Opts, c.Stderr, call.Opts.Str("output") == "yaml")
	if err != nil {
		return failure(err)
	}
	early.Flush(h)
	*call.Log = *slog.New(h)
	call.close = closer
	return nil
}
