# Once, on a host with a network: dnf, zypper and pacman as Debian has them, and repositories of tiny packages for them.
set -e
export DEBIAN_FRONTEND=noninteractive
rm -rf /kit/*; mkdir -p /kit/debs
apt-get update -qq
for p in "dnf createrepo-c rpm strace" zypper "pacman-package-manager makepkg zstd libarchive-tools"; do
  apt-get install -y -qq --download-only --no-install-recommends -o Dir::Cache::archives=/kit/debs $p >/dev/null 2>&1
done
rm -rf /kit/debs/partial /kit/debs/lock
dpkg -i /kit/debs/*.deb >/dev/null 2>&1

# rpm NAME VERSION RELEASE [TAG: VALUE]...
rpm() {
  local spec=/tmp/$1.spec
  { printf 'Name: %s\nVersion: %s\nRelease: %s\nSummary: a test\nLicense: none\nBuildArch: noarch\n' "$1" "$2" "$3"
    shift 3; printf '%s\n' "$@"
    printf '%%description\na test\n%%install\nmkdir -p %%{buildroot}/usr/share/%%{name}\necho %%{version} >%%{buildroot}/usr/share/%%{name}/version\n%%files\n/usr/share/%%{name}\n'; } >"$spec"
  rpmbuild -bb -D "_rpmdir /kit/rpms" "$spec" >/dev/null 2>&1
}
rpm sfone 1.0 1; rpm sfone 2.0 1; rpm sftwo 1.5 3 'Epoch: 2'; rpm sfthree 1.0 1 'Requires: sflib'; rpm sflib 0.1 1; rpm sfgroup 1.0 1; rpm sfextra 1.0 1
cat >/tmp/comps.xml <<'END'
<?xml version="1.0"?><comps><group><id>side</id><name>Side Group</name><description>d</description><default>true</default><uservisible>true</uservisible>
<packagelist><packagereq type="mandatory">sfgroup</packagereq><packagereq type="default">sflib</packagereq><packagereq type="optional">sfextra</packagereq></packagelist></group></comps>
END
mv /kit/rpms/noarch /kit/rpmrepo; createrepo_c -q -g /tmp/comps.xml /kit/rpmrepo

# arch NAME VERSION [KEY = VALUE]...
arch() {
  local dir; dir=$(mktemp -d); mkdir -p "$dir/usr/share/$1" /kit/archrepo; echo "$2" >"$dir/usr/share/$1/version"
  { printf 'pkgname = %s\npkgbase = %s\npkgver = %s\npkgdesc = a test\nurl = http://x\nbuilddate = 1700000000\npackager = x\nsize = 1\narch = any\n' "$1" "$1" "$2"; shift 2; printf '%s\n' "$@"; } >"$dir/.PKGINFO"
  (cd "$dir"; n=$(sed -n 's/^pkgname = //p' .PKGINFO); v=$(sed -n 's/^pkgver = //p' .PKGINFO); bsdtar -cf - .PKGINFO usr | zstd -q >"/kit/archrepo/$n-$v-any.pkg.tar.zst")
}
arch sfone 2.0-1; arch sftwo 1.5-3 'group = side'; arch sfthree 1.0-1 'depend = sflib' 'group = side'; arch sflib 0.1-1
repo-add -q /kit/archrepo/side.db.tar.gz /kit/archrepo/*.zst >/dev/null 2>&1
arch sfone 1.0-1
chmod -R a+rX /kit
touch /kit/.ready
