{% for dir, dev in [('/mnt/a', '/srv/a.img'), ('/mnt/tmpfs', 'tmpfs'), ('/mnt/b', '/srv/b.img')] %}
{{ dir }}:
  mount.unmounted:
    - device: {{ dev }}
    - persist: true
{% endfor %}
