package apply

import "pinch/value"

const testSuffix = "_|-__prereq_test__"

// prereq links a chunk to one that must first be run in test mode: the test
// run comes before the chunk, the target itself after it.
func (g *graph) prereq(me, target int32) {
	g.nodes[me].chunk.Low.Set("__prerequiring__", true)
	ch := g.nodes[target].chunk
	ch.Low.Set("__prereq__", true)
	ch.prereq = true
	test := g.nodes[target].test
	if test < 0 {
		test = g.addNode(g.nodes[target].id+testSuffix, ch)
		g.nodes[target].test = test
		// What the target needs its test run needs as well.
		for _, i := range g.nodes[target].in {
			from := g.edges[i].from
			for k := range g.edges[i].each {
				if k != Prereq {
					g.link(from, test, k)
				}
			}
		}
	}
	g.link(test, me, Prereq)
	g.link(me, target, Require)
	// In a chain the test run of the middle one comes after that of the last,
	// or it would always announce changes.
	if own := g.nodes[me].test; own >= 0 {
		g.link(test, own, Prereq)
	}
}

// testChanges is the result of a test run in a prereq chain that would do
// nothing: a state that prerequires it need not run.
func (r *runner) testUnchanged(ch *Chunk) {
	start, took := fakeDuration(r.c)
	r.pre[ch.Tag] = value.M(
		"changes", new(value.Map), "result", true, "duration", took, "start_time", start, "comment", "No changes detected",
		"__run_num__", r.number(), "__state_ran__", false, "__sls__", ch.Low.At("__sls__"), "__id__", ch.Low.At("__id__"), "name", ch.Low.At("name"))
}
