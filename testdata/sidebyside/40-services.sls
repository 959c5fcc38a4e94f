side-a:
  service.running:
    - enable: true

side-b:
  service.dead:
    - enable: false

c-enabled:
  service.enabled:
    - name: side-c

d-disabled:
  service.disabled:
    - name: side-d

e-unmasked:
  service.unmasked:
    - name: side-e

e-running:
  service.running:
    - name: side-e
    - require: [{service: e-unmasked}]

e-masked-running:
  service.running:
    - name: side-f
    - unmask: true
    - unmask_runtime: true
    - no_block: true

fails:
  service.running:
    - name: side-fails
    - init_delay: 1

static:
  service.running:
    - name: side-static
    - enable: true

instance:
  service.running:
    - name: side-at@one
    - enable: true

timer:
  service.running:
    - name: side-once.timer
    - enable: true

oneshot:
  service.running:
    - name: side-once
    - sig: nothing

sysv:
  service.running:
    - name: side-sysv
    - enable: true

masked:
  service.masked:
    - name: side-d
    - require: [{service: d-disabled}]

masked-runtime:
  service.masked:
    - name: side-b
    - runtime: true
    - require: [{service: side-b}]

missing:
  service.running:
    - name: not-here
    - enable: true

missing-dead:
  service.dead:
    - name: not-here
    - enable: false

missing-masked:
  service.masked:
    - name: not-here

missing-disabled:
  service.disabled:
    - name: not-here

conf:
  file.managed:
    - name: /etc/side.conf
    - contents: {{ salt['file.file_exists']('/etc/side.conf') and 'two' or 'one' }}

watched:
  service.running:
    - name: cron
    - watch: [{file: conf}]
    - reload: true
