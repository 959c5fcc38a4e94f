rm -rf /usr/share/sf*
printf '[options]\nArchitecture = auto\nSigLevel = Never\nLocalFileSigLevel = Never\n[side]\nServer = file:///kit/archrepo\n' >/etc/pacman.conf
mkdir -p /var/lib/pacman; pacman -Sy >/dev/null 2>&1; pacman -U --noconfirm /kit/archrepo/sfone-1.0-1-any.pkg.tar.zst >/dev/null 2>&1
