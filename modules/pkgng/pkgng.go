// Package pkgng holds Salt's pkgng states: where FreeBSD's pkg gets packages
// from. The work is that of an execution module pkgng, which other systems
// lack. Its main variable is Module.
//
//	pkgng_clients:
//	  pkgng.update_packaging_site:
//	    - name: "http://192.0.2.2"
package pkgng

import "pinch/salt"

// Module is Salt's pkgng module.
var Module = salt.Module{
	Name: "pkgng",
	States: func() salt.Funcs {
		return salt.Funcs{
			"update_packaging_site": salt.State(updatePackagingSite),
		}
	},
}

type siteArgs struct {
	Name string `py:"name"` // the address of the packages
}

// updatePackagingSite makes pkg use an address.
func updatePackagingSite(c *salt.Ctx, a siteArgs) salt.Result {
	if _, err := c.Call("pkgng.update_package_site", a.Name); err != nil {
		return salt.Raised(err)
	}
	return salt.Correct("")
}
