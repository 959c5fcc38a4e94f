present:
  pkg.installed:
    - name: sfone

several:
  pkg.installed:
    - pkgs: [sfthree, sftwo]

unknown:
  pkg.installed:
    - name: sfnone

group:
  pkg.group_installed:
    - name: side
    - require: [{pkg: several}]
