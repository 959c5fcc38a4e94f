package beacons

import (
	"pinch/value"
)

// Tags of requests and answers.
const (
	ManageTag = "manage_beacons"
	answerTag = "/salt/minion/minion_"
)

// AnswerTag is the tag of the event that answers a request.
func AnswerTag(fun string) string {
	names := map[string]string{
		"list": "beacons_list_complete", "list_available": "beacons_list_available_complete", "validate_beacon": "beacon_validation_complete",
		"add": "beacon_add_complete", "modify": "beacon_modify_complete", "delete": "beacon_delete_complete",
		"enable": "beacons_enabled_complete", "disable": "beacons_disabled_complete", "enable_beacon": "beacon_enabled_complete",
		"disable_beacon": "beacon_disabled_complete", "reset": "beacon_reset_complete",
	}
	if names[fun] == "" {
		return ""
	}
	return answerTag + names[fun]
}

// Manage carries out a request, the data of an event manage_beacons, and gives
// the data of the answer; nil for an unknown request.
func (s *Set) Manage(data *value.Map) *value.Map {
	fun, name := data.Str("func"), data.Str("name")
	if s.Config == nil {
		s.Config = new(value.Map)
	}
	answer := func(comment string) *value.Map {
		m := value.M("complete", true)
		if comment != "" {
			m.Set("comment", comment)
		}
		m.Set("beacons", value.Copy(s.Config))
		return m
	}
	inPillar := func(verb string) *value.Map {
		m := answer("Cannot " + verb + " beacon item " + name + ", it is configured in pillar.")
		m.Set("complete", false)
		return m
	}
	switch fun {
	case "list":
		all := new(value.Map)
		if !data.Has("include_pillar") || data.Truth("include_pillar") {
			all.Update(s.Pillar)
		}
		if !data.Has("include_opts") || data.Truth("include_opts") {
			all.Update(s.Config)
		}
		return value.M("complete", true, "beacons", value.Copy(all))
	case "list_available":
		return value.M("complete", true, "beacons", value.Strings(Names(s.Env)))
	case "validate_beacon":
		ok, text := Validate(s.Env, name, data.At("beacon_data"))
		return value.M("complete", true, "vcomment", text, "valid", ok)
	case "add":
		if s.Pillar.Has(name) {
			m := answer("Cannot update beacon item " + name + ", because it is configured in pillar.")
			m.Set("complete", false)
			return m
		}
		comment := "Added new beacon item: " + name
		if s.Config.Has(name) {
			comment = "Updating settings for beacon item: " + name
		}
		s.Config.Set(name, data.At("beacon_data"))
		return answer(comment)
	case "modify":
		if s.Pillar.Has(name) {
			return inPillar("modify")
		}
		s.Config.Set(name, data.At("beacon_data"))
		return answer("Updating settings for beacon item: " + name)
	case "delete":
		if s.Pillar.Has(name) {
			return inPillar("delete")
		}
		if _, ok := s.Config.Pop(name); !ok {
			return answer("Beacon item " + name + " not found.")
		}
		return answer("Deleting beacon item: " + name)
	case "enable", "disable":
		s.Config.Set("enabled", fun == "enable")
		return answer("")
	case "enable_beacon", "disable_beacon":
		verb := fun[:len(fun)-len("_beacon")]
		if s.Pillar.Has(name) {
			return inPillar(verb)
		}
		if !s.Config.Has(name) {
			m := answer("Beacon item " + name + " not found.")
			m.Set("complete", false)
			return m
		}
		s.enable(name, verb == "enable")
		return answer(map[string]string{"enable": "Enabling", "disable": "Disabling"}[verb] + " beacon item " + name)
	case "reset":
		s.Config = new(value.Map)
		return answer("Beacons have been reset")
	}
	return nil
}

// enable switches a beacon of the configuration on or off.
func (s *Set) enable(name string, on bool) {
	switch conf := s.Config.At(name).(type) {
	case *value.Map:
		conf.Set("enabled", on)
	case *value.List:
		for _, it := range conf.Items {
			if m, ok := it.(*value.Map); ok && m.Has("enabled") {
				m.Set("enabled", on)
				return
			}
		}
		conf.Append(value.M("enabled", on))
	}
}
