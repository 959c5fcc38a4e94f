for i in a b c; do truncate -s 8M /srv/$i.img; mkfs.ext4 -q -U 0000000$(printf %d "'$i" | cut -c1)-0000-4000-8000-0000000000$i$i -L vol$i /srv/$i.img; done
truncate -s 8M /srv/swap.img; chmod 600 /srv/swap.img; mkswap -q /srv/swap.img >/dev/null 2>&1
mkdir -p /mnt/c /mnt/old; mount -o loop /srv/c.img /mnt/c
printf '# a comment\n/srv/old.img\t/mnt/old\text4\tnoauto 0 0\nLABEL=volx /mnt/x ext4 defaults 0 2\n' >/etc/fstab
