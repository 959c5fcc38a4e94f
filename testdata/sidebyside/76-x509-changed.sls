web-crt:
  x509.certificate_managed:
    - name: /etc/pki/app/web.crt
    - private_key: /etc/pki/app/web.key
    - signing_private_key: /etc/pki/app/ca.key
    - signing_cert: /etc/pki/app/ca.crt
    - CN: web2.example.com
    - subjectAltName: ['DNS:web.example.com']
    - extendedKeyUsage: serverAuth, clientAuth
    - days_valid: 90
    - days_remaining: 100
web-key: {x509.private_key_managed: [{name: /etc/pki/app/web.key}, {keysize: 3072}]}
key-alg: {x509.private_key_managed: [{name: /etc/pki/app/ca.key}, {algo: rsa}, {overwrite: false}]}
key-new: {x509.private_key_managed: [{name: /etc/pki/app/ca.key}, {algo: ec}, {keysize: 384}, {new: true}, {onlyif: 'false'}]}
enc: {x509.private_key_managed: [{name: /etc/pki/app/enc.key}, {algo: ed25519}, {passphrase: other}]}
enc2: {x509.private_key_managed: [{name: /etc/pki/app/enc.key}, {algo: ed25519}]}
mode: {x509.pem_managed: [{name: /etc/pki/app/copy.pem}, {text: /etc/pki/app/ca.crt}, {mode: '0600'}]}
csr: {x509.csr_managed: [{name: /etc/pki/app/web.csr}, {private_key: /etc/pki/app/enc.key}, {private_key_passphrase: s3cret}, {CN: web3}]}
gone: {file.absent: [{name: /etc/pki/app/d.p12}]}
