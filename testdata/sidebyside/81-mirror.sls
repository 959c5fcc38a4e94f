refreshed:
  pkg.installed:
    - name: sbs-virtual-impl
    - refresh: true

latest:
  pkg.latest:
    - name: sbs-three
    - refresh: true

none:
  pkg.installed:
    - name: sbs-nonesuch
    - refresh: true

uptodate:
  pkg.uptodate:
    - refresh: true

last:
  test.succeed_with_changes
