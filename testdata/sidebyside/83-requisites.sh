mkdir -p /opt/rq; echo old >/opt/rq/pre; rm -f /opt/rq/count
