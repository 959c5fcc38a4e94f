// Package minion holds Salt's minion module: it lists the keys that a master
// on this machine knows, and ends or restarts the minion's daemon. Its main
// variable is Module.
//
//	salt-call minion.list
package minion

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's minion module.
var Module = salt.Module{
	Name: "minion",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"kill":    salt.Exec(kill),
			"list":    salt.Exec(list).Named("list_"),
			"restart": salt.Exec(restart),
		}
	},
}

// exSoftware is EX_SOFTWARE of sysexits.h, exTempfail EX_TEMPFAIL.
const exSoftware, exTempfail = 70, 75

// list returns the minions whose keys are accepted, waiting, rejected and
// denied by the master of this machine.
func list(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	dir := strings.ReplaceAll(c.Opts.Str("pki_dir"), "minion", "master")
	out := new(value.Map)
	for _, kind := range []string{"minions", "minions_pre", "minions_rejected", "minions_denied"} {
		names := value.L()
		entries, _ := c.Sys.ReadDir(filepath.Join(dir, kind))
		slices.SortStableFunc(entries, func(a, b fs.DirEntry) int {
			return strings.Compare(strings.ToLower(a.Name()), strings.ToLower(b.Name()))
		})
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), ".") && sys.IsFile(c.Sys, filepath.Join(dir, kind, e.Name())) {
				names.Append(e.Name())
			}
		}
		out.Set(kind, names)
	}
	return out, nil
}

type killArgs struct {
	Timeout int `py:"timeout=15"` // seconds to wait for its end
}

// kill ends the daemon that the grain pid names, as SIGTERM does, and waits
// until it is gone.
func kill(c *salt.Ctx, a killArgs) (*value.Map, error) {
	ret := value.M("killed", nil, "retcode", int64(1))
	pid, _ := c.Grains.At("pid").(int64)
	comment := func(code int64, text string) (*value.Map, error) {
		ret.Set("retcode", code)
		ret.Set("comment", value.L(text))
		return ret, nil
	}
	if pid == 0 {
		return comment(exSoftware, `Unable to find "pid" in grains`)
	}
	if err := c.Sys.Kill(int(pid), syscall.SIGTERM); err != nil {
		return comment(1, "ps.kill_pid failed")
	}
	for range a.Timeout {
		if err := c.Sys.Sleep(c, time.Second); err != nil {
			return nil, err
		}
		if errors.Is(c.Sys.Kill(int(pid), 0), syscall.ESRCH) {
			ret.Set("retcode", int64(0))
			ret.Set("killed", pid)
			return ret, nil
		}
	}
	return comment(exTempfail, "Timed out waiting for minion to exit")
}

type restartArgs struct {
	Systemd       bool `py:"systemd=True"`         // through systemd, where it runs
	WinService    bool `py:"win_service=True"`     // through the service manager, on Windows
	ScheduleRetry bool `py:"schedule_retry=False"` // have systemd start it later, should it not be running then
	RetryDelay    any  `py:"retry_delay=180"`      // seconds until that
}

// restart restarts the minion's daemon: with the option
// minion_restart_command, else through systemd, else by ending it.
func restart(c *salt.Ctx, a restartArgs) (*value.Map, error) {
	ret := value.M("killed", nil, "restart", new(value.Map), "service_restart", new(value.Map), "retcode", int64(0))
	v, err := c.Call("config.get", "minion_restart_command")
	if err != nil {
		return nil, err
	}
	var comment []string
	command, _ := v.(*value.List)
	systemd := a.Systemd && sys.IsDir(c.Sys, "/run/systemd/system")
	switch {
	case command.Len() > 0:
		comment = append(comment, "Using configuration minion_restart_command:")
		for _, w := range command.Items {
			comment = append(comment, "    "+value.Str(w))
		}
	case systemd:
		comment = append(comment, "Using systemctl to restart salt-minion")
		err := a.service(c, ret, &comment)
		ret.Set("comment", value.Strings(comment))
		return ret, err
	default:
		comment = append(comment, "Not running in daemon mode - will not restart process after killing")
	}
	killed, err := kill(c, killArgs{Timeout: 15})
	if err != nil {
		return nil, err
	}
	if l := killed.List("comment"); l != nil {
		for _, it := range l.Items {
			comment = append(comment, value.Str(it))
		}
	}
	ret.Update(killed)
	switch {
	case ret.At("retcode") != int64(0):
		comment = append(comment, "Kill failed - not restarting")
	case command.Len() > 0:
		v, err := c.Call("cmd.run_all", command)
		if err != nil {
			return nil, err
		}
		run, _ := v.(*value.Map)
		run.Pop("pid")
		if code, _ := run.Pop("retcode"); value.Truth(code) {
			comment = append(comment, "Restart failed")
			ret.Set("retcode", code)
		}
		ret.Set("restart", run)
	}
	ret.Set("comment", value.Strings(comment))
	return ret, nil
}

// service restarts the daemon's unit without waiting for it: it may be our own.
func (a restartArgs) service(c *salt.Ctx, ret *value.Map, comment *[]string) error {
	res := new(value.Map)
	ret.Set("service_restart", res)
	fail := func(what string, err error) error {
		*comment = append(*comment, what)
		res.Set("result", false)
		res.Set("stderr", err.Error())
		ret.Set("retcode", int64(exSoftware))
		return nil
	}
	if a.ScheduleRetry {
		retry := new(value.Map)
		res.Set("schedule_retry", retry)
		out, err := a.retry(c)
		if err != nil {
			return fail("Adding scheduled retry failed", err)
		}
		retry.Set("detail", out)
		retry.Set("delay", a.RetryDelay)
		*comment = append(*comment, "Scheduled retry for minion restart in "+value.Str(a.RetryDelay)+" seconds")
	}
	ok, err := c.CallKw("service.restart", value.M("no_block", true), "salt-minion")
	if err != nil {
		return fail("Service restart failed", err)
	}
	res.Set("result", ok)
	*comment = append(*comment, "Service restart successful")
	return nil
}

// retry asks systemd to start the daemon after a while.
func (a restartArgs) retry(c *salt.Ctx) (string, error) {
	n, err := strconv.Atoi(value.Str(a.RetryDelay))
	if err != nil {
		return "", salt.CommandError("Invalid retry_delay value: %s. Must be a number of seconds.", value.Str(a.RetryDelay))
	}
	res, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"systemd-run", "--on-active=" + strconv.Itoa(n), "/bin/sh", "-c",
		"systemctl is-active salt-minion || systemctl start salt-minion"}})
	if err == nil && res.Code != 0 {
		err = salt.CommandError("%s", strings.TrimSpace(string(res.Stderr)))
	}
	return strings.TrimSpace(string(res.Stderr)), err
}
