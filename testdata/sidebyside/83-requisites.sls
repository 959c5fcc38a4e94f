base-ok: {test.succeed_without_changes: []}
base-ch: {test.succeed_with_changes: []}
base-bad: {test.fail_without_changes: []}
base-badch: {test.fail_with_changes: []}
r1: {test.nop: [{require: [{test: base-bad}]}]}
r2: {test.nop: [{require_any: [{test: base-bad}, {test: base-ok}]}]}
r3: {test.nop: [{require_any: [{test: base-bad}, {test: base-badch}]}]}
r4: {cmd.run: [{name: echo on}, {onchanges: [{test: base-ch}]}]}
r5: {cmd.run: [{name: echo on}, {onchanges: [{test: base-ok}]}]}
r6: {cmd.run: [{name: echo on}, {onchanges_any: [{test: base-ok}, {test: base-ch}]}]}
r7: {cmd.run: [{name: echo on}, {onfail: [{test: base-bad}]}]}
r8: {cmd.run: [{name: echo on}, {onfail: [{test: base-ok}]}]}
r9: {cmd.run: [{name: echo on}, {onfail_any: [{test: base-ok}, {test: base-bad}]}]}
r10: {cmd.run: [{name: echo on}, {onfail_all: [{test: base-ok}, {test: base-bad}]}]}
r11: {cmd.wait: [{name: echo waited}, {watch: [{test: base-ch}]}]}
r12: {cmd.wait: [{name: echo waited}, {watch: [{test: base-ok}]}]}
r13: {cmd.run: [{name: echo w}, {watch_any: [{test: base-bad}, {test: base-ch}]}]}
r14: {cmd.run: [{name: echo listened}, {listen: [{test: base-ch}]}]}
r15: {cmd.wait: [{name: echo never}, {listen: [{test: base-ok}]}]}
pre-cmd: {cmd.run: [{name: echo prereq}, {prereq: [{file: pre-file}]}]}
pre-file: {file.managed: [{name: /opt/rq/pre}, {contents: new}]}
pre-cmd2: {cmd.run: [{name: echo never}, {prereq: [{file: pre-file2}]}]}
pre-file2: {file.managed: [{name: /opt/rq/pre}, {contents: new}, {require: [{file: pre-file}]}]}
used: {file.managed: [{name: /opt/rq/used}, {contents: u}, {mode: '0600'}, {user: nobody}]}
user-of: {file.managed: [{name: /opt/rq/user-of}, {use: [{file: used}]}, {mode: '0644'}]}
in1: {test.nop: [{require_in: [{test: in2}]}, {order: last}]}
in2: {test.nop: [{order: first}]}
onlyif1: {cmd.run: [{name: echo x}, {onlyif: 'false'}]}
onlyif2: {cmd.run: [{name: echo x}, {onlyif: ['true', 'false']}]}
onlyif3: {cmd.run: [{name: echo x}, {onlyif: [{fun: file.file_exists, path: /opt/rq/pre}]}]}
onlyif4: {cmd.run: [{name: echo x}, {onlyif: [{fun: test.echo, args: [abc], get_return: x}]}]}
onlyif5: {cmd.run: [{name: echo x}, {onlyif: [{fun: no.such}]}]}
onlyif6: {cmd.run: [{name: echo x}, {onlyif: [{nofun: x}]}]}
onlyif8: {cmd.run: [{name: echo x}, {onlyif: 3}]}
unless1: {cmd.run: [{name: echo x}, {unless: 'true'}]}
unless2: {cmd.run: [{name: echo x}, {unless: ['true', 'false']}]}
unless3: {cmd.run: [{name: echo x}, {unless: [{fun: test.false}]}]}
creates1: {cmd.run: [{name: echo x}, {creates: /opt/rq/pre}]}
creates2: {cmd.run: [{name: touch /opt/rq/c2}, {creates: [/opt/rq/c2, /opt/rq/pre]}]}
creates3: {file.managed: [{name: /opt/rq/never}, {contents: x}, {creates: /opt/rq/pre}]}
retry1: {cmd.run: [{name: 'echo x >>/opt/rq/count; test $(wc -l </opt/rq/count) -ge 3'}, {retry: {attempts: 4, interval: 0, until: true}}]}
retry2: {test.fail_without_changes: [{retry: {attempts: 2, interval: 0}}]}
retry3: {test.succeed_without_changes: [{retry: true}]}
retry4: {test.configurable_test_state: [{changes: false}, {result: false}, {retry: {attempts: x, interval: 0}}]}
check1: {cmd.run: [{name: echo x}, {check_cmd: ['false']}]}
check2: {cmd.run: [{name: echo x}, {check_cmd: ['true']}]}
check3: {test.succeed_with_changes: [{check_cmd: ['false']}]}
check4: {file.touch: [{name: /opt/rq/touched}, {check_cmd: [{fun: test.false}]}]}
fire: {test.succeed_with_changes: [{fire_event: true}]}
runas: {test.nop: [{runas: nobody}, {umask: '077'}]}
reload: {cmd.run: [{name: 'true'}, {reload_modules: true}, {reload_grains: true}]}
timeout: {cmd.run: [{name: sleep 5}, {timeout: 1}]}
parallel: {cmd.run: [{name: echo par}, {parallel: true}]}
after-par: {cmd.run: [{name: echo after}, {require: [{cmd: parallel}]}]}
by-id: {test.nop: [{require: [base-ok]}]}
never-mod: {test.nop: [{onchanges: [{file: pre-file}, {test: base-ok}]}]}
names-a: {test.nop: [{names: [n1, n2]}]}
names-req: {test.nop: [{require: [{test: n2}]}]}
glob-req: {test.nop: [{require: [{test: 'base-o*'}]}]}
