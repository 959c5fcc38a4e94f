unheld:
  pkg.unheld:
    - pkgs: [sbs-one, sbs-three, sbs-lib]

latest:
  pkg.latest:
    - pkgs: [sbs-one, sbs-two, sbs-three]
    - require: [{pkg: unheld}]

downgrade:
  pkg.installed:
    - name: sbs-three
    - version: '0.9'
    - require: [{pkg: latest}]

source:
  pkg.installed:
    - sources:
      - sbs-extra: http://127.0.0.1:8000/own/sbs-extra_1.0_all.deb

source-bad:
  pkg.installed:
    - sources:
      - sbs-bad: http://127.0.0.1:8000/own/missing.deb
