managed:
  virtualenv.managed:
    - name: /opt/managed
    - requirements: salt://requirements.txt
    - venv_bin: virtualenv

pyvenv:
  virtualenv.managed:
    - name: /opt/pyvenv
    - venv_bin: /usr/bin/virtualenv
    - system_site_packages: true
    - pip_pkgs: [sbsb]
    - user: dev

pin:
  pip.installed:
    - name: sbsa == 1.5
    - bin_env: /opt/venv

range:
  pip.installed:
    - name: sbsb>=0.1,<0.4
    - bin_env: /opt/venv

requirements:
  pip.installed:
    - requirements: /srv/requirements.txt
    - bin_env: /opt/venv
    - require: [{pip: pin}]

names:
  pip.installed:
    - pkgs: [sbsa, sbsc]
    - bin_env: /opt/venv
    - require: [{pip: requirements}]

upgrade:
  pip.installed:
    - name: sbsb
    - upgrade: true
    - bin_env: /opt/venv
    - require: [{pip: range}]

impossible:
  pip.installed:
    - name: sbsa==9.9
    - bin_env: /opt/venv

bad:
  pip.installed:
    - name: sbsa=1
    - bin_env: /opt/venv

no-env:
  pip.installed:
    - name: sbsa
    - bin_env: /opt/not-there

uptodate:
  pip.uptodate:
    - bin_env: /opt/managed
    - require: [{virtualenv: managed}]

removed:
  pip.removed:
    - name: sbsc
    - bin_env: /opt/managed
    - require: [{pip: uptodate}]

removed-not-there:
  pip.removed:
    - name: nonesuch
    - bin_env: /opt/venv
