iptables -A INPUT -p tcp --dport 99 -j DROP; iptables -N OLD; iptables -A OLD -j RETURN
