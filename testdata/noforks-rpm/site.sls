version:
  pkg.installed:
    - name: sfone
    - version: 1.0-1

several:
  pkg.installed:
    - pkgs: [sfthree, sftwo: '2:1.5-3']

file:
  pkg.installed:
    - skip_verify: true
    - sources:
      - sfextra: /kit/rpmrepo/sfextra-1.0-1.noarch.rpm

removed:
  pkg.removed:
    - pkgs: [sfnever, sfnone]

purged:
  pkg.purged:
    - name: sfnone
