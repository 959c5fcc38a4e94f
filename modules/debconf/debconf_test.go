package debconf

import (
	"testing"

	"pinch/value"
)

// The result is that of Salt's debconf.get_selections for this output.
func TestParse(t *testing.T) {
	text := "# Set the timezone\ntzdata\ttzdata/Areas\tselect\tEurope\ntzdata\ttzdata/Zones/Asia\tselect\t\nxy\tx/y\tstring\ttwo words\n"
	if got := value.Repr(parse(text, true)); got != "{'tzdata': [['tzdata/Areas', 'select', 'Europe'], ['tzdata/Zones/Asia', 'select', '']], 'xy': [['x/y', 'string', 'two words']]}" {
		t.Error(got)
	}
	if got := parse(text, false).List("tzdata").Len(); got != 1 {
		t.Error(got)
	}
}
