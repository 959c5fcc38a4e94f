package bridge

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"pinch/salt"
	"pinch/value"
)

// A worker is the python3 process.
type worker struct {
	b    *Bridge
	cmd  *exec.Cmd
	in   *os.File // what it reads
	out  *bufio.Reader
	pipe *os.File // behind out
	exe  string
	dead bool
	done chan struct{}
	left bool // closed done: something still has its output, see reap
	tail *tail
}

// boot reads the sources from the pipe and starts the worker with them.
const boot = `import sys
if sys.version_info<(3,8):
    sys.stderr.write("python3 is version %d.%d\n"%sys.version_info[:2]);sys.exit(78)
import marshal,os
r=open(3,"rb",buffering=0,closefd=False)
def get(n):
    d=b""
    while len(d)<n:
        p=r.read(n-len(d))
        if not p:os._exit(0)
        d+=p
    return d
f,s=marshal.loads(get(int.from_bytes(get(4),"little")))
exec(compile(f["pinch_worker.py"],"<pinch>/pinch_worker.py","exec"))
main(f,s)`

// errNoPython says that there is no python3 to run a custom module with.
var errNoPython = errors.New("custom modules in Python need python3, which is not installed here")

// start gives the worker of the run, a new one after a crash.
func (b *Bridge) start(c *salt.Ctx) (*worker, error) {
	if b.w != nil && !b.w.dead {
		return b.w, nil
	}
	exe := b.python()
	path, err := exec.LookPath(exe)
	if err != nil {
		if exe != "python3" {
			return nil, fmt.Errorf("the Python of the option python is not there: %s", exe)
		}
		return nil, errNoPython
	}
	w, err := b.spawn(path)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	clear(b.stale)
	b.info = map[moduleKey]*described{}
	b.mu.Unlock()
	b.w = w
	return w, nil
}

func (b *Bridge) spawn(path string) (*worker, error) {
	toR, toW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	fromR, fromW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	w := &worker{b: b, exe: path, in: toW, pipe: fromR, out: bufio.NewReaderSize(fromR, 64<<10), done: make(chan struct{}), tail: new(tail)}
	w.cmd = exec.Command(path, "-B", "-c", boot)
	w.cmd.ExtraFiles = []*os.File{toR, fromW}
	// What a module prints must not get between the result on stdout.
	w.cmd.Stdout, w.cmd.Stderr = w.tail, w.tail
	w.cmd.SysProcAttr = ownGroup()
	w.cmd.Env = append(os.Environ(), "PYTHONIOENCODING=utf-8")
	w.cmd.WaitDelay = 200 * time.Millisecond
	err = w.cmd.Start()
	toR.Close()
	fromW.Close()
	if err != nil {
		toW.Close()
		fromR.Close()
		return nil, err
	}
	go func() {
		w.left = errors.Is(w.cmd.Wait(), exec.ErrWaitDelay)
		close(w.done)
	}()
	settings := value.M("own", b.o.Opts.Str("custom_salt") == "own", "level", int64(b.level()), "utils", value.Strings(b.dirs("utils")), "offers", b.o.Opts.List("whitelist_modules").Len() > 0,
		"deep", b.o.Opts.Truth("grains_deep_merge"))
	return w, w.send(value.Tuple{sources(), settings})
}

// level is the threshold of Python's log.
func (b *Bridge) level() int {
	for _, l := range []int{10, 20, 30, 40} {
		if b.o.Log.Enabled(context.Background(), slogLevel(l)) {
			return l
		}
	}
	return 50
}

// send writes a frame.
func (w *worker) send(v any) error {
	b, err := appendMarshal(make([]byte, 4, 512), v)
	if err != nil {
		return err
	}
	if int64(len(b)) > 1<<31 {
		return errors.New("the value is too large for a custom module")
	}
	binary.LittleEndian.PutUint32(b, uint32(len(b)-4))
	if _, err = w.in.Write(b); err != nil {
		return w.died()
	}
	return nil
}

