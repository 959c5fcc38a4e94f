"""Digests and encodings."""

import base64
import hashlib
import hmac as _hmac


def _bytes(value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8")


def get_hash(path, form="sha256", chunk_size=65536):
    try:
        digest = hashlib.new(form)
    except ValueError:
        raise ValueError("Invalid hash type: %s" % form) from None
    with open(path, "rb") as stream:
        for chunk in iter(lambda: stream.read(chunk_size), b""):
            digest.update(chunk)
    return digest.hexdigest()


def _digest(name):
    return lambda value: hashlib.new(name, _bytes(value)).hexdigest()


md5_digest, sha1_digest, sha256_digest, sha512_digest = (_digest(n) for n in ("md5", "sha1", "sha256", "sha512"))


def base64_b64encode(value):
    return base64.b64encode(_bytes(value)).decode("ascii")


def base64_encodestring(value):
    return base64.encodebytes(_bytes(value)).decode("ascii")


def base64_b64decode(value):
    return base64.b64decode(_bytes(value)).decode("utf-8")


base64_decodestring = base64_b64decode


def hmac_signature(string, shared_secret, challenge_hmac):
    digest = _hmac.new(_bytes(shared_secret), _bytes(string), hashlib.sha256).digest()
    return _hmac.compare_digest(base64.b64encode(digest), _bytes(challenge_hmac))


def random_hash(size=9999999999, hash_type=None):
    """The digest of a random number, of the kind that is configured."""
    import pinch_loader
    import secrets

    kind = hash_type or pinch_loader.opts.get("hash_type", "md5")
    return hashlib.new(kind, str(secrets.randbelow(size)).encode()).hexdigest()


def hmac_compute(string, shared_secret):
    return _hmac.new(_bytes(shared_secret), _bytes(string), hashlib.sha256).hexdigest()
