{# Every state here is of a module that looks at the machine without a command when nothing is to be done. #}
/etc/quiet.conf:
  file.managed:
    - contents: "{{ grains['os'] }}"
    - user: root
    - mode: '0640'

from-tree:
  file.managed:
    - name: /etc/quiet.d/from-tree
    - source: salt://side.asc
    - makedirs: true

/srv/quiet/dir:
  file.directory:
    - makedirs: true
    - user: quiet
    - group: quiet
    - recurse: [user, group]
    - require: [{user: quiet}]

/srv/quiet/tree:
  file.recurse:
    - source: salt://archives

/etc/quiet.link:
  file.symlink:
    - target: /etc/quiet.conf

line:
  file.line:
    - name: /etc/hosts
    - content: "# a line"
    - mode: ensure
    - after: localhost

absent:
  file.absent:
    - name: /etc/quiet.none

replace:
  file.replace:
    - name: /etc/hosts
    - pattern: nothing-of-it
    - repl: x

append:
  file.append:
    - name: /etc/motd
    - text: welcome

sbs-one:
  pkg.installed:
    - version: '1.0'
    - hold: true

several:
  pkg.installed:
    - pkgs: [sbs-lib, sbs-extra: '>=0.5', cron]

removed:
  pkg.removed:
    - name: sbs-never

purged:
  pkg.purged:
    - pkgs: [sbs-never, sbs-two]

held:
  pkg.held:
    - pkgs: [sbs-lib]
    - replace: false

quiet-one:
  service.running:
    - enable: true

quiet-two:
  service.dead:
    - enable: false

cron-enabled:
  service.enabled:
    - name: cron

two-disabled:
  service.disabled:
    - name: quiet-two

one-unmasked:
  service.unmasked:
    - name: quiet-one

masked:
  service.masked:
    - name: quiet-never

quiet:
  group.present:
    - gid: 7777
    - addusers: [root]
  user.present:
    - uid: 7777
    - gid: 7777
    - shell: /bin/bash
    - fullname: Quiet One
    - groups: [cdrom]
    - password: $6$saltsalt$UiZikbV3VeeBPsg8./Q5DAfq9aFkMYEzHfiB.XYNRFJFMFM3BmFcWnU9JJ6NUnDxGHgLcgRp0gDyNjo94QmYY.
    - maxdays: 90
    - expire: 21000

gone:
  user.absent: []

group-gone:
  group.absent: []

/usr/bin/backup:
  cron.present:
    - minute: 5
    - hour: 3
    - identifier: backup

job-gone:
  cron.absent:
    - name: /usr/bin/none

MAILTO:
  cron.env_present:
    - value: root

other-user:
  cron.present:
    - name: /bin/true
    - user: quiet
    - special: '@daily'
    - require: [{user: quiet}]

quiet.example:
  host.present:
    - ip: 10.9.9.9

none.example:
  host.absent:
    - ip: 10.9.9.9

/mnt/a:
  mount.mounted:
    - device: /srv/a.img
    - fstype: ext4
    - opts: [loop, noatime]
    - mkmnt: true

/mnt/tmpfs:
  mount.mounted:
    - device: tmpfs
    - fstype: tmpfs
    - opts: size=1m
    - mkmnt: true

/mnt/none:
  mount.unmounted:
    - device: none

fstab:
  mount.fstab_present:
    - name: LABEL=x
    - fs_file: /mnt/x
    - fs_vfstype: ext4

net.ipv4.ip_forward:
  sysctl.present:
    - value: 1

key:
  ssh_auth.present:
    - user: quiet
    - name: AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl
    - enc: ssh-ed25519
    - require: [{user: quiet}]

key-gone:
  ssh_auth.absent:
    - user: quiet
    - name: AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJX
    - enc: ssh-ed25519
    - require: [{user: quiet}]

Asia/Tokyo:
  timezone.system:
    - utc: true

locale:
  locale.present:
    - name: de_DE.UTF-8

locale-default:
  locale.system:
    - name: de_DE.UTF-8
    - require: [{locale: locale}]
