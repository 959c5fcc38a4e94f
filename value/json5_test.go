package value_test

import (
	"math"
	"testing"

	"pinch/value"
)

// The documents are those of the JSON5 specification, https://spec.json5.org.
func TestJSON5(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"{\n  // comments\n  unquoted: 'and you can quote me on that',\n  singleQuotes: 'I can use \"double quotes\" here',\n  lineBreaks: \"Look, Mom! \\\nNo \\\\n's!\"," +
			"\n  hexadecimal: 0xdecaf,\n  leadingDecimalPoint: .8675309, andTrailing: 8675309.,\n  positiveSign: +1,\n  trailingComma: 'in objects', andIn: ['arrays',],\n  \"backwardsCompatible\": \"with JSON\",\n}\n",
			`{'unquoted': 'and you can quote me on that', 'singleQuotes': 'I can use "double quotes" here', 'lineBreaks': "Look, Mom! No \\n's!", 'hexadecimal': 912559, ` +
				`'leadingDecimalPoint': 0.8675309, 'andTrailing': 8675309.0, 'positiveSign': 1, 'trailingComma': 'in objects', 'andIn': ['arrays'], 'backwardsCompatible': 'with JSON'}`},
		{"/* a */ [1, -2, 1e3, -.5E-1, -0xA, null, true, false] // end", "[1, -2, 1000.0, -0.05, -10, None, True, False]"},
		{"[Infinity, -Infinity, +Infinity]", "[inf, -inf, inf]"},
		{`'\x41\u00e9\ud83d\ude00\v\0\'\q'`, `"Aé😀\x0b\x00'q"`},
		{"{$a_1: 1, ünïcode: 2, 'a b': {}, a: []}", "{'$a_1': 1, 'ünïcode': 2, 'a b': {}, 'a': []}"},
		{"\ufeff\u00a0'\u2028'", `'\u2028'`},
		{"123456789012345678901234567890", "123456789012345678901234567890"},
		{"'a\\\r\nb'", "'ab'"},
	} {
		v, err := value.ParseJSON5(tt.text)
		if err != nil || value.Repr(v) != tt.want {
			t.Errorf("%s:\ngot  %s %v\nwant %s", tt.text, value.Repr(v), err, tt.want)
		}
	}
	if v, err := value.ParseJSON5("NaN"); err != nil || !math.IsNaN(v.(float64)) {
		t.Error(v, err)
	}
	for _, text := range []string{"", "{a}", "[1 2]", "[,]", "{,}", "{1: 2}", "'a\nb'", "'a", "/* x", "nope", "0x", ".", "+", "1e", "[", "{a: 1", "1 2", `'\xg1'`, `'\u12'`, "truefalse"} {
		if v, err := value.ParseJSON5(text); err == nil {
			t.Errorf("%q: got %s", text, value.Repr(v))
		}
	}
}
