package minion

import (
	"log/slog"
	"testing"
	"time"

	"pinch/minion/mastertest"
	"pinch/value"
)

// What the event of a job's start and the return say of the job: of metadata
// only a map counts, master_id leads the return to its master.
func TestIdentity(t *testing.T) {
	m := mastertest.New(t)
	start(t, nil, m.Addr)
	for i, c := range []struct {
		more         *value.Map
		event, after string
	}{
		{value.M("master_id", "upper", "metadata", value.M("a", int64(1)), "start_event", true),
			"{'id': 'm', 'jid': '20260101000000000000', 'fun': 'test.ping', 'tgt': '*', 'tgt_type': 'glob', 'user': 'root', 'master_id': 'upper', 'metadata': {'a': 1}}", "['upper', {'a': 1}]"},
		{value.M("metadata", "text", "start_event", true),
			"{'id': 'm', 'jid': '20260101000000000001', 'fun': 'test.ping', 'tgt': '*', 'tgt_type': 'glob', 'user': 'root', 'metadata': 'text'}", "[None, None]"},
	} {
		load := mastertest.Job(jid(i), "test.ping")
		load.Update(c.more)
		m.Publish(t, load)
		if e := m.Event(t, "salt/job/"+jid(i)+"/start/m"); value.Repr(e.At("data")) != c.event {
			t.Errorf("%s, want %s", value.Repr(e.At("data")), c.event)
		}
		ret := m.Return(t, jid(i))
		if got := value.Repr(value.L(ret.At("master_id"), ret.At("metadata"))); got != c.after {
			t.Errorf("%s, want %s", got, c.after)
		}
	}
}

// pub_ret False: nothing goes back, but the job runs.
func TestNoReturn(t *testing.T) {
	m := mastertest.New(t)
	w := start(t, value.M("pub_ret", false), m.Addr)
	m.Publish(t, mastertest.Job(jid(0), "test.ping"))
	w.soon("job " + jid(0) + " took")
	if m.Returned(jid(0)) || m.Asked("_return") != 0 {
		t.Error("it came back")
	}
}

// multifunc_ordered: several functions' results in their order, one may come twice.
func TestInOrder(t *testing.T) {
	for _, ordered := range []bool{false, true} {
		m := mastertest.New(t)
		start(t, value.M("multifunc_ordered", ordered), m.Addr)
		load := mastertest.Job(jid(0), "")
		load.Set("fun", value.L("test.echo", "test.retcode", "test.echo"))
		load.Set("arg", value.L(value.L("a"), value.L(int64(3)), value.L("b")))
		m.Publish(t, load)
		ret := m.Return(t, jid(0))
		want := "[{'test.echo': 'b', 'test.retcode': True}, {'test.echo': 0, 'test.retcode': 3}, {'test.echo': True, 'test.retcode': False}]"
		if ordered {
			want = "[['a', True, 'b'], [0, 3, 0], [True, False, True]]"
		}
		if got := value.Repr(value.L(ret.At("return"), ret.At("retcode"), ret.At("success"))); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// What happens every so many minutes: minion_ping, and grains and pillar anew.
func TestEvery(t *testing.T) {
	m := mastertest.New(t)
	w := start(t, value.M("ping_interval", 0.001, "grains_refresh_every", -0.001), m.Addr)
	if e := m.Event(t, "minion_ping"); e.At("data") != "ping" {
		t.Error(value.Repr(e))
	}
	before := m.Asked("_pillar")
	for range 1000 {
		if m.Asked("_pillar") > before+2 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("the pillar is not asked for again:\n", w.log.b.String())
}

func TestLine(t *testing.T) {
	l := line(value.M("source_address", "127.0.0.2", "source_ret_port", "4001", "source_publish_port", int64(4002), "tcp_keepalive", true, "tcp_keepalive_idle", int64(5), "tcp_keepalive_cnt", int64(-1), "tcp_keepalive_intvl", int64(7)), slog.New(slog.DiscardHandler))
	if l.From.String() != "127.0.0.2" || l.AskPort != 4001 || l.PubPort != 4002 || !l.KeepAlive.Enable || l.KeepAlive.Idle != 5*time.Second || l.KeepAlive.Count != -1 || l.KeepAlive.Interval != 7*time.Second {
		t.Errorf("%+v %+v", l, l.KeepAlive)
	}
	l = line(value.M("source_interface_name", "lo", "source_address", "10.0.0.1"), slog.New(slog.DiscardHandler))
	if l.From.String() != "127.0.0.1" || l.KeepAlive != nil {
		t.Errorf("%+v", l)
	}
	if l = line(value.M("source_interface_name", "nosuch0"), slog.New(slog.DiscardHandler)); l.From != nil {
		t.Errorf("%+v", l)
	}
}
