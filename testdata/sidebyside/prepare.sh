# Once, on a host with a network: what the hosts without one need, into /kit. /common has the tools that make packages.
set -e
export DEBIAN_FRONTEND=noninteractive
rm -rf /kit/*; mkdir -p /kit/debs
apt-get update -qq
apt-get install -y -qq --download-only --no-install-recommends -o Dir::Cache::archives=/kit/debs iptables gnupg locales tzdata python3-venv \
  virtualenv sudo unzip zip xz-utils bzip2 e2fsprogs kmod at debconf-utils netbase strace >/dev/null 2>&1
rm -rf /kit/debs/partial /kit/debs/lock
dpkg -i /kit/debs/*.deb >/dev/null 2>&1

# A signed repository: sbs-one in three versions, sbs-two that needs it, sbs-ask with a question, sbs-svc with a service.
export DEBS=/kit/own
. /common/debs.sh
for v in 1.0 1.1 2.0-1; do mkdeb sbs-one $v; done
mkdeb sbs-two 1.0 'Depends: sbs-one (>= 1.0)'; mkdeb sbs-two 2.0 'Depends: sbs-one (>= 2.0)'
mkdeb sbs-three 0.9; mkdeb sbs-three 1:0.5; mkdeb sbs-virtual-impl 1.0 'Provides: sbs-virtual'
for p in sbs-lib sbs-extra; do mkdeb $p 1.0; done; mkdeb sbs-app 1.0 'Depends: sbs-lib' 'Recommends: sbs-extra'
mkdeb sbs-secure 3.0
mkrepo /kit/repo /kit/own/sbs-[oatlev]*.deb
mkrepo /kit/secure /kit/own/sbs-secure*.deb
export GNUPGHOME=/tmp/gnupg; mkdir -m 700 $GNUPGHOME
gpg --batch --quiet --passphrase '' --quick-gen-key 'Side <side@example.com>' rsa2048 sign never 2>/dev/null
for r in repo secure; do gpg --batch --quiet --clearsign -o /kit/$r/InRelease /kit/$r/Release; done
gpg --export side@example.com >/kit/side.gpg; gpg --armor --export side@example.com >/kit/side.asc
gpg --list-keys --with-colons | awk -F: '$1=="fpr"{print $10; exit}' >/kit/fingerprint

# Wheels.
mkdir -p /kit/wheels
cat >/tmp/wheel.py <<'END'
import sys, zipfile
name, version, *needs = sys.argv[1:]
info = "%s-%s.dist-info/" % (name, version)
with zipfile.ZipFile("/kit/wheels/%s-%s-py3-none-any.whl" % (name, version), "w") as z:
    z.writestr(name + ".py", "version = %r\n" % version)
    z.writestr(info + "METADATA", "Metadata-Version: 2.1\nName: %s\nVersion: %s\n" % (name, version) + "".join("Requires-Dist: %s\n" % n for n in needs))
    z.writestr(info + "WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    z.writestr(info + "RECORD", "%s.py,,\n%sMETADATA,,\n%sWHEEL,,\n%sRECORD,,\n" % (name, info, info, info))
END
for v in 1.0 1.5 2.0; do python3 /tmp/wheel.py sbsa $v; done
python3 /tmp/wheel.py sbsb 0.3; python3 /tmp/wheel.py sbsb 0.4; python3 /tmp/wheel.py sbsc 1.0 'sbsa>=1'

# A repository of Git with branches, tags and a submodule; archives.
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com
export GIT_AUTHOR_DATE='2024-01-01T00:00:00Z' GIT_COMMITTER_DATE='2024-01-01T00:00:00Z'
git init -q -b main /tmp/w; cd /tmp/w
echo 1 >f; mkdir d; echo x >d/x; git add .; git commit -qm one; git tag v1
echo 2 >f; git commit -qam two; git tag -a v2 -m annotated; git checkout -qb side v1; echo s >s; git add .; git commit -qm side; git checkout -q main
git clone -q --bare /tmp/w /kit/app.git
mkdir -p /tmp/a/app-1/bin; echo hello >/tmp/a/app-1/README; printf '#!/bin/sh\n' >/tmp/a/app-1/bin/run; chmod 755 /tmp/a/app-1/bin/run
ln -s bin/run /tmp/a/app-1/link; touch -d 2024-01-01 /tmp/a/app-1/* /tmp/a/app-1/bin/*
mkdir /kit/archives; cd /tmp/a
tar --owner=0 --group=0 --mtime=2024-01-01 -czf /kit/archives/app.tar.gz app-1; tar --owner=0 --group=0 --mtime=2024-01-01 -cJf /kit/archives/app.tar.xz app-1
tar --owner=0 --group=0 --mtime=2024-01-01 -cjf /kit/archives/app.tar.bz2 app-1; zip -qry /kit/archives/app.zip app-1
tar -C app-1 -czf /kit/archives/flat.tgz README bin; echo broken >/kit/archives/broken.tar.gz
dd if=/dev/urandom of=/tmp/big bs=1k count=300 2>/dev/null; tar -C /tmp -czf /kit/archives/big.tar.gz big
head -c 100000 /kit/archives/big.tar.gz >/kit/archives/truncated.tar.gz
(cd /kit/archives; sha256sum app.tar.gz app.zip >SHA256SUMS)
chmod -R a+rX /kit
touch /kit/.ready
