main:
  git.latest:
    - name: file:///srv/app.git
    - target: /opt/main
    - user: root

branch:
  git.latest:
    - name: file:///srv/app.git
    - target: /opt/side
    - rev: side
    - branch: local-side

commit:
  git.latest:
    - name: /srv/app.git
    - target: /opt/tagged
    - rev: v2

detached:
  git.detached:
    - name: /srv/app.git
    - target: /opt/detached
    - rev: v1

cloned:
  git.cloned:
    - name: /srv/app.git
    - target: /opt/cloned
    - branch: side

present:
  git.present:
    - name: /opt/fresh
    - bare: false

present-bare:
  git.present:
    - name: /opt/fresh.git
    - shared: group

config:
  git.config_set:
    - name: user.email
    - value: x@example.com
    - repo: /opt/fresh
    - require: [{git: present}]

config-many:
  git.config_set:
    - name: remote.origin.fetch
    - multivar: [+refs/heads/a:refs/a, +refs/heads/b:refs/b]
    - repo: /opt/fresh
    - require: [{git: present}]

config-global:
  git.config_set:
    - name: side.key
    - value: 'true'
    - global: true

config-unset:
  git.config_unset:
    - name: side.none
    - global: true

missing-rev:
  git.latest:
    - name: /srv/app.git
    - target: /opt/missing
    - rev: none

missing:
  git.latest:
    - name: http://127.0.0.1:8000/none.git
    - target: /opt/none

as-user:
  git.latest:
    - name: /srv/app.git
    - target: /srv/homes/have/app
    - user: have
    - depth: 1
