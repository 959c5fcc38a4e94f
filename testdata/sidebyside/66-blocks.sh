mkdir -p /opt/br; printf 'top\n# START x\nold\n# END x\nbottom\n' >/opt/br/a; printf 'no newline at end' >/opt/br/b; printf '# START x\nunclosed\n' >/opt/br/c; : >/opt/br/empty; printf 'a\r\n# START x\r\no\r\n# END x\r\n' >/opt/br/crlf
printf 'key\nend\n' >/opt/br/d; cp /opt/br/a /opt/br/e; cp /opt/br/a /opt/br/f; cp /opt/br/a /opt/br/g; printf '  # START x\n  in\n  # END x\n' >/opt/br/indent
