printf 'deb [signed-by=/kit/side.gpg] http://127.0.0.1:8000/repo ./\n' >/etc/apt/sources.list.d/side.list
apt-get update -qq; apt-get remove -y -qq sbs-app sbs-three >/dev/null 2>&1
printf 'deb [trusted=yes] http://127.0.0.1:9/away ./\n' >/etc/apt/sources.list.d/away.list
