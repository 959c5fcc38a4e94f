package modules

// Reasons that do not fail when the call is as in Salt after all.
const (
	open    = "open"
	machine = "depends on the machine"
)

// differences are the recorded calls whose answer differs from Salt's, with
// the reason.
const (
	noDaemon  = "without a daemon the saved schedule is shown and changed"
	noFolder  = "looking makes no folder"
	noBeacons = "without a daemon the configured beacons are shown and changed"
)

var differences = map[string]string{
	"archive.list-11":                "needs no rar command",
	"netaddress.cidr_netmask-01":     "needs no Python library: it answers instead",
	"archive.zip-01":                 machine, // the names have the folder of the recording in them
	"cmd.shell_info-01":              "a crash of Salt's: it answers instead",
	"grains.get-19":                  "a crash of Salt's: it answers instead",
	"disk.fstype-01":                 "the type instead of a whole line of df",
	"kmod.lsmod-01":                  "needs no command: it answers instead",
	"kmod.mod_list-01":               "needs no command: it answers instead",
	"timezone.get_hwclock-01":        "needs no command: it answers instead",
	"network.hw_addr-02":             machine,
	"network.interface-01":           machine,
	"network.interface_ip-01":        machine,
	"network.ip_addrs-03":            machine,
	"network.wol-02":                 machine,
	"test.not_loaded-01":             "names files of Salt's",
	"file.find-29":                   "a crash of Salt's: it answers instead",
	"file.psed-03":                   "a crash of Salt's: it answers instead",
	"file.seek_write-01":             "a crash of Salt's: it answers instead",
	"file.grep-06":                   machine,
	"file.get_managed-03":            open,
	"cp.list_minion-01":              "lists a file that Salt keeps for itself",
	"cp.push-01":                     "a clear error instead of a crash of Salt's",
	"slsutil.deserialize-03":         "Salt's package lacks a toml library",
	"slsutil.serialize-04":           "Salt's package lacks a toml library",
	"slsutil.deserialize-02":         "octal numbers: read as in SLS files",
	"slsutil.deserialize-09":         open,
	"saltutil.cmd-01":                "answers for this machine without a master",
	"saltutil.list_extmods-01":       "a crash of Salt's: it answers instead",
	"saltutil.refresh_pillar-01":     "is done at once, without a daemon",
	"saltutil.sync_all-01":           "recorded where everything was synced already",
	"saltutil.wheel-01":              "a clear error instead of a crash of Salt's",
	"slsutil.renderer-12":            "py renderer: no such message",
	"slsutil.renderer-14":            "an unknown renderer is an error instead of nothing",
	"sys.list_returner_functions-01": "returners are no functions here",
	"sys.returner_argspec-01":        "returners are no functions here",
	"sys.list_runner_functions-01":   "no runners without a master",
	"sys.runner_argspec-01":          "no runners without a master",
	"slsutil.renderer-11":            open, "cp.get_template-02": open,
	"pkg.file_list-01": open, "pkg.info_installed-02": open, "pkg.owner-01": open, "pkg.owner-02": open, "pkg.owner-03": open,
	"pillar.ext-01":                   open,
	"state.high-02":                   open,
	"state.high-03":                   open,
	"state.low-02":                    open,
	"state.request-01":                open,
	"state.template_str-02":           open,
	"test.ping-03":                    open,
	"test.provider-01":                open,
	"test.provider-02":                open,
	"test.provider-05":                open,
	"schedule.add-01":                 noDaemon,
	"schedule.add-03":                 noDaemon,
	"schedule.disable-01":             noDaemon,
	"schedule.enable-01":              noDaemon,
	"schedule.list-03":                noDaemon,
	"schedule.job_status-01":          noDaemon,
	"schedule.is_enabled-01":          noFolder,
	"schedule.list-01":                noFolder,
	"schedule.list-02":                noFolder,
	"schedule.list-04":                noFolder,
	"schedule.modify-01":              noFolder,
	"schedule.run_job-01":             noFolder,
	"schedule.build_schedule_item-02": "a crash of Salt's: it answers instead",
	"schedule.delete-02":              "a crash of Salt's: it answers instead",
	"dnsutil.check_ip-01":             "answers without the command dig", "dnsutil.check_ip-02": "answers without the command dig", "dnsutil.check_ip-03": "answers without the command dig",
	"beacons.add-01":            noBeacons,
	"beacons.delete-01":         noBeacons,
	"beacons.disable-01":        noBeacons,
	"beacons.enable-01":         noBeacons,
	"beacons.list-01":           noBeacons,
	"beacons.list_available-01": noBeacons,
	"beacons.reset-01":          noBeacons,
	"beacons.save-01":           noBeacons,
}
