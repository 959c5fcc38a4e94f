// Package ssh holds Salt's ssh module: authorized keys, known hosts and the
// keys of the host and its users. Its main variable is Module.
//
//	salt-call ssh.auth_keys deploy
package ssh

import (
	"errors"
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/sys"
)

// Module is Salt's ssh module.
var Module = salt.Module{
	Name: "ssh",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"auth_keys":               salt.Exec(authKeys),
			"check_key":               salt.Exec(checkKey),
			"check_key_file":          salt.Exec(checkKeyFile),
			"check_known_host":        salt.Exec(checkKnownHost),
			"get_known_host_entries":  salt.Exec(getKnownHostEntries),
			"hash_known_hosts":        salt.Exec(hashKnownHosts),
			"host_keys":               salt.Exec(hostKeys),
			"key_is_encrypted":        salt.Exec(keyIsEncrypted),
			"recv_known_host_entries": salt.Exec(recvKnownHostEntries),
			"rm_known_host":           salt.Exec(rmKnownHost),
			"set_known_host":          salt.Exec(setKnownHost),
			"user_keys":               salt.Exec(userKeyFiles),
			"rm_auth_key":             salt.Exec(rmAuthKey),
			"rm_auth_key_from_file":   salt.Exec(rmAuthKeyFromFile),
			"set_auth_key":            salt.Exec(setAuthKey),
			"set_auth_key_from_file":  salt.Exec(setAuthKeyFromFile),
		}
	},
	Virtual: func(c *salt.Ctx, kind string) error {
		if c.Sys.LookPath("ssh") == "" {
			return errors.New("The module requires the ssh binary.")
		}
		return nil
	},
}

// encodings are the key types that may be given, with their short names.
var encodings = map[string]string{
	"r": "ssh-rsa", "rsa": "ssh-rsa", "ssh-rsa": "ssh-rsa",
	"d": "ssh-dss", "dsa": "ssh-dss", "dss": "ssh-dss", "ssh-dss": "ssh-dss",
	"e": "ecdsa-sha2-nistp256", "ecdsa": "ecdsa-sha2-nistp256",
	"ed25519": "ssh-ed25519",
}

// longEncodings are those that stand for themselves.
const longEncodings = " ecdsa-sha2-nistp521 ecdsa-sha2-nistp384 ecdsa-sha2-nistp256 ssh-ed25519" +
	" rsa-sha2-512 rsa-sha2-256 rsa-sha2-512-cert-v01@openssh.com rsa-sha2-256-cert-v01@openssh.com" +
	" ssh-rsa-cert-v01@openssh.com ecdsa-sha2-nistp256-cert-v01@openssh.com" +
	" ecdsa-sha2-nistp384-cert-v01@openssh.com ecdsa-sha2-nistp521-cert-v01@openssh.com" +
	" sk-ecdsa-sha2-nistp256@openssh.com sk-ecdsa-sha2-nistp256-cert-v01@openssh.com" +
	" ssh-ed25519-cert-v01@openssh.com sk-ssh-ed25519@openssh.com sk-ssh-ed25519-cert-v01@openssh.com "

// refine gives the full name of a key type.
func refine(enc string) (string, error) {
	if full := encodings[enc]; full != "" {
		return full, nil
	}
	if enc != "" && strings.Contains(longEncodings, " "+enc+" ") {
		return enc, nil
	}
	return "", salt.CommandError("Incorrect encryption key type '%s'.", enc)
}

// expand replaces the tokens of AuthorizedKeysFile, see sshd_config(5).
func expand(path string, u sys.User) (string, error) {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if path[i] != '%' {
			b.WriteByte(path[i])
			continue
		}
		if i++; i == len(path) {
			return "", salt.CommandError("AuthorizedKeysFile path: Last character can't be escape character")
		}
		switch path[i] {
		case '%':
			b.WriteByte('%')
		case 'u':
			b.WriteString(u.Name)
		case 'h':
			b.WriteString(u.Home)
		default:
			return "", salt.CommandError(`AuthorizedKeysFile path: unknown token character "%%%s"`, string([]rune(path[i:])[:1]))
		}
	}
	return b.String(), nil
}

// keysFile is the authorized keys file of a user.
func keysFile(c *salt.Ctx, user, config string) (string, error) {
	u, err := c.Sys.User(user)
	if err != nil {
		return "", salt.CommandError("User '%s' does not exist", user)
	}
	path, err := expand(config, u)
	if err == nil && !filepath.IsAbs(path) {
		path = filepath.Join(u.Home, path)
	}
	return path, err
}
