mkdir -p /opt/line; for i in 1 2 3 4 5 6 7 8 9; do printf '[main]\nkey=1\n    indented\n[other]\nkey=2\nlast\n' >/opt/line/f$i; done; : >/opt/line/empty; printf 'x' >/opt/line/nonl
