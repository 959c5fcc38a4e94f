key-file:
  pkgrepo.managed:
    - name: deb [signed-by=/etc/apt/keyrings/side.gpg arch=amd64] http://127.0.0.1:8000/repo ./
    - file: /etc/apt/sources.list.d/side.list
    - key_url: salt://side.gpg
    - aptkey: false
    - clean_file: true

secure:
  pkgrepo.managed:
    - humanname: Secure
    - name: deb [signed-by=/etc/apt/keyrings/secure.asc arch=amd64] http://127.0.0.1:8000/secure ./
    - file: /etc/apt/sources.list.d/secure.list
    - key_url: http://127.0.0.1:8000/side.asc
    - aptkey: false
    - comments: [managed, twice]
    - refresh: false

no-key:
  pkgrepo.managed:
    - name: deb [signed-by=/etc/apt/keyrings/none.gpg] http://127.0.0.1:8000/repo ./
    - file: /etc/apt/sources.list.d/none.list
    - key_url: http://127.0.0.1:8000/none.gpg
    - aptkey: false

disabled:
  pkgrepo.managed:
    - name: deb http://127.0.0.1:8000/off ./
    - file: /etc/apt/sources.list.d/off.list
    - disabled: true
    - refresh: false

gone:
  pkgrepo.absent:
    - name: deb http://127.0.0.1:8000/never ./

bad-line:
  pkgrepo.managed:
    - name: not a repository
    - file: /etc/apt/sources.list.d/bad.list

installed:
  pkg.installed:
    - name: sbs-secure
    - require: [{pkgrepo: secure}]
    - refresh: true
