repo:
  pkgrepo.managed:
    - name: side
    - baseurl: dir:///kit/rpmrepo
    - gpgcheck: false
    - refresh: true

repo-off:
  pkgrepo.managed:
    - name: off
    - baseurl: http://127.0.0.1:9/off
    - enabled: false

repo-bad:
  pkgrepo.managed:
    - name: bad

repo-gone:
  pkgrepo.absent:
    - name: never

version:
  pkg.installed:
    - name: sfone
    - version: 1.0-1
    - refresh: false
    - require: [{pkgrepo: repo}]

several:
  pkg.installed:
    - pkgs: [sfthree, sftwo]
    - require: [{pkgrepo: repo}]

unknown:
  pkg.installed:
    - name: sfnone
    - require: [{pkgrepo: repo}]

held:
  pkg.held:
    - name: sfone
    - require: [{pkg: version}]

held-version:
  pkg.held:
    - pkgs: [sftwo: 2:1.5-3]
    - require: [{pkg: several}]

group:
  pkg.group_installed:
    - name: Side Group
