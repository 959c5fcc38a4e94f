package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// ended is why a program stops early: a signal.
type ended struct{ signal syscall.Signal }

func (e ended) Error() string {
	if e.signal == syscall.SIGINT {
		return "Exiting gracefully on Ctrl-c"
	}
	return "ended by a signal: " + e.signal.String()
}

// untilSignal is a context that ends at the first SIGINT or SIGTERM, with an
// ended as its cause. The second one ends the process at once.
func untilSignal() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		s, ok := <-got
		if !ok {
			return
		}
		signal.Stop(got)
		cancel(ended{s.(syscall.Signal)})
	}()
	return ctx, func() { signal.Stop(got); close(got); cancel(nil) }
}
