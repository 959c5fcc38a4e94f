// Command pinch puts a machine into the state its Salt tree describes, alone
// or as a minion.
package main

import (
	"os"

	"pinch/cli"
)

func main() { os.Exit(cli.Main(os.Args)) }
