removed:
  pkg.removed:
    - pkgs: [sbs-lib, sbs-extra]

removed-version:
  pkg.removed:
    - name: sbs-three
    - version: '5.5'

purged:
  pkg.purged:
    - name: sbs-one

purged-residue:
  pkg.purged:
    - name: sbs-lib
    - require: [{pkg: removed}]

never:
  pkg.removed:
    - name: sbs-never

repo:
  pkgrepo.absent:
    - name: deb [signed-by=/etc/apt/keyrings/secure.asc arch=amd64] http://127.0.0.1:8000/secure ./

group:
  pkg.group_installed:
    - name: Tools
