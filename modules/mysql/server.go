package mysql

import (
	"pinch/mysqldb"
	"pinch/salt"
	"pinch/value"
)

// status returns what the server counts.
func status(c *salt.Ctx, a connArgs) (*value.Map, error) {
	m := new(value.Map)
	if s, ok := open(c, a.Conn); ok {
		_, rows, _ := s.ask("SHOW STATUS")
		for _, row := range rows {
			m.Set(value.Str(row[0]), row[1])
		}
	}
	return m, nil
}

// slaveLag returns how many seconds a replica is behind; -1: it is none, -2:
// it stands still, -3: the server cannot be asked.
func slaveLag(c *salt.Ctx, a connArgs) (any, error) {
	s, ok := open(c, a.Conn)
	if !ok {
		return int64(-3), nil
	}
	cols, rows, ok := s.ask("show slave status")
	switch {
	case !ok:
		return int64(-3), nil
	case len(rows) == 0:
		return int64(-1), nil
	}
	m := mysqldb.Maps(cols, rows).Items[0].(*value.Map)
	if m.Str("Slave_IO_Running") != "Yes" {
		return int64(-2), nil
	}
	return m.At("Seconds_Behind_Master"), nil
}

// freeSlave makes a replica a server of its own: promoted or failed.
func freeSlave(c *salt.Ctx, a connArgs) (string, error) {
	s, ok := open(c, a.Conn)
	if !ok {
		return "", nil
	}
	cols, rows, ok := s.ask("show slave status")
	if !ok || len(rows) == 0 {
		return "failed", nil
	}
	m := mysqldb.Maps(cols, rows).Items[0].(*value.Map)
	if master, ok := open(c, value.M("connection_host", m.At("Master_Host"))); ok {
		master.do("flush logs")
	}
	for _, q := range []string{"stop slave", "reset master", "reset slave all"} {
		if _, ok := s.do(q); !ok {
			return "failed", nil
		}
	}
	if _, rows, ok = s.ask("show slave status"); ok && len(rows) == 0 {
		return "promoted", nil
	}
	return "failed", nil
}

// maps are the rows of a question by column; none when the server cannot be
// reached.
func maps(c *salt.Ctx, conn *value.Map, q string) *value.List {
	s, ok := open(c, conn)
	if !ok {
		return value.L()
	}
	cols, rows, _ := s.ask(q)
	return mysqldb.Maps(cols, rows)
}

// first is the first row, [] without any.
func first(l *value.List) any {
	if l.Len() == 0 {
		return value.L()
	}
	return l.Items[0]
}

// orNothing is what functions return that found no row.
func orNothing(l *value.List) *value.List {
	if l.Len() == 0 {
		l.Append(value.L())
	}
	return l
}

// processlist returns the connections of the server.
func processlist(c *salt.Ctx, a connArgs) (*value.List, error) {
	return maps(c, a.Conn, "SHOW FULL PROCESSLIST"), nil
}

// getMasterStatus returns the place in the log of a server that others
// replicate.
func getMasterStatus(c *salt.Ctx, a connArgs) (any, error) {
	return first(maps(c, a.Conn, "SHOW MASTER STATUS")), nil
}

// getSlaveStatus returns the state of a replica.
func getSlaveStatus(c *salt.Ctx, a connArgs) (any, error) {
	return first(maps(c, a.Conn, "SHOW SLAVE STATUS")), nil
}

// showvariables returns the settings of the connection: Variable_name and
// Value.
func showvariables(c *salt.Ctx, a connArgs) (*value.List, error) {
	return orNothing(maps(c, a.Conn, "SHOW VARIABLES")), nil
}

// showglobal returns the settings of the server: Variable_name and Value.
func showglobal(c *salt.Ctx, a connArgs) (*value.List, error) {
	return orNothing(maps(c, a.Conn, "SHOW GLOBAL VARIABLES")), nil
}

// pluginsList returns name and status of the plugins.
func pluginsList(c *salt.Ctx, a connArgs) (*value.List, error) {
	l := value.L()
	if s, ok := open(c, a.Conn); ok {
		_, rows, _ := s.ask("SHOW PLUGINS")
		for _, row := range rows {
			l.Append(value.M("name", row[0], "status", row[1]))
		}
	}
	return l, nil
}

type pluginArgs struct {
	Name string     `py:"name"`              // the plugin
	Conn *value.Map `py:"**connection_args"` // the server, as in mysql.version
}

// pluginStatus returns the status of a plugin, such as ACTIVE; "" without one.
func pluginStatus(c *salt.Ctx, a pluginArgs) (any, error) {
	if a.Name == "" {
		c.Log.Error("Plugin name is required.")
		return false, nil
	}
	s, ok := open(c, a.Conn)
	if !ok {
		return "", nil
	}
	return s.plugin(a.Name), nil
}

func (s server) plugin(name string) string {
	_, rows, _ := s.ask("SELECT PLUGIN_STATUS FROM INFORMATION_SCHEMA.PLUGINS WHERE PLUGIN_NAME = ?", name)
	if len(rows) == 0 {
		return ""
	}
	return value.Str(rows[0][0])
}

type pluginAddArgs struct {
	Name   string     `py:"name"`              // the plugin
	Soname any        `py:"soname=None"`       // its file; the default is the name with .so behind it
	Conn   *value.Map `py:"**connection_args"` // the server, as in mysql.version
}

// pluginAdd loads a plugin.
func pluginAdd(c *salt.Ctx, a pluginAddArgs) (bool, error) {
	s, ok := open(c, a.Conn)
	switch {
	case a.Name == "":
		c.Log.Error("Plugin name is required.")
		return false, nil
	case !ok:
		return false, nil
	case s.plugin(a.Name) != "":
		c.Log.Error("Plugin " + a.Name + " is already installed.")
		return true, nil
	}
	file := a.Name + ".so"
	if value.Truth(a.Soname) {
		file = value.Str(a.Soname)
	}
	_, ok = s.do("INSTALL PLUGIN "+mysqldb.Quote(a.Name, false)+" SONAME ?", file)
	return ok, nil
}

// pluginRemove unloads a plugin.
func pluginRemove(c *salt.Ctx, a pluginArgs) (bool, error) {
	s, ok := open(c, a.Conn)
	switch {
	case a.Name == "":
		c.Log.Error("Plugin name is required.")
		return false, nil
	case !ok:
		return false, nil
	case s.plugin(a.Name) == "":
		c.Log.Error("Plugin " + a.Name + " is not installed.")
		return true, nil
	}
	_, ok = s.do("UNINSTALL PLUGIN " + mysqldb.Quote(a.Name, false))
	return ok, nil
}
