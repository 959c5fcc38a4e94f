base:
  '*': [motd, cron]
