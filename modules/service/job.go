package service

import (
	"errors"
	"fmt"

	"pinch/salt"
	"pinch/sys"
)

// verbs are systemctl's words for the methods of jobs, as its errors say them.
var verbs = map[string]string{
	"StartUnit": "start", "StopUnit": "stop", "RestartUnit": "restart", "ReloadUnit": "reload",
	"ReloadOrTryRestartUnit": "try-reload-or-restart",
}

// job asks for a job and gives systemctl's text when it fails.
func (d systemd) job(method, name string, o options) error {
	if err := d.refresh(name); err != nil {
		return err
	}
	if err := d.removeMasks(name, o); err != nil {
		return err
	}
	unit := unitName(name)
	err := d.units().Job(d.c, method, unit, !o.noBlock)
	if err == nil || errors.Is(err, sys.ErrReadOnly) {
		return err
	}
	if d.c.Run != nil {
		d.c.Run.SetRetcode(exitCode(err))
	}
	return salt.CommandError("%s", jobText(verbs[method], unit, err))
}

const busErrors = "org.freedesktop.systemd1."

// jobText is what systemctl prints for a job that was refused or failed.
func jobText(verb, unit string, err error) string {
	var e *sys.UnitError
	var j *sys.JobError
	switch {
	case errors.As(err, &j):
		return jobEnd(j)
	case !errors.As(err, &e):
		return fmt.Sprintf("Failed to %s %s: %s", verb, unit, err)
	}
	text := fmt.Sprintf("Failed to %s %s: %s", verb, unit, e.Msg)
	switch e.Name {
	case busErrors + "NoSuchUnit", busErrors + "UnitMasked", busErrors + "JobTypeNotApplicable":
		return text
	}
	dashes := ""
	if unit[0] == '-' {
		dashes = " --"
	}
	return text + fmt.Sprintf("\nSee system logs and 'systemctl status%s %s' for details.", dashes, unit)
}

// reasons explain the results of services.
var reasons = map[string]string{
	"resources":   "of unavailable resources or another system error",
	"protocol":    "the service did not take the steps required by its unit configuration",
	"timeout":     "a timeout was exceeded",
	"exit-code":   "the control process exited with error code",
	"signal":      "a fatal signal was delivered to the control process",
	"core-dump":   "a fatal signal was delivered causing the control process to dump core",
	"watchdog":    "the service failed to send watchdog ping",
	"start-limit": "start of the service was attempted too often",
}

func jobEnd(j *sys.JobError) string {
	switch j.Result {
	case "canceled":
		return "Job for " + j.Unit + " canceled."
	case "timeout":
		return "Job for " + j.Unit + " timed out."
	case "dependency":
		return "A dependency job for " + j.Unit + " failed. See 'journalctl -xe' for details."
	case "invalid":
		return j.Unit + " is not active, cannot reload."
	case "assert":
		return "Assertion failed on job for " + j.Unit + "."
	case "unsupported":
		return "Operation on or unit type of " + j.Unit + " not supported on this system."
	case "collected":
		return "Queued job for " + j.Unit + " was garbage collected."
	case "once":
		return "Unit " + j.Unit + " was started already once and can't be started again."
	}
	if _, kind, _ := cutLast(j.Unit); kind != "service" {
		return `Job failed. See "journalctl -xe" for details.`
	}
	text := "Job for " + j.Unit + " failed"
	if r := reasons[j.Service]; r != "" {
		text += " because " + r
	}
	text += fmt.Sprintf(".\nSee \"systemctl status %s\" and \"journalctl -xeu %[1]s\" for details.", quoted(j.Unit))
	if j.Service == "start-limit-hit" {
		text += fmt.Sprintf("\nTo force a start use \"systemctl reset-failed %s\"\nfollowed by \"systemctl start %[1]s\" again.", quoted(j.Unit))
	}
	return text
}

// quoted is a unit's name for a shell: only a backslash needs quotes.
func quoted(unit string) string {
	for i := range len(unit) {
		if unit[i] == '\\' {
			return fmt.Sprintf("%q", unit)
		}
	}
	return unit
}

// exitCode is systemctl's.
func exitCode(err error) int {
	var e *sys.UnitError
	if !errors.As(err, &e) {
		return 1
	}
	switch e.Name {
	case busErrors + "NoSuchUnit":
		return 5
	case "org.freedesktop.DBus.Error.AccessDenied", busErrors + "OnlyByDependency", busErrors + "NoIsolation", busErrors + "TransactionIsDestructive":
		return 4
	case busErrors + "UnitMasked", busErrors + "LoadFailed", busErrors + "BadUnitSetting":
		return 6
	case busErrors + "JobTypeNotApplicable":
		return 3
	}
	return 1
}

func done(err error) (bool, error) { return err == nil, err }

func (d systemd) start(name string, o options) (bool, error) {
	return done(d.job("StartUnit", name, o))
}

func (d systemd) restart(name string, o options) (bool, error) {
	return done(d.job("RestartUnit", name, o))
}

func (d systemd) reload(name string, o options) (bool, error) {
	return done(d.job("ReloadUnit", name, o))
}

func (d systemd) forceReload(name string, o options) (bool, error) {
	return done(d.job("ReloadOrTryRestartUnit", name, o))
}

// stop answers False where the others raise.
func (d systemd) stop(name string, o options) (bool, error) {
	err := d.job("StopUnit", name, options{noBlock: o.noBlock})
	if err == nil || errors.Is(err, sys.ErrReadOnly) {
		return err == nil, err
	}
	d.c.Log.Error(err.Error())
	return false, nil
}
