vhost:
  rabbitmq_vhost.present:
    - name: /side

user:
  rabbitmq_user.present:
    - name: app
    - password: secret
    - tags: [monitoring, user]
    - perms:
      - '/side': ['.*', '.*', '^x']

plain:
  rabbitmq_user.present:
    - name: plain
    - password: p

policy:
  rabbitmq_policy.present:
    - name: ha
    - pattern: '^a'
    - definition: {ha-mode: all}
    - vhost: /side

plugin:
  rabbitmq_plugin.enabled:
    - name: rabbitmq_management_agent

never:
  rabbitmq_user.absent: []

never-vhost:
  rabbitmq_vhost.absent: []

never-policy:
  rabbitmq_policy.absent:
    - vhost: /side

plugin-off:
  rabbitmq_plugin.disabled:
    - name: rabbitmq_stomp

functions:
  module.run:
    - rabbitmq.list_vhosts: []
    - rabbitmq.user_exists: [app]
    - rabbitmq.list_policies: [/side]
    - rabbitmq.list_user_permissions: [app]
    - rabbitmq.plugin_is_enabled: [rabbitmq_management_agent]
