{%- from "nginx/map.jinja" import nginx with context %}
{%- set sites = nginx.get("sites", {}) %}

nginx:
  pkg.installed:
    - name: {{ nginx.package }}
  service.running:
    - name: {{ nginx.service }}
    - enable: True
    - require:
      - pkg: nginx
    - watch:
      - file: nginx.conf
      {%- for name in sites %}
      - file: site {{ name }}
      {%- endfor %}

nginx.conf:
  file.managed:
    - name: {{ nginx.conf }}
    - source: salt://nginx/files/nginx.conf.jinja
    - template: jinja
    - user: root
    - group: root
    - mode: '0644'
    - context:
        user: {{ nginx.user }}
        sites_dir: {{ nginx.sites_dir }}
        worker_connections: {{ salt["pillar.get"]("nginx:server:worker_connections", 768) }}
    - require:
      - pkg: nginx
{%- for name, site in sites.items() %}

site {{ name }}:
  file.managed:
    - name: {{ nginx.sites_dir }}/{{ name }}
    - source: salt://nginx/files/site.jinja
    - template: jinja
    - mode: '0644'
    - context:
        site: {{ site | json }}
    - defaults:
        index: index.html
    - require:
      - pkg: nginx
{%- endfor %}
