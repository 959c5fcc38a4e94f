package cli

import (
	"context"
	"fmt"

	"pinch/cli/args"
)

// asMinion is the program under the name salt-minion: clients look for it on
// the PATH and ask its version. It starts the verb daemon or minion where there
// is one.
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
			fmt.Fprintf(p.stdout, "Usage: salt-minion [options]\n\nThis is pinch. It applies states with salt-call or pinch apply; pinch help lists its commands.\n")
			return 0
		}
	}
	for _, name := range []string{"daemon", "minion"} {
		if v := verb(name); v != nil {
			return v.run(p, ctx, argv)
		}
	}
	fmt.Fprintf(p.stderr, "error: pinch runs without a daemon\nhint: apply the states with salt-call state.apply, from cron or a systemd timer\n")
	return exitGeneric
}
