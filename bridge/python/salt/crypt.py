"""Signatures with RSA keys."""


def sign_message(privkey_path, message, passphrase=None, algorithm="PKCS1v15-SHA1"):
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import padding

    if isinstance(message, str):
        message = message.encode()
    if isinstance(passphrase, str):
        passphrase = passphrase.encode()
    with open(privkey_path, "rb") as stream:
        key = serialization.load_pem_private_key(stream.read(), password=passphrase)
    kind, _, name = algorithm.partition("-")
    return key.sign(message, padding.PKCS1v15(), getattr(hashes, name)())
