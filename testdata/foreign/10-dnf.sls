repo:
  pkgrepo.managed:
    - name: side
    - humanname: Side
    - baseurl: file:///kit/rpmrepo
    - gpgcheck: 0
    - comments: [a comment]

repo-off:
  pkgrepo.managed:
    - name: off
    - humanname: Off
    - baseurl: http://127.0.0.1:9/off
    - disabled: true

repo-bad:
  pkgrepo.managed:
    - name: bad
    - humanname: Bad

repo-gone:
  pkgrepo.absent:
    - name: never

version:
  pkg.installed:
    - name: sfone
    - version: 1.0-1
    - require: [{pkgrepo: repo}]

several:
  pkg.installed:
    - pkgs: [sfthree, sftwo: '>=1.0']
    - require: [{pkgrepo: repo}]

unknown:
  pkg.installed:
    - name: sfnone
    - require: [{pkgrepo: repo}]

unknown-version:
  pkg.installed:
    - name: sfone
    - version: 9.9-9
    - require: [{pkg: version}]

group:
  pkg.group_installed:
    - name: Side Group
    - require: [{pkg: several}]

group-unknown:
  pkg.group_installed:
    - name: No Such Group
    - require: [{pkg: group}]
