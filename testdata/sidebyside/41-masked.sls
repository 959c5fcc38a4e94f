own:
  service.masked

crontab:
  cron.file:
    - name: salt://site/crontab
    - user: games
    - template: jinja
