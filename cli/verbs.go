package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pinch/cli/args"
	"pinch/daemon"
	"pinch/diag"
)

// A verbEntry is one of pinch's own commands.
type verbEntry struct {
	name    string
	usage   string // what follows the name
	short   string // one line
	long    string
	example string
	run     func(p *program, ctx context.Context, argv []string) int
}

// verbs lists all commands in the order of the help.
func verbs() []*verbEntry {
	return []*verbEntry{
		{
			name: "apply", usage: "[SLS] [key=value …] [options]", short: "put this machine into the state that the tree describes",
			long: "Applies the named SLS (several joined by commas), or without a name what the top file\n" +
				"assigns to this machine. It is state.apply without a master: all options of salt-call hold.\n" +
				"  --test        only say what would change\n" +
				"  --detailed-exitcode  exit with 2 when something changed, 0 when nothing did, 1 on errors\n" +
				"  --from URL    take states and pillar from a Git repository (URL#REF for a branch, tag or commit)\n" +
				"  --offline     fetch nothing from Git, use what was fetched last\n" +
				"  --show-rendered  with a YAML error also what the template became around it",
			example: "pinch apply web --test\n  pinch apply --from https://example.com/states.git#v1.2\n  pinch apply --from https://example.com/states.tar.gz\n  pinch apply --file-root=srv/salt --pillar-root=srv/pillar\n  pinch apply web pillar='{\"port\": 8080}'",
			run:     runApply,
		},
		{
			name: "plan", usage: "[SLS] [key=value …] [options]", short: "show what apply would do, and do nothing",
			long: "Diffs of files, packages with versions, and one line of counts. All options of apply hold.\n" +
				"Exits with 0 when there is nothing to do, 2 when there is, 1 on errors.",
			example: "pinch plan\n  pinch plan web pillar='{\"port\": 8080}' || echo 'not as it should be'",
			run:     runPlan,
		},
		{
			name: "check", usage: "[SLS …] [key=value …] [--grains-file FILE] [options]", short: "look for mistakes in the tree and change nothing",
			long: "Renders the SLS files, or what the top file assigns to this machine, and checks structure, requisites,\n" +
				"functions, arguments and source files. Exits with 1 when there is a mistake.\n" +
				"  --grains-file FILE  look as a machine with these grains would (YAML or JSON, over our own)\n" +
				"  --all               every SLS of the tree, each for itself",
			example: "pinch check\n  pinch check web db pillar='{\"port\": 8080}'\n  pinch check --all --file-root=srv/salt --grains-file=grains/debian12.yaml",
			run:     runCheck,
		},
		{
			name: "why", usage: "ID [SLS …] [options]", short: "explain where a state comes from and what became of it",
			long: "Shows the line of the top file, the includes, the declaration, the extends and the pillar keys in it,\n" +
				"what it requires, and its result in the last run. ID may be a state's name, too.",
			example: "pinch why nginx\n  pinch why /etc/motd web",
			run:     runWhy,
		},
		{
			name: "graph", usage: "[SLS …] [--dot|--mermaid|--svg] [options]", short: "draw what depends on what",
			long:    "Prints the states of the SLS files, or of the top file's, with their requisites: in Graphviz's\nlanguage (the default), as a Mermaid diagram or as a picture.",
			example: "pinch graph web --svg > web.svg\n  pinch graph | dot -Tpng > all.png",
			run:     runGraph,
		},
		{
			name: "call", usage: "FUNCTION [ARGUMENTS] [options]", short: "run one function, exactly as salt-call does",
			long:    "The same as writing the function first: a word with a dot is a function.",
			example: "pinch call test.ping\n  pinch grains.get os",
			run:     func(p *program, ctx context.Context, argv []string) int { return p.saltCall(ctx, argv) },
		},
		{
			name: "render", usage: "FILE [--pillar DATA] [--grains DATA] [options]", short: "show what a template becomes, after each renderer of its pipe",
			long: "Renders an SLS, or another file with Jinja alone, and changes nothing.\n" +
				"  --pillar DATA  pillar values over those of the tree: key=value, or a YAML mapping\n" +
				"  --grains DATA  the same for grains",
			example: "pinch render srv/salt/web/init.sls --pillar port=8080\n  pinch render web.conf.jinja --grains '{os: Debian}'",
			run:     runRender,
		},
		{
			name: "lint", usage: "[PATH …] [--format text|json|sarif] [--style] [options]", short: "find mistakes in a state tree, without running it on the machine",
			long: "Finds what does not parse, names that nothing sets, filters, functions, states and arguments that are\n" +
				"not there, requisites to nothing, modes without quotes. Where salt-lint has the rule its number is shown.\n" +
				"Exits with 1 when it found something.\n" +
				"  --style    also salt-lint's rules about form: spaces, tabs, long lines",
			example: "pinch lint\n  pinch lint srv/salt --format sarif",
			run:     runLint,
		},
		{
			name: "tree", usage: treeUsage + " [options]", short: "show, update or lock the Git repositories of the state tree",
			long: "status  what each remote of gitfs_remotes and of ext_pillar git serves: commit, signature, age\n" +
				"update  fetch all of them now\n" +
				"lock    fetch and write their commits to pinch.lock beside the minion file; runs then use these",
			example: "pinch tree status\n  pinch tree lock -c /etc/salt",
			run:     runTree,
		},
		{
			name: "daemon", usage: "[options]", short: "stay and run the schedule, beacons and reactor",
			long: "Runs what the options schedule, beacons, reactor, engines and startup_states say, of the\n" +
				"configuration and of the pillar, without a master. SIGHUP reads both anew, SIGTERM ends it\n" +
				"when running jobs are done. Options are those of salt-call (-c DIR, -l LEVEL).",
			example: "pinch daemon -c /etc/salt -l info",
			run:     runDaemon,
		},
		{
			name: "schedule", usage: "[explain JOB] [options]", short: "show the scheduled jobs and when they run",
			long: "Without a word it lists all jobs with their next time. explain tells all about one job: its\n" +
				"options, what becomes of missed runs, and its next ten times.",
			example: "pinch schedule\n  pinch schedule explain converge",
			run:     runSchedule,
		},
		{
			name: "events", usage: "[TAG] [--count N] [options]", short: "show the events of the daemon as they come",
			long:    "Prints tag, tab and data as JSON, one event a line; TAG may have * and ?.",
			example: "pinch events 'salt/job/*'\n  pinch events 'salt/beacon/*' --count 1",
			run:     runEvents,
		},
		{
			name: "history", usage: "[-n N] [--failed] [options]", short: "list the runs that are kept: when, how long, what changed",
			long: "One line a run, the newest last: job ID, begin, time taken, call, counts. State runs are kept always,\n" +
				"other calls with the option cache_jobs; keep_jobs (hours) or keep_jobs_seconds say for how long.\n" +
				"  -n N      the last N runs (20)\n" +
				"  --failed  only runs in which something failed\n" +
				"  --out=json and the like give the same as data",
			example: "pinch history\n  pinch history --failed -n 5",
			run:     runHistory,
		},
		{
			name: "show", usage: "[JID] [options]", short: "show the result of a run that is kept",
			long: "Prints the return of the job with that ID, or whose ID begins so, as it was printed when it ran.\n" +
				"Without an ID it is the last one. Options are those of the output: --out, --state-output …",
			example: "pinch show\n  pinch show 20260102030405678901 --state-output=changes",
			run:     runShow,
		},
		{
			name: "jobs", usage: "[FUNCTION] [ARGUMENTS] [options]", short: "ask about jobs as salt-run jobs.… does on a master",
			long: "Functions: list_jobs (when none is named), list_jobs_filter, list_job, print_job, lookup_jid, last_run,\n" +
				"exit_success, active. They look at the jobs of this machine; saltutil.runner jobs.FUNCTION is the same.\n" +
				"list_jobs takes search_function, search_target, search_metadata, start_time and end_time.",
			example: "pinch jobs\n  pinch jobs list_jobs search_function='state.*' start_time='2026-01-31 08:00'\n  pinch jobs lookup_jid 20260102030405678901\n  pinch jobs active --out=json",
			run:     runJobs,
		},
		{
			name: "report", usage: "[JID] [-o FILE] [options]", short: "make an HTML page of a run of states",
			long: "Of the last run that is kept, or of the one whose job ID begins so: states, changes,\n" +
				"where the time went, and the runs before. The page needs no network and has no scripts.",
			example: "pinch report -o /tmp/last-run.html",
			run:     runReport,
		},
		{
			name: "service", usage: "install|uninstall|status [--root DIR] [options]", short: "run the daemon as a service of this machine",
			long: "install    describe the daemon to systemd, OpenRC or SysV init, enable and start it\n" +
				"uninstall  stop it and take the description away\n" +
				"status     tell whether it runs; exit code 3 says no\n" +
				"With --root the file goes below that folder and nothing is started.",
			example: "sudo pinch service install -c /etc/salt",
			run:     runService,
		},
		{
			name: "doctor", usage: "[options]", short: "look for what keeps pinch from working here",
			long:    "Looks at trees, pillar, schedule, beacons, Git remotes, DNS, rights, disk, clock, daemon and master.",
			example: "sudo pinch doctor",
			run:     runDoctor,
		},
		{
			name: "minion", usage: "[options]", short: "belong to a salt-master, as salt-minion does",
			long: "Reads salt-minion's configuration and uses its keys. It stays in the foreground: the service\n" +
				"manager keeps it running. Called as salt-minion it is the same.\n" +
				"  -l LEVEL      log to stderr from this level\n" +
				"  --pid-file F  write the process number there",
			example: "pinch minion -c /etc/salt -l info",
			run:     runMinion,
		},
		{
			name: "join", usage: "--master HOST [--fingerprint F] [options]", short: "make this machine a minion of a salt-master",
			long: "Shows the master this minion's key, checks the master's and writes minion.d/_pinch_master.conf.\n" +
				"  --master HOST    the master, HOST:PORT if it does not use 4506\n" +
				"  --fingerprint F  the master's key must have this fingerprint (salt-key -F master shows it there)\n" +
				"Without a fingerprint the key of the first contact is trusted from then on.",
			example: "pinch join --master salt.example.com --fingerprint 8e:74:a2:…",
			run:     runJoin,
		},
		{
			name: "leave", usage: "[options]", short: "belong to no master any more",
			long:    "Removes what pinch join wrote and the key of the master. The minion's own key stays.",
			example: "pinch leave",
			run:     runLeave,
		},
		{
			name: "link", usage: "DIR", short: "make the link salt-call in a folder",
			long:    "Programs that drive salt-call find it under that name and get pinch.",
			example: "sudo pinch link /usr/local/bin",
			run:     runLink,
		},
		{
			name: "completion", usage: "bash|zsh|fish", short: "print the completion script for a shell",
			long:    "Completes verbs, functions and options.",
			example: "source <(pinch completion bash)",
			run:     runCompletion,
		},
		{
			name: "version", short: "print the version",
			long:    "Prints pinch's version and that of the Salt whose behaviour it has.",
			example: "pinch version",
			run: func(p *program, _ context.Context, _ []string) int {
				fmt.Fprintln(p.stdout, p.versionLine())
				return 0
			},
		},
		{
			name: "help", usage: "[COMMAND|FUNCTION]", short: "explain a command or a function",
			long:    "For a Salt function (pkg.installed, file.managed) it prints the manual.",
			example: "pinch help apply\n  pinch help file.managed",
			run:     func(p *program, ctx context.Context, argv []string) int { return p.helpFor(ctx, argv) },
		},
	}
}

