mkdir -p /srv/space; chown postgres /srv/space
