{% for p in ['two', 'three'] %}
{{ p }}-set:
  etcd.set:
    - name: /side/{{ p }}/color
    - value: blue
    - profile: {{ p }}

{{ p }}-change:
  etcd.set:
    - name: /side/{{ p }}/old
    - value: new
    - profile: {{ p }}

{{ p }}-rm:
  etcd.rm:
    - name: /side/{{ p }}/gone
    - profile: {{ p }}

{{ p }}-rm-never:
  etcd.rm:
    - name: /side/{{ p }}/never
    - profile: {{ p }}

{{ p }}-wait:
  etcd.wait_set:
    - name: /side/{{ p }}/waited
    - value: x
    - profile: {{ p }}
    - watch: [{etcd: {{ p }}-change}]
{% endfor %}

folder:
  etcd.directory:
    - name: /side/two/folder
    - profile: two

no-profile:
  etcd.set:
    - name: /side/none
    - value: x

functions:
  module.run:
    - etcd.update:
      - fields: {a: {b: '1', c: x}, d: '2'}
      - path: /side/two/tree
      - profile: two
    - etcd.tree: [/side/two, two]
    - etcd.ls: [/side/two, two]
    - etcd.get:
      - key: /side/two/tree/a
      - recurse: true
      - profile: two
    - etcd.set: [/side/two/short, v, two, 100]
    - etcd.rm:
      - key: /side/two/short
      - profile: two

functions-three:
  module.run:
    - etcd.update:
      - fields: {a: {b: 1, c: x}, d: [1, y]}
      - path: /side/three/tree
      - profile: three
    - etcd.tree: [/side/three, three]
    - etcd.ls: [/side/three, three]
    - etcd.get: [/side/three/tree/d, false, three]
    - etcd.set: [/side/three/short, v, three, 100]
    - etcd.rm:
      - key: /side/three/short
      - profile: three
