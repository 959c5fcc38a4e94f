staff2:
  group.present:
    - gid: 7001
    - addusers: [have]

sxg:
  group.present:
    - gid: 6002
    - members: [have, stay]

sysgroup:
  group.present:
    - system: true

leaving:
  group.absent

never:
  group.absent

wrong-gid:
  group.present:
    - name: clash
    - gid: 7001
    - require: [{group: staff2}]

full:
  user.present:
    - uid: 5100
    - gid: 7001
    - fullname: Full Name
    - roomnumber: r1
    - workphone: w1
    - homephone: h1
    - other: o1
    - shell: /bin/bash
    - home: /srv/homes/full
    - groups: [extra1, extra2]
    - password: $6$saltsalt$UiZikbV3VeeBPsg8./Q5DAfq9aFkMYEzHfiB.XYNRFJFMFM3BmFcWnU9JJ6NUnDxGHgLcgRp0gDyNjo94QmYY.
    - mindays: 2
    - maxdays: 99
    - warndays: 5
    - inactdays: 7
    - expire: 21000
    - require: [{group: staff2}]

plain-password:
  user.present:
    - name: plain
    - password: open sesame
    - hash_password: true
    - unless: getent shadow plain | grep -q '\$6\$'

empty-password:
  user.present:
    - name: nopw
    - empty_password: true

have:
  user.present:
    - uid: 5002
    - fullname: New Name
    - groups: [extra2]
    - shell: /bin/sh
    - home: /srv/homes/have
    - allow_uid_change: true
    - allow_gid_change: true

no-uid-change:
  user.present:
    - name: stay
    - uid: 5999

optional:
  user.present:
    - name: opt
    - optional_groups: [extra1, not_there]
    - createhome: false
    - usergroup: false
    - gid: 7001
    - require: [{group: staff2}]

local:
  user.present:
    - name: svc-local
    - system: true
    - shell: /usr/sbin/nologin
    - home: /var/lib/svc-local
    - createhome: true
    - nologinit: true

unique:
  user.present:
    - name: twin
    - uid: 5100
    - unique: false
    - require: [{user: full}]

not-unique:
  user.present:
    - name: twin2
    - uid: 5100
    - require: [{user: full}]

unlocked:
  user.present:
    - name: expired
    - password: '*'
    - enforce_password: true

prepared:
  user.present:
    - home: /home/prepared
    - password: $6$saltsalt$UiZikbV3VeeBPsg8./Q5DAfq9aFkMYEzHfiB.XYNRFJFMFM3BmFcWnU9JJ6NUnDxGHgLcgRp0gDyNjo94QmYY.
    - enforce_password: false

primary:
  user.present:
    - name: primary
    - gid: sxg
    - groups: [sxg, extra1]
    - require: [{group: sxg}]

no-group:
  user.present:
    - name: nogroupuser
    - groups: [does-not-exist]

gone:
  user.absent:
    - purge: true

absent:
  user.absent:
    - name: was-never-there
