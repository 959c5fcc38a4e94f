package cli

// Version is pinch's own version; the release build sets it.
var Version = "0.1.0"
