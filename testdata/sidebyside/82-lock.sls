waits:
  pkg.installed:
    - name: sbs-app

removed:
  pkg.removed:
    - name: sbs-app
    - require: [{pkg: waits}]
