package sys

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A User is a line of passwd(5).
type User struct {
	Name, Passwd string
	UID, GID     int
	Gecos        string
	Home, Shell  string
}

// A Group is a line of group(5).
type Group struct {
	Name, Passwd string
	GID          int
	Members      []string
}

// ErrNoUser and ErrNoGroup say that an account is not there.
var (
	ErrNoUser  = errors.New("no such user")
	ErrNoGroup = errors.New("no such group")
)

// ParsePasswd reads the lines of passwd(5); lines of another form are left out.
func ParsePasswd(text string) []User {
	var users []User
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimRight(line, "\n"), ":")
		if len(f) < 7 || f[0] == "" || f[0][0] == '+' || f[0][0] == '-' {
			continue
		}
		uid, err1 := strconv.Atoi(f[2])
		gid, err2 := strconv.Atoi(f[3])
		if err1 == nil && err2 == nil {
			users = append(users, User{f[0], f[1], uid, gid, f[4], f[5], f[6]})
		}
	}
	return users
}

// ParseGroup reads the lines of group(5); lines of another form are left out.
func ParseGroup(text string) []Group {
	var groups []Group
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimRight(line, "\n"), ":")
		if len(f) < 4 || f[0] == "" || f[0][0] == '+' || f[0][0] == '-' {
			continue
		}
		gid, err := strconv.Atoi(f[2])
		if err != nil {
			continue
		}
		g := Group{Name: f[0], Passwd: f[1], GID: gid}
		for _, m := range strings.Split(f[3], ",") {
			if m = strings.TrimSpace(m); m != "" {
				g.Members = append(g.Members, m)
			}
		}
		groups = append(groups, g)
	}
	return groups
}

// A table is a parsed account file, read again when the file changed.
type table[T any] struct {
	mu    sync.Mutex
	stamp fs.FileInfo
	rows  []T
	names map[string]int
	ids   map[int]int
}

var (
	passwd table[User]
	group  table[Group]
)

func (t *table[T]) load(path string, parse func(string) []T, key func(T) (string, int)) ([]T, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if t.stamp != nil && os.SameFile(info, t.stamp) && info.ModTime().Equal(t.stamp.ModTime()) && info.Size() == t.stamp.Size() {
		return t.rows, nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t.rows, t.stamp = parse(string(b)), info
	t.names, t.ids = make(map[string]int, len(t.rows)), make(map[int]int, len(t.rows))
	for i := range slices.Backward(t.rows) { // the first of several wins
		name, id := key(t.rows[i])
		t.names[name], t.ids[id] = i, i
	}
	return t.rows, nil
}

func userKey(u User) (string, int)   { return u.Name, u.UID }
func groupKey(g Group) (string, int) { return g.Name, g.GID }

// Users reads /etc/passwd, again only when it changed.
func (Real) Users() ([]User, error) {
	passwd.mu.Lock()
	defer passwd.mu.Unlock()
	rows, err := passwd.load("/etc/passwd", ParsePasswd, userKey)
	return slices.Clone(rows), err
}

// Groups reads /etc/group, again only when it changed.
func (Real) Groups() ([]Group, error) {
	group.mu.Lock()
	defer group.mu.Unlock()
	rows, err := group.load("/etc/group", ParseGroup, groupKey)
	return slices.Clone(rows), err
}

func (r Real) User(name string) (User, error) {
	passwd.mu.Lock()
	defer passwd.mu.Unlock()
	rows, err := passwd.load("/etc/passwd", ParsePasswd, userKey)
	if err != nil {
		return User{}, err
	}
	if i, ok := passwd.names[name]; ok {
		return rows[i], nil
	}
	if found := ParsePasswd(r.getent("passwd", name)); len(found) > 0 {
		return found[0], nil
	}
	return User{}, fmt.Errorf("%w: %s", ErrNoUser, name)
}

func (r Real) UserID(uid int) (User, error) {
	passwd.mu.Lock()
	defer passwd.mu.Unlock()
	rows, err := passwd.load("/etc/passwd", ParsePasswd, userKey)
	if err != nil {
		return User{}, err
	}
	if i, ok := passwd.ids[uid]; ok {
		return rows[i], nil
	}
	if found := ParsePasswd(r.getent("passwd", strconv.Itoa(uid))); len(found) > 0 {
		return found[0], nil
	}
	return User{}, fmt.Errorf("%w: uid %d", ErrNoUser, uid)
}

func (r Real) Group(name string) (Group, error) {
	group.mu.Lock()
	defer group.mu.Unlock()
	rows, err := group.load("/etc/group", ParseGroup, groupKey)
	if err != nil {
		return Group{}, err
	}
	if i, ok := group.names[name]; ok {
		return rows[i], nil
	}
	if found := ParseGroup(r.getent("group", name)); len(found) > 0 {
		return found[0], nil
	}
	return Group{}, fmt.Errorf("%w: %s", ErrNoGroup, name)
}

func (r Real) GroupID(gid int) (Group, error) {
	group.mu.Lock()
	defer group.mu.Unlock()
	rows, err := group.load("/etc/group", ParseGroup, groupKey)
	if err != nil {
		return Group{}, err
	}
	if i, ok := group.ids[gid]; ok {
		return rows[i], nil
	}
	if found := ParseGroup(r.getent("group", strconv.Itoa(gid))); len(found) > 0 {
		return found[0], nil
	}
	return Group{}, fmt.Errorf("%w: gid %d", ErrNoGroup, gid)
}

// local are the name services that only read the files we read ourselves.
var local = []string{"files", "compat", "systemd", "altfiles", "db"}

// getent asks the name service switch for accounts that are not in the files
// (LDAP, SSSD, winbind), only where such a service is configured.
func (r Real) getent(database, key string) string {
	b, err := os.ReadFile("/etc/nsswitch.conf")
	if err != nil || !remoteService(string(b), database) {
		return ""
	}
	res, err := r.Run(context.Background(), Cmd{Argv: []string{"getent", database, key}, Query: true})
	if err != nil {
		return ""
	}
	return string(res.Stdout)
}

func remoteService(nsswitch, database string) bool {
	for line := range strings.Lines(nsswitch) {
		line, _, _ = strings.Cut(line, "#")
		name, services, ok := strings.Cut(line, ":")
		if !ok || strings.TrimSpace(name) != database {
			continue
		}
		for _, s := range strings.Fields(services) {
			if s[0] != '[' && !slices.Contains(local, s) {
				return true
			}
		}
	}
	return false
}

// GroupsOf are the ids of the groups that list the user as a member, and its own group.
func GroupsOf(r Reader, u User) []int {
	ids := []int{u.GID}
	groups, _ := r.Groups()
	for _, g := range groups {
		if g.GID != u.GID && slices.Contains(g.Members, u.Name) {
			ids = append(ids, g.GID)
		}
	}
	return ids
}
