loop:
  mount.mounted:
    - name: /mnt/a
    - device: /srv/a.img
    - fstype: ext4
    - opts: [loop, noatime]
    - mkmnt: true
    - dump: 1
    - pass_num: 2

read-only:
  mount.mounted:
    - name: /mnt/b
    - device: /srv/b.img
    - fstype: ext4
    - opts: loop,ro
    - mkmnt: true
    - persist: false
    - user: root

remount:
  mount.mounted:
    - name: /mnt/tmpfs
    - device: tmpfs
    - fstype: tmpfs
    - opts: size=2m,mode=0750
    - mkmnt: true
    - extra_mount_invisible_options: [mode]

hidden:
  mount.mounted:
    - name: /mnt/secret
    - device: tmpfs
    - fstype: tmpfs
    - opts: [size=1m, uid=5001]
    - mkmnt: true
    - hidden_opts: [uid=5001]

fstab-only:
  mount.mounted:
    - name: /mnt/later
    - device: LABEL=later
    - fstype: ext4
    - mount: false
    - mkmnt: true

bad-type:
  mount.mounted:
    - name: /mnt/bad
    - device: /srv/a.img
    - fstype: nosuchfs
    - mkmnt: true
    - persist: false

bad-device:
  mount.mounted:
    - name: /mnt/bad2
    - device: /srv/none.img
    - fstype: ext4
    - opts: loop
    - mkmnt: true
    - persist: false

unmount:
  mount.unmounted:
    - name: /mnt/c
    - device: /srv/c.img

unmount-persist:
  mount.unmounted:
    - name: /mnt/old
    - device: /srv/old.img
    - persist: true

present:
  mount.fstab_present:
    - name: UUID=1234
    - fs_file: /mnt/uuid
    - fs_vfstype: ext4
    - fs_mntops: [nofail, noatime]
    - fs_freq: 1
    - fs_passno: 2

present-change:
  mount.fstab_present:
    - name: LABEL=volx
    - fs_file: /mnt/x
    - fs_vfstype: xfs
    - not_change: false

present-kept:
  mount.fstab_present:
    - name: LABEL=volx
    - fs_file: /mnt/x
    - fs_vfstype: btrfs
    - not_change: true
    - require: [{mount: present-change}]

absent:
  mount.fstab_absent:
    - name: /dev/never
    - fs_file: /mnt/never
