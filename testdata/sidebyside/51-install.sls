version:
  pkg.installed:
    - name: sbs-one
    - version: '1.0'
    - hold: true

several:
  pkg.installed:
    - pkgs:
      - sbs-three: '<1:0'
      - sbs-lib
      - sbs-app: '>=1.0'
    - install_recommends: false

virtual:
  pkg.installed:
    - name: sbs-virtual

unknown:
  pkg.installed:
    - name: sbs-nonesuch

unknown-version:
  pkg.installed:
    - name: sbs-extra
    - version: '9.9'

glob:
  pkg.installed:
    - name: sbs-two
    - version: 1.*

downloaded:
  pkg.downloaded:
    - name: sbs-extra
