package apply

// beacons runs the mod_beacon of every state with a beacon argument.
func (r *runner) beacons(chunks []*Chunk) {
	var out []*Chunk
	for _, ch := range chunks {
		if ch.Low.Has("beacon") {
			low := ch.with("mod_beacon", "beacon_"+ch.ID)
			low.prereq, low.aggregate = false, false
			r.g.add(low)
			out = append(out, low)
		}
	}
	if len(out) > 0 {
		r.chunks(out)
	}
}
