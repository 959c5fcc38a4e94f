rm /etc/apt/sources.list.d/away.list
# Another one has dpkg's lock for a while.
systemd-run -q --unit=locker python3 -c 'import fcntl,time; f=open("/var/lib/dpkg/lock-frontend","w"); fcntl.lockf(f, fcntl.LOCK_EX); time.sleep(7)'
