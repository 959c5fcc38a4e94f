user:
  rabbitmq_user.present:
    - name: app
    - password: other
    - force: true
    - tags: [management]
    - perms:
      - '/side': ['a', 'b', 'c']

plain:
  rabbitmq_user.absent: []

policy:
  rabbitmq_policy.present:
    - name: ha
    - pattern: '^b'
    - definition: '{"ha-mode": "all"}'
    - vhost: /side
    - priority: 3

plugin:
  rabbitmq_plugin.disabled:
    - name: rabbitmq_management_agent

vhost:
  rabbitmq_vhost.absent:
    - name: /side
    - require: [{rabbitmq_policy: policy}]
