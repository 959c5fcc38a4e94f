"""Salt's folders."""

CONFIG_DIR, SRV_ROOT_DIR, BASE_FILE_ROOTS_DIR, BASE_PILLAR_ROOTS_DIR = "/etc/salt", "/srv", "/srv/salt", "/srv/pillar"
CACHE_DIR, LOGS_DIR, SOCK_DIR, PIDFILE_DIR, ROOT_DIR = "/var/cache/salt", "/var/log/salt", "/var/run/salt", "/var/run", "/"
