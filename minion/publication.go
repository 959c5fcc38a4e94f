package minion

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"pinch/caller"
	"pinch/jobs"
	"pinch/matcher"
	"pinch/value"
)

// publication runs what a publication asks for, if it means this minion.
func (l *link) publication(ctx context.Context, load *value.Map) {
	for _, k := range []string{"tgt", "jid", "fun", "arg"} {
		if !load.Has(k) {
			return
		}
	}
	jid := load.Str("jid")
	if !goodJID(jid) || !l.mine(load) || !l.seen.add(jid) {
		return
	}
	load.Pop("serial")
	load.Set("resource_targets", new(value.List)) // as 3008 tells functions; there are no resources
	load.Set("pure_resource_target", false)
	load.Set("minion_is_target", true)
	l.m.jobs.Go(func() { l.job(ctx, load) })
}

// goodJID reports whether a job ID can be a file's name.
func goodJID(jid string) bool {
	return jid != "" && strings.Trim(jid, "0123456789_-") == ""
}

// mine reports whether a target means this minion.
func (l *link) mine(load *value.Map) bool {
	kind := load.Str("tgt_type")
	if kind == "" {
		kind = "glob"
	}
	m := matcher.Minion{ID: l.m.id, Grains: l.m.facts(), Pillar: l.data(), Nodegroups: l.m.opts.Map("nodegroups")}
	ok, err := m.Match(kind, load.At("tgt"), load.Str("delimiter"))
	if err != nil {
		l.m.o.Log.Debug(fmt.Sprintf("the target %s (%s): %s", value.Repr(load.At("tgt")), kind, err))
	}
	return ok && err == nil
}

// job runs a job and returns what came of it.
func (l *link) job(ctx context.Context, load *value.Map) {
	start := time.Now()
	log := l.m.o.Log
	log.Info(fmt.Sprintf("User %s Executing command %s with jid %s", load.Str("user"), value.Str(load.At("fun")), load.Str("jid")))
	if l.m.opts.Truth("grains_refresh_pre_exec") {
		l.m.gather()
	}
	if load.Truth("start_event") {
		l.event(ctx, "salt/job/"+load.Str("jid")+"/start/"+l.m.id, beginning(load, l.m.id))
	}
	var ret *value.Map
	var err error
	if inline(load, l.m.opts) {
		conf := l.m.config()
		ret = perform(ctx, caller.Options{Config: conf, Registry: l.m.o.Registry, Log: log, Master: master{l.s, conf.Opts}, Pillar: l.data(), Grains: l.m.facts()}, load)
	} else {
		ret, err = l.process(ctx, load)
	}
	switch {
	case errors.Is(err, errStopped):
		log.Warn(fmt.Sprintf("job %s was stopped", load.Str("jid")))
		return // as with Salt: who stops a job gets no return of it
	case err != nil:
		log.Error(fmt.Sprintf("job %s: %s", load.Str("jid"), err))
		ret = value.M("return", "The minion function caused an exception: "+err.Error(), "retcode", int64(1), "success", false, "out", "nested")
	}
	if ctx.Err() != nil { // the return is worth a few seconds more
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), lastWords)
		defer cancel()
	}
	l.giveBack(ctx, load, ret)
	log.Debug(fmt.Sprintf("job %s took %s", load.Str("jid"), time.Since(start)))
	l.after(ctx, load.At("fun"))
	l.m.stir()
}

// away is how long what is for a master waits while it is not there.
const away = time.Hour

// lastWords is how long a minion that is to end tries to send what it has.
const lastWords = 5 * time.Second

// process runs a job in a process of its own, when there is a place for one.
func (l *link) process(ctx context.Context, load *value.Map) (*value.Map, error) {
	select {
	case l.m.slots <- struct{}{}:
	default:
		unqueue := jobs.Queue(l.m.opts.Str("cachedir"), load)
		select {
		case l.m.slots <- struct{}{}:
			unqueue()
		case <-ctx.Done():
			unqueue()
			return nil, errStopped
		}
	}
	defer func() { <-l.m.slots }()
	return l.child(ctx, value.M("load", load))
}

// giveBack sends the return to the master, again and again for a while.
func (l *link) giveBack(ctx context.Context, load, ret *value.Map) {
	fields := identity(load, l.m.id)
	fields.Update(sendable(ret).(*value.Map))
	if l.m.opts.Truth("cache_jobs") {
		if err := jobs.Save(l.m.opts, load.Str("jid"), fields); err != nil {
			l.m.o.Log.Warn("the job cache: " + err.Error())
		}
	}
	l.m.o.Log.Info("Returning information for job: " + load.Str("jid"))
	if !l.m.opts.Truth("pub_ret") {
		return
	}
	wait := &backoff{first: max(span(l.m.opts, "return_retry_timer", time.Second), time.Second), most: max(span(l.m.opts, "return_retry_timer_max", time.Second), time.Second)}
	wait.reset()
	tries, _ := l.m.opts.At("return_retry_tries").(int64)
	for n, end := int64(1), time.Now().Add(away); ; n++ {
		_, err := l.session().Request(ctx, "_return", fields)
		if err == nil || ctx.Err() != nil {
			return
		}
		if isAway(err) && time.Now().Before(end) {
			n-- // it is away: tries count when the master is there
		}
		if tries > 0 && n >= tries {
			l.m.o.Log.Error(fmt.Sprintf("the master %s did not take the return of job %s: %s", l.addr(), load.Str("jid"), err))
			return
		}
		sleep(ctx, wait.next())
	}
}

// after does what some functions ask of the minion itself.
func (l *link) after(ctx context.Context, fun any) {
	name, _ := fun.(string)
	l.m.mu.Lock()
	old := l.m.stamp
	l.m.mu.Unlock()
	switch {
	case name == "saltutil.refresh_grains" || name == "saltutil.sync_grains" || name == "saltutil.sync_all", !refreshStamp(l.m.opts).Equal(old):
		l.m.renew(ctx)
	case l.m.local == nil && (name == "saltutil.refresh_pillar" || name == "saltutil.sync_pillar"): // else the bus tells
		l.refresh(ctx)
	}
}

// event fires an event at the master.
func (l *link) event(ctx context.Context, tag string, data any) {
	if _, err := l.s.Request(ctx, "_minion_event", value.M("tag", tag, "data", data, "pretag", nil)); err != nil {
		l.m.o.Log.Warn("the event " + tag + ": " + err.Error())
	}
}

// A ring remembers the last job IDs.
type ring struct {
	ids  map[string]bool
	list []string
	at   int
}

func newRing(size any) *ring {
	n, _ := size.(int64)
	if n < 1 {
		n = 100
	}
	return &ring{ids: map[string]bool{}, list: make([]string, n)}
}

// add remembers an ID; false when it was there.
func (r *ring) add(id string) bool {
	if r.ids[id] {
		return false
	}
	delete(r.ids, r.list[r.at])
	r.list[r.at], r.ids[id] = id, true
	r.at = (r.at + 1) % len(r.list)
	return true
}
