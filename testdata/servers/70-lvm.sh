truncate -s 64M /srv/a.img /srv/b.img; for f in a b; do losetup -f /srv/$f.img; done
mkdir -p /etc/lvm; printf 'global { use_lvmpolld = 0 }\ndevices { obtain_device_list_from_udev = 0\n external_device_info_source = "none"\n use_devicesfile = 0 }\nactivation { udev_sync = 0\n udev_rules = 0\n monitoring = 0 }\n' >/etc/lvm/lvm.conf
