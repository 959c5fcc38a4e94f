# On each host, before the first tree.
set -e
export DEBIAN_FRONTEND=noninteractive
dpkg -i /kit/debs/*.deb >/dev/null 2>&1
mkdir -p /etc/salt /etc/yum.repos.d /etc/zypp/repos.d
mkdir -p /etc/dnf/vars; echo 38 >/etc/dnf/vars/releasever
# Debian's rpm has its database in root's home, zypper another one: both get one.
mkdir -p /etc/rpm; printf '%%_dbpath /var/lib/rpm\n' >/etc/rpm/macros.side
