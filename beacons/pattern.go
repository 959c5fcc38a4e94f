package beacons

import "pinch/value/pyre"

// pythonPattern compiles a pattern with Python's rules; it matches at the start.
func pythonPattern(text string) (func(string) bool, error) {
	re, err := pyre.Compile(text, 0)
	if err != nil {
		return nil, err
	}
	return func(s string) bool { return re.Match(s) != nil }, nil
}

// pythonSearch is pythonPattern that matches anywhere.
func pythonSearch(text string) (func(string) bool, error) {
	re, err := pyre.Compile(text, 0)
	if err != nil {
		return nil, err
	}
	return func(s string) bool { return re.Search(s) != nil }, nil
}
