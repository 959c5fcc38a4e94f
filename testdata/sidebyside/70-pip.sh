useradd -m dev 2>/dev/null; python3 -m venv /opt/venv; /opt/venv/bin/pip -q install sbsa==1.0 sbsb==0.3
printf 'sbsa==1.5\nsbsc\n' >/srv/requirements.txt
