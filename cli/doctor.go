package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pinch/beacons"
	"pinch/caller"
	"pinch/modules"
	"pinch/schedule"
	"pinch/sys"
	"pinch/value"
)

// runDoctor looks for what keeps pinch from working here.
func runDoctor(p *program, ctx context.Context, r *request) int {
	line, err := p.configured(r.opts)
	if err != nil {
		return p.exit(err)
	}
	defer line.Close()
	run := caller.New(caller.Options{Config: line.Config, Registry: modules.Registry(), Log: line.Log})
	defer run.Close()
	d := &doctor{p: p, ctx: ctx, run: run, opts: line.Opts, sys: sys.Real{}}
	if file := line.Opts.Str("conf_file"); sys.Exists(d.sys, file) {
		d.say("ok", "configuration", file)
	} else {
		d.say("note", "configuration", file+" is not there: the defaults hold")
	}
	for _, look := range []func(){d.trees, d.pillar, d.jobs, d.git, d.folders, d.disk, d.clock, d.daemon, d.master} {
		look()
	}
	if d.bad > 0 {
		return exitGeneric
	}
	return 0
}

// doctor is one call of pinch doctor.
type doctor struct {
	p    *program
	ctx  context.Context
	run  *caller.Caller
	opts *value.Map
	sys  sys.Sys
	bad  int
}

// say prints one finding: ok, note or bad.
func (d *doctor) say(how, what, text string) {
	if how == "bad" {
		d.bad++
	}
	fmt.Fprintf(d.p.stdout, "%-5s %-14s %s\n", how, what, text)
}

// trees looks for the state trees and their top file.
func (d *doctor) trees() {
	for env, v := range d.opts.Map("file_roots").Items() {
		l, _ := v.(*value.List)
		if l == nil {
			continue
		}
		for _, it := range l.Items {
			dir := value.Str(it)
			switch i, err := d.sys.Stat(dir); {
			case err != nil:
				d.say("note", "state tree", fmt.Sprintf("%s (%s) is not there", dir, env))
			case !i.IsDir():
				d.say("bad", "state tree", dir+" is no folder")
			case i.Mode().Perm()&0o002 != 0:
				d.say("bad", "state tree", dir+" can be written by everybody: anybody can become root here")
			default:
				d.say("ok", "state tree", fmt.Sprintf("%s (%s)", dir, env))
			}
		}
	}
}

func (d *doctor) pillar() {
	c := d.run.Ctx(d.ctx)
	if l := c.Pillar.List("_errors"); l.Len() > 0 {
		for _, e := range l.Items {
			d.say("bad", "pillar", strings.SplitN(value.Str(e), "\n", 2)[0])
		}
		return
	}
	d.say("ok", "pillar", fmt.Sprintf("%d keys", c.Pillar.Len()))
}

// jobs looks at the schedule and the beacons.
func (d *doctor) jobs() {
	c := d.run.Ctx(d.ctx)
	t := schedule.Of(c.Opts, c.Pillar, c.Grains)
	for _, key := range t.Keys() {
		j, _, _ := t.Job(key)
		_, missing := c.Registry().Exec(c, j.Fun)
		switch {
		case j.Err != "":
			d.say("bad", "schedule", key+": "+j.Err)
		case missing != nil:
			d.say("bad", "schedule", key+": "+missing.Error())
		case !j.Timed():
			d.say("bad", "schedule", key+": "+noTime(j))
		case j.Warn != "":
			d.say("note", "schedule", j.Warn)
		default:
			d.say("ok", "schedule", key)
		}
	}
	pillar, _ := c.Pillar.At("beacons").(*value.Map)
	config, _ := c.Opts.At("beacons").(*value.Map)
	set := &beacons.Set{Config: config, Pillar: pillar}
	for name, conf := range set.All().Items() {
		if name == "enabled" {
			continue
		}
		if ok, text := beacons.Validate(nil, name, conf); !ok {
			d.say("bad", "beacons", name+": "+text)
		} else {
			d.say("ok", "beacons", name)
		}
	}
}

