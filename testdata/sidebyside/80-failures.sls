full-managed:
  file.managed:
    - name: /mnt/full/file
    - source: /kit.big

full-contents:
  file.managed:
    - name: /mnt/full/new
    - contents: {{ 'x' * 100000 }}

full-append:
  file.append:
    - name: /mnt/full/file
    - text: {{ 'y' * 100000 }}

full-copy:
  file.copy:
    - name: /mnt/full/copy
    - source: /kit.big

full-archive:
  archive.extracted:
    - name: /mnt/full/dir
    - source: /kit/archives/big.tar.gz
    - enforce_toplevel: false

ro-managed:
  file.managed:
    - name: /mnt/ro/file
    - contents: new

ro-replace:
  file.replace:
    - name: /mnt/ro/file
    - pattern: old
    - repl: new

ro-directory:
  file.directory:
    - name: /mnt/ro/dir

ro-absent:
  file.absent:
    - name: /mnt/ro/file

ro-symlink:
  file.symlink:
    - name: /mnt/ro/link
    - target: file

fixed-managed:
  file.managed:
    - name: /opt/fail/fixed
    - contents: new

fixed-absent:
  file.absent:
    - name: /opt/fail/fixed

denied:
  cmd.run:
    - name: echo x >/root/denied
    - runas: nobody

proc:
  file.managed:
    - name: /proc/nothing/file
    - contents: x

missing-source:
  file.managed:
    - name: /opt/fail/source
    - source: salt://none

http-404:
  file.managed:
    - name: /opt/fail/404
    - source: http://127.0.0.1:8000/none
    - skip_verify: true

http-timeout:
  file.managed:
    - name: /opt/fail/timeout
    - source: http://127.0.0.1:8001/x
    - skip_verify: true

http-refused:
  file.managed:
    - name: /opt/fail/refused
    - source: http://127.0.0.1:9/x
    - skip_verify: true

http-hash-404:
  file.managed:
    - name: /opt/fail/hash404
    - source: http://127.0.0.1:8000/archives/app.zip
    - source_hash: http://127.0.0.1:8000/none

wrong-hash:
  file.managed:
    - name: /opt/fail/hash
    - source: http://127.0.0.1:8000/archives/app.zip
    - source_hash: sha256={{ '0' * 64 }}

recurse-ro:
  file.recurse:
    - name: /mnt/ro/tree
    - source: salt://archives

bad-archive:
  archive.extracted:
    - name: /opt/fail/archive
    - source: /kit/archives/truncated.tar.gz

script-missing:
  cmd.script:
    - source: salt://none.sh

user-bad-shell:
  user.present:
    - name: 'bad name'

service-none:
  service.running:
    - name: none

pkg-none:
  pkg.installed:
    - name: sbs-nonesuch

git-none:
  git.latest:
    - name: http://127.0.0.1:9/none.git
    - target: /opt/fail/git

mount-none:
  mount.mounted:
    - name: /mnt/none
    - device: /dev/none
    - fstype: ext4
    - mkmnt: true
    - persist: false

check-cmd:
  file.managed:
    - name: /opt/fail/edit
    - contents: changed
    - check_cmd: grep -q never

last:
  test.succeed_with_changes
