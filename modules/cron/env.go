package cron

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type envPresentArgs struct {
	Name  string `py:"name"`        // the variable
	Value any    `py:"value=None"`  // the value
	User  string `py:"user='root'"` // whose crontab
}

// envPresent makes sure that a variable is set in a user's crontab.
//
//	MAILTO:
//	  cron.env_present:
//	    - value: ops@example.com
func envPresent(c *salt.Ctx, a envPresentArgs) salt.Result {
	what := "Cron env " + a.Name
	if c.Test {
		status, err := checkEnv(c, a.User, a.Name, a.Value)
		if err != nil {
			return salt.Raised(err)
		}
		return foresee(status, what)
	}
	word, err := setEnv(c, setEnvArgs{User: a.User, Name: a.Name, Value: a.Value})
	if err != nil {
		return salt.Raised(err)
	}
	return did(word, what, a.Name, a.User)
}

func checkEnv(c *salt.Ctx, user, name string, want any) (string, error) {
	t, err := load(c, user)
	if err != nil {
		return "", err
	}
	if want == nil {
		want = ""
	}
	for _, v := range t.env {
		if v.name != name {
			continue
		}
		if value.Equal(v.value, want) {
			return "present", nil
		}
		return "update", nil
	}
	return "absent", nil
}

type envAbsentArgs struct {
	Name string `py:"name"`        // the variable
	User string `py:"user='root'"` // whose crontab
}

// envAbsent makes sure that a variable is not set in a user's crontab.
func envAbsent(c *salt.Ctx, a envAbsentArgs) salt.Result {
	name := strings.TrimSpace(a.Name)
	what := "Cron env " + name
	if c.Test {
		status, err := checkEnv(c, a.User, name, nil)
		if err != nil {
			return salt.Raised(err)
		}
		return foreseeRemoval(status, what)
	}
	word, err := rmEnv(c, rmEnvArgs{User: a.User, Name: name})
	if err != nil {
		return salt.Raised(err)
	}
	return undid(word, what, name, a.User)
}