// receive reads a frame.
func (w *worker) receive() (value.Tuple, error) {
	var head [4]byte
	if _, err := io.ReadFull(w.out, head[:]); err != nil {
		return nil, w.died()
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n > 1<<31-1 {
		return nil, w.garbage()
	}
	data, err := readN(w.out, int(n))
	if err != nil {
		return nil, w.died()
	}
	v, err := unmarshal(data)
	t, ok := v.(value.Tuple)
	if err != nil || !ok || len(t) == 0 {
		return nil, w.garbage()
	}
	return t, nil
}

// readN reads n bytes without trusting n for one large allocation.
func readN(r io.Reader, n int) ([]byte, error) {
	if n <= 1<<20 {
		b := make([]byte, n)
		_, err := io.ReadFull(r, b)
		return b, err
	}
	b, err := io.ReadAll(io.LimitReader(r, int64(n)))
	if err == nil && len(b) < n {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}

func (w *worker) garbage() error {
	w.kill()
	return w.b.gone("the Python process of the custom modules wrote to the pipe that is pinch's own")
}

// died says how the process ended.
func (w *worker) died() error {
	w.dead = true
	w.in.Close()
	select {
	case <-w.done:
	case <-time.After(2 * time.Second):
		w.kill()
		<-w.done
	}
	w.reap()
	how := "ended"
	if st, ok := w.cmd.ProcessState.Sys().(syscall.WaitStatus); ok {
		switch {
		case st.Signaled():
			how = "was killed by signal " + signalName(st.Signal())
		case st.ExitStatus() == 78:
			return w.b.gone("custom modules need Python 3.8 or later: " + w.exe + ": " + strings.TrimSpace(w.tail.String()))
		default:
			how = fmt.Sprintf("ended with exit code %d", st.ExitStatus())
		}
	}
	return w.b.gone("the Python process of the custom modules " + how)
}

func signalName(s syscall.Signal) string {
	for name, n := range map[string]syscall.Signal{"SIGSEGV": syscall.SIGSEGV, "SIGKILL": syscall.SIGKILL, "SIGABRT": syscall.SIGABRT,
		"SIGTERM": syscall.SIGTERM, "SIGBUS": syscall.SIGBUS, "SIGINT": syscall.SIGINT, "SIGPIPE": syscall.SIGPIPE} {
		if s == n {
			return name
		}
	}
	return fmt.Sprint(int(s))
}

// kill ends the process and what it started and left in its group.
func (w *worker) kill() {
	w.dead = true
	_ = syscall.Kill(-w.cmd.Process.Pid, syscall.SIGKILL)
	w.in.Close()
}

// close lets the process end by itself, and helps after a moment.
func (w *worker) close() {
	if w.dead {
		w.pipe.Close()
		return
	}
	w.dead = true
	w.in.Close()
	select {
	case <-w.done:
	case <-time.After(time.Second):
		_ = syscall.Kill(-w.cmd.Process.Pid, syscall.SIGKILL)
		<-w.done
	}
	w.reap()
	w.pipe.Close()
}

// reap ends copies of the process that a module forked and left. Programs that
// it started stay, as they do after Salt: they may be meant to.
func (w *worker) reap() {
	if !w.left {
		return
	}
	group := w.cmd.Process.Pid
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		if err != nil {
			continue
		}
		if g, err := syscall.Getpgid(pid); err != nil || g != group {
			continue
		}
		if line, err := os.ReadFile(f); err == nil && bytes.Contains(line, []byte("<pinch>/pinch_worker.py")) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// gone is the error of a call whose worker failed.
func (b *Bridge) gone(text string) error {
	return &value.Exception{Class: "CommandExecutionError", Msg: text}
}

// A tail passes on what the process prints, and remembers the end.
type tail struct {
	mu   sync.Mutex
	last []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	t.last = append(t.last, p...)
	if n := len(t.last) - 2000; n > 0 {
		t.last = append([]byte{}, t.last[n:]...)
	}
	t.mu.Unlock()
	return os.Stderr.Write(p)
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.last)
}

// request sends a frame and serves what Python asks until the answer comes.
// The clock runs only while Python has the word.
func (w *worker) request(c *salt.Ctx, msg value.Tuple) (value.Tuple, error) {
	stop := w.watch(c)
	defer func() { stop() }()
	if err := w.send(msg); err != nil {
		return nil, w.why(c, err)
	}
	for {
		t, err := w.receive()
		if err != nil {
			return nil, w.why(c, err)
		}
		kind, _ := t[0].(string)
		switch kind {
		case "answer":
			return t, nil
		case "error":
			return nil, w.b.failure(t)
		case "log":
			w.b.log(t)
			continue
		}
		if len(t) < 3 || kind != "ask" {
			return nil, w.garbage()
		}
		stop()
		kind, _ = t[2].(string)
		n := new(nested)
		before := w.b.answering(n)
		answer := append(w.b.serve(inner(c, n), kind, t[3:]), t[1])
		w.b.answering(before)
		n.leave()
		stop = w.watch(c)
		if w.dead {
			return nil, w.b.gone("the Python process of the custom modules ended during an inner call")
		}
		if err := w.send(answer); err != nil {
			return nil, w.why(c, err)
		}
	}
}

// errSlow and errStopped are why we ended the worker.
var (
	errSlow    = errors.New("slow")
	errStopped = errors.New("stopped")
)

// watch ends the worker when the time is up, or the run is over. The result
// ends the watching.
func (w *worker) watch(c *salt.Ctx) (stop func()) {
	limit := w.b.timeout()
	var timer *time.Timer
	if limit > 0 {
		timer = time.AfterFunc(limit, func() { w.end(errSlow) })
	}
	var release func() bool
	if c.Context != nil {
		release = onDone(c, func() { w.end(errStopped) })
	}
	return func() {
		if timer != nil {
			timer.Stop()
		}
		if release != nil {
			release()
		}
	}
}

func (w *worker) end(why error) {
	w.b.mu.Lock()
	w.b.ended = why
	w.b.mu.Unlock()
	_ = syscall.Kill(-w.cmd.Process.Pid, syscall.SIGKILL)
}

// why replaces the error of a worker that we ended ourselves.
func (w *worker) why(c *salt.Ctx, err error) error {
	w.b.mu.Lock()
	defer w.b.mu.Unlock()
	why := w.b.ended
	w.b.ended = nil
	switch why {
	case errSlow:
		return w.b.gone(fmt.Sprintf("a custom module did not answer within %s (option custom_timeout)", w.b.timeout()))
	case errStopped:
		if e := c.Err(); e != nil {
			return e
		}
	}
	return err
}
