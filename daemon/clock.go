package daemon

import "time"

// A Clock tells the time and waits; tests have their own.
type Clock interface {
	Now() time.Time
	After(d time.Duration) <-chan time.Time
}

type machine struct{}

func (machine) Now() time.Time                         { return time.Now() }
func (machine) After(d time.Duration) <-chan time.Time { return time.After(d) }
