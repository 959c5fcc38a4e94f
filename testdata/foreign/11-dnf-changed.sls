group-include:
  pkg.group_installed:
    - name: Side Group
    - include: [sfextra]

latest:
  pkg.latest:
    - name: sfone

latest-current:
  pkg.latest:
    - pkgs: [sftwo, sflib]

removed:
  pkg.removed:
    - pkgs: [sfthree, sfnever]

purged:
  pkg.purged:
    - name: sftwo
    - require: [{pkg: latest-current}]

downgrade:
  pkg.installed:
    - name: sfone
    - version: 1.0-1
    - require: [{pkg: latest}]

uptodate:
  pkg.uptodate:
    - require: [{pkg: downgrade}]

repo-off-gone:
  pkgrepo.absent:
    - name: off
