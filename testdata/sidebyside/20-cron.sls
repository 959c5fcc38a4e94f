changed:
  cron.present:
    - name: /usr/bin/newer
    - identifier: old
    - minute: random
    - hour: 3

legacy:
  cron.present:
    - name: /usr/bin/legacy
    - hour: 2
    - minute: 15

percent:
  cron.present:
    - name: date +\%Y%m%d
    - identifier: percent
    - special: '@weekly'

special-now-timed:
  cron.present:
    - name: /usr/bin/special
    - hour: 5

off:
  cron.present:
    - name: /usr/bin/off
    - commented: true
    - comment: "switched\noff"

user:
  cron.present:
    - name: /usr/bin/x
    - user: stay
    - dayweek: mon,fri
    - daymonth: '*/2'
    - month: jan

no-user:
  cron.present:
    - name: /usr/bin/x
    - user: missing-user

file:
  cron.file:
    - name: salt://crontab.txt
    - user: plain

env:
  cron.env_present:
    - name: SHELL
    - value: /bin/bash

env-gone:
  cron.env_absent:
    - name: HOME

absent:
  cron.absent:
    - name: /usr/bin/never
