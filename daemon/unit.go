package daemon

import "strings"

// Unit is the systemd unit of the daemon, or with the verb minion of the minion of
// a master. It manages the machine, so little of the machine can be kept from it.
func Unit(self, verb, dir string) string {
	return strings.NewReplacer("SELF", quote(self), "VERB", verb, "DIR", quote(dir)).Replace(`[Unit]
Description=pinch: keeps this machine as its Salt tree describes
After=network-online.target
Wants=network-online.target
StartLimitIntervalSec=0

[Service]
Type=notify
NotifyAccess=main
ExecStart=SELF VERB -c DIR
ExecReload=/bin/kill -HUP $MAINPID
Restart=always
RestartSec=2
WatchdogSec=60
# Running jobs come to their end before the daemon does; only the daemon is
# told to end.
KillMode=mixed
TimeoutStopSec=100
OOMPolicy=continue
KeyringMode=private
RestrictRealtime=yes
LimitNOFILE=65536

[Install]
WantedBy=multi-user.target
`)
}

// quote is a path as a word of a unit or script.
func quote(s string) string {
	if strings.ContainsAny(s, " \t\"'\\$%`") {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "$", "$$").Replace(s) + `"`
	}
	return s
}

// InitScript is the script of the daemon for OpenRC ("openrc") or SysV init.
func InitScript(manager, self, verb, dir string) string {
	text := `#!/bin/sh
### BEGIN INIT INFO
# Provides:          pinch
# Required-Start:    $remote_fs $network
# Required-Stop:     $remote_fs $network
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: keeps this machine as its Salt tree describes
### END INIT INFO
pid=/run/pinch.pid
alive() { [ -s $pid ] && kill -0 "$(cat $pid)" 2>/dev/null; }
case "$1" in
start)
	alive && exit 0
	SELF VERB -c DIR </dev/null >>/var/log/pinch.log 2>&1 &
	echo $! >$pid
	;;
stop)
	alive || exit 0
	kill -TERM "$(cat $pid)"
	for i in $(seq 100); do alive || break; sleep 1; done
	rm -f $pid
	;;
restart)
	"$0" stop
	"$0" start
	;;
reload)
	alive && kill -HUP "$(cat $pid)"
	;;
status)
	alive || exit 3
	;;
*)
	echo "usage: $0 start|stop|restart|reload|status" >&2
	exit 2
	;;
esac
`
	if manager == "openrc" {
		text = `#!/sbin/openrc-run
description="keeps this machine as its Salt tree describes"
supervisor=supervise-daemon
command=SELF
command_args="VERB -c DIR"
pidfile=/run/pinch.pid
output_log=/var/log/pinch.log
error_log=/var/log/pinch.log
respawn_delay=2
respawn_max=0
retry=TERM/100/KILL/5
extra_started_commands="reload"

depend() {
	after localmount net
}

reload() {
	ebegin "Reloading pinch"
	supervise-daemon "$RC_SVCNAME" --signal HUP --pidfile "$pidfile"
	eend $?
}
`
	}
	return strings.NewReplacer("SELF", quote(self), "VERB", verb, "DIR", quote(dir)).Replace(text)
}