func verb(name string) *verbEntry {
	if name == daemon.JobVerb { // for the daemon alone
		return &verbEntry{name: name, run: runJob}
	}
	for _, v := range verbs() {
		if v.name == name {
			return v
		}
	}
	return nil
}

// help prints what the program can do.
func (p *program) help(v *verbEntry) int {
	if v != nil {
		fmt.Fprintf(p.stdout, "Usage: pinch %s %s\n\n%s.\n%s\n\nExamples:\n  %s\n", v.name, v.usage, strings.ToUpper(v.short[:1])+v.short[1:], v.long, v.example)
		return 0
	}
	fmt.Fprintf(p.stdout, "pinch puts a machine into the state its Salt tree describes: no master, no Python.\n\nUsage: pinch COMMAND [arguments]\n       pinch FUNCTION [arguments] [options]      a Salt function, such as state.apply or pkg.install\n\nCommands:\n")
	for _, v := range verbs() {
		fmt.Fprintf(p.stdout, "  %-12s %s\n", v.name, v.short)
	}
	fmt.Fprintf(p.stdout, "\nExamples:\n  pinch apply web --test\n  pinch grains.get os\n  pinch help file.managed\n\nOptions are those of salt-call: pinch --help lists them.\n")
	return 0
}

func (p *program) helpFor(ctx context.Context, argv []string) int {
	if len(argv) == 0 {
		return p.help(nil)
	}
	if v := verb(argv[0]); v != nil {
		return p.help(v)
	}
	if strings.Contains(argv[0], ".") {
		return p.functionHelp(ctx, argv[0])
	}
	return p.unknownVerb(argv[0])
}

