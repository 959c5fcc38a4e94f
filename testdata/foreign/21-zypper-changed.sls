held-latest:
  pkg.latest:
    - name: sfone

unheld:
  pkg.unheld:
    - pkgs: [sfone, sftwo: 2:1.5-3]
    - require: [{pkg: held-latest}]

latest:
  pkg.latest:
    - name: sfone
    - require: [{pkg: unheld}]

removed:
  pkg.removed:
    - pkgs: [sfthree, sfnever]

purged:
  pkg.purged:
    - name: sftwo
    - require: [{pkg: unheld}]

repo-off-gone:
  pkgrepo.absent:
    - name: off
