package runs

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"

	"pinch/render/yaml"
	"pinch/value"
)

// page is an HTML page in the making; all text goes through text.
type page struct{ strings.Builder }

// text writes something as text: nothing in it is markup.
func (p *page) text(s string) { p.WriteString(html.EscapeString(s)) }

// put writes markup of ours, with the arguments as text.
func (p *page) put(format string, a ...string) {
	args := make([]any, len(a))
	for i, s := range a {
		args[i] = html.EscapeString(s)
	}
	fmt.Fprintf(p, format, args...)
}

const style = `:root{color-scheme:light dark;--bg:#fff;--fg:#1d2129;--soft:#667;--line:#dde1e8;--card:#f5f7fa;--ok:#2b8a3e;--changed:#1864ab;--failed:#c92a2a;--would:#b35c00}
@media(prefers-color-scheme:dark){:root{--bg:#15181d;--fg:#e6e8ec;--soft:#99a;--line:#333a45;--card:#1e232b;--ok:#69db7c;--changed:#74c0fc;--failed:#ff8787;--would:#ffc078}}
body{background:var(--bg);color:var(--fg);font:15px/1.45 system-ui,sans-serif;margin:0 auto;max-width:1100px;padding:1.5rem}
h1{font-size:1.4rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}p{color:var(--soft);margin:.3rem 0}
.tiles{display:flex;flex-wrap:wrap;gap:.7rem;margin:1rem 0}.tile{background:var(--card);border-radius:8px;padding:.6rem 1rem;min-width:6rem}
.tile b{display:block;font-size:1.6rem}.ok{color:var(--ok)}.changed{color:var(--changed)}.failed{color:var(--failed)}.would{color:var(--would)}
details{border-bottom:1px solid var(--line);padding:.35rem 0}summary{cursor:pointer;display:flex;gap:.8rem;align-items:baseline}
summary::before{content:"\25B8";color:var(--soft);width:.6rem}details[open]>summary::before{content:"\25BE"}details>p,details>pre{margin-left:1.4rem}
summary span:nth-child(1){width:5.5rem;font-weight:600;flex:none}summary span:nth-child(2){flex:1;overflow-wrap:anywhere}summary span:nth-child(3){color:var(--soft);flex:none}
pre{background:var(--card);border-radius:6px;overflow-x:auto;padding:.7rem;white-space:pre-wrap;overflow-wrap:anywhere;font-size:13px}
.add{color:var(--ok)}.del{color:var(--failed)}.at{color:var(--changed)}.wide{overflow-x:auto}svg{width:100%;min-width:640px;height:auto}svg text{fill:var(--soft);font:11px system-ui,sans-serif}
table{border-collapse:collapse;display:block;overflow-x:auto}td,th{border-bottom:1px solid var(--line);padding:.3rem .6rem .3rem 0;text-align:left}`

