// Package salt_version holds Salt's salt_version module: it compares the
// version of Salt that this program stands for with the code names of
// releases. Its main variable is Module.
//
//	{% if salt['salt_version.less_than']('Argon') %}
package salt_version

import (
	"slices"
	"strconv"
	"strings"

	"pinch/config"
	"pinch/salt"
)

// Module is Salt's salt_version module.
var Module = salt.Module{
	Name: "salt_version",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"equal":              salt.Exec(equal),
			"get_release_number": salt.Exec(getReleaseNumber),
			"greater_than":       salt.Exec(greaterThan),
			"less_than":          salt.Exec(lessThan),
		}
	},
}

// elements are the chemical elements in their order, which name Salt's
// releases: those up to fluorine have the dates of dated, from neon on they
// count up from 3000.
const elements = `hydrogen helium lithium beryllium boron carbon nitrogen oxygen fluorine
neon sodium magnesium aluminium silicon phosphorus sulfur chlorine argon potassium calcium scandium titanium vanadium
chromium manganese iron cobalt nickel copper zinc gallium germanium arsenic selenium bromine krypton rubidium strontium
yttrium zirconium niobium molybdenum technetium ruthenium rhodium palladium silver cadmium indium tin antimony tellurium
iodine xenon cesium barium lanthanum cerium praseodymium neodymium promethium samarium europium gadolinium terbium
dysprosium holmium erbium thulium ytterbium lutetium hafnium tantalum tungsten rhenium osmium iridium platinum gold
mercury thallium lead bismuth polonium astatine radon francium radium actinium thorium protactinium uranium neptunium
plutonium americium curium berkelium californium einsteinium fermium mendelevium nobelium lawrencium rutherfordium
dubnium seaborgium bohrium hassium meitnerium darmstadtium roentgenium copernicium nihonium flerovium moscovium
livermorium tennessine oganesson`

const dated = "2014.1 2014.7 2015.5 2015.8 2016.3 2016.11 2017.7 2018.3 2019.2"

// release is the number of a release, "" for an unknown name.
func release(name string) string {
	old := strings.Fields(dated)
	i := slices.Index(strings.Fields(elements), strings.ToLower(name))
	switch {
	case i < 0:
		return ""
	case i < len(old):
		return old[i]
	}
	return strconv.Itoa(3000 + i - len(old))
}

type nameArgs struct {
	Name any `py:"name"` // the release's code name, in letters of any case
}

func (a nameArgs) number() (string, error) {
	s, ok := a.Name.(string)
	if !ok {
		return "", salt.CommandError("'name' argument must be a string")
	}
	return release(s), nil
}

// getReleaseNumber returns the number of a release, nothing for a name that is
// none.
func getReleaseNumber(_ *salt.Ctx, a nameArgs) (any, error) {
	n, err := a.number()
	if n == "" {
		return nil, err
	}
	return n, nil
}

// compare says how our version stands to that of the name; ok is false for an
// unknown name.
func compare(a nameArgs) (order int, ok bool, err error) {
	n, err := a.number()
	if n == "" || err != nil {
		return 0, false, err
	}
	own, _, _ := strings.Cut(config.SaltVersion, ".")
	return slices.Compare(numbers(own), numbers(n)), true, nil
}

func numbers(s string) []int {
	var out []int
	for part := range strings.SplitSeq(s, ".") {
		n, _ := strconv.Atoi(part)
		out = append(out, n)
	}
	return out
}

// equal says whether this is the release of that name.
func equal(_ *salt.Ctx, a nameArgs) (bool, error) {
	order, ok, err := compare(a)
	return ok && order == 0, err
}

// greaterThan says whether this is a later release than the one of that name.
func greaterThan(_ *salt.Ctx, a nameArgs) (bool, error) {
	order, ok, err := compare(a)
	return ok && order > 0, err
}

// lessThan says whether this is an earlier release than the one of that name.
func lessThan(_ *salt.Ctx, a nameArgs) (bool, error) {
	order, ok, err := compare(a)
	return ok && order < 0, err
}
