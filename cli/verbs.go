package cli

import (
	"context"
	"fmt"

	"pinch/cli/args"
	"pinch/daemon"
)

// A verbEntry is one of pinch's own commands.
type verbEntry struct {
	name    string
	usage   string // what follows the name
	short   string // one line
	long    string
	example string
	options []args.Option // its own, beside salt-call's (or salt-minion's)

	min, max int  // how many words it takes; a max below 0: any number
	minion   bool // its other options are salt-minion's
	raw      bool // it reads its words itself, by salt-call's or salt-minion's grammar

	run func(p *program, ctx context.Context, r *request) int
}

func flag(name, help string) args.Option { return args.Option{Names: []string{name}, Help: help} }

func valued(name, meta, help string) args.Option {
	return args.Option{Names: []string{name}, Kind: args.Text, Meta: meta, Help: help}
}

func grainsFile() args.Option {
	return valued("--grains-file", "FILE", "look as a machine with these grains would (YAML or JSON, over our own)")
}

func from() args.Option {
	return valued("--from", "URL", "take states and pillar from a Git repository (URL#REF for a branch, tag or commit), an archive's URL or a folder")
}

func offline() args.Option { return flag("--offline", "fetch nothing, use what was fetched last") }

// applyOptions are those of apply and plan.
func applyOptions() []args.Option {
	return []args.Option{
		flag("--test", "only say what would change"),
		flag("--detailed-exitcode", "exit with 2 when something changed, 0 when nothing did, 1 on errors"),
		from(), offline(),
		flag("--show-rendered", "with a YAML error also what the template became around it"),
	}
}

