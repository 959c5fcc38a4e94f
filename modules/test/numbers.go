package test

import (
	"crypto/rand"
	"encoding/hex"
	"hash"
	"math/big"
	"strings"
	"time"

	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"

	"pinch/salt"
	"pinch/value"
)

type fibArgs struct {
	Num int64 `py:"num"` // which number of the sequence to return
}

// fib returns a Fibonacci number and the seconds that it took.
func fib(c *salt.Ctx, a fibArgs) (value.Tuple, error) {
	n := big.NewInt(a.Num)
	if n.Sign() < 0 {
		return nil, value.Errorf("ValueError", "Negative number is not allowed!")
	}
	start := c.Sys.Now()
	prev, curr := new(big.Int), big.NewInt(1)
	if n.Cmp(curr) <= 0 {
		curr = n
	} else {
		for i := big.NewInt(1); i.Cmp(n) < 0 && c.Err() == nil; i.Add(i, big.NewInt(1)) {
			prev.Add(prev, curr)
			prev, curr = curr, prev
		}
	}
	return value.Tuple{value.Int(curr), c.Sys.Now().Sub(start).Seconds()}, c.Err()
}

type collatzArgs struct {
	Start int64 `py:"start"` // where to start
}

// collatz returns the steps of the 3n+1 sequence down to 1 and the seconds
// that it took. As in Salt the numbers after the first halving are floats.
func collatz(c *salt.Ctx, a collatzArgs) (value.Tuple, error) {
	n := big.NewInt(a.Start)
	if n.Sign() <= 0 {
		return nil, value.Errorf("ValueError", "collatz needs a positive number, not %s", n)
	}
	begin := c.Sys.Now()
	steps := value.L()
	one := big.NewInt(1)
	for isInt := true; n.Cmp(one) != 0 && c.Err() == nil; {
		if isInt {
			steps.Append(value.Int(new(big.Int).Set(n)))
		} else {
			f, _ := new(big.Float).SetInt(n).Float64()
			steps.Append(f)
		}
		if n.Bit(0) == 0 {
			n.Rsh(n, 1)
			isInt = false
		} else {
			n.Add(n.Mul(n, big.NewInt(3)), one)
		}
	}
	return value.Tuple{steps, c.Sys.Now().Sub(begin).Seconds()}, c.Err()
}

type sleepArgs struct {
	Length int64 `py:"length"` // seconds
}

// sleep waits for a number of seconds.
func sleep(c *salt.Ctx, a sleepArgs) (bool, error) {
	if a.Length < 0 {
		return false, value.Errorf("ValueError", "sleep length must be non-negative")
	}
	return true, c.Sys.Sleep(c, time.Duration(a.Length)*time.Second)
}

type randSleepArgs struct {
	Max int64 `py:"max=60"` // the longest sleep, in seconds
}

// randSleep waits for a random number of seconds.
func randSleep(c *salt.Ctx, a randSleepArgs) (bool, error) {
	n, err := below(big.NewInt(a.Max))
	if err != nil {
		return false, err
	}
	return true, c.Sys.Sleep(c, time.Duration(n.Int64())*time.Second)
}

// below is a random number from 0 to max, both included.
func below(max *big.Int) (*big.Int, error) {
	if max.Sign() < 0 {
		return nil, value.Errorf("ValueError", "empty range for randrange()")
	}
	return rand.Int(rand.Reader, new(big.Int).Add(max, big.NewInt(1)))
}

type randStrArgs struct {
	Size     int64 `py:"size=9999999999"` // numbers up to this one are hashed
	HashType any   `py:"hash_type=None"`  // the hash, such as md5; None takes the minion's hash_type
}

// randStr is another name of test.random_hash.
func randStr(c *salt.Ctx, a randStrArgs) (string, error) {
	return randomHash(c, randomHashArgs(a))
}

type randomHashArgs struct {
	Size     int64 `py:"size=9999999999"` // numbers up to this one are hashed
	HashType any   `py:"hash_type=None"`  // the hash, such as md5; None takes the minion's hash_type
}

// randomHash returns the hash of a random number.
func randomHash(c *salt.Ctx, a randomHashArgs) (string, error) {
	kind := a.HashType
	if !value.Truth(kind) {
		if kind = c.Opts.At("hash_type"); !value.Truth(kind) {
			kind = "sha256"
		}
	}
	name := value.Str(kind)
	make := hashes[strings.ToLower(name)]
	if make == nil {
		return "", value.Errorf("AttributeError", "module 'hashlib' has no attribute '%s'", name)
	}
	n, err := below(big.NewInt(a.Size))
	if err != nil {
		return "", err
	}
	h := make()
	h.Write([]byte(n.String()))
	return hex.EncodeToString(h.Sum(nil)), nil
}

var hashes = map[string]func() hash.Hash{
	"md5": md5.New, "sha1": sha1.New, "sha224": sha256.New224, "sha256": sha256.New,
	"sha384": sha512.New384, "sha512": sha512.New,
	"sha3_224": func() hash.Hash { return sha3.New224() }, "sha3_256": func() hash.Hash { return sha3.New256() },
	"sha3_384": func() hash.Hash { return sha3.New384() }, "sha3_512": func() hash.Hash { return sha3.New512() },
}
