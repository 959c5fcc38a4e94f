// Package slack holds Salt's slack module: messages to Slack. The key is the
// option or pillar value slack:api_key, that of a web hook slack:hook. Its main
// variable is Module.
//
//	salt-call slack.post_message '#ops' 'web1 is updated'
package slack

import (
	"net/url"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's slack module.
var Module = salt.Module{
	Name: "slack",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"call_hook":    salt.Exec(callHook),
			"find_room":    salt.Exec(findRoom),
			"find_user":    salt.Exec(findUser),
			"list_rooms":   salt.Exec(listRooms),
			"list_users":   salt.Exec(listUsers),
			"post_message": salt.Exec(postMessage),
		}
	},
}

// setting is an option of the module.
func setting(c *salt.Ctx, given any, name, none string) (string, error) {
	if value.Truth(given) {
		return value.Str(given), nil
	}
	for _, sep := range []string{".", ":"} {
		v, err := c.Call("config.get", "slack"+sep+name)
		if err != nil {
			return "", err
		}
		if value.Truth(v) {
			return value.Str(v), nil
		}
	}
	return "", salt.InvocationError("%s", none)
}

// ask calls a function of Slack's and takes a part of the answer.
func ask(c *salt.Ctx, key any, fun, part string, kw *value.Map) (*value.Map, error) {
	k, err := setting(c, key, "api_key", "No Slack API key found.")
	if err != nil {
		return nil, err
	}
	header := value.M("Authorization", "Bearer "+k)
	if kw.Has("data") {
		header.Set("Content-Type", "application/x-www-form-urlencoded")
	} else {
		header.Set("Accept", "application/json")
	}
	kw.Update(value.M("header_dict", header, "decode", true, "status", true))
	v, err := c.CallKw("http.query", kw, "https://slack.com/api/"+fun)
	if err != nil {
		return nil, err
	}
	res, _ := v.(*value.Map)
	dict := res.Map("dict")
	switch {
	case res.At("status") != int64(200):
		return value.M("message", "invalid_auth", "res", false), nil
	case dict.Has("error"):
		return value.M("message", dict.At("error"), "res", false), nil
	}
	return value.M("message", dict.At(part), "res", true), nil
}

type keyArgs struct {
	APIKey any `py:"api_key=None"` // the key, slack:api_key by default
}

// listRooms returns the channels as message of a mapping.
func listRooms(c *salt.Ctx, a keyArgs) (*value.Map, error) {
	return ask(c, a.APIKey, "conversations.list", "channels", new(value.Map))
}

// listUsers returns the users as message of a mapping.
func listUsers(c *salt.Ctx, a keyArgs) (*value.Map, error) {
	return ask(c, a.APIKey, "users.list", "members", new(value.Map))
}

func find(m *value.Map, name string) any {
	l := m.List("message")
	if !m.Truth("res") || l == nil {
		return false
	}
	for _, it := range l.Items {
		if e, ok := it.(*value.Map); ok && e.At("name") == name {
			return e
		}
	}
	return false
}

type findArgs struct {
	Name   string `py:"name"`         // the name
	APIKey any    `py:"api_key=None"` // the key, slack:api_key by default
}

// findRoom returns a channel by its name; False when there is none.
func findRoom(c *salt.Ctx, a findArgs) (any, error) {
	m, err := listRooms(c, keyArgs{a.APIKey})
	return find(m, strings.TrimPrefix(a.Name, "#")), err
}

// findUser returns a user by name; False when there is none.
func findUser(c *salt.Ctx, a findArgs) (any, error) {
	m, err := listUsers(c, keyArgs{a.APIKey})
	return find(m, a.Name), err
}

type postArgs struct {
	Channel     string `py:"channel"`          // #CHANNEL or @USER
	Message     string `py:"message"`          // the text
	FromName    any    `py:"from_name=None"`   // a name to show, which Slack ignores now
	APIKey      any    `py:"api_key=None"`     // the key, slack:api_key by default
	Icon        any    `py:"icon=None"`        // the URL of a picture, which Slack ignores now
	Attachments any    `py:"attachments=None"` // a list of attachments
	Blocks      any    `py:"blocks=None"`      // a list of blocks
}

// postMessage sends a message. It returns True, or the answer with the error.
func postMessage(c *salt.Ctx, a postArgs) (any, error) {
	if !strings.HasPrefix(a.Channel, "#") && !strings.HasPrefix(a.Channel, "@") {
		c.Log.Warn("Channel name must start with a hash or @. Prepending a hash and using \"#" + a.Channel + "\" as channel name instead of " + a.Channel)
		a.Channel = "#" + a.Channel
	}
	form := url.Values{"channel": {a.Channel}, "text": {a.Message}}
	for name, v := range map[string]any{"attachments": a.Attachments, "blocks": a.Blocks} {
		if !value.Truth(v) {
			v = value.L()
		}
		s, err := value.JSON(v, value.JSONOptions{})
		if err != nil {
			return nil, err
		}
		form.Set(name, s)
	}
	if value.Truth(a.FromName) {
		form.Set("username", value.Str(a.FromName))
	}
	if a.Icon != nil {
		form.Set("icon_url", value.Str(a.Icon))
	}
	m, err := ask(c, a.APIKey, "chat.postMessage", "channel", value.M("method", "POST", "data", form.Encode()))
	if err != nil || m.Truth("res") {
		return true, err
	}
	return m, nil
}

type hookArgs struct {
	Message    string `py:"message"`         // the text
	Attachment any    `py:"attachment=None"` // a text below it
	Color      any    `py:"color='good'"`    // the colour of the attachment
	Short      any    `py:"short=False"`     // the attachment is short enough to stand beside others
	Identifier any    `py:"identifier=None"` // the hook, slack:hook by default
	Channel    any    `py:"channel=None"`    // a channel instead of the hook's
	Username   any    `py:"username=None"`   // a name instead of the hook's
	IconEmoji  any    `py:"icon_emoji=None"` // a picture instead of the hook's
}

// callHook sends a message through a web hook.
func callHook(c *salt.Ctx, a hookArgs) (any, error) {
	id, err := setting(c, a.Identifier, "hook", "No Slack WebHook url found")
	if err != nil {
		return nil, err
	}
	base, _ := url.Parse("https://hooks.slack.com/services/")
	to, err := base.Parse(id)
	if err != nil {
		return nil, salt.InvocationError("the Slack WebHook is no URL")
	}
	payload := value.M("text", a.Message)
	if value.Truth(a.Attachment) {
		payload = value.M("attachments", value.L(value.M("fallback", a.Message, "color", a.Color, "pretext", a.Message,
			"fields", value.L(value.M("value", a.Attachment, "short", a.Short)))))
	}
	for _, p := range []struct {
		name string
		v    any
	}{{"channel", a.Channel}, {"username", a.Username}, {"icon_emoji", a.IconEmoji}} {
		if value.Truth(p.v) {
			payload.Set(p.name, p.v)
		}
	}
	s, err := value.JSON(payload, value.JSONOptions{})
	if err != nil {
		return nil, err
	}
	v, err := c.CallKw("http.query", value.M("method", "POST", "data", url.Values{"payload": {s}}.Encode(), "status", true), to.String())
	if err != nil {
		return nil, err
	}
	res, _ := v.(*value.Map)
	if n, ok := res.At("status").(int64); ok && n >= 200 && n <= 201 {
		return true, nil
	}
	body, ok := res.Get("body")
	if !ok {
		body = res.At("status")
	}
	return value.M("res", false, "message", body), nil
}
