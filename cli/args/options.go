package args

import (
	"pinch/cli/logging"
	"pinch/config"
)

// levelChoices are the log levels in the order in which Salt lists them for -l.
var levelChoices = []string{"all", "debug", "error", "critical", "garbage", "info", "profile", "quiet", "trace", "warning"}

// saltCall are the options of salt-call, under Salt's names. hardCrash and
// noParse are the defaults from the environment.
func saltCall(hardCrash any, noParse string) []Group {
	return []Group{
		{"Options", []Option{
			{Names: []string{"--version"}, Kind: version, Help: "print the version and end"},
			{Names: []string{"-V", "--versions-report"}, Dest: "versions_report", Help: "print the versions of everything inside and end"},
			{Names: []string{"-h", "--help"}, Kind: help, Help: "print this help and end"},
			{Names: []string{"--saltfile"}, Dest: "saltfile", Kind: Text, Meta: "FILE", Help: "take option values from this Saltfile"},
			{Names: []string{"-c", "--config-dir"}, Dest: "config_dir", Kind: Text, Meta: "DIR", Help: "the folder with the minion file", Example: "-c ./etc"},
			{Names: []string{"--proxyid"}, Dest: "proxyid", Kind: Text, Meta: "ID", Help: "act for the proxy minion of this name"},
			{Names: []string{"--module-executors"}, Dest: "module_executors", Kind: Text, Meta: "LIST", Help: "run the function through these executors", Example: "--module-executors='[sudo]'"},
			{Names: []string{"--executor-opts"}, Dest: "executor_opts", Kind: Text, Meta: "MAP", Help: "options for the executors", Example: "--executor-opts='{splaytime: 30}'"},
			{Names: []string{"--cachedir"}, Dest: "cachedir", Kind: Text, Meta: "DIR", Default: "/var/cache/salt/", Help: "keep the cache in this folder"},
			{Names: []string{"--args-stdin"}, Dest: "args_stdin", Help: "read more options and arguments from stdin, one a line"},
			{Names: []string{"--hard-crash"}, Dest: "hard_crash", Default: hardCrash, Help: "end with the original error instead of a message"},
			{Names: []string{"--no-parse"}, Dest: "no_parse", Kind: Text, Meta: "NAME,…", Default: noParse, Help: "leave the values of these named arguments as text", Example: "--no-parse=version"},
			{Names: []string{"-g", "--grains"}, Dest: "grains_run", Help: "print the grains of this machine"},
			{Names: []string{"-m", "--module-dirs"}, Dest: "module_dirs", Kind: List, Meta: "DIR", Help: "look for modules in this folder too; may be repeated"},
			{Names: []string{"-d", "--doc", "--documentation"}, Dest: "doc", Help: "print the documentation of a function or module, or all", Example: "-d file.managed"},
			{Names: []string{"--master"}, Dest: "master", Kind: Text, Meta: "HOST", Default: "", Help: "the master to ask for files and pillar"},
			{Names: []string{"--return"}, Dest: "return", Kind: Text, Meta: "NAME,…", Default: "", Help: "hand the result to these returners", Example: "--return=syslog"},
			{Names: []string{"--local"}, Dest: "local", Help: "use the files and the pillar of this machine, no master"},
			{Names: []string{"--file-root"}, Dest: "file_root", Kind: List, Meta: "DIR", Help: "states and files are in this folder; may be repeated", Example: "--file-root=srv/salt"},
			{Names: []string{"--pillar-root"}, Dest: "pillar_root", Kind: List, Meta: "DIR", Help: "pillar is in this folder; may be repeated"},
			{Names: []string{"--states-dir"}, Dest: "states_dir", Kind: List, Meta: "DIR", Help: "look for state modules in this folder; may be repeated"},
			{Names: []string{"--retcode-passthrough"}, Dest: "retcode_passthrough", Help: "end with the function's own return code"},
			{Names: []string{"--metadata"}, Dest: "print_metadata", Help: "print the job's data around the result"},
			{Names: []string{"--set-metadata"}, Dest: "metadata", Kind: Text, Meta: "DATA", Help: "keep this with the job, to find it later"},
			{Names: []string{"--id"}, Dest: "id", Kind: Text, Meta: "ID", Default: "", Help: "be the minion of this name", Example: "--id=web1"},
			{Names: []string{"--skip-grains"}, Dest: "skip_grains", Help: "gather no grains"},
			{Names: []string{"--refresh-grains-cache"}, Dest: "refresh_grains_cache", Help: "gather the grains anew"},
			{Names: []string{"--no-return-event"}, Dest: "no_return_event", Help: "do not tell the master of the result"},
			{Names: []string{"-t", "--timeout"}, Dest: "auth_timeout", Kind: Integer, Meta: "SECONDS", Default: int64(60), Help: "wait this long for the master"},
			{Names: []string{"--output-diff"}, Dest: "state_output_diff", Help: "show only the states that changed something"},
			{Names: []string{"--priv"}, Dest: "user", Kind: Text, Meta: "USER", Help: "run as this user"},
			{Names: []string{"-r", "--resources"}, Dest: "resources_dispatch", Help: "run on the resources that this minion manages"},
			{Names: []string{"--tgt"}, Dest: "resources_tgt", Kind: Text, Meta: "TARGET", Default: "*", Help: "with -r: on these of them"},
			{Names: []string{"--tgt-type"}, Dest: "resources_tgt_type", Kind: Choice, Meta: "TYPE", Default: "glob", Choices: []string{"glob", "list", "compound", "grain", "grain_pcre", "pcre"},
				Help: "with -r: how the target is written"},
		}},
		{"Output", []Option{
			{Names: []string{"--out", "--output"}, Dest: "output", Kind: Text, Meta: "NAME", Help: "nested, highstate, json, yaml, txt, raw, pprint, table, summary, diff or junit", Example: "--out=json"},
			{Names: []string{"--out-indent", "--output-indent"}, Dest: "output_indent", Kind: Integer, Meta: "COLUMNS", Help: "indent json, yaml and pprint so far; negative: on one line", Example: "--out-indent=-1"},
			{Names: []string{"--out-file", "--output-file"}, Dest: "output_file", Kind: Text, Meta: "FILE", Help: "write the result to this file"},
			{Names: []string{"--out-file-append", "--output-file-append"}, Dest: "output_file_append", Help: "and keep what is in the file"},
			{Names: []string{"--no-color", "--no-colour"}, Dest: "no_color", Help: "print without colours"},
			{Names: []string{"--force-color", "--force-colour"}, Dest: "force_color", Help: "print with colours even into a pipe"},
			{Names: []string{"--state-output", "--state_output"}, Dest: "state_output", Kind: Text, Meta: "MODE", Help: "show states full, terse, mixed, changes or filter; with _id for IDs", Example: "--state-output=changes"},
			{Names: []string{"--state-verbose", "--state_verbose"}, Dest: "state_verbose", Kind: Text, Meta: "BOOL", Help: "show states without changes too", Example: "--state-verbose=false"},
		}},
		{"Profiling", []Option{
			{Names: []string{"--profiling-path"}, Dest: "profiling_path", Kind: Text, Meta: "DIR", Default: "/tmp/stats", Help: "where profiles are written"},
			{Names: []string{"--enable-profiling"}, Dest: "profiling_enabled", Help: "write a CPU profile of the run"},
		}},
		{"Log", []Option{
			{Names: []string{"-l", "--log-level"}, Dest: "log_level", Kind: Choice, Meta: "LEVEL", Choices: levelChoices, Help: "log to stderr from this level: trace debug info warning error critical quiet …", Example: "-l debug"},
			{Names: []string{"--log-file"}, Dest: "log_file", Kind: Text, Meta: "FILE", Help: "the log file"},
			{Names: []string{"--log-file-level"}, Dest: "log_level_logfile", Kind: Choice, Meta: "LEVEL", Choices: logging.Names(), Help: "log to the file from this level; below info the log may hold secrets"},
		}},
	}
}

// SaltVersion is the line that --version of one of Salt's own commands prints.
func SaltVersion(prog string) string {
	return prog + " " + config.SaltVersion + " (" + config.SaltCodeName + ")"
}
