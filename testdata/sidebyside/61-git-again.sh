git clone -q /srv/app.git /tmp/push; cd /tmp/push
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com GIT_AUTHOR_DATE='2024-02-01T00:00:00Z' GIT_COMMITTER_DATE='2024-02-01T00:00:00Z'
echo 3 >f; git commit -qam three; git tag -f v2 >/dev/null 2>&1; git push -qf origin main v2 2>/dev/null; git checkout -q side; echo t >t; git add t; git commit -qm side2; git push -q origin side 2>/dev/null
echo dirty >/opt/side/s; echo local >/opt/main/local
