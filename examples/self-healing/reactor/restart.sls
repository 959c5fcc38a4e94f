{%- if not data[data['service_name']]['running'] %}
start it again:
  caller.state.apply:
    - args: [{{ data['service_name'] }}]
{%- endif %}
