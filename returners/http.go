package returners

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/smtp"
	"strings"
	"time"

	"pinch/value"
)

// webhook sends the return as JSON to the URL of the option webhook.url (or
// http.url), with the headers of webhook.headers. webhook.method is POST,
// webhook.timeout 10 seconds, webhook.verify_ssl True.
func webhook(s *settings, ret *value.Map, _ io.Writer) error {
	url := s.text("url", "")
	if url == "" {
		return fmt.Errorf("the option %s.url is not set", s.name)
	}
	body, err := text(ret)
	if err != nil {
		return err
	}
	client := s.client(s.flag("verify_ssl", true))
	return again(s, func() error {
		req, err := http.NewRequestWithContext(s.c, s.text("method", http.MethodPost), url, strings.NewReader(body))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("User-Agent", "pinch")
		if v, ok := s.get("headers"); ok {
			m, _ := v.(*value.Map)
			for k, v := range m.Items() {
				req.Header.Set(k, value.Str(v))
			}
		}
		res, err := client.Do(req)
		if err != nil {
			return plainError(err)
		}
		defer res.Body.Close()
		_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 1<<20))
		if res.StatusCode >= 300 {
			return fmt.Errorf("the service answered %s", res.Status)
		}
		return nil
	})
}

// client is for one conversation with a service.
func (s *settings) client(verify bool) *http.Client {
	c := &http.Client{Timeout: time.Duration(s.number("timeout", 10)) * time.Second}
	if !verify {
		c.Transport = &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, Proxy: http.ProxyFromEnvironment}
	}
	return c
}

// plainError leaves the URL out, which may hold a secret.
func plainError(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New("no answer in time")
	}
	var inner interface{ Unwrap() error }
	if errors.As(err, &inner) && inner.Unwrap() != nil {
		return inner.Unwrap()
	}
	return err
}

// mail sends the return by mail. Options: smtp.from, smtp.to (one, a list, or
// joined by commas), smtp.host, smtp.port (25), smtp.subject, smtp.tls,
// smtp.username, smtp.password, smtp.fields.
func mail(s *settings, ret *value.Map, _ io.Writer) error {
	subject := s.text("subject", "Salt execution")
	for _, f := range List(value.Of(s.text("fields", ""))) {
		subject += " " + ret.Str(f)
	}
	var b strings.Builder
	for _, k := range []string{"id", "fun", "fun_args", "jid", "return"} {
		v, ok := ret.Get(k)
		if !ok {
			continue
		}
		t, err := value.JSON(v, value.JSONOptions{Indent: 4, Default: func(v any) (any, error) { return value.Repr(v), nil }})
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s: %s\r\n", k, strings.ReplaceAll(t, "\n", "\r\n"))
	}
	return s.mail(subject, "text/plain", b.String())
}

// mail sends a text with the options of the returner.
func (s *settings) mail(subject, kind, body string) error {
	from, host := s.text("from", ""), s.text("host", "")
	v, _ := s.get("to")
	to := List(v)
	if from == "" || host == "" || len(to) == 0 {
		return fmt.Errorf("the options %[1]s.from, %[1]s.to and %[1]s.host are needed", s.name)
	}
	for _, field := range append([]string{from, subject}, to...) {
		if strings.ContainsAny(field, "\r\n") {
			return fmt.Errorf("an address or the subject has a line break")
		}
	}
	var msg bytes.Buffer
	fmt.Fprintf(&msg, "From: %s\r\nTo: %s\r\nSubject: %s\r\nDate: %s\r\nMIME-Version: 1.0\r\nContent-Type: %s; charset=utf-8\r\n\r\n%s",
		from, strings.Join(to, ", "), subject, time.Now().Format(time.RFC1123Z), kind, body)
	port := s.number("port", 25)
	return again(s, func() error { return s.deliver(host, port, from, to, msg.Bytes()) })
}

func (s *settings) deliver(host string, port int64, from string, to []string, msg []byte) error {
	d := net.Dialer{Timeout: 10 * time.Second}
	conn, err := d.DialContext(s.c, "tcp", net.JoinHostPort(host, fmt.Sprint(port)))
	if err != nil {
		return err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
	c, err := smtp.NewClient(conn, host)
	if err != nil {
		return err
	}
	if v, ok := s.get("tls"); ok && value.Truth(v) {
		if err := c.StartTLS(&tls.Config{ServerName: host}); err != nil {
			return err
		}
	}
	if user := s.text("username", ""); user != "" {
		if err := c.Auth(smtp.PlainAuth("", user, s.text("password", ""), host)); err != nil {
			return err
		}
	}
	if err := c.Mail(from); err != nil {
		return err
	}
	for _, rcpt := range to {
		if err := c.Rcpt(rcpt); err != nil {
			return err
		}
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(msg); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return c.Quit()
}
