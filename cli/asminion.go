package cli

import (
	"context"
	"fmt"

	"pinch/cli/args"
)

// asMinion is the program under the name salt-minion: clients look for it on
// the PATH and ask its version. It is the verb minion.
func (p *program) asMinion(ctx context.Context, argv []string) int {
	for _, a := range argv {
		switch a {
		case "--version":
			fmt.Fprintln(p.stdout, args.SaltVersion(p.name))
			return 0
		case "-V", "--versions-report":
			fmt.Fprintln(p.stdout, args.VersionsReport(Version))
			return 0
		case "-h", "--help":
			fmt.Fprintf(p.stdout, "Usage: salt-minion [options]\n\nThis is pinch. As salt-minion it belongs to a master, or runs the schedule and the beacons without one\n(master_type: disable, or file_client: local without use_master_when_local); pinch help minion tells more.\n")
			return 0
		}
	}
	return runMinion(p, ctx, &request{argv: argv})
}
