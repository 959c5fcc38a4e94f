# Once, on a host with a network: servers and tools that the other hosts have no use for, and gems.
set -e
export DEBIAN_FRONTEND=noninteractive
rm -rf /kit/*; mkdir -p /kit/debs /kit/gems
apt-get update -qq
for p in ruby postgresql rabbitmq-server redis-server etcd-server "lvm2 mdadm thin-provisioning-tools xfsprogs" firewalld; do
  apt-get install -y -qq --download-only --no-install-recommends -o Dir::Cache::archives=/kit/debs $p >/dev/null 2>&1
done
rm -rf /kit/debs/partial /kit/debs/lock
apt-get install -y -qq --no-install-recommends ruby >/dev/null 2>&1

# Gems: side-a in three versions, side-b that needs it.
cd /tmp
gem_() { # NAME VERSION [DEPENDENCY REQUIREMENT]
  printf 'Gem::Specification.new do |s|\n s.name = "%s"; s.version = "%s"; s.summary = "x"; s.authors = ["x"]; s.files = []; s.homepage = "http://x"; s.license = "MIT"\n' "$1" "$2" >x.gemspec
  [ -z "${3-}" ] || printf ' s.add_dependency "%s", "%s"\n' "$3" "$4" >>x.gemspec
  echo end >>x.gemspec
  gem build -q x.gemspec -o "/kit/gems/$1-$2.gem" >/dev/null 2>&1
}
for v in 1.0 1.5 2.0; do gem_ side-a $v; done
gem_ side-a 3.0.rc1; gem_ side-b 0.1 side-a '~> 1.0'
mkdir -p /kit/web/gems; cp /kit/gems/*.gem /kit/web/gems; (cd /kit/web && gem generate_index -q >/dev/null 2>&1) || true
chmod -R a+rX /kit
touch /kit/.ready
