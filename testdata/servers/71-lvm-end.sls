{% set a = salt['cmd.run']('losetup -j /srv/a.img -n -O NAME') %}
vg:
  lvm.vg_absent:
    - name: side

pv:
  lvm.pv_absent:
    - name: {{ a }}
