plain:
  file.recurse:
    - name: /opt/rec0
    - source: salt://site/tree
    - template: jinja
    - context: {v: one}
    - user: nobody
    - group: nogroup
    - dir_mode: '0750'
    - file_mode: '0640'
clean:
  file.recurse:
    - name: /opt/rec1
    - source: salt://site/tree
    - clean: true
    - exclude_pat: 'E@(skip|keep)'
include:
  file.recurse:
    - name: /opt/rec2
    - source: salt://site/tree
    - include_pat: '*.conf'
    - clean: true
include-re:
  file.recurse:
    - name: /opt/rec3
    - source: salt://site/tree
    - include_pat: E@sub/.*
    - file_mode: keep
    - include_empty: true
keep-modes:
  file.recurse:
    - name: /opt/rec4
    - source: salt://site/tree
    - file_mode: keep
    - keep_symlinks: true
    - force_symlinks: true
    - maxdepth: 0
    - clean: true
no-replace:
  file.recurse:
    - name: /opt/rec5
    - source: salt://site/tree
    - replace: false
    - backup: minion
in-the-way:
  file.recurse:
    - name: /opt/rec6
    - source: salt://site/tree
missing:
  file.recurse:
    - name: /opt/rec7
    - source: salt://no-such-tree
a-file:
  file.recurse:
    - name: /opt/rec7
    - source: salt://site/tree/b.txt
local:
  file.recurse:
    - name: /opt/rec7
    - source: /tree/site/tree
with-mode:
  file.recurse:
    - name: /opt/rec7
    - source: salt://site/tree
    - mode: 644
unknown-user:
  file.recurse:
    - name: /opt/rec8
    - source: salt://site/tree
    - user: nosuchuser
over-file:
  file.recurse:
    - name: /opt/rec6/sub
    - source: salt://site/tree
managed-kept:
  file.managed:
    - name: /opt/rec9/own
    - makedirs: true
    - contents: own
clean-keeps-required:
  file.recurse:
    - name: /opt/rec9
    - source: salt://site/tree/sub
    - clean: true
    - require: [{file: managed-kept}]
two-sources:
  file.recurse:
    - name: /opt/rec10
    - source: [salt://nope, salt://site/tree/sub]
undefined:
  file.recurse:
    - name: /opt/rec11
    - source: salt://site/tree
    - template: jinja
