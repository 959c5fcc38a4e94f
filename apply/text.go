package apply

import "strings"

func splitLines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
