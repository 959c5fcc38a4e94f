package output

import (
	"fmt"
	"strconv"
	"strings"

	"pinch/value"
)

// counts are the numbers of the summary, by result.
type counts struct {
	by       map[any]int // by value.HashKey of the result
	warnings int
}

func (c *counts) add(result any, n int) error {
	k, err := value.HashKey(result)
	if err != nil {
		return err
	}
	if c.by == nil {
		c.by = map[any]int{}
	}
	c.by[k] += n
	return nil
}

func (c *counts) of(result any) int {
	k, _ := value.HashKey(result)
	return c.by[k]
}

// total is the number of states, and width the length of the longest count.
func (c *counts) total() (total, width int) {
	for _, n := range c.by {
		total += n
		width = max(width, len(strconv.Itoa(n)))
	}
	if c.warnings > 0 {
		width = max(width, len(strconv.Itoa(c.warnings)))
	}
	return total, width
}

// summary prints the counts and the time below the states.
func (p *page) summary(host string) {
	total, digits := p.counts.total()
	width := len("Succeeded") + digits + len(": ")
	rule := strings.Repeat("-", width)
	count := func(label, n string) string { return label + ": " + padLeft(n, width-len(label)-2) }
	good, waiting, failed := p.counts.of(true), p.counts.of(nil), p.counts.of(false)

	p.line(p.c[cyan], "\nSummary for "+host+"\n"+rule)
	p.b = append(p.b, p.c[green]+count("Succeeded", strconv.Itoa(good+waiting))+p.c[endc]...)
	var stats []string
	if waiting > 0 {
		stats = append(stats, fmt.Sprintf("%sunchanged=%d%s", p.c[lightYellow], waiting, p.c[endc]))
	}
	if p.changes > 0 {
		stats = append(stats, fmt.Sprintf("%schanged=%d%s", p.c[green], p.changes, p.c[endc]))
	}
	if len(stats) > 0 {
		p.b = append(p.b, " ("+strings.Join(stats, ", ")+")"...)
	}
	p.b = append(p.b, '\n')
	bad := p.c[cyan]
	if failed > 0 {
		bad = p.c[red]
	}
	p.line(bad, count("Failed", strconv.Itoa(failed)))
	if p.o.StatePct && total > 0 {
		p.line(p.c[green], count("Success %", percent(good+waiting, total)))
		p.line(bad, count("Failure %", percent(failed, total)))
	}
	if p.counts.warnings > 0 {
		p.line(p.c[lightRed], count("Warnings", strconv.Itoa(p.counts.warnings)))
	}
	p.line(p.c[cyan], rule+"\nTotal states run: "+padLeft(strconv.Itoa(total), width-7))
	if !p.o.StateProfile {
		return
	}
	time, unit := p.spent+p.longest, "ms"
	if time > 999 {
		time, unit = time/1000, "s"
	}
	p.line(p.c[cyan], "Total run time: "+padLeft(strconv.FormatFloat(time, 'f', 3, 64), width-5)+" "+unit)
}

// percent is Python's round(n / total * 100, 2) as text.
func percent(n, total int) string {
	f, _ := strconv.ParseFloat(strconv.FormatFloat(float64(n)/float64(total)*100, 'f', 2, 64), 64)
	return value.FormatFloat(f)
}
