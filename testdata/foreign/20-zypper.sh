rm -f /etc/yum.repos.d/*; rpm -e sfone sfgroup sfextra sflib sftwo sfthree 2>/dev/null; for p in sfone sfgroup sfextra sflib sftwo sfthree; do rpm -e $p 2>/dev/null; done
