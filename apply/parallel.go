package apply

import (
	"strings"
	"time"

	"pinch/salt"
	"pinch/value"
)

// procs are the states that run in parallel to the others.
type procs struct {
	r     *runner
	tags  []string // in the order they were started
	jobs  map[string]*job
	limit int64 // state_max_parallel, 0: none
	ended chan struct{}
}

type job struct {
	run     func() *value.Map
	done    chan *value.Map
	started bool
	judged  bool // its result stands, whatever it comes to
}

func newProcs(r *runner) *procs {
	limit := number64(r.c.Opts.At("state_max_parallel"))
	return &procs{r: r, limit: int64(limit), ended: make(chan struct{}, 1)}
}

func (p *procs) busy() bool { return len(p.tags) > 0 }

const (
	startedText = "Started in a separate process"
	waitingText = "Waiting to be started in a separate process, max_parallel hit"
)

// start starts a state, or puts it into the queue when enough are running.
func (p *procs) start(ch *Chunk, run func() *value.Map) *value.Map {
	j := &job{run: run, done: make(chan *value.Map, 1)}
	if p.jobs == nil {
		p.jobs = map[string]*job{}
	}
	comment := waitingText
	if p.room() {
		p.launch(j)
		comment = startedText
	}
	p.jobs[ch.Tag] = j
	p.tags = append(p.tags, ch.Tag)
	return value.M("name", ch.Low.At("name"), "result", nil, "changes", new(value.Map), "comment", comment)
}

// end waits for all when a failed chunk ends the run. What made that one fail
// while it runs on (check_cmd) stays its result.
func (p *procs) end(ch *Chunk) {
	if j := p.jobs[ch.Tag]; j != nil {
		j.judged = true
	}
	p.wait(nil)
}

func (p *procs) launch(j *job) {
	j.started = true
	go func() {
		j.done <- j.run()
		select {
		case p.ended <- struct{}{}:
		default:
		}
	}()
}

func (p *procs) room() bool {
	if p.limit <= 0 {
		return true
	}
	var n int64
	for _, j := range p.jobs {
		if j.started && len(j.done) == 0 {
			n++
		}
	}
	return n < p.limit
}

// reconcile takes in what is done, of the given tags or of all, and starts
// what waits. It reports whether nothing of those is left.
func (p *procs) reconcile(tags map[string]bool) bool {
	all := true
	kept := p.tags[:0]
	for _, tag := range p.tags {
		j := p.jobs[tag]
		ret := p.r.running.Map(tag)
		if tags != nil && !tags[tag] || ret == nil {
			kept = append(kept, tag)
			continue
		}
		if !j.started {
			if p.room() {
				p.launch(j)
				ret.Set("comment", startedText)
			}
			all = false
			kept = append(kept, tag)
			continue
		}
		select {
		case end := <-j.done:
			p.r.hide(end)
			if !j.judged {
				ret.Update(end)
			}
			delete(p.jobs, tag)
		default:
			all = false
			kept = append(kept, tag)
		}
	}
	p.tags = kept
	return all
}

// settle waits for those of a chunk's dependencies that run in parallel, or
// tells a chunk that is parallel itself to come again later.
func (p *procs) settle(ch *Chunk, deps []dep) (wait bool) {
	tags := make(map[string]bool, len(deps))
	for _, d := range deps {
		if d.kind != Prereq {
			tags[d.ch.Tag] = true
		}
	}
	if ch.Low.Truth("parallel") {
		return !p.reconcile(tags)
	}
	p.wait(tags)
	return false
}

// wait waits until the given ones, or all, are done.
func (p *procs) wait(tags map[string]bool) {
	for !p.reconcile(tags) {
		p.pause()
	}
}

// pause waits until one of them ends.
func (p *procs) pause() {
	select {
	case <-p.ended:
	case <-time.After(10 * time.Millisecond):
	}
}

// background runs a parallel state to its end, with its retries.
func (r *runner) background(c *salt.Ctx, ch *Chunk, fn *salt.Func, kw *value.Map) *value.Map {
	once := func() *value.Map {
		start := c.Sys.Now()
		ret := r.guarded(c, ch, fn, kw.Shallow())
		ret.Set("start_time", clock(start))
		ret.Set("duration", millis(c.Sys.Now().Sub(start)))
		return ret
	}
	if leavesCode(ch.State) && ch.State != "test" {
		defer c.Run.SetRetcode(c.Run.Retcode()) // in Salt it is another process
	}
	ret := once()
	ret.Set("__parallel__", true)
	v, ok := ch.Low.Get("retry")
	if !ok {
		return ret
	}
	rule := retryOf(c, v)
	if c.Test {
		ret.Set("comment", ret.Str("comment")+"  "+rule.announce())
		return ret
	}
	for n := 1; int64(n) <= rule.attempts && ret.At("result") != rule.until; n++ {
		seconds := rule.pause()
		if !r.wait(seconds) {
			break
		}
		again := once()
		text := ""
		if again.Truth("comment") {
			text = attemptText(n, again)
		}
		again.Set("comment", strings.Join([]string{ret.Str("comment"), text}, "\n"))
		again.Set("duration", number64(again.At("duration"))+number64(ret.At("duration"))+float64(seconds*1000))
		if n == 1 {
			again.Set("start_time", ret.At("start_time"))
		}
		ret = again
	}
	return ret
}

// guarded calls the function; an exception or a panic is its return.
func (r *runner) guarded(c *salt.Ctx, ch *Chunk, fn *salt.Func, kw *value.Map) (ret *value.Map) {
	defer func() {
		if p := recover(); p != nil {
			ret = exception(ch, panicked(p))
		}
	}()
	ret, err := r.invoke(c, ch, fn, kw)
	if err != nil {
		ret = exception(ch, err)
	}
	return ret
}
