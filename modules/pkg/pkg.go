// Package pkg holds Salt's pkg module: packages of the system's package
// manager. Its main variable is Module.
//
//	nginx:
//	  pkg.installed:
//	    - version: 1.22.*
//	    - hold: True
//
// What is installed is read from the database of the manager, once a run; its
// programs are run for changes only.
package pkg

import (
	"errors"

	"pinch/salt"
)

// Module is Salt's pkg module.
var Module = salt.Module{
	Name: "pkg",
	States: func() salt.Funcs {
		return salt.Funcs{
			"installed":        installedFunc,
			"latest":           latestFunc,
			"removed":          removedFunc,
			"purged":           purgedFunc,
			"uptodate":         salt.State(uptodate),
			"downloaded":       salt.State(downloaded),
			"group_installed":  salt.State(groupInstalled),
			"patch_installed":  salt.State(patchInstalled),
			"patch_downloaded": salt.State(patchDownloaded),
			"held":             salt.State(held),
			"unheld":           salt.State(unheld),
			"mod_watch":        watch,
			"mod_init":         salt.State(modInit),
			"mod_aggregate":    salt.State(modAggregate),
			"mod_beacon":       salt.State(modBeacon),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"install":           salt.Exec(install),
			"remove":            salt.Exec(remove),
			"purge":             salt.Exec(purge),
			"autoremove":        salt.Exec(autoremove),
			"upgrade":           salt.Exec(upgrade),
			"list_upgrades":     query(salt.Exec(listUpgrades)),
			"latest_version":    query(salt.Exec(latestVersion)),
			"available_version": query(salt.Exec(latestVersion)).Named("latest_version"),
			"upgrade_available": query(salt.Exec(upgradeAvailable)),
			"version":           query(salt.Exec(version)),
			"list_pkgs":         query(salt.Exec(listPkgs)),
			"list_downloaded":   query(salt.Exec(listDownloaded)),
			"version_cmp":       query(salt.Exec(versionCmp)),
			"normalize_name":    query(salt.Exec(normalizeName)),
			"parse_arch":        query(salt.Exec(parseArch)),
			"refresh_db":        salt.Exec(refreshDb),
			"list_repo_pkgs":    query(salt.Exec(listRepoPkgs)),
			"hold":              salt.Exec(holdExec),
			"unhold":            salt.Exec(unholdExec),
			"get_selections":    query(salt.Exec(getSelections)),
			"set_selections":    salt.Exec(setSelections),
			"file_list":         query(salt.Exec(fileList)),
			"file_dict":         query(salt.Exec(fileDict)),
			"owner":             query(salt.Exec(owner)),
			"which":             query(salt.Exec(which)),
			"show":              query(salt.Exec(show)),
			"info_installed":    query(salt.Exec(infoInstalled)),

			"get_repo":      query(salt.Exec(getRepo)),
			"list_repos":    query(salt.Exec(listRepos)),
			"mod_repo":      salt.Exec(modRepo),
			"del_repo":      salt.Exec(delRepo),
			"add_repo_key":  salt.Exec(addRepoKey),
			"get_repo_keys": query(salt.Exec(getRepoKeys)),
			"del_repo_key":  salt.Exec(delRepoKey),

			"group_list":    query(salt.Exec(groupList)),
			"group_info":    query(salt.Exec(groupInfo)),
			"group_diff":    query(salt.Exec(groupDiff)),
			"group_install": groupInstallFunc,
			"groupinstall":  groupInstallFunc,

			"list_holds":          query(salt.Exec(listHolds)),
			"get_locked_packages": query(salt.Exec(lockedPackages)).Named("list_holds"),
			"list_locks":          query(salt.Exec(listLocks)),
			"clean_locks":         salt.Exec(cleanLocks),

			"homebrew_prefix": query(salt.Exec(homebrewPrefix)),
			"pin":             salt.Exec(pinExec),
			"unpin":           salt.Exec(unpinExec),

			"services_need_restart": query(salt.Exec(servicesNeedRestart)),
		}
	},
	Watch:     watch,
	Aggregate: aggregate,
	Init:      initialise,
	Virtual:   virtual,
}

// watched are the functions that modWatch runs again.
var (
	installedFunc = salt.State(installed)
	latestFunc    = salt.State(latest)
	removedFunc   = salt.State(removed)
	purgedFunc    = salt.State(purged)
	watch         = salt.State(modWatch)

	groupInstallFunc = salt.Exec(groupInstall).Named("group_install")
)

// query marks a function that changes nothing.
func query(f *salt.Func) *salt.Func {
	f.Bare = true
	return f
}

func virtual(c *salt.Ctx, kind string) error {
	err := salt.OtherProvider(c, "pkg")
	switch {
	case err != nil && kind == "states":
		return err
	case managerOf(c) != nil:
		return nil
	case kind == "states":
		return errors.New("pkg module could not be loaded")
	}
	return errors.New("The pkg module could not be loaded: unsupported OS family")
}
