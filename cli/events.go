package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"pinch/cli/args"
	"pinch/events"
	"pinch/value"
)

// runEvents prints the events of the daemon's bus as they come: tag, tab, JSON.
func runEvents(p *program, ctx context.Context, r *request) int {
	glob, left := "*", -1
	if len(r.words) > 0 {
		glob = r.words[0]
	}
	if r.has("--count") {
		var err error
		if left, err = strconv.Atoi(r.value("--count")); err != nil || left < 1 {
			fmt.Fprintln(p.stderr, "error: --count needs a number")
			return args.UsageCode
		}
	}
	line, err := p.configured(r.opts)
	if err != nil {
		return p.exit(err)
	}
	defer line.Close()
	o := line.Opts
	places := events.Places(o.Str("sock_dir"), o.Str("id"), o.Str("hash_type"))
	c, err := events.Dial(ctx, places.Lines)
	if errors.Is(err, events.ErrNoDaemon) {
		fmt.Fprintf(p.stderr, "error: no daemon serves %s\nhint: start one with pinch daemon, or name its configuration with -c DIR\n", places.Lines)
		return exitGeneric
	}
	if err == nil {
		defer c.Close()
		err = c.Subscribe(glob)
	}
	for err == nil && left != 0 {
		var e events.Event
		if e, err = c.Next(); err == nil {
			text, jerr := value.JSON(e.Data, value.JSONOptions{})
			if jerr != nil {
				text = value.Repr(e.Data)
			}
			fmt.Fprintf(p.stdout, "%s\t%s\n", e.Tag, text)
			left--
		}
	}
	if err != nil && !errors.Is(err, io.EOF) && ctx.Err() == nil {
		return report(err, p.stdout, p.stderr, p.stderrColor())
	}
	return 0
}
