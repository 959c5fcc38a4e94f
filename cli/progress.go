package cli

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"pinch/cli/args"
	"pinch/salt"
)

// A progress is the line on a terminal that tells where a long run is: which
// state of how many runs, and for how long. It comes after a second, goes
// before anything else is written, and is never there in a pipe.
//
//	[ 12/80] pkg.installed nginx  34s
type progress struct {
	w     io.Writer
	width func() int

	mu     sync.Mutex
	text   string
	since  time.Time
	shown  bool
	ended  bool
	ticker *time.Ticker
	done   chan struct{}
}

// patience is how long a run may take before the line comes.
const patience = time.Second

func newProgress(w io.Writer, width func() int) *progress {
	return &progress{w: w, width: width, done: make(chan struct{})}
}

// progress is a line for stderr, nil when that is no terminal.
func (p *program) progress() *progress {
	fd := int(p.stderr.Fd())
	if !term.IsTerminal(fd) || p.getenv("TERM") == "dumb" {
		return nil
	}
	return newProgress(p.stderr, func() int {
		w, _, err := term.GetSize(fd)
		if err != nil || w <= 0 {
			return 80
		}
		return w
	})
}

// watch makes the line follow a run, unless the log tells it all or nothing is
// to be told.
func (p *progress) watch(c *salt.Ctx, line *args.Call) {
	if p == nil || line.Opts.Str("log_level") == "quiet" || c.Log.Enabled(c, slog.LevelInfo) {
		return
	}
	c.Run.Progress = p.Step
}

// Step says that state n of total begins.
func (p *progress) Step(n, total int, what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	digits := len(fmt.Sprint(total))
	p.text, p.since = fmt.Sprintf("[%*d/%d] %s", digits, n, total, what), time.Now()
	if p.ticker == nil && !p.ended {
		p.ticker = time.NewTicker(patience / 4)
		go p.follow(time.Now())
	}
}

func (p *progress) follow(start time.Time) {
	for {
		select {
		case <-p.done:
			return
		case now := <-p.ticker.C:
			if now.Sub(start) >= patience {
				p.draw(now)
			}
		}
	}
}

func (p *progress) draw(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	took := fmt.Sprintf("  %ds", int(now.Sub(p.since).Seconds()))
	line := []rune(strings.Map(printable, p.text))
	if room := p.width() - len(took) - 1; len(line) > room && room > 0 {
		line = line[:room]
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s%s", string(line), took)
	p.shown = true
}

func printable(r rune) rune {
	if r < ' ' || r == 0x7f {
		return ' '
	}
	return r
}

// Write writes something else: the line goes away for it.
func (p *progress) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	return p.w.Write(b)
}

func (p *progress) clear() {
	if p.shown {
		io.WriteString(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// End takes the line away for good.
func (p *progress) End() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	if p.ticker != nil && !p.ended {
		p.ticker.Stop()
		close(p.done)
	}
	p.ended = true
}
