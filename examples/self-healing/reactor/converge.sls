# {{ tag }}
put the file right:
  local.state.apply:
    - tgt: {{ data['id'] }}
    - arg: [motd]
