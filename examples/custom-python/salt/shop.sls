{% set conf = opts.root_dir ~ '/agent.conf' %}
agent file:
  file.managed:
    - name: {{ conf }}
    - replace: False
    - contents: '# kept by agent.setting'

port:
  agent.setting:
    - value: {{ salt['agent.port']('web') }}
    - path: {{ conf }}
    - require:
      - file: agent file

address:
  agent.setting:
    - value: {{ pillar.address }}
    - path: {{ conf }}
    - require:
      - file: agent file
