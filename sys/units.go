package sys

import (
	"context"
	"errors"
	"fmt"
)

// Units is systemd: what it knows about units, and jobs for them. Unit names
// are whole ("nginx.service").
type Units interface {
	// Property reads a property of a unit, which systemd loads if need be. The
	// interface is short: "Unit", "Service".
	Property(ctx context.Context, unit, iface, name string) (any, error)
	// UnitFileState is "enabled", "disabled", "static", "masked" …; the error
	// is a *UnitError when there is no such file.
	UnitFileState(ctx context.Context, unit string) (string, error)
	// ListUnits are the units in memory.
	ListUnits(ctx context.Context) ([]Unit, error)
	// ListUnitFiles are the unit files on the disk.
	ListUnitFiles(ctx context.Context) ([]UnitFile, error)
	// Job asks for a job ("StartUnit", "StopUnit", "ReloadUnit" …) and, with
	// wait, waits for its end. A refused job is a *UnitError, a failed one a *JobError.
	Job(ctx context.Context, method, unit string, wait bool) error
	// Enable, Disable, Mask and Unmask change links of unit files, for good or
	// until the next boot (runtime). Systemd reads its files anew after it.
	Enable(ctx context.Context, unit string) error
	Disable(ctx context.Context, unit string) error
	Mask(ctx context.Context, unit string, runtime bool) error
	Unmask(ctx context.Context, unit string, runtime bool) error
	// Reload is systemctl daemon-reload.
	Reload(ctx context.Context) error
	// Close ends the connection; the next question opens another one.
	Close()
}

// A Unit is a unit in memory.
type Unit struct{ Name, Load, Active, Sub string }

// A UnitFile is a unit file and its state.
type UnitFile struct{ Path, State string }

// A UnitError is systemd's refusal, with its D-Bus name.
type UnitError struct{ Name, Msg string }

// Error is systemd's own text.
func (e *UnitError) Error() string { return e.Msg }

// A JobError says how a job ended that was not done.
type JobError struct {
	Unit   string
	Result string // "failed", "canceled", "timeout", "dependency" …
	// Service is the result of a service behind a failed job: "exit-code", "signal" …
	Service string
}

// Error names the unit and how its job ended.
func (e *JobError) Error() string { return fmt.Sprintf("job for %s: %s", e.Unit, e.Result) }

// ErrNoUnits says that systemd cannot be asked.
var ErrNoUnits = errors.New("systemd is not running here")

// ReadOnlyUnits answers questions and refuses jobs and changes with ErrReadOnly.
type ReadOnlyUnits struct{ Units }

func (ReadOnlyUnits) Job(context.Context, string, string, bool) error { return ErrReadOnly }
func (ReadOnlyUnits) Enable(context.Context, string) error            { return ErrReadOnly }
func (ReadOnlyUnits) Disable(context.Context, string) error           { return ErrReadOnly }
func (ReadOnlyUnits) Mask(context.Context, string, bool) error        { return ErrReadOnly }
func (ReadOnlyUnits) Unmask(context.Context, string, bool) error      { return ErrReadOnly }
func (ReadOnlyUnits) Reload(context.Context) error                    { return ErrReadOnly }
