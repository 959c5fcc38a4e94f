{% if grains['os'] == 'Debian' %}
address: {{ grains['ip_interfaces']['eth0'][0] }}
  {% if grains['rack']|default(0) > 5 %}
ports: {web: 8080, admin: 9090}
  {% elif grains['rack']|default(0) > 2 %}
ports: {web: 8000}
  {% else %}
ports: {web: 80}
  {% endif %}
{% endif %}
