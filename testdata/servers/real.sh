# VENV OUT: what only real Salt sees, once: the Python libraries that it needs for these servers, and modules that 3008 has dropped, from 3007.17, as an extension.
set -e
venv=$1 out=$2; rm -rf "$out"; mkdir -p "$out/dropped/modules" "$out/dropped/states" "$out/dropped-1.0.dist-info"
"$venv/bin/pip" install -q --target "$out" --no-deps python-etcd etcd3-py redis dnspython urllib3 requests idna certifi charset-normalizer \
  six semantic_version aiohttp multidict yarl frozenlist aiosignal attrs propcache aiohappyeyeballs
if [ -n "${SALT_3007-}" ]; then src=$SALT_3007; else
  download() { "$venv/bin/pip" download -q --no-deps --no-binary :all: -d "$out" "$@" salt==3007.17; }
  download || download --no-build-isolation # pip wants to build what it downloads: with the tools that it fetches, or with those that are here
  tar -C "$out" -xzf "$out/salt-3007.17.tar.gz"; src=$out/salt-3007.17
fi
for f in gem rvm rbenv redismod; do cp "$src/salt/modules/$f.py" "$out/dropped/modules/"; done
for f in gem redismod; do cp "$src/salt/states/$f.py" "$out/dropped/states/"; done
rm -rf "$out"/salt-3007.17*; touch "$out/dropped/__init__.py"
printf 'Metadata-Version: 2.1\nName: dropped\nVersion: 1.0\n' >"$out/dropped-1.0.dist-info/METADATA"
printf '[salt.loader]\nsalt.loader = dropped\n' >"$out/dropped-1.0.dist-info/entry_points.txt"
chmod -R a+rX "$out"; touch "$out/.ready"