// HTML is the page of one run, with the history of all runs; nil says that
// nothing has run yet.
func HTML(id string, all []*Run, r *Run) string {
	p := new(page)
	p.WriteString("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n" +
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n")
	title := "no run yet"
	if r != nil {
		title = r.Fun
	}
	p.put("<title>%s: %s</title>\n<style>", id, title)
	p.WriteString(style)
	p.WriteString("</style>\n")
	p.put("<h1>%s</h1>\n", id)
	if r == nil {
		p.WriteString("<p>nothing has run yet</p>\n")
		return p.String()
	}
	p.put("<p>%s, ", strings.TrimSpace(r.Fun+" "+r.Args))
	p.put("%s, took %s, job %s", r.Start.Local().Format("Mon 2 Jan 2006 15:04:05 MST"), Took(r.Seconds), r.JID)
	if r.Test {
		p.WriteString(", a test run: nothing was changed")
	}
	p.WriteString("</p>\n")
	p.tiles(r)
	if r.Text != "" {
		p.put("<pre>%s</pre>\n", r.Text)
	}
	p.states(r)
	p.slowest(r)
	p.history(all)
	return p.String()
}

func (p *page) tiles(r *Run) {
	ok, changed, failed, would := r.Counts()
	p.WriteString("<div class=\"tiles\">")
	for _, t := range []struct {
		n           int
		class, name string
	}{{len(r.States), "", "states"}, {ok, "ok", "as they should be"}, {changed, "changed", "changed"}, {would, "would", "would change"}, {failed, "failed", "failed"}} {
		p.put("<div class=\"tile\"><b class=\"%s\">%s</b>%s</div>", t.class, fmt.Sprint(t.n), t.name)
	}
	p.WriteString("</div>\n")
}

// states lists the states, those that failed or changed open.
func (p *page) states(r *Run) {
	if len(r.States) == 0 {
		return
	}
	p.WriteString("<h2>States</h2>\n")
	for _, s := range r.States {
		open := ""
		if s.Result != "ok" {
			open = " open"
		}
		p.WriteString("<details" + open + "><summary>")
		p.put("<span class=\"%s\">%s</span><span>%s <b>%s</b></span><span>%s</span></summary>\n", s.Result, s.Result, s.Fun, s.ID, Took(s.Millis/1000))
		if s.Name != s.ID {
			p.put("<p>name: %s</p>", s.Name)
		}
		if s.SLS != "" {
			p.put("<p>from %s</p>", s.SLS)
		}
		if s.Comment != "" {
			p.put("<pre>%s</pre>\n", s.Comment)
		}
		p.changes(s.Changes)
		p.WriteString("</details>\n")
	}
}

// changes shows what changed; a diff has colours.
func (p *page) changes(m *value.Map) {
	rest := new(value.Map)
	for k, v := range m.Items() {
		text, ok := v.(string)
		if k != "diff" || !ok {
			rest.Set(k, v)
			continue
		}
		p.WriteString("<pre>")
		head := true // the names of the two files
		for line := range strings.Lines(text) {
			class := ""
			head = head && (strings.HasPrefix(line, "---") || strings.HasPrefix(line, "+++"))
			switch {
			case head:
			case strings.HasPrefix(line, "@@"):
				class = "at"
			case strings.HasPrefix(line, "+"):
				class = "add"
			case strings.HasPrefix(line, "-"):
				class = "del"
			}
			p.put("<span class=\"%s\">%s</span>", class, line)
		}
		p.WriteString("</pre>\n")
	}
	if rest.Len() == 0 {
		return
	}
	text, err := yaml.Dump(rest, yaml.DumpOptions{Flow: yaml.Block, KeepOrder: true})
	if err != nil {
		text = value.Repr(rest)
	}
	p.put("<pre>%s</pre>\n", text)
}

// slowest draws where the time went.
func (p *page) slowest(r *Run) {
	const rows, width, row = 12, 1000, 20
	states := append([]State{}, r.States...)
	slices.SortStableFunc(states, func(a, b State) int { return cmp.Compare(b.Millis, a.Millis) })
	states = states[:min(rows, len(states))]
	if len(states) == 0 || states[0].Millis <= 0 {
		return
	}
	p.WriteString("<h2>Where the time went</h2>\n")
	fmt.Fprintf(p, "<div class=\"wide\"><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"durations\">", width, row*len(states))
	for i, s := range states {
		w := s.Millis / states[0].Millis * (width - 420)
		fmt.Fprintf(p, "<text x=\"0\" y=\"%d\">", row*i+14)
		p.text(clip(s.Fun+" "+s.ID, 56))
		fmt.Fprintf(p, "</text><rect x=\"340\" y=\"%d\" width=\"%.1f\" height=\"14\" rx=\"3\" fill=\"var(--%s)\"/><text x=\"%.1f\" y=\"%d\">",
			row*i+3, max(w, 1), s.Result, 346+max(w, 1), row*i+14)
		p.text(Took(s.Millis / 1000))
		p.WriteString("</text>")
	}
	p.WriteString("</svg></div>\n")
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// history draws the runs before: one bar each, as high as it took.
func (p *page) history(all []*Run) {
	if len(all) < 2 {
		return
	}
	all = all[max(0, len(all)-50):]
	longest := 0.0
	for _, r := range all {
		longest = max(longest, r.Seconds)
	}
	p.WriteString("<h2>History</h2>\n<div class=\"wide\"><svg viewBox=\"0 0 1000 90\" role=\"img\" aria-label=\"durations of the last runs\">")
	for i, r := range all {
		_, changed, failed, would := r.Counts()
		class := "ok"
		switch {
		case failed > 0 || r.Text != "":
			class = "failed"
		case would > 0:
			class = "would"
		case changed > 0:
			class = "changed"
		}
		h := 4.0
		if longest > 0 {
			h += 80 * r.Seconds / longest
		}
		fmt.Fprintf(p, "<rect x=\"%d\" y=\"%.1f\" width=\"14\" height=\"%.1f\" rx=\"2\" fill=\"var(--%s)\"><title>", i*20, 88-h, h, class)
		p.text(r.Start.Local().Format("2006-01-02 15:04") + " " + r.Fun + ", " + Took(r.Seconds))
		p.WriteString("</title></rect>")
	}
	p.WriteString("</svg></div>\n<table><tr><th>when<th>what<th>took<th>states<th>changed<th>failed</tr>\n")
	for i := len(all) - 1; i >= max(0, len(all)-10); i-- {
		r := all[i]
		_, changed, failed, would := r.Counts()
		p.put("<tr><td>%s<td>%s %s<td>%s<td>%s<td>%s<td>%s</tr>\n", r.Start.Local().Format("2006-01-02 15:04:05"), r.Fun, r.Args, Took(r.Seconds),
			fmt.Sprint(len(r.States)), fmt.Sprint(changed+would), fmt.Sprint(failed))
	}
	p.WriteString("</table>\n")
}
