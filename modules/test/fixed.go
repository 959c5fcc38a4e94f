package test

import (
	"pinch/salt"
	"pinch/value"
)

// pretended are the changes that the states of this module claim.
func pretended() *value.Map {
	return value.M("testing", value.M("old", "Unchanged", "new", "Something pretended to change"))
}

// commentOf is the comment among the further arguments, or the usual one.
func commentOf(kw *value.Map, usual string) string {
	if v, ok := kw.Get("comment"); ok {
		return value.Str(v)
	}
	return usual
}

type nopArgs struct {
	Name   string     `py:"name"`     // the name of the state, free to choose
	Kwargs *value.Map `py:"**kwargs"` // more arguments, which are ignored
}

// nop does nothing and succeeds: a place to hang requisites on.
func nop(c *salt.Ctx, a nopArgs) salt.Result { return salt.Correct("Success!") }

type succeedWithoutChangesArgs struct {
	Name   string     `py:"name"`     // the name of the state, free to choose
	Kwargs *value.Map `py:"**kwargs"` // comment: the comment to answer with instead of Success!
}

// succeedWithoutChanges succeeds and changes nothing.
func succeedWithoutChanges(c *salt.Ctx, a succeedWithoutChangesArgs) salt.Result {
	return salt.Correct("%s", commentOf(a.Kwargs, "Success!"))
}

type failWithoutChangesArgs struct {
	Name   string     `py:"name"`     // the name of the state, free to choose
	Kwargs *value.Map `py:"**kwargs"` // comment: the comment to answer with instead of Failure!
}

// failWithoutChanges fails and changes nothing, under test=True as well.
func failWithoutChanges(c *salt.Ctx, a failWithoutChangesArgs) salt.Result {
	if c.Test {
		return salt.Failed("If we weren't testing, this would be a failure!")
	}
	return salt.Failed("%s", commentOf(a.Kwargs, "Failure!"))
}

type succeedWithChangesArgs struct {
	Name   string     `py:"name"`     // the name of the state, free to choose
	Kwargs *value.Map `py:"**kwargs"` // comment: the comment to answer with instead of Success!
}

// succeedWithChanges succeeds and claims a change.
func succeedWithChanges(c *salt.Ctx, a succeedWithChangesArgs) salt.Result {
	if c.Test {
		return salt.Would(pretended(), "If we weren't testing, this would be successful with changes")
	}
	return salt.Changed(pretended(), "%s", commentOf(a.Kwargs, "Success!"))
}

type failWithChangesArgs struct {
	Name   string     `py:"name"`     // the name of the state, free to choose
	Kwargs *value.Map `py:"**kwargs"` // comment: the comment to answer with instead of Failure!
}

// failWithChanges fails and claims a change nevertheless.
func failWithChanges(c *salt.Ctx, a failWithChangesArgs) salt.Result {
	if c.Test {
		return salt.Would(pretended(), "If we weren't testing, this would be failed with changes")
	}
	r := salt.Failed("%s", commentOf(a.Kwargs, "Failure!"))
	r.Changes = pretended()
	return r
}

type showNotificationArgs struct {
	Name   string     `py:"name"`      // the name of the state, free to choose
	Text   any        `py:"text=None"` // what to show
	Kwargs *value.Map `py:"**kwargs"`  // more arguments, which are ignored
}

// showNotification shows a text as its comment.
//
//	hint:
//	  test.show_notification:
//	    - text: The database is not managed here.
func showNotification(c *salt.Ctx, a showNotificationArgs) salt.Result {
	if !value.Truth(a.Text) {
		return salt.Raised(salt.InvocationError("Missing required argument text."))
	}
	return salt.Correct("%s", value.Str(a.Text))
}
