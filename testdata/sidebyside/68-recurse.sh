for i in 1 2 3 4 5; do mkdir -p /opt/rec$i/old /opt/rec$i/keep; echo x >/opt/rec$i/old/x; echo y >/opt/rec$i/keep/extra; echo z >/opt/rec$i/stray; done; mkdir /opt/rec6; echo f >/opt/rec6/sub
