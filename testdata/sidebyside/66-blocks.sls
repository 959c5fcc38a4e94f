replaced:
  file.blockreplace:
    - name: /opt/br/a
    - marker_start: '# START x'
    - marker_end: '# END x'
    - content: |
        one
        two
append:
  file.blockreplace:
    - name: /opt/br/b
    - marker_start: '# START x'
    - marker_end: '# END x'
    - content: one
    - append_if_not_found: true
    - backup: false
append-no-newline:
  file.blockreplace:
    - name: /opt/br/empty
    - marker_start: '# START x'
    - marker_end: '# END x'
    - content: one
    - append_if_not_found: true
    - append_newline: false
unclosed:
  file.blockreplace:
    - name: /opt/br/c
    - marker_start: '# START x'
    - marker_end: '# END x'
    - content: one
notfound:
  file.blockreplace:
    - name: /opt/br/d
    - marker_start: '# START x'
    - marker_end: '# END x'
    - content: one
crlf:
  file.blockreplace:
    - name: /opt/br/crlf
    - marker_start: '# START x'
    - marker_end: '# END x'
    - content: "one\ntwo"
before:
  file.blockreplace:
    - name: /opt/br/d
    - marker_start: '# START y'
    - marker_end: '# END y'
    - content: |
        y1
    - insert_before_match: ^end
after:
  file.blockreplace:
    - name: /opt/br/d
    - marker_start: '# START z'
    - marker_end: '# END z'
    - content: z1
    - insert_after_match: ^key
prepend:
  file.blockreplace:
    - name: /opt/br/e
    - marker_start: '# START p'
    - marker_end: '# END p'
    - content: p1
    - prepend_if_not_found: true
    - show_changes: false
from-source:
  file.blockreplace:
    - name: /opt/br/f
    - marker_start: '# START x'
    - marker_end: '# END x'
    - source: salt://site/block.txt
    - template: jinja
    - context: {who: me}
source-missing:
  file.blockreplace:
    - name: /opt/br/f
    - marker_start: '# START x'
    - marker_end: '# END x'
    - source: salt://site/nope
empty-content:
  file.blockreplace:
    - name: /opt/br/g
    - marker_start: '# START x'
    - marker_end: '# END x'
same-markers:
  file.blockreplace:
    - name: /opt/br/g
    - marker_start: '#x'
    - marker_end: '#x'
    - content: q
    - append_if_not_found: true
missing-file:
  file.blockreplace:
    - name: /opt/br/none
    - content: q
no-name-dir:
  file.blockreplace:
    - name: /opt/br
    - content: q
indent:
  file.blockreplace:
    - name: /opt/br/indent
    - marker_start: '# START x'
    - marker_end: '# END x'
    - content: |
        a
          b
accu:
  file.accumulated:
    - filename: /opt/br/e
    - name: acc
    - text: [t1, t2]
    - require_in: [{file: accu-block}]
accu-block:
  file.blockreplace:
    - name: /opt/br/e
    - marker_start: '# START x'
    - marker_end: '# END x'
    - content: c0
