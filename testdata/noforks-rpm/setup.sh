# Before the tree, on the host.
set -e
bash /side/setup.sh
printf '[side]\nname=side\nbaseurl=file:///kit/rpmrepo\ngpgcheck=0\nenabled=1\n' | tee /etc/yum.repos.d/side.repo >/etc/zypp/repos.d/side.repo
