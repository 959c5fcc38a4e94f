# On each host, before the first tree: packages from /kit, a web server on the loopback, what the trees find.
set -e
export DEBIAN_FRONTEND=noninteractive
dpkg -i /kit/debs/*.deb >/dev/null 2>&1
rm -f /etc/apt/sources.list.d/*; : >/etc/apt/sources.list; rm -rf /var/lib/apt/lists/*
echo sidehost >/etc/hostname; hostname sidehost; printf '127.0.0.1 localhost\n127.0.1.1 sidehost\n' >/etc/hosts
mount -o remount,rw /proc/sys
systemd-run -q --unit=web python3 -m http.server 8000 --bind 127.0.0.1 --directory /kit
mkdir -p /srv/fixed /etc/salt
git clone -q --bare /kit/app.git /srv/app.git
git config --global --add safe.directory '*'
printf '[global]\nno-index = true\nfind-links = /kit/wheels\ndisable-pip-version-check = true\n' >/etc/pip.conf
for i in 1 2 3 4; do until systemctl is-active -q web; do sleep 0.2; done; done
until python3 -c 'import urllib.request as u; u.urlopen("http://127.0.0.1:8000/")'; do sleep 0.2; done
