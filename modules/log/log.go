// Package log writes to the log from templates and states.
package log

import (
	"context"
	"log/slog"

	"pinch/salt"
)

// Module is Salt's log module.
var Module = salt.Module{
	Name: "log",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"debug":     salt.Exec(debug),
			"info":      salt.Exec(info),
			"warning":   salt.Exec(warning),
			"error":     salt.Exec(errorExec),
			"critical":  salt.Exec(critical),
			"exception": salt.Exec(exception),
		}
	},
}

type args struct {
	Message string `py:"message"` // the text
}

// LevelCritical is above slog's levels, as Python's CRITICAL is above ERROR.
const LevelCritical = slog.LevelError + 4

func write(c *salt.Ctx, l slog.Level, a args) (bool, error) {
	c.Log.Log(context.Background(), l, a.Message)
	return true, nil
}

// debug writes a message of level debug.
//
//	{% do salt['log.debug']('here') %}
func debug(c *salt.Ctx, a args) (bool, error) { return write(c, slog.LevelDebug, a) }

// info writes a message of level info.
func info(c *salt.Ctx, a args) (bool, error) { return write(c, slog.LevelInfo, a) }

// warning writes a message of level warning.
func warning(c *salt.Ctx, a args) (bool, error) { return write(c, slog.LevelWarn, a) }

// errorExec writes a message of level error.
func errorExec(c *salt.Ctx, a args) (bool, error) { return write(c, slog.LevelError, a) }

// critical writes a message of level critical.
func critical(c *salt.Ctx, a args) (bool, error) { return write(c, LevelCritical, a) }

// exception writes a message of level error.
func exception(c *salt.Ctx, a args) (bool, error) { return write(c, slog.LevelError, a) }
