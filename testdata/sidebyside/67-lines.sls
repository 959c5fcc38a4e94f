ensure-between:
  file.line:
    - name: /opt/line/f1
    - mode: ensure
    - content: added=1
    - after: \[main\]
    - before: key=1
ensure-after:
  file.line:
    - name: /opt/line/f2
    - mode: ensure
    - content: added=1
    - after: ^\[other\]
insert-start:
  file.line:
    - name: /opt/line/f3
    - mode: insert
    - location: start
    - content: '# top'
insert-end:
  file.line:
    - name: /opt/line/f3
    - mode: insert
    - location: end
    - content: '# bottom'
insert-before:
  file.line:
    - name: /opt/line/f4
    - mode: insert
    - before: indented
    - content: deep
    - indent: true
insert-after-noindent:
  file.line:
    - name: /opt/line/f4
    - mode: insert
    - after: indented
    - content: flat
    - indent: false
replace:
  file.line:
    - name: /opt/line/f5
    - mode: replace
    - match: key=1
    - content: key=one
delete:
  file.line:
    - name: /opt/line/f6
    - mode: delete
    - content: last
delete-match:
  file.line:
    - name: /opt/line/f6
    - mode: delete
    - match: ^key
delete-before-after:
  file.line:
    - name: /opt/line/f7
    - mode: delete
    - match: key=2
    - after: \[other\]
    - before: last
many-matches:
  file.line:
    - name: /opt/line/f8
    - mode: ensure
    - content: x=1
    - after: key
nomatch:
  file.line:
    - name: /opt/line/f8
    - mode: replace
    - match: nowhere
    - content: y
no-mode:
  file.line:
    - name: /opt/line/f8
    - content: y
bad-mode:
  file.line:
    - name: /opt/line/f8
    - mode: bogus
    - content: y
no-content:
  file.line:
    - name: /opt/line/f8
    - mode: insert
    - location: end
no-where:
  file.line:
    - name: /opt/line/f8
    - mode: insert
    - content: z
no-where-ensure:
  file.line:
    - name: /opt/line/f8
    - mode: ensure
    - content: z
empty:
  file.line:
    - name: /opt/line/empty
    - mode: insert
    - location: end
    - content: first
empty2:
  file.line:
    - name: /opt/line/empty
    - mode: ensure
    - after: nothing
    - content: second
nonl:
  file.line:
    - name: /opt/line/nonl
    - mode: insert
    - location: end
    - content: y
missing:
  file.line:
    - name: /opt/line/none
    - mode: insert
    - location: end
    - content: y