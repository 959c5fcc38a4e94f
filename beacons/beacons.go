// Package beacons watches the machine as Salt's beacons do: files, services,
// processes, disks, load, logs. A Set holds the beacons of the configuration and
// of the pillar; each look gives the events that they have.
//
//	s := &beacons.Set{Config: value.M("memusage", value.L(value.M("percent", "80%"))), Env: env}
//	for _, e := range s.Look(time.Now()) { bus.Fire(e.Tag, e.Data) }
//
// What a beacon takes as configuration, and Salt's words for what is wrong with
// it, stand beside it in its file.
package beacons

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"pinch/sys"
	"pinch/value"
)

// Env is what beacons need of their surroundings.
type Env struct {
	ID  string // of the minion
	Sys sys.Sys
	Log *slog.Logger
	// Call calls an execution function.
	Call Call
	// Keep gives a Call for one beacon that looks often and asks only for what is
	// read anew each time, until close; nil: there is only Call.
	Keep func() (call Call, close func())
	// Now is the time.
	Now func() time.Time
	// StateRun reports whether a run of states is under way.
	StateRun func() bool
	// Custom finds a beacon of the tree, which hides one of ours; nil: there are
	// none.
	Custom func(name string) (Kind, bool)
}

// Call calls an execution function.
type Call func(fun string, args ...any) (any, error)

// A Watcher is one beacon at work.
type Watcher interface {
	// Look gives what happened since the last look. The key tag is added to the
	// event's tag.
	Look() ([]*value.Map, error)
	Close()
}

// A collector is a Watcher that collects between the looks.
type collector interface{ Discard() }

// A Kind is one of the beacons there are.
type Kind struct {
	// Validate says what is wrong with a configuration, in Salt's words; "" is
	// for nothing.
	Validate func(conf any) string
	// New starts a beacon; its options are one mapping.
	New func(e *Env, conf *value.Map) (Watcher, error)
	// Whole is in place of New where a beacon takes its configuration as it is
	// written.
	Whole func(e *Env, conf any) (Watcher, error)
	// Missing says why the beacon cannot be used here; nil: it can.
	Missing func(e *Env) string
}

// Kinds are all beacons by name.
func Kinds() map[string]Kind {
	return map[string]Kind{
		"btmp": loginKind("btmp"), "cert_info": certInfo(), "diskusage": diskUsage(), "inotify": inotifyKind(), "journald": journald(),
		"load": load(), "log": logKind(), "memusage": memUsage(), "network_info": networkInfo(), "network_settings": networkSettings(),
		"pkg": pkgKind(), "ps": ps(), "service": service(), "sh": shKind(), "status": status(), "swapusage": swapUsage(),
		"watchdog": watchdog(), "wtmp": loginKind("wtmp"),
	}
}

// kind finds a beacon; log_beacon is the file name of log.
func (e *Env) kind(name string) (Kind, bool) {
	if e != nil && e.Custom != nil {
		if k, ok := e.Custom(name); ok {
			return k, true
		}
	}
	if name == "log_beacon" {
		name = "log"
	}
	k, ok := Kinds()[name]
	return k, ok
}

