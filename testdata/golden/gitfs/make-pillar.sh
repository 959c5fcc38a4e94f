#!/bin/sh
# Makes the repositories of the git_pillar cases: make.sh DIR
set -e
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
repo() { mkdir -p "$1"; git -C "$1" init -q -b master; }
done_() { git -C "$1" add -A; git -C "$1" commit -qm x; }
cd "$1"
repo common
printf 'base:\n  "*":\n    - common\n    - web.server.nginx\n' >common/top.sls
printf 'common: 1\nwho: common\nlist: [a]\n' >common/common.sls
done_ common
git -C common checkout -q -b dev
printf 'dev:\n  "*":\n    - devonly\nbase:\n  "*":\n    - common\n' >common/top.sls
printf 'devonly: yes\n' >common/devonly.sls
done_ common
git -C common checkout -q master
repo nginx
printf 'nginx: {port: 80}\n' >nginx/nginx.sls
done_ nginx
repo app
mkdir -p app/pillar
printf 'base:\n  "*":\n    - app\n' >app/pillar/top.sls
printf 'include: [common]\napp: 1\nwho: app\nlist: [b]\n' >app/pillar/app.sls
done_ app
