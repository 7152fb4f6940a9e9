"""The web's own certificate authority: made at start, one P-256 certificate for each site."""
from __future__ import annotations

import datetime as dt
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from core import Site

DAY = dt.timedelta(days=1)


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


class Authority:
    def __init__(self, folder: Path, label: str = "Test Web CA") -> None:
        self.folder = folder
        self.label = label
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.cert = self._sign(label, self.key, None, False)
        self.pem = self.cert.public_bytes(serialization.Encoding.PEM)

    def _sign(self, subject: str, key: ec.EllipticCurvePrivateKey, names: list[str] | None,
              expired: bool, self_signed: bool = False) -> x509.Certificate:
        now = dt.datetime.utcnow()
        end = now - DAY if expired else now + 30 * DAY
        builder = (x509.CertificateBuilder().subject_name(_name(subject))
                   .issuer_name(_name(subject if self_signed else self.label))
                   .public_key(key.public_key()).serial_number(x509.random_serial_number())
                   .not_valid_before(now - 60 * DAY).not_valid_after(end)
                   .add_extension(x509.BasicConstraints(names is None, None), True))
        if names:
            builder = builder.add_extension(
                x509.SubjectAlternativeName([x509.DNSName(n) for n in names]), False)
        return builder.sign(key if self_signed else self.key, hashes.SHA256())

    def context(self, site: Site, other: "Authority") -> ssl.SSLContext:
        """A server context with the certificate (and fault) the site asks for."""
        key = ec.generate_private_key(ec.SECP256R1())
        names = ["elsewhere.test"] if site.tls == "wrong-name" else [site.name, "*." + site.name]
        issuer = other if site.tls == "unknown-ca" else self
        cert = issuer._sign(names[0], key, names, site.tls == "expired", site.tls == "self-signed")
        path = self.folder / f"{site.name}.pem"
        path.write_bytes(cert.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption()))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        context.set_alpn_protocols(["h2", "http/1.1"] if site.h2 else ["http/1.1"])
        return context