// Names are the beacons that can be used here, sorted.
func Names(e *Env) []string {
	var out []string
	for name, k := range Kinds() {
		if k.Missing == nil || k.Missing(e) == "" {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func (k Kind) validate(conf any) string {
	if k.Validate == nil {
		return ""
	}
	return k.Validate(conf)
}

// valid is what Salt says about a configuration that is right.
const valid = "Valid beacon configuration"

// Validate says whether a configuration is right, and what is wrong with it.
// Without an Env only our own beacons are known.
func Validate(e *Env, name string, conf any) (bool, string) {
	if m := options(conf); m.Has("beacon_module") {
		name = m.Str("beacon_module")
	}
	k, ok := e.kind(name)
	if !ok {
		return false, fmt.Sprintf("Beacon \"%s\" is not available.", name)
	}
	if _, isList := conf.(*value.List); isList {
		for _, it := range conf.(*value.List).Items {
			if _, ok := it.(*value.Map); !ok {
				return false, fmt.Sprintf("Configuration for %s beacon must be a list of mappings, not %s.", name, value.Repr(it))
			}
		}
	}
	if text := k.validate(conf); text != "" {
		return false, text
	}
	return true, valid
}

// options are the options of a beacon as one mapping; its configuration is a
// list of mappings, or a mapping.
func options(conf any) *value.Map {
	out := new(value.Map)
	switch c := conf.(type) {
	case *value.Map:
		out.Update(c)
	case *value.List:
		for _, it := range c.Items {
			if m, ok := it.(*value.Map); ok {
				out.Update(m)
			}
		}
	}
	return out
}

// common are the options that all beacons have.
func common(key string) bool {
	switch key {
	case "enabled", "interval", "disable_during_state_run", "run_once", "beacon_module", "delay":
		return true
	}
	return strings.HasPrefix(key, "_")
}

// own are the options of a beacon itself.
func own(m *value.Map) *value.Map {
	out := new(value.Map)
	for k, v := range m.Items() {
		if !common(k) {
			out.Set(k, v)
		}
	}
	return out
}

// An Event is what a beacon tells.
type Event struct {
	Tag   string
	Data  *value.Map
	Name  string // of the beacon's kind
	Error string // why it could not look
}

// A Set holds the beacons of a machine.
type Set struct {
	Config, Pillar *value.Map
	Env            *Env

	work map[string]*worker
}

// worker is a beacon at work.
type worker struct {
	conf any
	w    Watcher
	next time.Time // with an interval
	bad  string    // what was wrong last
}

// All are the beacons of pillar and configuration; the configuration wins.
func (s *Set) All() *value.Map {
	all := new(value.Map)
	all.Update(s.Pillar)
	all.Update(s.Config)
	return all
}

// Len is how many beacons are configured.
func (s *Set) Len() int {
	n := 0
	for k := range s.All().Items() {
		if k != "enabled" {
			n++
		}
	}
	return n
}

// Look looks with every beacon whose turn it is. One that fails, or whose
// configuration is wrong, does not stop the others; what is wrong is logged
// when it begins.
func (s *Set) Look(now time.Time) []Event {
	all := s.All()
	if s.work == nil {
		s.work = map[string]*worker{}
	}
	if all.Has("enabled") && !all.Truth("enabled") {
		return nil
	}
	var out []Event
	for name, conf := range all.Items() {
		if name == "enabled" {
			continue
		}
		w := s.work[name]
		if w == nil || !value.Equal(w.conf, conf) {
			w.close()
			w = &worker{conf: value.Copy(conf)}
			s.work[name] = w
		}
		events, err := s.look(name, w, now)
		out = append(out, events...)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if text != w.bad && text != "" {
			s.Env.Log.Error(text, "beacon", name)
		}
		w.bad = text
	}
	for name, w := range s.work {
		if !all.Has(name) {
			w.close()
			delete(s.work, name)
		}
	}
	return out
}

func (w *worker) close() {
	if w != nil && w.w != nil {
		w.w.Close()
		w.w = nil
	}
}

// discard drops what a beacon has collected.
func (w *worker) discard() {
	if c, ok := w.w.(collector); ok {
		c.Discard()
	}
}

// StateRunEnded drops what beacons with disable_during_state_run have collected
// up to now; what comes later is news again.
func (s *Set) StateRunEnded() {
	for _, w := range s.work {
		if options(w.conf).Truth("disable_during_state_run") {
			w.discard()
		}
	}
}

// look is the turn of one beacon.
func (s *Set) look(name string, w *worker, now time.Time) ([]Event, error) {
	o := options(w.conf)
	if o.Has("enabled") && !o.Truth("enabled") {
		w.close()
		return nil, nil
	}
	if ok, text := Validate(s.Env, name, w.conf); !ok {
		return nil, fmt.Errorf("Beacon %s configuration invalid, not running.\n%s", name, text)
	}
	kindName := name
	if o.Truth("beacon_module") {
		kindName = o.Str("beacon_module")
	}
	tag := "salt/beacon/" + s.Env.ID + "/" + name + "/"
	failed := func(err error) ([]Event, error) {
		w.close()
		return []Event{{Tag: tag, Data: new(value.Map), Name: kindName, Error: err.Error()}}, fmt.Errorf("Unable to start %s beacon, %w", name, err)
	}
	if err := s.start(kindName, w, o); err != nil { // from here on nothing is missed
		return failed(err)
	}
	if every := seconds(o.At("interval")); every > 0 {
		if w.next.IsZero() || now.Before(w.next.Add(-every)) { // the first look, or the clock went back
			w.next = now.Add(every)
			return nil, nil
		}
		if now.Before(w.next) {
			return nil, nil
		}
		w.next = now.Add(every)
	}
	if o.Truth("disable_during_state_run") && s.Env.StateRun != nil && s.Env.StateRun() {
		w.discard()
		return nil, nil
	}
	found, err := w.look()
	if err != nil {
		return failed(err)
	}
	var out []Event
	for _, data := range found {
		e := Event{Tag: tag, Data: data, Name: kindName}
		if t, ok := data.Pop("tag"); ok {
			e.Tag += value.Str(t)
		}
		if !data.Has("id") {
			data.Set("id", s.Env.ID)
		}
		out = append(out, e)
	}
	if o.Truth("run_once") {
		s.enable(name, false)
	}
	return out, nil
}

// start starts a beacon that is not at work yet; a panic is an error.
func (s *Set) start(name string, w *worker, o *value.Map) (err error) {
	defer recovered(&err)
	if w.w != nil {
		return nil
	}
	k, _ := s.Env.kind(name)
	if k.Missing != nil {
		if why := k.Missing(s.Env); why != "" {
			return errors.New(why)
		}
	}
	var n Watcher
	if k.Whole != nil {
		n, err = k.Whole(s.Env, w.conf)
	} else {
		n, err = k.New(s.Env, own(o))
	}
	if err == nil {
		w.w = n
	}
	return err
}

// look looks; a panic is an error.
func (w *worker) look() (found []*value.Map, err error) {
	defer recovered(&err)
	return w.w.Look()
}

func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%v (this is a bug, please report it)", p)
	}
}

// Close ends all beacons.
func (s *Set) Close() {
	for _, name := range slices.Sorted(maps.Keys(s.work)) {
		s.work[name].close()
	}
	s.work = nil
}

// seconds is a number of seconds as a duration.
func seconds(v any) time.Duration {
	switch v := v.(type) {
	case int64:
		return time.Duration(v) * time.Second
	case float64:
		return time.Duration(v * float64(time.Second))
	case bool:
		if v {
			return time.Second
		}
	}
	return 0
}

// looker is a Watcher that only looks.
type looker func() ([]*value.Map, error)

func (l looker) Look() ([]*value.Map, error) { return l() }
func (l looker) Close()                      {}

// isList is the first thing most beacons ask of their configuration.
func isList(name string, conf any) string {
	if _, ok := conf.(*value.List); !ok {
		return "Configuration for " + name + " beacon must be a list."
	}
	return ""
}
