package apache

import (
	"io/fs"
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/value"
)

// linked reports whether something is a link: it is enabled.
func linked(c *salt.Ctx, folder, name, suffix string) bool {
	if !strings.HasSuffix(name, suffix) && !strings.HasSuffix(name, ".conf") {
		name += suffix
	}
	info, err := c.Sys.Lstat("/etc/apache2/" + folder + "/" + name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

type siteArgs struct {
	Site string `py:"site"` // the site
}

// checkSiteEnabled reports whether a site is enabled.
func checkSiteEnabled(c *salt.Ctx, a siteArgs) (bool, error) {
	return linked(c, "sites-enabled", a.Site, ".conf") || a.Site == "default" && linked(c, "sites-enabled", "000-default", ".conf"), nil
}

type modArgs struct {
	Mod string `py:"mod"` // the module
}

// checkModEnabled reports whether a module is enabled.
func checkModEnabled(c *salt.Ctx, a modArgs) (bool, error) {
	return linked(c, "mods-enabled", a.Mod, ".load"), nil
}

type confArgs struct {
	Conf string `py:"conf"` // the configuration
}

// checkConfEnabled reports whether a configuration is enabled.
func checkConfEnabled(c *salt.Ctx, a confArgs) (bool, error) {
	return linked(c, "conf-enabled", a.Conf, ".conf"), nil
}

// turn runs one of the commands that enable and disable. It returns Name, the
// kind and Status.
func turn(c *salt.Ctx, tool, title, kind, name string) (*value.Map, error) {
	r, err := command.Do(c, tool, name)
	done := "enabled"
	if strings.HasPrefix(tool, "a2dis") {
		done = "disabled"
	}
	m := value.M("Name", title, kind, name, "Status", r.Code)
	switch r.Code {
	case 0:
		m.Set("Status", kind+" "+name+" "+done)
	case 1:
		m.Set("Status", kind+" "+name+" Not found")
	}
	return m, err
}

// a2ensite enables a site.
func a2ensite(c *salt.Ctx, a siteArgs) (*value.Map, error) {
	return turn(c, "a2ensite", "Apache2 Enable Site", "Site", a.Site)
}

// a2dissite disables a site.
func a2dissite(c *salt.Ctx, a siteArgs) (*value.Map, error) {
	return turn(c, "a2dissite", "Apache2 Disable Site", "Site", a.Site)
}

// a2enmod enables a module.
func a2enmod(c *salt.Ctx, a modArgs) (*value.Map, error) {
	return turn(c, "a2enmod", "Apache2 Enable Mod", "Mod", a.Mod)
}

// a2dismod disables a module.
func a2dismod(c *salt.Ctx, a modArgs) (*value.Map, error) {
	return turn(c, "a2dismod", "Apache2 Disable Mod", "Mod", a.Mod)
}

// a2enconf enables a configuration.
func a2enconf(c *salt.Ctx, a confArgs) (*value.Map, error) {
	return turn(c, "a2enconf", "Apache2 Enable Conf", "Conf", a.Conf)
}

// a2disconf disables a configuration.
func a2disconf(c *salt.Ctx, a confArgs) (*value.Map, error) {
	return turn(c, "a2disconf", "Apache2 Disable Conf", "Conf", a.Conf)
}