// functionHelp prints the manual of a state or execution function.
func (p *program) functionHelp(ctx context.Context, name string) int {
	for _, fun := range []string{"sys.state_doc", "sys.doc"} {
		argv := []string{"--local", "--out=json", fun, name}
		cmd := args.Command{Prog: p.name, Getenv: p.getenv, Stdin: p.stdin, Stderr: p.stderr}
		line, err := cmd.Start(argv)
		if err != nil {
			return p.exit(err)
		}
		text := p.manualOf(ctx, line, name)
		line.Close()
		if text != "" {
			fmt.Fprintln(p.stdout, text)
			return 0
		}
	}
	fmt.Fprintf(p.stderr, "error: there is no function %s\n", name)
	return exitGeneric
}

func (p *program) unknownVerb(name string) int {
	var names []string
	for _, v := range verbs() {
		names = append(names, v.name)
	}
	fmt.Fprintf(p.stderr, "error: pinch has no command %q\n", name)
	if hint := diag.DidYouMean(name, names); hint != "" {
		fmt.Fprintf(p.stderr, "hint: %s\n", hint)
	} else {
		fmt.Fprintf(p.stderr, "hint: pinch help lists the commands; a Salt function has a dot (state.apply)\n")
	}
	return args.UsageCode
}

// runApply is state.apply --local.
func runApply(p *program, ctx context.Context, argv []string) int { return p.apply(ctx, argv) }

