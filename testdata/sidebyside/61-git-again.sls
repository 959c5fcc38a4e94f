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

config-unset:
  git.config_unset:
    - name: side\.key
    - global: true
    - all: true

update-off:
  git.latest:
    - name: /srv/app.git
    - target: /opt/cloned
    - rev: side
    - force_fetch: true
    - update_head: false
