package gitfs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// killed is the environment variable with the options of a run that is to be
// killed; its value is "CACHE URL".
const killed = "PINCH_GITFS_KILLED"

// runKilled is the process that TestKilledAtAnyTime kills.
func runKilled(arg string) int {
	dir, url, _ := strings.Cut(arg, " ")
	fs := New(Options{Dir: dir, Remotes: []*Remote{{
		Role: "gitfs", ID: url, URL: url, Base: "master", RefTypes: refTypes, Depth: 1, Timeout: 30 * time.Second,
		Refspecs: []string{"+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"},
	}}})
	if errs := fs.Update(context.Background()); len(errs) > 0 {
		fmt.Fprintln(os.Stderr, errs)
		return 1
	}
	return 0
}

// TestKilledAtAnyTime kills runs with SIGKILL while they clone and while they
// fetch, at random moments ($PINCH_ALL: 50 times, $PINCH_KILLS: so many): the
// next run has the tree as it should be, without a warning and without help.
func TestKilledAtAnyTime(t *testing.T) {
	kills := 10
	if os.Getenv("PINCH_ALL") != "" {
		kills = 50
	}
	if n, err := strconv.Atoi(os.Getenv("PINCH_KILLS")); err == nil {
		kills = n
	} else if testing.Short() {
		kills = 4
	}
	w := newWork(t)
	rnd := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	grow := func(text string) {
		big := make([]byte, 600_000)
		for i := range big {
			big[i] = byte(rnd.Uint32())
		}
		if err := os.WriteFile(w.dir+"/big", big, 0o644); err != nil {
			t.Fatal(err)
		}
		for i := range 100 {
			if err := os.WriteFile(fmt.Sprintf("%s/f%d", w.dir, i), []byte(text+fmt.Sprint(i)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		w.commit("web/init.sls", text)
	}
	grow("first")
	url := w.serve(nil)
	child := func(dir string) *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), killed+"="+dir+" "+url)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	// How long a run takes, to choose moments within it; one that ends before
	// its moment takes less than was thought.
	began := time.Now()
	if err := child(t.TempDir()).Wait(); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	died, survived := 0, 0
	for i := 0; died < kills && survived < 10*kills; i++ {
		s := newSetup(t, remote(url))
		if i%2 == 1 { // killed in a fetch
			s.want("web/init.sls", "base", readWork(t, w))
			grow(fmt.Sprintf("text %d", i))
		}
		text := readWork(t, w)
		cmd := child(s.o.Dir)
		at := time.Duration(rnd.Int64N(int64(took)))
		time.Sleep(at)
		cmd.Process.Kill()
		if cmd.Wait() != nil {
			died++
		} else {
			survived++
			took = max((took+at)/2, time.Millisecond)
		}
		s.want("web/init.sls", "base", text)
		s.want("f99", "base", text+"99")
		if s.log.Len() > 0 {
			t.Errorf("kill %d: the next run complains: %s", i, s.log.String())
		}
		if left := leftovers(s.repoDir()); left != "" {
			t.Errorf("kill %d: %s is left", i, left)
		}
		os.RemoveAll(s.o.Dir)
		if t.Failed() {
			break
		}
	}
	if died == 0 {
		t.Error("no run was killed in time")
	}
	t.Logf("%d runs killed, %d were done before", died, survived)
}

func readWork(t *testing.T, w *work) string {
	t.Helper()
	b, err := os.ReadFile(w.dir + "/web/init.sls")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// leftovers are files of a fetch that did not end.
func leftovers(dir string) string {
	items, _ := os.ReadDir(dir + "/objects/pack")
	for _, it := range items {
		if strings.HasPrefix(it.Name(), "tmp_") {
			return it.Name()
		}
	}
	return ""
}
