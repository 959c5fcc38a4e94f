// Command pinch puts a machine into the state its Salt tree describes, alone
// or as a minion.
package main

func main() {}
