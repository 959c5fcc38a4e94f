ca-dir: {file.directory: [{name: /etc/pki/app}, {makedirs: true}, {mode: '0700'}]}
ca-key: {x509.private_key_managed: [{name: /etc/pki/app/ca.key}, {algo: ec}, {keysize: 256}]}
ca-crt:
  x509.certificate_managed:
    - name: /etc/pki/app/ca.crt
    - signing_private_key: /etc/pki/app/ca.key
    - CN: My CA
    - C: DE
    - O: Org
    - basicConstraints: critical, CA:TRUE
    - keyUsage: critical, cRLSign, keyCertSign
    - subjectKeyIdentifier: hash
    - days_valid: 3650
    - days_remaining: 30
    - require: [{x509: ca-key}]
web-key: {x509.private_key_managed: [{name: /etc/pki/app/web.key}, {keysize: 2048}, {mode: '0640'}, {group: games}]}
web-crt:
  x509.certificate_managed:
    - name: /etc/pki/app/web.crt
    - private_key: /etc/pki/app/web.key
    - signing_private_key: /etc/pki/app/ca.key
    - signing_cert: /etc/pki/app/ca.crt
    - CN: web.example.com
    - subjectAltName: ['DNS:web.example.com', 'IP:10.0.0.1']
    - extendedKeyUsage: serverAuth
    - authorityKeyIdentifier: keyid:always
    - days_valid: 90
    - serial_number: 4660
    - append_certs: [/etc/pki/app/ca.crt]
csr: {x509.csr_managed: [{name: /etc/pki/app/web.csr}, {private_key: /etc/pki/app/web.key}, {CN: web}, {subjectAltName: 'DNS:web'}]}
crl: {x509.crl_managed: [{name: /etc/pki/app/ca.crl}, {signing_private_key: /etc/pki/app/ca.key}, {signing_cert: /etc/pki/app/ca.crt}, {days_valid: 30}, {days_remaining: 3}, {revoked: [{certificate: /etc/pki/app/web.crt}]}]}
crl-empty: {x509.crl_managed: [{name: /etc/pki/app/ca2.crl}, {signing_private_key: /etc/pki/app/ca.key}, {signing_cert: /etc/pki/app/ca.crt}, {revoked: []}]}
pem: {x509.pem_managed: [{name: /etc/pki/app/copy.pem}, {text: /etc/pki/app/ca.crt}]}
bad-key: {x509.private_key_managed: [{name: /etc/pki/app/x.key}, {algo: dsa}]}
bad-keysize: {x509.private_key_managed: [{name: /etc/pki/app/x.key}, {keysize: 17}]}
enc-key: {x509.private_key_managed: [{name: /etc/pki/app/enc.key}, {algo: ed25519}, {passphrase: s3cret}]}
bad-ext: {x509.certificate_managed: [{name: /etc/pki/app/n3.crt}, {signing_private_key: /etc/pki/app/ca.key}, {CN: n}, {keyUsage: bogus}]}
bad-san: {x509.certificate_managed: [{name: /etc/pki/app/n4.crt}, {signing_private_key: /etc/pki/app/ca.key}, {CN: n}, {subjectAltName: 'IP:999'}]}
bad-digest: {x509.certificate_managed: [{name: /etc/pki/app/n5.crt}, {signing_private_key: /etc/pki/app/ca.key}, {CN: n}, {digest: rot13}]}
unknown: {x509.certificate_managed: [{name: /etc/pki/app/n6.crt}, {signing_private_key: /etc/pki/app/ca.key}, {CN: n}, {bogus: 1}]}
der: {x509.certificate_managed: [{name: /etc/pki/app/d.crt}, {signing_private_key: /etc/pki/app/ca.key}, {CN: d}, {encoding: der}]}
p12: {x509.certificate_managed: [{name: /etc/pki/app/d.p12}, {signing_private_key: /etc/pki/app/ca.key}, {CN: d}, {encoding: pkcs12}, {pkcs12_friendlyname: nn}]}
