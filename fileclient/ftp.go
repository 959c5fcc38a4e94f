package fileclient

import (
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/textproto"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"pinch/salt"
)

// ftp fetches with RFC 959's RETR in binary mode over a passive connection
// (RFC 2428's EPSV, so IPv6 works).
func (c *Client) ftp(_ *salt.Ctx, raw, env string, o salt.GetOptions) (*salt.File, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return nil, err
	}
	dest := c.externPath(u, env, o)
	host := u.Host
	if u.Port() == "" {
		host = net.JoinHostPort(u.Hostname(), "21")
	}
	conn, err := net.DialTimeout("tcp", host, 20*time.Second)
	if err != nil {
		return nil, fmt.Errorf("Could not retrieve %s from FTP server. Exception: %w", redact(raw), err)
	}
	s := &ftpSession{text: textproto.NewConn(conn), host: u.Hostname()}
	defer s.text.Close()
	if err := s.fetch(u, dest); err != nil {
		return nil, fmt.Errorf("Could not retrieve %s from FTP server. Exception: %w", redact(raw), err)
	}
	i, err := os.Stat(dest)
	if err != nil {
		return nil, err
	}
	return onDisk(raw, dest, env, i), nil
}

type ftpSession struct {
	text *textproto.Conn
	host string
}

func (s *ftpSession) cmd(expect int, format string, a ...any) (string, error) {
	if strings.ContainsAny(fmt.Sprintf(format, a...), "\r\n") {
		return "", fs.ErrInvalid
	}
	if err := s.text.PrintfLine(format, a...); err != nil {
		return "", err
	}
	_, msg, err := s.text.ReadResponse(expect)
	return msg, err
}

var epsv = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\(\|\|\|(\d+)\|\)`) })

func (s *ftpSession) fetch(u *url.URL, dest string) error {
	if _, _, err := s.text.ReadResponse(2); err != nil {
		return err
	}
	user, pw := "anonymous", "anonymous@"
	if u.User != nil {
		user = u.User.Username()
		pw, _ = u.User.Password()
	}
	if err := s.text.PrintfLine("USER %s", user); err != nil {
		return err
	}
	code, msg, err := s.text.ReadCodeLine(0)
	if err != nil || code >= 400 {
		return fmt.Errorf("login: %d %s", code, msg)
	}
	if code == 331 {
		if _, err := s.cmd(2, "PASS %s", pw); err != nil {
			return err
		}
	}
	if _, err := s.cmd(2, "TYPE I"); err != nil {
		return err
	}
	msg, err = s.cmd(2, "EPSV")
	if err != nil {
		return err
	}
	port := epsv().FindStringSubmatch(msg)
	if port == nil {
		return fmt.Errorf("no port in %q", msg)
	}
	data, err := net.DialTimeout("tcp", net.JoinHostPort(s.host, port[1]), 20*time.Second)
	if err != nil {
		return err
	}
	defer data.Close()
	if _, err := s.cmd(1, "RETR %s", u.Path); err != nil {
		return err
	}
	return saveBody(dest, io.Reader(data))
}
