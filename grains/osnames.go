package grains

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// deriveOS is the short name that Salt uses for a distribution: the full name
// without "Linux" and "GNU/Linux", or what tradition calls it.
func deriveOS(fullname, id string) string {
	switch [2]string{id, fullname} {
	case [2]string{"astra", "Astra Linux (Orel)"}:
		return "AstraLinuxCE"
	case [2]string{"astra", "Astra Linux (Smolensk)"}:
		return "AstraLinuxSE"
	case [2]string{"pop", "Pop!_OS"}:
		return "Pop"
	}
	name := strings.TrimSpace(withoutLinux(fullname))
	short := []rune(strings.ToLower(strings.ReplaceAll(name, " ", "")))
	if n := traditional(string(short[:min(len(short), 10)])); n != "" {
		return n
	}
	return name
}

// withoutLinux cuts "linux" and "gnu/linux" out, in any case, together with the
// character before them, which must not be part of a word.
func withoutLinux(s string) string {
	for from := 0; ; {
		i := strings.Index(strings.ToLower(s[from:]), "linux")
		if i < 0 {
			return s
		}
		start, end := from+i, from+i+len("linux")
		if strings.HasSuffix(strings.ToLower(s[:start]), "gnu/") {
			if r, _ := utf8.DecodeLastRuneInString(s[:start-len("gnu/")]); start > len("gnu/") && !wordRune(r) {
				start -= len("gnu/")
			}
		}
		r, n := utf8.DecodeLastRuneInString(s[:start])
		if n == 0 || wordRune(r) {
			from = end
			continue
		}
		s, from = s[:start-n]+s[end:], start-n
	}
}

func wordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }

// traditional is the os grain for the first ten letters of a name, in lower
// case and without spaces (the table of salt.grains.core).
func traditional(short string) string {
	switch short {
	case "redhatente":
		return "RedHat"
	case "gentoobase":
		return "Gentoo"
	case "archarm":
		return "Arch ARM"
	case "fedoraremi", "pidora":
		return "Fedora"
	case "amazonami":
		return "Amazon"
	case "alt":
		return "ALT"
	case "enterprise", "oracleserv":
		return "OEL"
	case "cloudserve", "cloudlinux":
		return "CloudLinux"
	case "almalinux", "almalinuxk":
		return "AlmaLinux"
	case "scientific":
		return "ScientificLinux"
	case "nilrt":
		return "NILinuxRT"
	case "manjaro", "manjarolin":
		return "Manjaro"
	case "sles":
		return "SUSE"
	case "slesexpand":
		return "RES"
	case "linuxmint":
		return "Mint"
	case "neon":
		return "KDE neon"
	case "alibabaclo":
		return "Alinux"
	case "photon":
		return "VMware Photon OS"
	case "arch", "debian", "raspbian", "chapeau", "korora", "virtuozzo", "synology", "poky", "univention", "antergos",
		"void", "pop", "rocky", "mendel":
		return strings.ToUpper(short[:1]) + short[1:]
	}
	return ""
}

// family is the os_family of an os; one that is not listed is its own family.
func family(os string) string {
	switch os {
	case "Fedora", "Chapeau", "Korora", "FedBerry", "CentOS", "CentOS Stream", "GoOSe", "Scientific", "Amazon",
		"CloudLinux", "Virtuozzo", "AlmaLinux", "AlmaLinux Kitten", "OVS", "OEL", "XCP", "XCP-ng", "XenServer", "RES",
		"Sangoma", "VMware Photon OS", "AlterOS", "RED OS", "ALT", "ScientificLinux", "Rocky", "Alinux", "openEuler":
		return "RedHat"
	case "Ubuntu", "Mint", "Trisquel", "GCEL", "Linaro", "elementary OS", "elementary", "Univention", "Raspbian",
		"Devuan", "antiX", "Kali", "Parrot OS", "neon", "Cumulus", "Deepin", "KDE neon", "IDMS", "TurnKey", "Pop",
		"AstraLinuxCE", "AstraLinuxSE", "Mendel", "OSMC":
		return "Debian"
	case "SLES", "SUSE Enterprise Server", "SUSE  Enterprise Server", "SLED", "openSUSE", "SUSE", "openSUSE Leap",
		"openSUSE Tumbleweed", "SLES_SAP", "alfaLinux", "alfaLinux Rise":
		return "Suse"
	case "Arch ARM", "Manjaro", "Manjaro ARM", "Antergos", "EndeavourOS":
		return "Arch"
	case "Mandrake":
		return "Mandriva"
	case "VMwareESX":
		return "VMware"
	case "Bluewhite64":
		return "Bluewhite"
	case "Slamd64":
		return "Slackware"
	case "Funtoo":
		return "Gentoo"
	}
	return os
}
