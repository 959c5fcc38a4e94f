new: {file.directory: [{name: /opt/di/new}, {mode: 2775}, {user: nobody}, {group: nogroup}]}
octal: {file.directory: [{name: /opt/di/octal}, {mode: 0755}]}
text: {file.directory: [{name: /opt/di/text}, {mode: '755'}]}
deep: {file.directory: [{name: /opt/di/p/q/r}, {makedirs: true}, {dir_mode: '0711'}]}
nodeep: {file.directory: [{name: /opt/di/zz/q/r}]}
recurse: {file.directory: [{name: /opt/di/tree}, {user: games}, {group: games}, {dir_mode: '0755'}, {file_mode: '0644'}, {recurse: [user, group, mode]}]}
recurse-silent: {file.directory: [{name: /opt/di/tree}, {user: nobody}, {recurse: [user, silent]}]}
ignore-files: {file.directory: [{name: /opt/di/tree}, {user: daemon}, {recurse: [user, ignore_files]}]}
bad-recurse: {file.directory: [{name: /opt/di/tree}, {user: daemon}, {recurse: [user, bogus]}]}
text-recurse: {file.directory: [{name: /opt/di/tree}, {user: daemon}, {recurse: user}]}
mode-none: {file.directory: [{name: /opt/di/tree}, {recurse: [mode]}]}
max-depth: {file.directory: [{name: /opt/di/tree}, {group: daemon}, {recurse: [group]}, {max_depth: 0}]}
clean: {file.directory: [{name: /opt/di/clean}, {clean: true}, {exclude_pat: 'keep*'}]}
file-in-way: {file.directory: [{name: /opt/di/file}]}
file-backup: {file.directory: [{name: /opt/di/file}, {backupname: /opt/di/file.bak}]}
file-force: {file.directory: [{name: /opt/di/file2}, {force: true}]}
link: {file.directory: [{name: /opt/di/link}]}
link-nofollow: {file.directory: [{name: /opt/di/link}, {follow_symlinks: false}]}
link-allow: {file.directory: [{name: /opt/di/link}, {allow_symlink: false}]}
nouser: {file.directory: [{name: /opt/di/nu}, {user: nosuch}]}
relative: {file.directory: [{name: di}]}
badmode: {file.directory: [{name: /opt/di/bm}, {mode: rwx}]}
tilde: {file.directory: [{name: '~/tilde'}]}
slash: {file.directory: [{name: /opt/di/slash/}]}
names: {file.directory: [{names: [/opt/di/n1, /opt/di/n2: [{mode: '0700'}]]}, {mode: '0750'}]}
children: {file.directory: [{name: /opt/di/clean/keep}, {children_only: true}, {user: games}, {recurse: [user]}]}
