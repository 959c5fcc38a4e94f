package output

import "pinch/value"

// A palette holds the escape sequence of each of Salt's colours; all are empty
// when colour is off.
type palette [endc + 1]string

const (
	black = iota
	darkGray
	red
	lightRed
	green
	lightGreen
	yellow
	lightYellow
	blue
	lightBlue
	magenta
	lightMagenta
	cyan
	lightCyan
	lightGray
	white
	defaultColor
	endc
)

var colorNames = [...]string{"BLACK", "DARK_GRAY", "RED", "LIGHT_RED", "GREEN", "LIGHT_GREEN", "YELLOW", "LIGHT_YELLOW", "BLUE", "LIGHT_BLUE",
	"MAGENTA", "LIGHT_MAGENTA", "CYAN", "LIGHT_CYAN", "LIGHT_GRAY", "WHITE", "DEFAULT_COLOR", "ENDC"}

// ansi are the colours of ECMA-48 (SGR), each with a reset in front.
var ansi = palette{"\x1b[0;30m", "\x1b[0;1;30m", "\x1b[0;31m", "\x1b[0;1;31m", "\x1b[0;32m", "\x1b[0;1;32m", "\x1b[0;33m", "\x1b[0;1;33m", "\x1b[0;34m", "\x1b[0;1;34m",
	"\x1b[0;35m", "\x1b[0;1;35m", "\x1b[0;36m", "\x1b[0;1;36m", "\x1b[0;37m", "\x1b[0;1;37m", "\x1b[0;39m", "\x1b[0;0m"}

// colors is the palette for these options: none, Salt's with the theme's
// changes, or one colour for everything.
func (o *Options) colors() *palette {
	if !value.Truth(o.Color) {
		return new(palette)
	}
	p := ansi
	if o.Theme != "" {
		o.theme(&p)
	}
	if name, ok := o.Color.(string); ok {
		for i, n := range colorNames {
			if n != name {
				continue
			}
			for j := range p[:endc] {
				p[j] = p[i]
			}
			break
		}
	}
	return &p
}
