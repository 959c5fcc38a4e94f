package runs

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"pinch/value"
)

// hostile is a text that would be a script if anything took it for markup.
const hostile = `"><script>alert(1)</script><img src=x onerror=alert(2)> </style></title>&lt;`

// Whatever states are called and say, it is text on the page: the page parses
// into our own elements only.
func TestHostileTexts(t *testing.T) {
	m := value.M("jid", hostile, "fun", hostile, "why", hostile, "args", value.L(hostile), "start", "2026-03-10T12:00:00Z", "seconds", 1.5,
		"return", value.M(
			"file_|-"+hostile+"_|-x_|-managed", value.M("__id__", hostile, "name", hostile, "__sls__", hostile, "comment", hostile, "result", true,
				"changes", value.M("diff", "--- a\n+++ b\n@@ -1 +1 @@\n-"+hostile+"\n+"+hostile+"\n", hostile, hostile), "duration", 12.5, "__run_num__", int64(0)),
			"test_|-b_|-b_|-nop", value.M("name", "b", "result", nil, "comment", "", "changes", new(value.Map), "duration", 0.1, "__run_num__", int64(1))))
	r := Of(m)
	page := HTML(hostile, []*Run{r, r}, r)
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	texts := 0
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode {
			switch n.Data {
			case "script", "img", "iframe", "object", "link", "a", "form":
				t.Errorf("the page has an element %s", n.Data)
			}
			for _, a := range n.Attr {
				if strings.HasPrefix(a.Key, "on") || strings.Contains(a.Val, "script") && a.Key != "content" {
					t.Errorf("%s has %s=%q", n.Data, a.Key, a.Val)
				}
			}
		}
		if n.Type == html.TextNode && strings.Contains(n.Data, "<script>alert(1)</script>") {
			texts++
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(doc)
	if texts < 8 {
		t.Errorf("the hostile text is shown %d times", texts)
	}
	if strings.Contains(page, "http://") || strings.Contains(page, "https://") {
		t.Error("the page names something of the network")
	}
}

func TestCounts(t *testing.T) {
	states := new(value.Map)
	for i, result := range []any{true, true, false, nil} {
		ch := new(value.Map)
		if i == 1 {
			ch.Set("a", "b")
		}
		states.Set(fmt.Sprintf("test_|-%d_|-%d_|-nop", i, i), value.M("result", result, "changes", ch, "__run_num__", int64(3-i)))
	}
	r := Of(value.M("return", states))
	ok, changed, failed, would := r.Counts()
	if ok != 1 || changed != 1 || failed != 1 || would != 1 {
		t.Error(ok, changed, failed, would)
	}
	if r.States[0].ID != "3" {
		t.Errorf("the states are not in their order: %v", r.States)
	}
	if r := Of(value.M("return", value.L("Rendering SLS failed"))); r.Text == "" || r.States != nil {
		t.Error("errors are not shown")
	}
}
