#!/bin/sh
# Makes the repository that cases.json was recorded over: make.sh DIR
set -e
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com
export GIT_AUTHOR_DATE='2024-01-02T03:04:05Z' GIT_COMMITTER_DATE='2024-01-02T03:04:05Z'
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
mkdir -p "$1" "$1.sub"
cd "$1.sub"
git init -q -b master
echo sub >sub.txt
git add -A
git commit -qm sub
cd "$1"
git init -q -b master
mkdir -p web/files salt/app 'with space' deep/a/b/c
echo 'top: {}' >top.sls
echo 'web: {test.nop: []}' >web/init.sls
printf '#!/bin/sh\necho hi\n' >web/files/run.sh
chmod 755 web/files/run.sh
printf '\000\001\377binary' >web/files/blob.bin
: >web/files/empty
ln -s run.sh web/files/link
ln -s ../../top.sls web/files/up
ln -s ../../../etc/passwd web/files/out
ln -s /etc/hostname web/files/abs
ln -s nowhere web/files/dangling
ln -s loop2 web/files/loop1
ln -s loop1 web/files/loop2
ln -s web/files dirlink
echo 'app: {test.nop: []}' >salt/app/init.sls
echo 'x' >salt/top.sls
ln -s ../top.sls salt/outside
echo 's' >'with space/a file.txt'
echo 'ü' >'with space/üml.txt'
echo 'd' >deep/a/b/c/leaf
git -c protocol.file.allow=always submodule --quiet add "$1.sub" module
sed -i 's|url = .*|url = ../sub|' .gitmodules
git add -A
git commit -qm one
git tag v1.0
git tag -a -m annotated v1.1
echo 'two' >two.txt
git add -A
git commit -qm two
git branch hotfix/v1.2.3
git checkout -q -b dev
echo 'dev' >dev.txt
rm -r deep
git add -A
git commit -qm dev
git checkout -q -b cafe
echo 'cafe' >cafe.txt
git add -A
git commit -qm cafe
git checkout -q master
