package modules

import (
	"path"
	"strings"
	"sync"
)

// Elsewhere tells a user where Salt has a module ("exec" or "states") that is not
// built in: in one of its extensions, which pinch runs when they are installed,
// or in its core, and why it is not here. "" says that Salt has none, either.
func Elsewhere(kind, module string) string {
	for ext, names := range packages() {
		for _, pattern := range names {
			if ok, _ := path.Match(pattern, module); ok {
				return "Salt has " + module + " in an extension, which pinch runs when the machine's python3 has it: pip install " + ext
			}
		}
	}
	if why := notHere()[strings.TrimSuffix(kind, "s")+" "+module]; why != "" {
		return "Salt has " + module + ", pinch has not: " + why
	}
	return ""
}

// packages are the packages of Salt's extensions with the modules in them,
// those left out that are built in (apache, mysql, redis …).
var packages = sync.OnceValue(func() map[string][]string {
	table := map[string][]string{}
	for line := range strings.Lines(`
acme acme
apcups apcups
azurerm azurerm_*
bmc bmc bmc_redfish
boto3 boto3_*
btrfs btrfs
ceph ceph_* cephfs
consul consul
elasticsearch elasticsearch
freebsd freebsd_update jail ports sysrc
freezer freezer
github github github_*
grafana grafana grafana_* grafana4 grafana4_*
haproxy haproxy
helm helm
influxdb influxdb influxdb_* influxdb08 influxdb08_*
kubernetes kubernetes kubeadm kube_bench_cache
ldap ldap ldap3
mattermost mattermost
mongodb mongodb mongodb_*
namecheap namecheap_*
napalm bgp napalm napalm_formula net netacl netconfig netntp netsnmp netusers probes route snmp users
nebula nebula
nix nix
openscap openscap
pagerduty pagerduty pagerduty_*
pushover pushover
rebootmgr rebootmgr
servicenow servicenow
splunk splunk splunk_search
telegram telegram
transactional-update transactional_update
vault vault vault_*
virt virt
vmware dvs nsxt_* storage_policy vcenter vmc_* vmware_*
zabbix zabbix zabbix_*
zfs zfs zpool
zookeeper zk_concurrency zookeeper
`) {
		if f := strings.Fields(line); len(f) > 0 {
			table["saltext-"+f[0]] = f[1:]
		}
	}
	return table
})

// notHere says why a module of Salt's, or one function of it, is not built in.
// What is neither here nor built in is not yet there.
var notHere = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"exec baredoc":           "reads docstrings of Python sources; sys.doc and the manuals in modules/*/README.md are the documentation here",
		"exec cloud":             "drives salt-cloud: provider SDKs in Python, no part of pinch",
		"state cloud":            "drives salt-cloud: provider SDKs in Python, no part of pinch",
		"exec saltcloud":         "drives salt-cloud: provider SDKs in Python, no part of pinch",
		"exec iosconfig":         "parses the configuration of Cisco devices, for network proxy minions",
		"exec nxos":              "needs a Cisco NX-OS switch behind a proxy minion",
		"exec nxos_api":          "needs a Cisco NX-OS switch behind a proxy minion",
		"exec vsphere":           "talks to VMware vSphere through pyVmomi; in an extension of Salt",
		"exec seed":              "puts a Python minion into images of virtual machines",
		"exec rest_sample_utils": "an example for Salt's own tests",
		"exec test_virtual":      "an example for Salt's own tests",
		"exec highstate_doc":     "processor_markdown raises AttributeError in Salt 3008.4, so render cannot work there",
		"exec pkgbuild":          "drives debuild, pbuilder and reprepro, or mock; the states call it when a custom module brings it",
		"exec sqlite3":           "a database engine: 5 MB of program and 0.4 ms of every start",
		"exec celery":            "a Python library", "exec cassandra_cql": "a Python library", "exec oracle": "a Python library",
		"exec zk_concurrency": "a Python library", "exec textfsm": "a Python library", "exec idem": "another Python program", "state idem": "another Python program",
		"exec proxy": "Windows and macOS", "state proxy": "Windows and macOS",
		"exec tls":     "does not load in Salt 3008.4: pyOpenSSL 25 lacks what it needs; x509 is its successor",
		"state tls":    "does not load in Salt 3008.4: pyOpenSSL 25 lacks what it needs; x509 is its successor",
		"exec chronos": "only on devices that run it", "exec bcache": "rarely used", "exec osquery": "rarely used",
		"exec bridge": "rarely used: brctl is gone from current systems", "exec apf": "rarely used", "exec vagrant": "rarely used", "exec snapper": "rarely used",
		"exec linux_service":     "the service module of systems without a service manager that Salt knows; it goes by the name service",
		"state postgres_cluster": "does not load in Salt 3008.4: its execution module left the core",
		"state ntp":              "Windows", "state uptime": "its execution module left the core, with the service that it talks to",
		"state makeconf": "Gentoo's settings for compiling: Salt has no execution module for it any more", "exec chef": "another program that manages configuration",
		"exec scp": "a Python library", "exec yaml": "a Python program (yamllint); pinch lint checks trees", "exec iwtools": "rarely used",
	}
})
