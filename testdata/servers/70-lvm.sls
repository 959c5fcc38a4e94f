{% set a = salt['cmd.run']('losetup -j /srv/a.img -n -O NAME') %}
{% set b = salt['cmd.run']('losetup -j /srv/b.img -n -O NAME') %}
pv:
  lvm.pv_present:
    - name: {{ a }}

vg:
  lvm.vg_present:
    - name: side
    - devices: [{{ a }}, {{ b }}]

never:
  lvm.vg_absent: []

never-lv:
  lvm.lv_absent:
    - vgname: side

functions:
  module.run:
    - lvm.fullversion: []
