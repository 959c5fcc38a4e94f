// Package archive unpacks and makes archives: Salt's module archive. Archives
// are read here, not by commands. They are unpacked into a folder beside the
// target, and moved into place when all of them is there, so that a broken
// archive or a full disk leaves the target as it was.
//
//	/opt:
//	  archive.extracted:
//	    - source: https://example.org/app.tar.gz
//	    - source_hash: https://example.org/app.tar.gz.sha256
package archive

import "pinch/salt"

// Module is Salt's archive module.
var Module = salt.Module{
	Name: "archive",
	States: func() salt.Funcs {
		return salt.Funcs{
			"extracted": salt.State(extracted),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"cmd_unzip":    salt.Exec(cmdUnzip),
			"cmd_zip":      salt.Exec(cmdZip),
			"gunzip":       salt.Exec(gunzip),
			"gzip":         salt.Exec(gzipExec),
			"is_encrypted": salt.Exec(isEncrypted),
			"list":         salt.Exec(list).Named("list_"),
			"rar":          salt.Exec(rar),
			"tar":          salt.Exec(tarExec),
			"unrar":        salt.Exec(unrar),
			"unzip":        salt.Exec(unzip),
			"zip":          salt.Exec(zipExec).Named("zip_"),
		}
	},
}
