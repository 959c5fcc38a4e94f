# Everything goes into one scratch folder of yours: no root needed, and nothing else is touched.
{%- from "hello/map.jinja" import site with context %}
{%- set scratch = salt["environ.get"]("PINCH_SCRATCH", "/tmp/pinch-quickstart-" ~ grains["username"]) %}

scratch folder:
  file.directory:
    - name: {{ scratch }}
    - mode: '0700'

page:
  file.managed:
    - name: {{ scratch }}/site/index.html
    - source: salt://hello/index.html.jinja
    - template: jinja
    - makedirs: True
    - mode: '0644'
    - context:
        site: {{ site | json }}
    - require:
      - file: scratch folder

settings:
  file.serialize:
    - name: {{ scratch }}/site/settings.json
    - dataset: {{ site | json }}
    - formatter: json
    - require:
      - file: page

dotfiles:
  file.recurse:
    - name: {{ scratch }}/dotfiles
    - source: salt://hello/dotfiles
    - require:
      - file: scratch folder

{%- for name, port in site.ports | dictsort %}

port {{ name }}:
  file.managed:
    - name: {{ scratch }}/ports/{{ name }}
    - contents: {{ port }}
    - makedirs: True
    - require:
      - file: scratch folder
{%- endfor %}

current:
  file.symlink:
    - name: {{ scratch }}/current
    - target: {{ scratch }}/site
    - require:
      - file: page

# Runs only when the page or the settings changed.
publish:
  cmd.run:
    - name: date > published
    - cwd: {{ scratch }}
    - onchanges:
      - file: page
      - file: settings