// verbs lists all commands in the order of the help.
func verbs() []*verbEntry {
	return []*verbEntry{
		{
			name: "apply", usage: "[SLS …] [key=value …] [options]", short: "put this machine into the state that the tree describes",
			long: "Applies the named SLS, or without a name what the top file\n" +
				"assigns to this machine. It is state.apply without a master: all options of salt-call hold.",
			example: "pinch apply web --test\n  pinch apply --from https://example.com/states.git#v1.2\n  pinch apply --from https://example.com/states.tar.gz\n  pinch apply --file-root=srv/salt --pillar-root=srv/pillar\n  pinch apply web pillar='{\"port\": 8080}'",
			max:     -1, options: applyOptions(),
			run: runApply,
		},
		{
			name: "plan", usage: "[SLS …] [key=value …] [options]", short: "show what apply would do, and do nothing",
			long: "Diffs of files, packages with versions, and one line of counts. All options of apply hold.\n" +
				"Exits with 0 when there is nothing to do, 2 when there is, 1 on errors.",
			example: "pinch plan\n  pinch plan web pillar='{\"port\": 8080}' || echo 'not as it should be'",
			max:     -1, options: applyOptions(),
			run: runPlan,
		},
		{
			name: "check", usage: "[SLS …] [key=value …] [--grains-file FILE] [--from URL] [options]", short: "look for mistakes in the tree and change nothing",
			long: "Renders the SLS files, or what the top file assigns to this machine, and checks structure, requisites,\n" +
				"functions, arguments and source files. Exits with 1 when there is a mistake.",
			example: "pinch check\n  pinch check web db pillar='{\"port\": 8080}'\n  pinch check --all --file-root=srv/salt --grains-file=grains/debian12.yaml",
			max:     -1, options: []args.Option{grainsFile(), from(), offline(), flag("--all", "every SLS of the tree, each for itself")},
			run: runCheck,
		},
		{
			name: "why", usage: "ID [SLS …] [options]", short: "explain where a state comes from and what became of it",
			long: "Shows the line of the top file, the includes, the declaration, the extends and the pillar keys in it,\n" +
				"what it requires, and its result in the last run. ID may be a state's name, too.",
			example: "pinch why nginx\n  pinch why /etc/motd web",
			min:     1, max: -1, options: []args.Option{grainsFile(), from(), offline()},
			run: runWhy,
		},
		{
			name: "graph", usage: "[SLS …] [--dot|--mermaid|--svg] [options]", short: "draw what depends on what",
			long:    "Prints the states of the SLS files, or of the top file's, with their requisites: in Graphviz's\nlanguage (the default), as a Mermaid diagram or as a picture.",
			example: "pinch graph web --svg > web.svg\n  pinch graph | dot -Tpng > all.png",
			max:     -1, options: []args.Option{
				flag("--dot", "write Graphviz (the default)"), flag("--mermaid", "write a Mermaid diagram"), flag("--svg", "write a picture"), grainsFile(), from(), offline(),
			},
			run: runGraph,
		},
		{
			name: "call", usage: "FUNCTION [ARGUMENTS] [options]", short: "run one function, exactly as salt-call does",
			long:    "The same as writing the function first: a word with a dot is a function.",
			example: "pinch call test.ping\n  pinch grains.get os",
			raw:     true,
			run:     func(p *program, ctx context.Context, r *request) int { return p.saltCall(ctx, r.argv) },
		},
		{
			name: "render", usage: "FILE [--pillar DATA] [--grains DATA] [options]", short: "show what a template becomes, after each renderer of its pipe",
			long:    "Renders an SLS, or another file with Jinja alone, and changes nothing.",
			example: "pinch render srv/salt/web/init.sls --pillar port=8080\n  pinch render web.conf.jinja --grains '{os: Debian}'",
			min:     1, max: 1, options: []args.Option{
				valued("--pillar", "DATA", "pillar values over those of the tree: key=value, or a YAML mapping"),
				valued("--grains", "DATA", "the same for grains"),
			},
			run: runRender,
		},
		{
			name: "lint", usage: "[PATH …] [--format text|json|sarif] [--style] [options]", short: "find mistakes in a state tree, without running it on the machine",
			long: "Finds what does not parse, names that nothing sets, filters, functions, states and arguments that are\n" +
				"not there, requisites to nothing, modes without quotes. Where salt-lint has the rule its number is shown.\n" +
				"Exits with 1 when it found something.",
			example: "pinch lint\n  pinch lint srv/salt --format sarif",
			max:     -1, options: []args.Option{
				valued("--format", "FORM", "text, json or sarif"), flag("--style", "also salt-lint's rules about form: spaces, tabs, long lines"),
			},
			run: runLint,
		},
		{
			name: "tree", usage: treeUsage + " [options]", short: "show, update or lock the Git repositories of the state tree",
			long: "status  what each remote of gitfs_remotes and of ext_pillar git serves: commit, signature, age\n" +
				"update  fetch all of them now\n" +
				"lock    fetch and write their commits to pinch.lock beside the minion file; runs then use these",
			example: "pinch tree status\n  pinch tree lock -c /etc/salt",
			min:     1, max: 1, options: []args.Option{flag("--offline", "fetch nothing")},
			run: runTree,
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
			max:     2,
			run:     runSchedule,
		},
		{
			name: "events", usage: "[TAG] [--count N] [options]", short: "show the events of the daemon as they come",
			long:    "Prints tag, tab and data as JSON, one event a line; TAG may have * and ?.",
			example: "pinch events 'salt/job/*'\n  pinch events 'salt/beacon/*' --count 1",
			max:     1, options: []args.Option{valued("--count", "N", "end after N events")},
			run: runEvents,
		},
		{
			name: "history", usage: "[-n N] [--failed] [options]", short: "list the runs that are kept: when, how long, what changed",
			long: "One line a run, the newest last: job ID, begin, time taken, call, counts. State runs are kept always,\n" +
				"other calls with the option cache_jobs; keep_jobs (hours) or keep_jobs_seconds say for how long.\n" +
				"--out=json and the like give the same as data.",
			example: "pinch history\n  pinch history --failed -n 5",
			options: []args.Option{valued("-n", "N", "the last N runs (20)"), flag("--failed", "only runs in which something failed")},
			run:     runHistory,
		},
		{
			name: "show", usage: "[JID] [options]", short: "show the result of a run that is kept",
			long: "Prints the return of the job with that ID, or whose ID begins so, as it was printed when it ran.\n" +
				"Without an ID it is the last one. Options are those of the output: --out, --state-output …",
			example: "pinch show\n  pinch show 20260102030405678901 --state-output=changes",
			max:     1,
			run:     runShow,
		},
		{
			name: "jobs", usage: "[FUNCTION] [ARGUMENTS] [options]", short: "ask about jobs as salt-run jobs.… does on a master",
			long: "Functions: list_jobs (when none is named), list_jobs_filter, list_job, print_job, lookup_jid, last_run,\n" +
				"exit_success, active. They look at the jobs of this machine; saltutil.runner jobs.FUNCTION is the same.\n" +
				"list_jobs takes search_function, search_target, search_metadata, start_time and end_time.",
			example: "pinch jobs\n  pinch jobs list_jobs search_function='state.*' start_time='2026-01-31 08:00'\n  pinch jobs lookup_jid 20260102030405678901\n  pinch jobs active --out=json",
			max:     -1,
			run:     runJobs,
		},
		{
			name: "report", usage: "[JID] [-o FILE] [options]", short: "make an HTML page of a run of states",
			long: "Of the last run that is kept, or of the one whose job ID begins so: states, changes,\n" +
				"where the time went, and the runs before. The page needs no network and has no scripts.",
			example: "pinch report -o /tmp/last-run.html",
			max:     1, options: []args.Option{valued("-o", "FILE", "write the page there")},
			run: runReport,
		},
		{
			name: "service", usage: "install|uninstall|status [--root DIR] [options]", short: "run the daemon as a service of this machine",
			long: "install    describe the daemon to systemd, OpenRC or SysV init, enable and start it\n" +
				"uninstall  stop it and take the description away\n" +
				"status     tell whether it runs; exit code 3 says no\n" +
				"With --root the file goes below that folder and nothing is started.",
			example: "sudo pinch service install -c /etc/salt",
			min:     1, max: 1, options: []args.Option{valued("--root", "DIR", "work on the files below this folder and start nothing")},
			run: runService,
		},
		{
			name: "doctor", usage: "[options]", short: "look for what keeps pinch from working here",
			long:    "Looks at trees, pillar, schedule, beacons, Git remotes, DNS, rights, disk, clock, daemon and master.",
			example: "sudo pinch doctor",
			run:     runDoctor,
		},
		{
			name: "minion", usage: "[options]", minion: true, short: "belong to a salt-master, as salt-minion does",
			long: "Reads salt-minion's configuration and uses its keys. It stays in the foreground: the service\n" +
				"manager keeps it running. Called as salt-minion it is the same.",
			example: "pinch minion -c /etc/salt -l info",
			raw:     true,
			run:     runMinion,
		},
		{
			name: "join", usage: "--master HOST [--fingerprint F] [options]", short: "make this machine a minion of a salt-master",
			long: "Shows the master this minion's key, checks the master's and writes minion.d/_pinch_master.conf.\n" +
				"Without a fingerprint the key of the first contact is trusted from then on.",
			example: "pinch join --master salt.example.com --fingerprint 8e:74:a2:…",
			minion:  true, options: []args.Option{
				valued("--master", "HOST", "the master, HOST:PORT if it does not use 4506"),
				valued("--fingerprint", "F", "the master's key must have this fingerprint (salt-key -F master shows it there)"),
			},
			run: runJoin,
		},
		{
			name: "leave", usage: "[options]", short: "belong to no master any more",
			long:    "Removes what pinch join wrote and the key of the master. The minion's own key stays.",
			example: "pinch leave",
			minion:  true,
			run:     runLeave,
		},
		{
			name: "link", usage: "DIR", short: "make the links salt-call and salt-minion in a folder",
			long:    "Programs that drive Salt find it under these names and get pinch; a program that is there already is not touched.",
			example: "sudo pinch link /usr/local/bin",
			min:     1, max: 1,
			run: runLink,
		},
		{
			name: "completion", usage: "bash|zsh|fish", short: "print the completion script for a shell",
			long:    "Completes verbs, functions and options.",
			example: "source <(pinch completion bash)",
			min:     1, max: 1,
			run: runCompletion,
		},
		{
			name: "version", short: "print the version",
			long:    "Prints pinch's version and that of the Salt whose behaviour it has.",
			example: "pinch version",
			run: func(p *program, _ context.Context, _ *request) int {
				fmt.Fprintln(p.stdout, p.versionLine())
				return 0
			},
		},
		{
			name: "help", usage: "[COMMAND|FUNCTION]", short: "explain a command or a function",
			long:    "For a Salt function (pkg.installed, file.managed) it prints the manual.",
			example: "pinch help apply\n  pinch help file.managed",
			max:     1,
			run:     (*program).helpFor,
		},
	}
}

func verb(name string) *verbEntry {
	if name == daemon.JobVerb { // for the daemon alone
		return &verbEntry{name: name, raw: true, run: runJob}
	}
	for _, v := range verbs() {
		if v.name == name {
			return v
		}
	}
	return nil
}
