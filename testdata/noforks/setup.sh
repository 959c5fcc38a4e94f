# Before the tree, on the host.
set -e
bash /side/setup.sh
printf 'deb [signed-by=/kit/side.gpg] http://127.0.0.1:8000/repo ./\n' >/etc/apt/sources.list.d/side.list
apt-get update -qq
for s in one two; do
  printf '[Unit]\nDescription=x\n[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n' >/etc/systemd/system/quiet-$s.service
done
systemctl daemon-reload
truncate -s 8M /srv/a.img; mkfs.ext4 -q /srv/a.img
