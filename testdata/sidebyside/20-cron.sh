printf 'SHELL=/bin/sh\n0 1 * * * /usr/bin/legacy\n# SALT_CRON_IDENTIFIER:old\n1 1 * * * /usr/bin/old\n@daily /usr/bin/special\n' | crontab -
