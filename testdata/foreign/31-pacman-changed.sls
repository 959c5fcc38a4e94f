latest:
  pkg.latest:
    - name: sfone

removed:
  pkg.removed:
    - pkgs: [sfthree, sfnever]

purged:
  pkg.purged:
    - name: sftwo

uptodate:
  pkg.uptodate
