printf '10.0.0.1 old.example old\n10.0.0.2 two.example two # kept\n' >>/etc/hosts
