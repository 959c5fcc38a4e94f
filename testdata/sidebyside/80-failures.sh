mkdir -p /mnt/full /mnt/ro /opt/fail; mount -t tmpfs -o size=64k full /mnt/full; mount -t tmpfs ro /mnt/ro
echo old >/mnt/ro/file; echo old >/mnt/full/file; mkdir /mnt/full/dir; mount -o remount,ro /mnt/ro
dd if=/dev/zero of=/kit.big bs=1k count=400 2>/dev/null; dd if=/dev/zero of=/mnt/full/filler bs=1k count=44 2>/dev/null
echo old >/opt/fail/fixed; chattr +i /opt/fail/fixed 2>/dev/null; echo keep >/opt/fail/hash; echo keep >/opt/fail/edit
systemd-run -q --unit=mute python3 -c 'import socket,time; s=socket.socket(); s.setsockopt(1,2,1); s.bind(("127.0.0.1",8001)); s.listen(9); time.sleep(9999)'
