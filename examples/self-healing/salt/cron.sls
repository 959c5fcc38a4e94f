cron:
  service.running:
    - enable: True