func (p *program) apply(ctx context.Context, argv []string) int {
	words := []string{"--local", "--retcode-passthrough", "state.apply"}
	for i := 0; i < len(argv); i++ {
		a := argv[i]
		if url, ok := strings.CutPrefix(a, "--from="); ok {
			p.from = url
			continue
		}
		switch a {
		case "--from":
			if i++; i == len(argv) {
				fmt.Fprintln(p.stderr, "error: --from needs the URL of a Git repository or of an archive")
				return args.UsageCode
			}
			p.from = argv[i]
		case "--offline":
			p.offline = true
		case "--show-rendered":
			p.showRendered = true
		case "--test":
			words = append(words, "test=True")
		case "--detailed-exitcode":
			p.detailed = true
		case "--help", "-h":
			return p.help(verb("apply"))
		case "--":
			return p.saltCall(ctx, append(words, argv[i:]...))
		default:
			words = append(words, a)
		}
	}
	return p.saltCall(ctx, words)
}

// runLink makes the names under which other programs look for Salt.
func runLink(p *program, _ context.Context, argv []string) int {
	if len(argv) != 1 || strings.HasPrefix(argv[0], "-") {
		return p.help(verb("link"))
	}
	self, err := os.Executable()
	if err != nil {
		return report(err, p.stdout, p.stderr, false)
	}
	for _, name := range []string{"salt-call", "salt-minion"} {
		path := filepath.Join(argv[0], name)
		if old, err := os.Readlink(path); err == nil && old == self {
			continue
		}
		if i, err := os.Lstat(path); err == nil {
			if i.Mode()&os.ModeSymlink == 0 {
				fmt.Fprintf(p.stderr, "error: %s is there already and is no link of ours: not touched\n", path)
				return exitGeneric
			}
			if err := os.Remove(path); err != nil {
				return report(err, p.stdout, p.stderr, false)
			}
		}
		if err := os.Symlink(self, path); err != nil {
			return report(err, p.stdout, p.stderr, false)
		}
		fmt.Fprintf(p.stdout, "%s -> %s\n", path, self)
	}
	return 0
}
