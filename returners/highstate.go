package returners

import (
	"fmt"
	"html"
	"io"
	"os"
	"slices"
	"strings"

	"pinch/render/yaml"
	"pinch/sys"
	"pinch/value"
)

// highstate writes a report of a state run, to a file or by mail: Salt's
// highstate_return with its options highstate.report_everything,
// report_changes, report_failures, success_function, failure_function,
// report_format (yaml, json, html), report_delivery (file, smtp),
// file_output, smtp_….
func highstate(s *settings, ret *value.Map, _ io.Writer) error {
	s.name = "highstate"
	report, failed, err := s.report(ret)
	if err != nil || report == nil {
		return err
	}
	format := s.text("report_format", "yaml")
	text := ""
	switch format {
	case "json":
		text, err = value.JSON(report, value.JSONOptions{Default: func(v any) (any, error) { return value.Repr(v), nil }})
	case "yaml":
		text, err = yaml.Dump(report, yaml.DumpOptions{Flow: yaml.Block})
	default:
		var b strings.Builder
		b.WriteString("<html>\n<body>\n")
		htmlTable(&b, report.Items, 0, "")
		b.WriteString("</body>\n</html>\n")
		text = b.String()
	}
	if err != nil {
		return err
	}
	if s.text("report_delivery", "file") == "file" {
		mode := os.FileMode(0o644)
		return sys.WriteFile(sys.Real{}, s.sprinkle(s.text("file_output", "/tmp/test.rpt")), []byte(text), sys.FileAttrs{Mode: &mode})
	}
	subject := s.text("smtp_success_subject", "Installation success")
	if failed {
		subject = s.text("smtp_failure_subject", "Installation failure")
	}
	m := &settings{c: s.c, name: s.name, ret: value.M("ret_kwargs", value.M(
		"from", s.text("smtp_sender", ""), "to", s.text("smtp_recipients", ""), "host", s.text("smtp_server", ""), "port", s.number("smtp_port", 25),
		"tls", s.flag("smtp_tls", false), "username", s.text("smtp_username", ""), "password", s.text("smtp_password", "")))}
	return m.mail(s.sprinkle(subject), "text/"+format, strings.ReplaceAll(text, "\n", "\r\n"))
}

// flag is an option that is on or off.
func (s *settings) flag(key string, def bool) bool {
	if v, ok := s.get(key); ok {
		return value.Truth(v)
	}
	return def
}

// sprinkle puts grains in for {NAME}.
func (s *settings) sprinkle(text string) string {
	parts := strings.Split(strings.ReplaceAll(text, "}", "{"), "{")
	for i := 1; i < len(parts); i += 2 {
		parts[i] = s.c.Grains.Str(parts[i])
	}
	return strings.Join(parts, "")
}

// report is the report of a run; nil when the options want none of it.
func (s *settings) report(ret *value.Map) (*value.List, bool, error) {
	data, ok := ret.At("return").(*value.Map)
	if !ok {
		return nil, false, nil // the run did not compile
	}
	type one struct {
		tag string
		ret *value.Map
	}
	var states []one
	for tag, v := range data.Items() {
		if m, ok := v.(*value.Map); ok && strings.Count(tag, "_|-") == 3 {
			states = append(states, one{tag, m})
		}
	}
	number := func(o one) int64 { n, _ := o.ret.At("__run_num__").(int64); return n }
	slices.SortStableFunc(states, func(a, b one) int { return int(number(a) - number(b)) })
	var failed, changed int64
	took := 0.0
	list := new(value.List)
	for _, st := range states {
		if v, ok := st.ret.Get("result"); ok && !value.Truth(v) {
			failed++
		}
		if st.ret.Truth("changes") {
			changed++
		}
		d, _ := st.ret.At("duration").(float64)
		took += d
		list.Append(stateReport(st.tag, st.ret))
	}
	total := int64(len(states))
	if !s.flag("report_everything", false) && (!s.flag("report_changes", true) || changed == 0) && (!s.flag("report_failures", true) || failed == 0) {
		return nil, false, nil
	}
	out := value.L(
		value.M("stats", value.L(value.M("total", total), value.M("failed", failed, "__style__", "failed"),
			value.M("unchanged", total-failed-changed, "__style__", "unchanged"), value.M("changed", changed, "__style__", "changed"), value.M("duration", took))),
		value.M("job", value.L(value.M("function", ret.Str("fun")), value.M("arguments", ret.At("fun_args")), value.M("jid", ret.Str("jid")),
			value.M("success", ret.At("success") != false), value.M("retcode", ret.At("retcode")))),
		value.M("states", list))
	extra := s.text("success_function", "")
	if failed > 0 {
		extra = s.text("failure_function", "")
	}
	if extra != "" {
		v, err := s.c.Call(extra)
		if err != nil {
			return nil, false, err
		}
		out.Items = append([]any{value.M("extra", value.L(value.M(extra, pairs(v))))}, out.Items...)
	}
	return out, failed > 0, nil
}

func stateReport(tag string, ret *value.Map) *value.Map {
	p := strings.Split(tag, "_|-")
	style := "unchanged"
	d := any(0.0)
	if v, ok := ret.Get("duration"); ok {
		d = v
	}
	one := value.L(value.M("function", p[0]+"."+p[3]), value.M("name", p[2]), value.M("result", ret.At("result")), value.M("duration", d),
		value.M("comment", ret.Str("comment")))
	switch changes := ret.Map("changes"); {
	case !ret.Truth("result"):
		style = "failed"
	case changes.Len() > 0:
		one.Append(value.M("changes", pairs(changes)))
		style = "changed"
	}
	if at := ret.Str("start_time"); at != "" {
		one.Append(value.M("started", at))
	}
	return value.M(p[1], one, "__style__", style)
}

// pairs is a mapping as a sorted list of single ones.
func pairs(v any) any {
	m, ok := v.(*value.Map)
	if !ok {
		return v
	}
	var keys []string
	for k := range m.Items() {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	l := new(value.List)
	for _, k := range keys {
		x := m.At(k)
		if sub, ok := x.(*value.Map); ok {
			x = pairs(sub)
		}
		l.Append(value.M(k, x))
	}
	return l
}

// colours are those of the styles; mail readers want them in each element.
func colour(style string) string {
	switch style {
	case "failed":
		return "color:red;"
	case "changed":
		return "color:green;"
	case "unchanged":
		return "color:blue;"
	}
	return ""
}

func htmlTable(b *strings.Builder, items []any, depth int, style string) {
	b.WriteString(`<table style="border-collapse:collapse;width:100%;">` + "\n")
	const cell = "vertical-align:top;font-family:Helvetica,Arial,sans-serif;font-size:9pt;border:1px solid #9e9e9e;"
	for _, it := range items {
		name, v := "", it
		mine := style
		if m, ok := it.(*value.Map); ok {
			for k, x := range m.Items() {
				if k == "__style__" {
					mine = value.Str(x)
				} else {
					name, v = k, x
				}
			}
		}
		b.WriteString("<tr>\n")
		if name != "" {
			fmt.Fprintf(b, "<td style=\"%swidth:70pt;%s\">%s</td>\n", cell, colour(mine), html.EscapeString(name))
		}
		if l, ok := v.(*value.List); ok && depth < 50 {
			fmt.Fprintf(b, "<td style=\"%spadding:0;%s\">\n", cell, colour(mine))
			htmlTable(b, l.Items, depth+1, mine)
			b.WriteString("</td>\n")
		} else {
			fmt.Fprintf(b, "<td style=\"%s%s\">%s</td>\n", cell, colour(mine), html.EscapeString(value.Str(v)))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</table>\n")
}
