# Your own machine: packages (with root), dotfiles and a user service.
{%- set user = salt["environ.get"]("SUDO_USER", grains["username"]) %}
{%- set home = salt["user.info"](user).get("home", "/home/" ~ user) %}
{%- set conf = salt["pillar.get"]("workstation", {}) %}

{%- if grains["uid"] == 0 and conf.get("packages") %}
packages:
  pkg.installed:
    - pkgs: {{ conf.packages | json }}
{%- endif %}

dotfiles:
  file.recurse:
    - name: {{ home }}
    - source: salt://workstation/dotfiles
    - user: {{ user }}
    - file_mode: '0644'

gitconfig:
  file.managed:
    - name: {{ home }}/.config/git/config
    - user: {{ user }}
    - makedirs: True
    - replace: False
    - contents: '# yours'

{%- for key, val in conf.get("git", {}).items() %}

git {{ key }}:
  ini.options_present:
    - name: {{ home }}/.config/git/config
    - sections:
        {{ key.split(".")[0] }}:
          {{ key.split(".")[1] }}: {{ val }}
    - require:
      - file: gitconfig
{%- endfor %}

backup service:
  file.managed:
    - name: {{ home }}/.config/systemd/user/backup.service
    - user: {{ user }}
    - makedirs: True
    - contents: |
        [Unit]
        Description=Back up the configuration of this user

        [Service]
        Type=oneshot
        ExecStart=/bin/tar -czf %h/.config-backup.tar.gz -C %h .config

backup timer:
  file.managed:
    - name: {{ home }}/.config/systemd/user/backup.timer
    - user: {{ user }}
    - makedirs: True
    - contents: |
        [Unit]
        Description=Back up every day

        [Timer]
        OnCalendar=daily
        Persistent=true

        [Install]
        WantedBy=timers.target
  cmd.run:
    - name: systemctl --user daemon-reload && systemctl --user enable --now backup.timer
    - runas: {{ user }}
    - onlyif: systemctl --user is-system-running
    - onchanges:
      - file: backup service
      - file: backup timer
