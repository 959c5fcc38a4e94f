package mysql

import (
	"slices"
	"testing"
)

// What real Salt 3008.4 reads out of GRANT statements.
func TestParseGrant(t *testing.T) {
	for _, tt := range []struct {
		text string
		want grant
	}{
		{"GRANT SELECT, INSERT (a, b), CREATE VIEW ON `db`.* TO 'x'@'localhost'", grant{"x", "localhost", "`db`.*", []string{"SELECT", "INSERT", "INSERT.a", "INSERT.b", "CREATE VIEW"}}},
		{"GRANT ALL PRIVILEGES ON *.* TO `root`@`%` WITH GRANT OPTION", grant{"`root`", "`%`", "*.*", []string{"ALL PRIVILEGES"}}},
		{"GRANT USAGE ON *.* TO 'u_1'@'10.0.0.%' IDENTIFIED BY PASSWORD '*AB'", grant{"u_1", "10.0.0.%", "*.*", []string{"USAGE"}}},
		{"GRANT SELECT ON `a\\_b`.`t x` TO `j-e`@`localhost`", grant{"`j-e`", "`localhost`", "`a\\_b`.`t x`", []string{"SELECT"}}},
		{"GRANT CREATE TEMPORARY TABLES, BINLOG MONITOR ON *.* TO `joe`@`localhost` REQUIRE SSL", grant{"`joe`", "`localhost`", "*.*", []string{"CREATE TEMPORARY TABLES", "BINLOG MONITOR"}}},
		{"GRANT SELECT (id, name) ON `pt`.`t` TO 'joe'@'localhost'", grant{"joe", "localhost", "`pt`.`t`", []string{"SELECT", "SELECT.id", "SELECT.name"}}},
		{"GRANT EXECUTE ON PROCEDURE `db`.`p` TO `x`@`y`", grant{"`x`", "`y`", "PROCEDURE`db`.`p`", []string{"EXECUTE"}}},
	} {
		got := parseGrant(tt.text)
		if got.user != tt.want.user || got.host != tt.want.host || got.database != tt.want.database || !slices.Equal(got.privileges, tt.want.privileges) {
			t.Errorf("%s\n got %+v\nwant %+v", tt.text, got, tt.want)
		}
	}
	// These end Salt in an error; a role has no place.
	for _, text := range []string{"", "GRANT", "GRANT `role` TO `u`@`h`", "GRANT PROXY ON ''@'%' TO 'root'@'localhost'", "GRANT SELECT ON 'x"} {
		parseGrant(text)
	}
}

func TestNormalGrant(t *testing.T) {
	for text, want := range map[string]string{
		"all": "ALL PRIVILEGES", "select,insert": "SELECT, INSERT", " Create  View , drop": "CREATE VIEW, DROP", "select (id, Name), update": "SELECT (id, Name), UPDATE",
	} {
		if got, err := normalGrant(text); err != nil || got != want {
			t.Errorf("%q: got %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"bogus", "select;drop", "select (id", "select on x to y; --"} {
		if got, err := normalGrant(text); err == nil {
			t.Errorf("%q gives %q", text, got)
		}
	}
}

func TestStatements(t *testing.T) {
	text := "-- c; c\nSELECT ';', \"a\\\";\", `;`; # x;\n/* ; */ INSERT INTO t\nVALUES ('it''s;');\n/*!40101 SET a=1 */;\n\n"
	want := []string{"SELECT ';', \"a\\\";\", `;`", "INSERT INTO t\nVALUES ('it''s;')", "/*!40101 SET a=1 */"}
	if got := statements(text); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	for _, text := range []string{"", ";;", "'", "/*", "--", "SELECT 'x\\"} {
		statements(text)
	}
}
