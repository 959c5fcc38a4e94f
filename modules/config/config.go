// Package config reads the minion's options, with grains and pillar behind them.
package config

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's config module.
var Module = salt.Module{
	Name: "config",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"backup_mode":             salt.Exec(backupMode),
			"manage_mode":             salt.Exec(manageMode),
			"valid_fileproto":         salt.Exec(validFileproto),
			"option":                  salt.Exec(option),
			"merge":                   salt.Exec(merge),
			"get":                     salt.Exec(get),
			"dot_vals":                salt.Exec(dotVals),
			"items":                   salt.Exec(items),
			"gather_bootstrap_script": salt.Exec(gatherBootstrapScript),
		}
	},
}

// defaults answer for options that nobody set (salt.modules.config.DEFAULTS).
func defaults() *value.Map {
	return value.M(
		"mongo.db", "salt", "mongo.password", "", "mongo.port", int64(27017), "mongo.user", "",
		"redis.db", "0", "redis.host", "salt", "redis.port", int64(6379),
		"test.foo", "unconfigured", "ca.cert_base_path", "/etc/pki",
		"solr.cores", value.L(), "solr.host", "localhost", "solr.port", "8983", "solr.baseurl", "/solr",
		"solr.type", "master", "solr.request_timeout", nil, "solr.init_script", "/etc/rc.d/solr",
		"solr.dih.import_options", value.M("clean", false, "optimize", true, "commit", true, "verbose", false),
		"solr.backup_path", nil, "solr.num_backups", int64(1),
		"poudriere.config", "/usr/local/etc/poudriere.conf", "poudriere.config_dir", "/usr/local/etc/poudriere.d",
		"ldap.uri", "", "ldap.server", "localhost", "ldap.port", "389", "ldap.tls", false, "ldap.no_verify", false,
		"ldap.anonymous", true, "ldap.scope", int64(2), "ldap.attrs", nil, "ldap.binddn", "", "ldap.bindpw", "",
		"hosts.file", "/etc/hosts", "aliases.file", "/etc/aliases",
		"virt", value.M("tunnel", false, "images", "/srv/salt-images"),
		"docker.exec_driver", "docker-exec",
		"docker.compare_container_networks", value.M(
			"static", value.L("Aliases", "Links", "IPAMConfig"),
			"automatic", value.L("IPAddress", "Gateway", "GlobalIPv6Address", "IPv6Gateway")),
	)
}

type backupArgs struct {
	Backup any `py:"backup=''"` // the mode that a state asks for
}

// backupMode returns the backup mode to use: the given one, else the option backup_mode.
func backupMode(c *salt.Ctx, a backupArgs) (any, error) {
	if value.Truth(a.Backup) {
		return a.Backup, nil
	}
	return option(c, optionArgs{Value: "backup_mode"})
}

type modeArgs struct {
	Mode any `py:"mode"` // as an SLS has it: 644, '0644'
}

// manageMode brings a file mode into the form '0644'.
func manageMode(_ *salt.Ctx, a modeArgs) (any, error) {
	if a.Mode == nil {
		return nil, nil
	}
	s := strings.Trim(strings.Trim(strings.ReplaceAll(value.Str(a.Mode), "0o", "0"), `"`), "'")
	s = strings.TrimLeft(s, "0")
	return strings.Repeat("0", max(0, 4-len(s))) + s, nil
}

type uriArgs struct {
	URI string `py:"uri"` // such as salt://a
}

// validFileproto reports whether Salt can fetch from a URI of this kind.
func validFileproto(_ *salt.Ctx, a uriArgs) (bool, error) {
	scheme, _, ok := strings.Cut(a.URI, ":")
	if !ok {
		return false, nil
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "ftp", "salt", "s3", "swift", "file":
		return true, nil
	}
	return false, nil
}

type optionArgs struct {
	Value      string `py:"value"`             // the option's name
	Default    any    `py:"default=None"`      // when nothing has it
	OmitOpts   bool   `py:"omit_opts=False"`   // don't look at the minion's options
	OmitGrains bool   `py:"omit_grains=False"` // don't look at the grains
	OmitPillar bool   `py:"omit_pillar=False"` // don't look at the pillar
	OmitMaster bool   `py:"omit_master=False"` // don't look at the master's options in the pillar
	OmitAll    bool   `py:"omit_all=False"`    // look at the built-in defaults only
	Wildcard   bool   `py:"wildcard=False"`    // the name is a glob: return all that match
}

// option returns an option of the minion; grains, pillar and the master's
// options follow. The name is no path.
func option(c *salt.Ctx, a optionArgs) (any, error) {
	found := new(value.Map)
	for _, s := range []struct {
		omit bool
		data func() *value.Map
	}{
		{a.OmitOpts || a.OmitAll, func() *value.Map { return c.Opts }},
		{a.OmitGrains || a.OmitAll, func() *value.Map { return c.Grains }},
		{a.OmitPillar || a.OmitAll, func() *value.Map { return c.Pillar }},
		{a.OmitMaster || a.OmitAll, func() *value.Map { return c.Pillar.Map("master") }},
		{false, defaults},
	} {
		if s.omit {
			continue
		}
		if !a.Wildcard {
			if v, ok := s.data().Get(a.Value); ok {
				return v, nil
			}
			continue
		}
		for k, v := range s.data().Items() {
			if value.Fnmatch(k, a.Value) && !found.Has(k) {
				found.Set(k, v)
			}
		}
	}
	switch {
	case found.Len() > 0:
		return found, nil
	case a.Default != nil:
		return a.Default, nil
	case a.Wildcard:
		return found, nil
	}
	return "", nil
}
