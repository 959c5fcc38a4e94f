# On each host, before the first tree.
set -e
export DEBIAN_FRONTEND=noninteractive
mkdir -p /etc/default /etc/salt; printf 'ETCD_ENABLE_V2=true\n' >/etc/default/etcd
echo sidehost >/etc/hostname; hostname sidehost; printf '127.0.0.1 localhost sidehost\n' >/etc/hosts
dpkg --force-confold -i /kit/debs/*.deb >/dev/null 2>&1
for s in etcd redis-server postgresql rabbitmq-server; do [ ! -e /lib/systemd/system/$s.service ] || systemctl start $s; done
