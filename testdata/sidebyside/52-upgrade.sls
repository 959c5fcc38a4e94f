held-refused:
  pkg.latest:
    - name: sbs-one

held-forced:
  pkg.installed:
    - name: sbs-one
    - version: 1.1
    - update_holds: true

hold-more:
  pkg.held:
    - pkgs:
      - sbs-three
      - sbs-lib: '1.0'
    - replace: false

latest:
  pkg.latest:
    - pkgs: [sbs-app, sbs-extra]

uptodate:
  pkg.uptodate:
    - refresh: true
