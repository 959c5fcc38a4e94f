for i in a b c d e f; do
  printf '[Unit]\nDescription=%s\n[Service]\nExecStart=/bin/sleep infinity\nExecReload=/bin/true\n[Install]\nWantedBy=multi-user.target\n' $i >/etc/systemd/system/side-$i.service
done
printf '[Unit]\nDescription=fails\n[Service]\nExecStart=/bin/false\n[Install]\nWantedBy=multi-user.target\n' >/etc/systemd/system/side-fails.service
printf '[Unit]\nDescription=static\n[Service]\nExecStart=/bin/sleep infinity\n' >/etc/systemd/system/side-static.service
printf '[Unit]\nDescription=at\n[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n' >/etc/systemd/system/side-at@.service
printf '[Unit]\nDescription=oneshot\n[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n' >/etc/systemd/system/side-once.service
printf '[Timer]\nOnCalendar=daily\n[Install]\nWantedBy=timers.target\n' >/etc/systemd/system/side-once.timer
printf '#!/bin/sh\n### BEGIN INIT INFO\n# Provides: side-sysv\n# Default-Start: 2 3 4 5\n# Default-Stop: 0 1 6\n# Short-Description: x\n### END INIT INFO\ncase $1 in start) touch /run/side-sysv;; stop) rm -f /run/side-sysv;; status) test -e /run/side-sysv;; esac\n' >/etc/init.d/side-sysv; chmod 755 /etc/init.d/side-sysv
systemctl daemon-reload; systemctl -q enable --now side-b side-d; systemctl -q mask side-e