// git looks whether the hosts of Git remotes have an address.
func (d *doctor) git() {
	repos, err := d.run.Repositories(true)
	if err != nil {
		d.say("bad", "git", err.Error())
		return
	}
	for _, r := range repos {
		for _, s := range r.Status(d.ctx) {
			label := s.Remote.Label()
			if s.Error != "" {
				d.say("bad", "git", label+": "+s.Error)
				continue
			}
			if u, err := url.Parse(s.Remote.URL); err == nil && u.Hostname() != "" {
				if !d.resolves(u.Hostname()) {
					continue
				}
			}
			d.say("ok", "git", label)
		}
		r.Close()
	}
}

func (d *doctor) resolves(host string) bool {
	ctx, cancel := context.WithTimeout(d.ctx, 5*time.Second)
	defer cancel()
	if _, err := net.DefaultResolver.LookupHost(ctx, host); err != nil {
		d.say("bad", "DNS", err.Error())
		return false
	}
	return true
}

// folders looks at the rights of the folders that hold secrets and sockets.
func (d *doctor) folders() {
	for _, key := range []string{"cachedir", "sock_dir", "pki_dir"} {
		dir := d.opts.Str(key)
		i, err := d.sys.Stat(dir)
		switch {
		case errors.Is(err, os.ErrNotExist):
			d.say("note", key, dir+" is not there yet")
		case err != nil:
			d.say("bad", key, err.Error())
		case i.Mode().Perm()&0o022 != 0:
			d.say("bad", key, fmt.Sprintf("%s can be written by others (%04o)", dir, i.Mode().Perm()))
		case d.sys.Access(dir, 2) != nil:
			d.say("bad", key, dir+" cannot be written by this user")
		default:
			d.say("ok", key, fmt.Sprintf("%s (%04o)", dir, i.Mode().Perm()))
		}
	}
}

func (d *doctor) disk() {
	dir := d.opts.Str("cachedir")
	for !sys.Exists(d.sys, dir) && dir != "/" {
		dir = filepath.Dir(dir)
	}
	f, err := d.sys.Statfs(dir)
	if err != nil || f.Blocks == 0 {
		return
	}
	free := float64(f.BlocksAvailable) / float64(f.Blocks) * 100
	how := "ok"
	if free < 5 {
		how = "bad"
	}
	d.say(how, "disk", fmt.Sprintf("%s: %.0f %% free", dir, free))
}

// clock looks whether the clock is set, and kept right.
func (d *doctor) clock() {
	now := d.sys.Now()
	if now.Year() < 2024 {
		d.say("bad", "clock", "it shows "+now.Format(time.RFC3339)+": certificates and schedules will be wrong")
		return
	}
	if adrift() {
		d.say("note", "clock", now.Format(time.RFC3339)+", not kept right by NTP")
		return
	}
	d.say("ok", "clock", now.Format(time.RFC3339))
}

func (d *doctor) daemon() {
	lock := filepath.Join(d.opts.Str("cachedir"), "daemon", "lock")
	if pid := sys.Holder(lock); pid != "" {
		d.say("ok", "daemon", "runs as process "+pid)
		return
	}
	d.say("note", "daemon", "does not run: the schedule and beacons rest")
}

// master looks whether a configured master can be reached.
func (d *doctor) master() {
	host := d.opts.Str("master")
	if host == "" || host == "salt" || d.opts.At("master_type") == "disable" {
		return
	}
	for _, port := range []string{"4505", "4506"} {
		c, err := net.DialTimeout("tcp", net.JoinHostPort(host, port), 5*time.Second)
		if err != nil {
			d.say("bad", "master", err.Error())
			continue
		}
		c.Close()
		d.say("ok", "master", host+":"+port)
	}
}
