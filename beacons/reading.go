package beacons

import "io"

// A reading goes on in a growing file from where it ended last; at moves when
// what was read is used.
type reading struct {
	at    int64
	begun bool
}

// next reads what came since, most bytes at a time. The first look only notes
// the end of the file; a file that is shorter than before is a new one.
func (r *reading) next(f io.ReadSeeker, most int64) ([]byte, error) {
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	if !r.begun {
		r.begun, r.at = true, end
		return nil, nil
	}
	if end < r.at {
		r.at = 0
	}
	if _, err := f.Seek(r.at, io.SeekStart); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, min(end-r.at, most)))
}
