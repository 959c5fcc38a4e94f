package apply

import "strings"

// A Kind is a kind of direct requisite. The order is that of precedence: a
// later kind weighs more when the order of dependants is looked at.
type Kind uint8

const (
	Onfail Kind = iota
	OnfailAny
	OnfailAll
	Require
	RequireAny
	Onchanges
	OnchangesAny
	Watch
	WatchAny
	Prereq
	prerequired
	listen
)

var kindNames = [...]string{"onfail", "onfail_any", "onfail_all", "require", "require_any", "onchanges", "onchanges_any", "watch", "watch_any", "prereq", "prerequired", "listen"}

// String is the keyword of the kind.
func (k Kind) String() string { return kindNames[k] }

// linked are the kinds that make edges, in the order in which Salt adds them.
var linked = [...]Kind{Require, RequireAny, Watch, WatchAny, Prereq, Onfail, OnfailAny, OnfailAll, Onchanges, OnchangesAny}

// requisites are the keywords whose value must be a list of references; an
// extend joins those lists instead of replacing them.
var requisites = set(append(kindNames[:], "onfail_stop")...)

// internal are the arguments that the engine reads itself: a state function
// gets them only when it declares them.
var internal = set(append([]string{
	"onfail_stop", "onchanges_in", "onfail_in", "prereq_in", "watch_in", "require_in", "listen_in",
	"fun", "state", "check_cmd", "cmd_opts_exclude", "failhard", "onlyif", "unless", "creates", "retry", "order", "parallel",
	"reload_modules", "reload_grains", "reload_pillar", "runas", "runas_password", "no_log", "fire_event", "saltenv", "umask",
	"use", "use_in", "__env__", "__sls__", "__id__", "__sls_included_from__", "__orchestration_jid__", "__pub_user", "__pub_arg",
	"__pub_jid", "__pub_fun", "__pub_tgt", "__pub_ret", "__pub_pid", "__pub_tgt_type", "__pub_resource_targets",
	"__pub_minion_is_target", "__pub_resource_target", "__pub_resource_job", "__pub_pure_resource_target", "__prereq__",
	"__prerequiring__", "__umask__", "__agg__", "name_order",
}, kindNames[:]...)...)

// keywords are the requisites and conditions that a state may have whatever its
// function is.
var keywords = append([]string{
	"onchanges_in", "onfail_in", "prereq_in", "watch_in", "require_in", "listen_in", "onlyif", "unless", "check_cmd", "failhard", "reload_modules",
}, kindNames[:]...)

// Keyword is the requisite or condition that a misspelt argument was meant to
// be, or "". Salt takes such a word for an argument of the state, so that
// nothing is waited for and no condition holds.
func Keyword(arg string) string {
	if internal[arg] || len(arg) < 5 {
		return ""
	}
	switch arg {
	case "watches":
		return "watch"
	case "listen_to":
		return "listen"
	case "requires_in", "required_in":
		return "require_in"
	}
	bare := strings.ReplaceAll(arg, "_", "")
	for _, word := range keywords {
		if full := strings.ReplaceAll(word, "_", ""); arg[0] == word[0] && (bare == full || oneOff(bare, full)) {
			return word
		}
	}
	return ""
}

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}
