package returners

import (
	"crypto/md5"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"log/syslog"
	"os"
	"path/filepath"
	"strings"

	"pinch/jobs"
	"pinch/sys"
	"pinch/value"
)

// local prints the return, as Python prints a dict.
func local(_ *settings, ret *value.Map, w io.Writer) error {
	_, err := fmt.Fprintln(w, value.Repr(ret))
	return err
}

// rawfile appends the return as a line of JSON to the file of the option
// rawfile_json.filename.
func rawfile(s *settings, ret *value.Map, _ io.Writer) error {
	line, err := text(ret)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(s.text("filename", "/var/log/salt/events"), os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	// A line that a killed program left half written must not spoil this one.
	last := make([]byte, 1)
	if n, err := f.Seek(0, io.SeekEnd); err == nil && n > 0 {
		if _, err := f.ReadAt(last, n-1); err == nil && last[0] != '\n' {
			line = "\n" + line
		}
	}
	// One write: lines of two processes do not mix.
	_, err = f.WriteString(line + "\n")
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// syslogReturn writes the return as JSON to the system log. Options:
// syslog.level (LOG_INFO), syslog.facility (LOG_USER), syslog.tag.
func syslogReturn(s *settings, ret *value.Map, _ io.Writer) error {
	line, err := text(ret)
	if err != nil {
		return err
	}
	level, ok := levels()[s.text("level", "LOG_INFO")]
	if !ok {
		return fmt.Errorf("syslog.level: there is no level %s", s.text("level", ""))
	}
	facility, ok := facilities()[s.text("facility", "LOG_USER")]
	if !ok {
		return fmt.Errorf("syslog.facility: there is no facility %s", s.text("facility", ""))
	}
	l, err := syslog.New(level|facility, s.text("tag", "salt-minion"))
	if err != nil {
		return err
	}
	_, err = l.Write([]byte(line))
	if e := l.Close(); err == nil {
		err = e
	}
	return err
}

func levels() map[string]syslog.Priority {
	return map[string]syslog.Priority{
		"LOG_EMERG": syslog.LOG_EMERG, "LOG_ALERT": syslog.LOG_ALERT, "LOG_CRIT": syslog.LOG_CRIT, "LOG_ERR": syslog.LOG_ERR,
		"LOG_WARNING": syslog.LOG_WARNING, "LOG_NOTICE": syslog.LOG_NOTICE, "LOG_INFO": syslog.LOG_INFO, "LOG_DEBUG": syslog.LOG_DEBUG,
	}
}

func facilities() map[string]syslog.Priority {
	m := map[string]syslog.Priority{
		"LOG_KERN": syslog.LOG_KERN, "LOG_USER": syslog.LOG_USER, "LOG_MAIL": syslog.LOG_MAIL, "LOG_DAEMON": syslog.LOG_DAEMON,
		"LOG_AUTH": syslog.LOG_AUTH, "LOG_LPR": syslog.LOG_LPR, "LOG_NEWS": syslog.LOG_NEWS, "LOG_UUCP": syslog.LOG_UUCP,
		"LOG_CRON": syslog.LOG_CRON, "LOG_SYSLOG": syslog.LOG_SYSLOG,
	}
	for i := range 8 {
		m[fmt.Sprintf("LOG_LOCAL%d", i)] = syslog.LOG_LOCAL0 + syslog.Priority(i)<<3
	}
	return m
}

// multi hands the return to all returners of the option multi_returner.
func multi(s *settings, ret *value.Map, w io.Writer) error {
	var errs []error
	for _, name := range List(s.c.Opts.At("multi_returner")) {
		if name == "multi_returner" {
			continue
		}
		if err := send(s.c, name, ret, w); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

// localCache writes the return where a master keeps its jobs:
// cachedir/jobs/HH/HASH/ID/return.p, with the ID of the job in jid.
func localCache(s *settings, ret *value.Map, _ io.Writer) error {
	jid, id := ret.Str("jid"), ret.Str("id")
	if jid == "" || !filepath.IsLocal(jid) || !filepath.IsLocal(id) {
		return fmt.Errorf("%q of %q is no job", jid, id)
	}
	sum := digest(s.c.Opts.Str("hash_type"))
	io.WriteString(sum, jid)
	hex := hex.EncodeToString(sum.Sum(nil))
	dir := filepath.Join(s.c.Opts.Str("cachedir"), "jobs", hex[:2], hex[2:])
	kept := new(value.Map)
	for _, k := range []string{"return", "retcode", "success"} {
		if v, ok := ret.Get(k); ok {
			kept.Set(k, v)
		}
	}
	files := map[string]any{id + "/return.p": kept}
	if out, ok := ret.Get("out"); ok {
		files[id+"/out.p"] = out
	}
	mode := os.FileMode(0o600)
	real := sys.Real{}
	if err := os.MkdirAll(filepath.Join(dir, id), 0o700); err != nil {
		return err
	}
	if err := sys.WriteFile(real, filepath.Join(dir, "jid"), []byte(jid), sys.FileAttrs{Mode: &mode}); err != nil {
		return err
	}
	for name, v := range files {
		data, err := value.Msgpack(jobs.Plain(v))
		if err != nil {
			return err
		}
		if err := sys.WriteFile(real, filepath.Join(dir, name), data, sys.FileAttrs{Mode: &mode}); err != nil {
			return err
		}
	}
	return nil
}

func digest(name string) hash.Hash {
	switch strings.ToLower(name) {
	case "md5":
		return md5.New()
	case "sha512":
		return sha512.New()
	}
	return sha256.New()
}
