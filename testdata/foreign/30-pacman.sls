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

source:
  pkg.installed:
    - sources: [sflib: /kit/archrepo/sflib-0.1-1-any.pkg.tar.zst]
    - require: [{pkg: several}]
