loop:
  mount.mounted:
    - name: /mnt/a
    - device: /srv/a.img
    - fstype: ext4
    - opts: [loop, noatime, nodev]
    - dump: 0
    - pass_num: 0

remount:
  mount.mounted:
    - name: /mnt/tmpfs
    - device: tmpfs
    - fstype: tmpfs
    - opts: size=3m
    - match_on: [name]

off:
  mount.unmounted:
    - name: /mnt/b
    - device: /srv/b.img

off2:
  mount.unmounted:
    - name: /mnt/secret
    - device: tmpfs
    - persist: true

absent:
  mount.fstab_absent:
    - name: UUID=1234
    - fs_file: /mnt/uuid
